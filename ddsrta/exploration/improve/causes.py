"""What delays the chains that are late: the terms of their bounds, by the things they speak of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ddsrta.base.units import Duration
from ddsrta.bounds.paths.concrete import NamedPath, named_paths
from ddsrta.bounds.result import Result
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain_path
from ddsrta.bounds.terms.explanation import Explanation
from ddsrta.exploration.improve.move import Thing, core_of, of_thread, servers
from ddsrta.models.system import System

MOST = 8  # chains that are explained
_JOB = re.compile(r"(?:thread|callback) (.+)")
_SAMPLE = re.compile(r"topic '(.+)' of (.+)")
_MESSAGE = re.compile(r"message '(.+)' from (.+) to (.+)")


class Late(NamedTuple):
    """A system, some chains of it that are late, and what their bounds are made of."""

    system: System
    paths: list[NamedPath]
    explained: list[Explanation]


def late_of(system: System, late: tuple[str, ...]) -> Late:
    """The first of the chains of these names."""
    paths = [path for path in named_paths(system)[0] if path.name in late][:MOST]
    solution = solve(system) if paths else None
    explained = [explain_path(solution, path) for path in paths if solution is not None]
    return Late(system, paths, explained)


def causes(late: Late) -> Mapping[Thing, int]:
    """The time, in ns, that each thing costs chains that are late, about; at the least 1 for what
    lies on their ways or shares a core with them.

    >>> from ddsrta.examples import two_threads
    >>> found = causes(late_of(two_threads(), ("control loop",)))
    >>> found["threads", "sensor"] > 1_000_000
    True
    """
    system, paths, explained = late
    found: Counter[Thing] = Counter()
    for explanation in explained:
        for stage in explanation.stages:
            for term in stage.terms:
                for thing in {*_named(system, term.label), *_named(system, stage.stage)}:
                    found[thing] += max(0, term.time)
    for thing in _near(system, paths):
        found[thing] += 1
    return found


def sampled(late: Late) -> dict[str, Duration]:
    """How long late chains wait for what samples at times of its own, whatever priorities and cores
    are."""
    return {one.chain: Duration(one.sampled) for one in late.explained if one.sampled}


def hopeless(result: Result, sampled: Mapping[str, Duration]) -> dict[str, Duration]:
    """Those that wait longer for it than their deadlines."""
    due = {name: result.chains[name].deadline for name in sampled}
    return {name: time for name, time in sampled.items() if time > (due[name] or time)}


def _named(system: System, text: str) -> Iterator[Thing]:
    """The things that a description speaks of."""
    if match := _MESSAGE.search(text):
        topic, writer, reader = match.groups()
        yield from servers(system, (writer, topic, reader.partition(" ")[0]))
    elif match := _SAMPLE.search(text):
        yield from servers(system, (match[2], match[1]))
    elif (match := _JOB.search(text)) and match[1] in system.threads:
        yield from of_thread(system, system.threads[match[1]])


def _near(system: System, paths: list[NamedPath]) -> Iterator[Thing]:
    """What is on the way, twice, and what shares a core with that."""
    ways = list(dict.fromkeys(t for path in paths for t in servers(system, path.path)))
    cores = {core_of(system, thing) for thing in ways} - {""}
    yield from ways
    for section in ("threads", "flow_controllers", "listeners", "executors"):
        for name, each in getattr(system, section).items():
            if each.core in cores:
                yield from of_thread(system, each) if section == "threads" else ((section, name),)
