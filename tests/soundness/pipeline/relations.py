"""What two analyses owe each other: what may behave worse, or is known less well, has no lower bound;
what is only written in another way has the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.solution import Solution
from ddsrta.checker.check import check
from ddsrta.models.document import digest, to_document
from ddsrta.models.system import System
from ddsrta.models.validate import validate
from tests.soundness.bounds import FIGURES
from tests.soundness.pipeline.drawn import MOST_STEPS, Drawn, loaded
from tests.soundness.pipeline.harder import HARDER
from tests.soundness.pipeline.product import certified, claims_of, present, status_of
from tests.soundness.pipeline.scene_links import SECOND
from tests.soundness.pipeline.stations import Failure, Seen, solved
from tests.soundness.yaml_text import to_yaml

Claims = dict[Any, int | None]
FACTOR = 7  # that times are scaled by
BITS = 10  # and where links are shared, as a bit has to be a whole number of ns
PATIENCE = 40  # times the usual steps, where a bound is missed


def bounds(system: System, steps: int = MOST_STEPS) -> Claims:
    """All claims about a system, unbounded ones as None."""
    return dict(claims_of(present(solved(system, steps=steps))))


def relations(drawn: Drawn, seen: Seen, moves: int = 3) -> Iterator[Failure]:
    """Where one of them does not hold."""
    known: Claims = dict(claims_of(seen.result))
    yield from read_again(drawn.system)
    yield from _rewritten(drawn, seen, known)
    yield from _scaled(drawn, seen)
    if (name := drawn.row["refinement"]) != "all":
        is_same = seen.other is not None and name != "offsets"
        solution = seen.other if is_same else solved(drawn.system, name)
        yield from _held(f"without {name}", solution, known, seen)
    random = Random(f"moves {drawn.seed}")
    names = list(HARDER)
    random.shuffle(names)
    for name in names:
        if moves == 0:
            break
        harder = HARDER[name](drawn.system, random)
        if harder == drawn.system or validate(harder):
            continue
        moves -= 1
        yield from _held(name, solved(harder), known, seen)


def _held(name: str, harder: Solution, known: Claims, seen: Seen) -> Iterator[Failure]:
    """What was seen is not above a bound of what is harder. A lower bound of that is no mistake if the
    checker does not refute it: the bound before is loose, which is counted."""
    result = present(harder)
    found: Claims = dict(claims_of(result))
    for (kind, of), worst in zip(seen.program.measures, seen.worst.seen, strict=True):
        bound = found.get((kind, of))
        if bound is not None and worst > bound:
            yield Failure(f"above: {name}", f"{kind} of {of}: {worst} seen, {bound} promised")
            return
    for failure in not_below(name, found, known, seen.solution.system):
        unclocked = name == "without offsets"
        if unclocked or status_of(check(certified(harder, result))) != "refuted":
            seen.looser += 1
        else:
            yield failure


def not_below(name: str, harder: Claims, easier: Claims, system: System) -> Iterator[Failure]:
    """Claims of what is harder that are below those of what is easier."""
    if any(easier[key] is None and harder.get(key) is not None for key in easier):
        easier = bounds(system, PATIENCE * MOST_STEPS)  # it may only take longer
    for key, bound in easier.items():
        if key not in harder or harder[key] is None:
            continue
        if bound is None or harder[key] < bound:  # type: ignore[operator]
            yield Failure(f"lower: {name}", f"{key}: {harder[key]}, and {bound} before")
            return


# The same in other words


def read_again(system: System) -> Iterator[Failure]:
    """A system that is written and read is the same."""
    again = ddsrta.loads(to_yaml(system))
    if digest(to_document(again)) != digest(to_document(system)) or again.orders != system.orders:
        yield Failure("written and read", "is another system")


def _rewritten(drawn: Drawn, seen: Seen, known: Claims) -> Iterator[Failure]:
    """Other names, or another order of the file where that means nothing."""
    if any("trace" in each.get("arrival", {}) for each in drawn.data["threads"].values()):
        return
    for kind, data, new in (
        ("renamed", renamed(drawn.data), _new_name),
        ("reordered", reordered(drawn.data), lambda name: name),
    ):
        solution = solved(loaded(data, {}))
        result = present(solution)
        found = {_told(key): bound for key, bound in claims_of(result)}
        if missing := {_told(key, new) for key in known} - found.keys():
            yield Failure(kind, f"{min(missing)} is missing")
        if all(found.get(_told(key, new)) == bound for key, bound in known.items()):
            continue
        # The order of the search may decide which of several fixed points is found, or none in time.
        seen.differing += 1
        if status_of(check(certified(solution, result))) == "refuted":
            yield Failure(kind, "has other bounds, which the checker refutes")


_NAME = re.compile(r"^[A-Za-z]+[0-9]*$")
_PARTS = {"background", "request", "reply"}  # of names that the product makes


def _names(data: dict[str, Any]) -> set[str]:
    kinds = (
        "topics", "flow_controllers", "listeners", "processes", "threads", "executors", "services",
        "callbacks", "chains", "orders", "links",
    )  # fmt: skip
    frames = (link.get("frames", ()) for link in data.get("links", {}).values())
    return {name for kind in kinds for name in data.get(kind, {})}.union(*frames)


def _new_name(name: str) -> str:
    """One that sorts in the opposite way, roughly."""
    if name in _PARTS or not _NAME.match(name):
        return name
    return f"z{chr(219 - ord(name[0].lower()))}_{name}"


def renamed(data: dict[str, Any]) -> dict[str, Any]:
    """The same file with other names of all things but machines and cores."""
    names = _names(data)

    def word(text: str) -> str:
        first, slash, rest = text.partition("/")
        if slash and first in data.get("services", {}):
            return f"{_new_name(first)}/{rest}"
        return _new_name(text) if text in names else text

    def walk(value: Any, naming: bool) -> Any:
        if isinstance(value, dict):
            return {
                word(k) if naming else k: v if k == "policy" else walk(v, k == "frames")
                for k, v in value.items()
            }
        if isinstance(value, list):
            return [walk(each, False) for each in value]
        return word(value) if isinstance(value, str) else value

    return {
        key: walk(
            value, isinstance(value, dict) and key not in ("machines", "delays", "middleware")
        )
        if key not in ("name", "machines", "delays", "middleware")
        else value
        for key, value in data.items()
    }


def reordered(data: dict[str, Any]) -> dict[str, Any]:
    """With whatever has no order in the opposite one. Threads have one, where the order in which
    readers connect counts, and callbacks in the order of registration."""
    kinds = {
        "topics",
        "flow_controllers",
        "listeners",
        "processes",
        "executors",
        "services",
        "chains",
        "links",
    }
    connected = any(t.get("copies") == "connection" for t in data["topics"].values())
    registered = any(e.get("order") == "registered" for e in data.get("executors", {}).values())
    if not connected:
        kinds.add("threads")
        if not registered:
            kinds.add("callbacks")
    data = {k: dict(reversed(v.items())) if k in kinds else v for k, v in data.items()}
    for link in data.get("links", {}).values():
        link["frames"] = dict(reversed(link.get("frames", {}).items()))
    return data


def _told(key: Any, new: Callable[[str], str] = lambda name: name) -> str:
    """A key of claims as one text, with other names."""

    def part(text: str) -> str:
        return re.sub(r"[^\s/→<]+", lambda found: new(found[0]), text)

    kind, of = key
    if isinstance(of, str):
        return json.dumps([kind, part(of)])
    head = () if kind in (*FIGURES, "ddl") else of[:1]  # what it is
    return json.dumps([kind, *head, *map(part, of[len(head) :])])


_TIME = re.compile(r"^(\d+)ns$")
_RATE = re.compile(r"^(\d+) bit/s$")


def scaled(data: Any, factor: int) -> Any:
    """All times so many times longer, and bits."""
    if isinstance(data, dict):
        return {key: scaled(value, factor) for key, value in data.items()}
    if isinstance(data, list):
        return [scaled(value, factor) for value in data]
    found = _TIME.match(data) if isinstance(data, str) else None
    if isinstance(data, str) and (rate := _RATE.match(data)):
        return f"{int(rate[1]) // factor} bit/s"
    return f"{int(found[1]) * factor}ns" if found else data


def _scaled(drawn: Drawn, seen: Seen) -> Iterator[Failure]:
    """What was seen, so many times longer, is still not above the bounds: a run of the system is one
    of the scaled system, of which least times of 1 ns are shorter."""
    if any("trace" in each.get("arrival", {}) for each in drawn.data["threads"].values()):
        return
    inline = any(thread.entity == "inline" for thread in drawn.system.threads.values())
    if inline or drawn.system.fastdds is not None:
        return  # its subscriptions, or the lock of a queue, take 1 ns whatever the times are
    media = drawn.system.media.values()
    rates = [m.settings[key] for m in media for key in ("rate", "data_rate") if key in m.settings]
    if any(SECOND % rate or rate % BITS for rate in rates):
        return  # frames are rounded
    factor = BITS if media else FACTOR
    try:
        system = loaded(scaled(drawn.data, factor), {})
    except InputError as error:
        yield Failure("scaled", str(error))
        return
    found = bounds(system)
    for (kind, of), worst in zip(seen.program.measures, seen.worst.seen, strict=True):
        bound = found.get((kind, of))
        longest = worst if kind == "pending" else factor * worst
        if worst >= 0 and bound is not None and longest > bound:
            yield Failure("scaled", f"{kind} of {of}: {worst} seen, {bound} for times {factor}")
            return
