"""Reads the document of a system, trusting nothing in it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ddsrta.checker.arrivals import read_arrival
from ddsrta.checker.kinds import KINDS
from ddsrta.checker.policies import POLICIES, PRIORITY_KEYS, PUBLICATION_KEYS, TOPIC_KEYS
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
    Chain,
    Copies,
    Core,
    Cost,
    Executor,
    FastDds,
    Limit,
    Middleware,
    Order,
    Place,
    Process,
    Publication,
    Reservation,
    Synchronizer,
    System,
    Thread,
)

if TYPE_CHECKING:
    from ddsrta.checker.links import Link

_SYSTEM = ("name", "cores", "links", "delays", "topics", "flow_controllers", "listeners",
           "executors", "processes", "threads", "chains")  # fmt: skip
_PLACE = ("core", "priority", "partition", "reservation")
_THREAD = (*_PLACE, "wcet", "bcet", "arrival", "publishes", "subscribes", "follows", "activation",
           "process", "executor", "entity", "urgency")  # fmt: skip
_EXECUTOR = (*_PLACE, "kind", "order", "release", "callbacks")
_RELEASES = ("humble", "iron", "jazzy", "rolling")
_ENTITIES = ("timer", "subscription", "service", "client", "waitable", "inline")
_PUBLICATION = ("topic", "mode", "flow_controller", "count", "cost", "earliest")
_CHAIN = ("path", "ends", "deadline", "constraint", "limit")
_CONSTRAINTS = ("latency", "trigger_latency", "data_age", "reaction_time")
_ORDERS = ("connection", "priority")
_MATCHING = ("exact_time", "approximate_time", "latest", "mtd")
_LEAST_PRIORITY = -(2**31)


def read_system(value: object) -> System:
    """The system of a document; its references are not looked at yet."""
    raw = record(value, "system", _SYSTEM, ("middleware", "orders", "media"))
    text(raw["name"], "system.name")
    topics = _each(raw, "topics", _topic)
    threads = _each(raw, "threads", _thread)
    tables = ("flow_controller", "listener", "publisher", "take")
    delays = record(raw["delays"], "delays", tables)
    readers: dict[str, list[str]] = {}
    writers: dict[str, list[str]] = {}
    for name, thread in threads.items():
        for topic in thread.topics:
            readers.setdefault(topic, []).append(name)
        for topic in thread.publishes:
            writers.setdefault(topic, []).append(name)
    return System(
        cores=_each(raw, "cores", _core),
        links=_links(raw["links"]),
        media=_media(raw["media"]) if "media" in raw else {},
        routes=_routes(raw["links"]),
        classes={name: topic.classes for name, topic in topics.items() if topic.classes},
        loose=_loose(raw["links"]),
        delays={table: _table(delays[table], f"delays.{table}") for table in tables},
        sizes={name: topic.size for name, topic in topics.items()},
        urgency={name: topic.priority for name, topic in topics.items()},
        said={name: topic.said for name, topic in topics.items() if topic.said},
        copies={name: topic.copies for name, topic in topics.items() if topic.copies},
        histories={name: t.history for name, t in topics.items() if t.history is not None},
        controllers=_each(raw, "flow_controllers", _middleware),
        listeners=_each(raw, "listeners", _middleware),
        executors=_each(raw, "executors", _executor),
        processes=_each(raw, "processes", _process),
        threads=threads,
        chains=_each(raw, "chains", _chain),
        readers={topic: tuple(found) for topic, found in readers.items()},
        writers={topic: tuple(found) for topic, found in writers.items()},
        fastdds=_fastdds(raw.get("middleware")),
        orders=_each({"orders": {}, **raw}, "orders", _order),
    )


def _fastdds(value: object) -> FastDds | None:
    if value is None:
        return None
    raw = record(value, "middleware", ("fastdds", "write"))
    version = one_of(raw["fastdds"], "middleware.fastdds", ("2.9",))
    return FastDds(version, optional_integer(raw["write"], "middleware.write", 1))


def _each(raw: dict[str, Any], kind: str, read: Any) -> dict[str, Any]:
    things = mapping(raw[kind], kind)
    return {name: read(thing, f"{kind}.{shown(name)}") for name, thing in things.items()}


def _core(value: object, where: str) -> Core:
    raw = record(value, where, ("reservation", "partitions"))
    partitions = {
        name: _needed_reservation(part, f"{where}.partitions.{shown(name)}")
        for name, part in mapping(raw["partitions"], f"{where}.partitions").items()
    }
    own = _reservation(raw["reservation"], f"{where}.reservation")
    if own and partitions:
        raise CertificateError(f"{where}: a core has either a reservation or partitions")
    return Core(own, partitions)


def _reservation(value: object, where: str) -> Reservation | None:
    return None if value is None else _needed_reservation(value, where)


def _needed_reservation(value: object, where: str) -> Reservation:
    raw = record(value, where, ("budget", "period"))
    budget = integer(raw["budget"], f"{where}.budget", 1)
    return Reservation(budget, integer(raw["period"], f"{where}.period", budget))


def _is_loose(raw: Mapping[str, object], where: str) -> bool:
    if "ordered" in raw and not isinstance(raw["ordered"], bool):
        raise CertificateError(f"{where}.ordered: is neither true nor false")
    return raw.get("ordered") is False and raw["best"] != raw["delay"]


def _loose(value: object) -> frozenset[tuple[str, str]]:
    found = set()
    for index, item in enumerate(array(value, "links")):
        raw = mapping(item, f"links.{index}")
        if _is_loose(raw, f"links.{index}"):
            found.add((str(raw["from"]), str(raw["to"])))
    return frozenset(found)


def _links(value: object) -> dict[tuple[str, str], Cost]:
    links: dict[tuple[str, str], Cost] = {}
    for index, item in enumerate(array(value, "links")):
        where = f"links.{index}"
        raw = record(item, where, ("from", "to", "delay", "best"), ("ordered", "link"))
        ends = text(raw["from"], where), text(raw["to"], where)
        if ends in links:
            raise CertificateError(f"{where}: this direction is already given")
        links[ends] = _bracket(raw["delay"], raw["best"], where)
    return links


def _media(value: object) -> dict[str, Link]:
    from ddsrta.checker.links import read_links

    return read_links(value)


def _routes(value: object) -> dict[tuple[str, str], str]:
    """The shared links that messages take between two machines."""
    raws = [mapping(item, "links") for item in array(value, "links")]
    return {
        (str(raw.get("from")), str(raw.get("to"))): text(raw["link"], "links")
        for raw in raws
        if "link" in raw
    }


def _priorities(raw: Mapping[str, Any], where: str) -> dict[str, int]:
    """How urgent a topic or publication is on each kind of link, as far as it says so."""
    return {key: integer(raw[key], f"{where}.{key}") for key in PRIORITY_KEYS if key in raw}


def _bracket(worst: object, best: object, where: str) -> Cost:
    cost = Cost(integer(worst, f"{where}, worst case"), integer(best, f"{where}, best case"))
    if cost.best > cost.worst:
        raise CertificateError(f"{where}: the best case {cost.best} is above the worst")
    return cost


def _table(value: object, where: str) -> tuple[tuple[int, Cost], ...]:
    rows = []
    for item in array(value, where):
        if len(row := array(item, where)) != 3:
            raise CertificateError(f"{where}: a row is size, worst and best case")
        rows.append((integer(row[0], where), _bracket(row[1], row[2], where)))
    if any(a >= b for (a, _), (b, _) in pairwise(rows)):
        raise CertificateError(f"{where}: the sizes do not ascend")
    return tuple(rows)


class _Topic(NamedTuple):
    """What is said of a topic."""

    size: int
    priority: int
    copies: Copies | None
    history: int | None
    said: Mapping[str, int] = {}  # by keys of policies
    classes: Mapping[str, int] = {}  # on links


def _topic(value: object, where: str) -> _Topic:
    optional = ("copies", "readers", *TOPIC_KEYS, *PRIORITY_KEYS)
    raw = record(value, where, ("size", "priority", "history"), optional)
    history = optional_integer(raw["history"], f"{where}.history")
    priority = integer(raw["priority"], f"{where}.priority", _LEAST_PRIORITY)
    said = {
        key: integer(raw[key], f"{where}.{key}", least)
        for key, least in TOPIC_KEYS.items()
        if key in raw
    }
    size = integer(raw["size"], f"{where}.size")
    classes = _priorities(raw, where)
    if classes.get("pcp") == 0:
        del classes["pcp"]  # as without a word
    return _Topic(size, priority, _copies(raw, where), history, said, classes)


def _copies(raw: dict[str, Any], where: str) -> Copies | None:
    if "copies" not in raw and "readers" not in raw:
        return None
    record(raw, where, ("copies", "readers"), raw)
    order = one_of(raw["copies"], f"{where}.copies", _ORDERS)
    return Copies(order, names(raw["readers"], f"{where}.readers"))


def _place(raw: dict[str, Any], where: str) -> Place:
    return Place(
        text(raw["core"], f"{where}.core"),
        integer(raw["priority"], f"{where}.priority", _LEAST_PRIORITY),
        optional_word(raw["partition"], f"{where}.partition"),
        _reservation(raw["reservation"], f"{where}.reservation"),
    )


def _middleware(value: object, where: str) -> Middleware:
    raw = record(value, where, (*_PLACE, "policy", "queue"), ("limit",))
    room = optional_integer(raw["queue"], f"{where}.queue")
    policy = one_of(raw["policy"], f"{where}.policy", POLICIES)
    limit = _limit(raw.get("limit"), f"{where}.limit")
    return Middleware(_place(raw, where), policy, limit, room)


def _limit(value: object, where: str) -> Limit | None:
    if value is None:
        return None
    raw = record(value, where, ("bytes", "period"))
    return Limit(
        integer(raw["bytes"], f"{where}.bytes"), integer(raw["period"], f"{where}.period", 1)
    )


def _executor(value: object, where: str) -> Executor:
    raw = record(value, where, _EXECUTOR, ("cores", "groups"))
    if ("cores" in raw) != ("groups" in raw):
        raise CertificateError(f"{where}: 'cores' and 'groups' go together")
    callbacks = names(raw["callbacks"], f"{where}.callbacks")
    if len(set(callbacks)) < len(callbacks):
        raise CertificateError(f"{where}: a callback is listed twice")
    return Executor(
        _place(raw, where),
        one_of(raw["kind"], f"{where}.kind", KINDS),
        one_of(raw["order"], f"{where}.order", ("unknown", "registered")) == "registered",
        optional_word(raw["release"], f"{where}.release", _RELEASES),
        callbacks,
        *_pool(raw, where),
    )


def _pool(
    raw: dict[str, Any], where: str
) -> tuple[tuple[str, ...], Mapping[str, str | None] | None]:
    """The cores and groups of an executor on several cores."""
    if "cores" not in raw:
        return (), None
    groups = mapping(raw["groups"], f"{where}.groups")
    cores = names(raw["cores"], f"{where}.cores")
    if not cores:
        raise CertificateError(f"{where}.cores: the list is empty")
    return cores, {name: optional_word(g, f"{where}.groups") for name, g in groups.items()}


def _process(value: object, where: str) -> Process:
    raw = record(value, where, ("listener", "intra_process"))
    listener = text(raw["listener"], f"{where}.listener")
    return Process(listener, truth(raw["intra_process"], f"{where}.intra_process"))


def _cost(value: object, where: str) -> Cost | None:
    if value is None:
        return None
    if len(pair := array(value, where)) != 2:
        raise CertificateError(f"{where}: a cost is a worst and a best case")
    return _bracket(pair[0], pair[1], where)


def _thread(value: object, where: str) -> Thread:
    raw = record(value, where, _THREAD, ("synchronize",))
    wcet = integer(raw["wcet"], f"{where}.wcet")
    bcet = optional_integer(raw["bcet"], f"{where}.bcet")
    if bcet is not None and bcet > wcet:
        raise CertificateError(f"{where}: the bcet is above the wcet")
    activation = one_of(raw["activation"], f"{where}.activation", ("or", "and"))
    topics, listener, listening, take = _subscribes(raw["subscribes"], f"{where}.subscribes")
    follows, delay = _follows(raw["follows"], f"{where}.follows")
    arrival = raw["arrival"]
    return Thread(
        _place(raw, where),
        wcet,
        1 if bcet is None else bcet,
        None if arrival is None else read_arrival(arrival, f"{where}.arrival"),
        _publishes(raw["publishes"], f"{where}.publishes", max(wcet, 1)),
        topics,
        listener,
        listening,
        follows,
        delay,
        activation == "and",
        take,
        optional_word(raw["process"], f"{where}.process"),
        optional_word(raw["executor"], f"{where}.executor"),
        optional_word(raw["entity"], f"{where}.entity", _ENTITIES),
        integer(raw["urgency"], f"{where}.urgency", _LEAST_PRIORITY),
        _synchronizer(raw["synchronize"], where) if "synchronize" in raw else None,
        bool(follows) and _is_loose(mapping(raw["follows"], where), f"{where}.follows"),
    )


def _synchronizer(value: object, where: str) -> Synchronizer:
    raw = record(value, f"{where}.synchronize", ("policy", "queue"))
    queue = raw["queue"]
    return Synchronizer(
        one_of(raw["policy"], f"{where}.synchronize.policy", _MATCHING),
        None if queue is None else integer(queue, f"{where}.synchronize.queue", 1),
    )


def _publishes(value: object, where: str, wcet: int) -> dict[str, Publication]:
    found: dict[str, Publication] = {}
    for index, item in enumerate(array(value, where)):
        here = f"{where}.{index}"
        raw = record(item, here, _PUBLICATION, ("reserved", *PUBLICATION_KEYS, *PRIORITY_KEYS))
        mode = one_of(raw["mode"], f"{here}.mode", ("sync", "async"))
        controller = optional_word(raw["flow_controller"], f"{here}.flow_controller")
        clashes = mode == "sync" and controller is not None
        if mode == "async":
            controller = text(controller, f"{here}.flow_controller")
        topic = text(raw["topic"], f"{here}.topic")
        if topic in found:
            raise CertificateError(f"{here}: {shown(topic)} is published twice")
        earliest = integer(raw["earliest"], f"{here}.earliest")
        if earliest > wcet:
            raise CertificateError(f"{here}: 'earliest' exceeds the wcet")
        count = integer(raw["count"], f"{here}.count", 1)
        cost = _cost(raw["cost"], f"{here}.cost")
        reserved = integer(raw.get("reserved", 0), f"{here}.reserved")
        said = {k: integer(raw[k], f"{here}.{k}", 1) for k in PUBLICATION_KEYS if k in raw}
        used = None if clashes else controller
        classes = _priorities(raw, here)
        found[topic] = Publication(
            topic, used, count, cost, earliest, reserved, clashes, said, classes
        )
    return found


def _subscribes(
    value: object, where: str
) -> tuple[tuple[str, ...], str | None, Cost | None, Cost | None]:
    if value is None:
        return (), None, None, None
    raw = record(value, where, ("topics", "listener", "cost", "take"))
    topics = names(raw["topics"], f"{where}.topics")
    if len(set(topics)) < len(topics):
        raise CertificateError(f"{where}: a topic is listed twice")
    listener = text(raw["listener"], f"{where}.listener")
    take = _cost(raw["take"], f"{where}.take")
    return topics, listener, _cost(raw["cost"], f"{where}.cost"), take


def _follows(value: object, where: str) -> tuple[tuple[str, ...], Cost]:
    if value is None:
        return (), Cost(0, 0)
    raw = record(value, where, ("threads", "delay", "best"), ("ordered",))
    threads = names(raw["threads"], f"{where}.threads")
    if len(set(threads)) < len(threads):
        raise CertificateError(f"{where}: a thread is listed twice")
    return threads, _bracket(raw["delay"], raw["best"], where)


def _chain(value: object, where: str) -> Chain:
    raw = record(value, where, _CHAIN)
    path = names(raw["path"], f"{where}.path")
    ends = None if raw["ends"] is None else names(raw["ends"], f"{where}.ends")
    deadline = optional_integer(raw["deadline"], f"{where}.deadline")
    constraint = one_of(raw["constraint"], f"{where}.constraint", _CONSTRAINTS)
    limit = integer(raw["limit"], f"{where}.limit", 1)
    if ends is None:
        if not path:
            raise CertificateError(f"{where}: the path is empty")
        return Chain(path, None, limit, deadline, constraint)
    if len(ends) != 2:
        raise CertificateError(f"{where}: 'ends' are two threads")
    return Chain(path, (ends[0], ends[1]), limit, deadline, constraint)


def _order(value: object, where: str) -> Order:
    raw = record(value, where, ("subscriber", "topics", "from", "events"))
    topics = names(raw["topics"], f"{where}.topics")
    if len(set(topics)) < max(2, len(topics)):
        raise CertificateError(f"{where}.topics: two or more different ones are needed")
    return Order(
        text(raw["subscriber"], f"{where}.subscriber"),
        topics,
        optional_word(raw["from"], f"{where}.from"),
        one_of(raw["events"], f"{where}.events", ("each", "all")),
    )
