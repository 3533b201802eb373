"""What there is to run on and what messages take, out of the document of a system."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ddsrta.checker.kinds import KINDS, MISSING_IN, RELEASES
from ddsrta.checker.policies import POLICIES, PRIORITY_KEYS
from ddsrta.checker.reading import (
    CertificateError,
    array,
    integer,
    mapping,
    names,
    one_of,
    optional_integer,
    optional_word,
    record,
    shown,
    text,
    truth,
)
from ddsrta.checker.things import (
    DELIVERIES,
    FAIR,
    Core,
    Cost,
    Executor,
    Limit,
    Middleware,
    Place,
    Process,
    Reservation,
)

if TYPE_CHECKING:
    from ddsrta.checker.links import Link

PLACE = ("core", "priority", "partition", "reservation")
_EXECUTOR = (*PLACE, "kind", "order", "release", "callbacks")
LEAST_PRIORITY = -(2**31)
OF_FAIR = ("nice", "slice")
_NICEST = 19


def core(value: object, where: str) -> Core:
    """A core, with a reservation or partitions."""
    raw = record(value, where, ("reservation", "partitions"), ("tick",))
    partitions = {
        name: _needed_reservation(part, f"{where}.partitions.{shown(name)}")
        for name, part in mapping(raw["partitions"], f"{where}.partitions").items()
    }
    own = _reservation(raw["reservation"], f"{where}.reservation")
    if own and partitions:
        raise CertificateError(f"{where}: a core has either a reservation or partitions")
    tick = integer(raw["tick"], f"{where}.tick", 1) if "tick" in raw else None
    return Core(own, partitions, tick)


def _reservation(value: object, where: str) -> Reservation | None:
    return None if value is None else _needed_reservation(value, where)


def _needed_reservation(value: object, where: str) -> Reservation:
    raw = record(value, where, ("budget", "period"))
    budget = integer(raw["budget"], f"{where}.budget", 1)
    return Reservation(budget, integer(raw["period"], f"{where}.period", budget))


def is_loose(raw: Mapping[str, object], where: str) -> bool:
    """Whether what goes this way may overtake."""
    if "ordered" in raw and not isinstance(raw["ordered"], bool):
        raise CertificateError(f"{where}.ordered: is neither true nor false")
    return raw.get("ordered") is False and raw["best"] != raw["delay"]


def loose(value: object) -> frozenset[tuple[str, str]]:
    """The directions whose messages may overtake each other."""
    found = set()
    for index, item in enumerate(array(value, "links")):
        raw = mapping(item, f"links.{index}")
        if is_loose(raw, f"links.{index}"):
            found.add((str(raw["from"]), str(raw["to"])))
    return frozenset(found)


def links(value: object) -> dict[tuple[str, str], Cost]:
    """How long messages are on their way between two machines."""
    found: dict[tuple[str, str], Cost] = {}
    for index, item in enumerate(array(value, "links")):
        where = f"links.{index}"
        raw = record(item, where, ("from", "to", "delay", "best"), ("ordered", "link"))
        ends = text(raw["from"], where), text(raw["to"], where)
        if ends in found:
            raise CertificateError(f"{where}: this direction is already given")
        found[ends] = bracket(raw["delay"], raw["best"], where)
    return found


def media(value: object) -> dict[str, Link]:
    """The shared links."""
    from ddsrta.checker.links import read_links

    return read_links(value)


def routes(value: object) -> dict[tuple[str, str], str]:
    """The shared links that messages take between two machines."""
    raws = [mapping(item, "links") for item in array(value, "links")]
    return {
        (str(raw.get("from")), str(raw.get("to"))): text(raw["link"], "links")
        for raw in raws
        if "link" in raw
    }


def priorities(raw: Mapping[str, Any], where: str) -> dict[str, int]:
    """How urgent a topic or publication is on each kind of link, as far as it says so."""
    return {key: integer(raw[key], f"{where}.{key}") for key in PRIORITY_KEYS if key in raw}


def bracket(worst: object, best: object, where: str) -> Cost:
    """A worst and a best case."""
    found = Cost(integer(worst, f"{where}, worst case"), integer(best, f"{where}, best case"))
    if found.best > found.worst:
        raise CertificateError(f"{where}: the best case {found.best} is above the worst")
    return found


def table(value: object, where: str) -> tuple[tuple[int, Cost], ...]:
    """Costs by size."""
    rows = []
    for item in array(value, where):
        if len(row := array(item, where)) != 3:
            raise CertificateError(f"{where}: a row is size, worst and best case")
        rows.append((integer(row[0], where), bracket(row[1], row[2], where)))
    if any(a >= b for (a, _), (b, _) in pairwise(rows)):
        raise CertificateError(f"{where}: the sizes do not ascend")
    return tuple(rows)


def place(raw: dict[str, Any], where: str) -> Place:
    """Where something runs."""
    found = Place(
        text(raw["core"], f"{where}.core"),
        integer(raw["priority"], f"{where}.priority", FAIR),
        optional_word(raw["partition"], f"{where}.partition"),
        _reservation(raw["reservation"], f"{where}.reservation"),
    )
    alone = found.partition is None and found.reservation is None
    is_nice = raw.get("executor") is None and found.priority == FAIR
    if ("nice" in raw) != is_nice or (found.priority == FAIR and not alone):
        raise CertificateError(f"{where}: what is nice is of SCHED_OTHER alone")
    if "nice" in raw and integer(raw["nice"], f"{where}.nice", -20) > _NICEST:
        raise CertificateError(f"{where}.nice: is above {_NICEST}")
    if "slice" in raw and (not is_nice or not integer(raw["slice"], f"{where}.slice", 1)):
        raise CertificateError(f"{where}.slice: is of SCHED_OTHER")
    return found._replace(nice=raw.get("nice", 0), slice=raw.get("slice"))


def middleware(value: object, where: str) -> Middleware:
    """A flow controller or listener."""
    raw = record(value, where, (*PLACE, "policy", "queue"), ("limit",))
    room = optional_integer(raw["queue"], f"{where}.queue")
    policy = one_of(raw["policy"], f"{where}.policy", POLICIES)
    limit = _limit(raw.get("limit"), f"{where}.limit")
    return Middleware(place(raw, where), policy, limit, room)


def _limit(value: object, where: str) -> Limit | None:
    if value is None:
        return None
    raw = record(value, where, ("bytes", "period"))
    return Limit(
        integer(raw["bytes"], f"{where}.bytes"), integer(raw["period"], f"{where}.period", 1)
    )


def executor(value: object, where: str) -> Executor:
    """An executor."""
    raw = record(value, where, _EXECUTOR, ("cores", "groups", "threads", *OF_FAIR))
    if ("cores" in raw) != ("groups" in raw) or ("threads" in raw and "cores" not in raw):
        raise CertificateError(f"{where}: 'cores' and 'groups' go together")
    kind = one_of(raw["kind"], f"{where}.kind", KINDS)
    release = optional_word(raw["release"], f"{where}.release", RELEASES)
    if release in MISSING_IN.get(kind, ()):
        raise CertificateError(f"{where}: rclcpp of {release} has no {kind} executor")
    callbacks = names(raw["callbacks"], f"{where}.callbacks")
    if len(set(callbacks)) < len(callbacks):
        raise CertificateError(f"{where}: a callback is listed twice")
    return Executor(
        place(raw, where),
        kind,
        one_of(raw["order"], f"{where}.order", ("unknown", "registered")) == "registered",
        release,
        callbacks,
        *_pool(raw, where),
    )


def _pool(
    raw: dict[str, Any], where: str
) -> tuple[tuple[str, ...], Mapping[str, str | None] | None, int]:
    """The cores and groups of an executor on several cores, and how many threads move."""
    if "cores" not in raw:
        return (), None, 0
    groups = mapping(raw["groups"], f"{where}.groups")
    cores = names(raw["cores"], f"{where}.cores")
    if not cores:
        raise CertificateError(f"{where}.cores: the list is empty")
    moving = integer(raw["threads"], f"{where}.threads", 2) if "threads" in raw else 0
    words = {name: optional_word(g, f"{where}.groups") for name, g in groups.items()}
    return cores, words, moving


def process(value: object, where: str) -> Process:
    """A process."""
    raw = record(value, where, ("listener", "intra_process"), ("intraprocess_delivery",))
    listener = text(raw["listener"], f"{where}.listener")
    direct = truth(raw["intra_process"], f"{where}.intra_process")
    if "intraprocess_delivery" not in raw:
        return Process(listener, direct)
    where = f"{where}.intraprocess_delivery"
    return Process(listener, direct, one_of(raw["intraprocess_delivery"], where, DELIVERIES))


def cost(value: object, where: str) -> Cost | None:
    """A worst and a best case, if they are given."""
    if value is None:
        return None
    if len(pair := array(value, where)) != 2:
        raise CertificateError(f"{where}: a cost is a worst and a best case")
    return bracket(pair[0], pair[1], where)
