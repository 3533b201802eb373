"""Systems that are a little simpler than another: what a shrinking search may go to next."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import replace

from ddsrta.models.system import Core, Cost, Delays, Reservation, System
from tests.soundness.simpler_executors import simpler_executors
from tests.soundness.simpler_numbers import oddness, simpler_numbers
from tests.soundness.simpler_threads import simpler_threads

PLACED = ("threads", "flow_controllers", "listeners")
KINDS = (
    "threads", "chains", "executors", "processes", "flow_controllers", "listeners", "topics",
    "cores", "links", "media",
)  # fmt: skip
MOST_URGENT = 99  # of SCHED_FIFO


def complexity(system: System) -> tuple[int, int, int]:
    """How much there is to read: things and fields, how odd the numbers are, how large."""
    things, odd, size = 0, 0, 0
    for number in _numbers(system):
        things += 1
        odd += oddness(number)
        size += abs(number)
    return (things + 10 * sum(len(getattr(system, kind)) for kind in KINDS), odd, size)


# What is usual costs nothing to read.
_USUAL = {
    "bcet": None, "jitter": 0, "min_distance": 0, "best": 0, "delay": 0, "count": 1, "earliest": 1,
    "repeat": None, "activation": "or", "policy": "FIFO", "partition": None, "reservation": None,
    "cost": None, "queue": None, "history": None, "deadline": None, "constraint": "latency",
    "limit": 256, "mode": None, "ends": None, "position": None, "gap": None, "take": None,
    "executor": None, "process": None, "entity": None, "urgency": 0, "reentrant": False,
    "group": None, "cores": (),
    "kind": "single_threaded", "threads": 1, "release": None, "intra_process": False,
}  # fmt: skip
_WORDS = {"or": 0, "and": 50, "FIFO": 0, "HIGH_PRIORITY": 20, "ROUND_ROBIN": 20}


def _numbers(thing: object) -> Iterator[int]:
    """All numbers that a reader of the file sees; words count as numbers, too."""
    if isinstance(thing, bool) or thing is None:
        return
    if isinstance(thing, int):
        yield thing
    elif isinstance(thing, str):
        yield _WORDS.get(thing, 1)
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from _numbers(part)
    elif isinstance(thing, Cost):
        yield thing.worst
        if thing.best != min(1, thing.worst):
            yield thing.best
    elif isinstance(thing, System):
        yield from _numbers(thing.delays)
        for kind in KINDS:
            yield from _numbers(list(getattr(thing, kind).values()))
    elif isinstance(thing, dict):
        yield from _numbers(list(thing.values()))
    elif dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            value = getattr(thing, field.name)
            if value != _USUAL.get(field.name, thing):
                yield from _numbers(value)


def candidates(system: System) -> Iterator[System]:
    """Systems with something less in them, or a simpler number; the much simpler ones first."""
    yield from without_things(system)
    yield from joined(system)
    yield from simpler_executors(system)
    yield from plainer_places(system)
    for name, thread in system.threads.items():
        for simpler in simpler_threads(thread):
            yield replace(system, threads={**system.threads, name: simpler})
    for kind, field in (
        ("topics", "priority"), *((kind, "priority") for kind in PLACED), ("topics", "size"),
        ("links", "delay"), ("links", "best"),
    ):  # fmt: skip
        things = getattr(system, kind)
        for name, thing in things.items():
            least = 0 if kind == "links" or (field == "priority" and kind == "topics") else 1
            for number in simpler_numbers(getattr(thing, field), least):
                if kind in PLACED and number > MOST_URGENT:
                    continue
                yield _changed(system, kind, name, **{field: number})


def _changed(system, kind, name, **changes):
    things = getattr(system, kind)
    return replace(system, **{kind: {**things, name: replace(things[name], **changes)}})


def without(things, name):
    """All but one."""
    return {key: value for key, value in things.items() if key != name}


# Whole things


def without_things(system: System) -> Iterator[System]:
    """Whole things left out, and shorter chains."""
    for name in system.threads:
        yield without_thread(system, name)
    for kind in KINDS[1:]:
        for name in getattr(system, kind):
            yield replace(system, **{kind: without(getattr(system, kind), name)})
    for name, medium in system.media.items():
        for frame in medium.frames:
            yield _changed(system, "media", name, frames=without(medium.frames, frame))
    for topic in system.topics:
        yield without_topic(system, topic)
    yield replace(system, delays=Delays())
    for name, topic in system.topics.items():
        if topic.copies != "unknown":
            yield _changed(system, "topics", name, copies="unknown")
    for name, chain in system.chains.items():
        for cut in (chain.path[:-1], chain.path[1:], chain.path[:-2], chain.path[2:]):
            if cut:
                yield _changed(system, "chains", name, path=cut)
        if chain.deadline is not None:
            yield _changed(system, "chains", name, deadline=None, constraint="latency")


def without_thread(system: System, name: str) -> System:
    """The system without a thread and what names it."""
    threads = {}
    for thread in without(system.threads, name).values():
        follows = thread.follows
        if follows and name in follows.threads:
            rest = tuple(other for other in follows.threads if other != name)
            follows = replace(follows, threads=rest) if rest else None
        threads[thread.name] = replace(thread, follows=follows)
    chains = {
        key: chain for key, chain in system.chains.items() if name not in (chain.path or chain.ends)
    }
    return replace(system, threads=threads, chains=chains)


def without_topic(system: System, topic: str) -> System:
    """The system without a topic, its publications and subscriptions."""
    threads = {}
    for thread in system.threads.values():
        subscribes = thread.subscribes
        if subscribes and topic in subscribes.topics:
            rest = tuple(other for other in subscribes.topics if other != topic)
            subscribes = replace(subscribes, topics=rest) if rest else None
        publishes = tuple(p for p in thread.publishes if p.topic != topic)
        threads[thread.name] = replace(thread, publishes=publishes, subscribes=subscribes)
    chains = {key: chain for key, chain in system.chains.items() if topic not in chain.path}
    return replace(system, topics=without(system.topics, topic), threads=threads, chains=chains)


# Places


def joined(system: System) -> Iterator[System]:
    """Two machines made one, or all of one core moved to another."""
    for machine in sorted({core.machine for core in system.cores.values()})[1:]:
        first = next(iter(system.cores.values())).machine
        if machine != first:
            yield _one_machine(system, machine, first)
    for path in system.cores:
        for other in system.cores:
            if other != path:
                moved = moved_to(system, path, other)
                yield replace(moved, cores=without(system.cores, path))


def moved_to(system: System, path: str, other: str) -> System:
    """Everything of one core on another."""
    return replace(
        system,
        **{
            kind: {
                name: replace(thing, core=other, partition=None) if thing.core == path else thing
                for name, thing in getattr(system, kind).items()
            }
            for kind in PLACED
        },
    )


def _one_machine(system, machine, first):
    cores = {}
    names = [core.name for core in system.cores.values() if core.machine == first]
    moved = system
    for path, core in system.cores.items():
        if core.machine == machine:
            number = next(i for i in range(len(system.cores) + 1) if f"c{i}" not in names)
            names.append(f"c{number}")
            core = replace(core, machine=first, name=names[-1])  # noqa: PLW2901
            moved = replace(moved_to(moved, path, core.path))
        cores[core.path] = core
    links = {pair: link for pair, link in system.links.items() if machine not in pair}
    return replace(moved, cores=cores, links=links)


def plainer_places(system: System) -> Iterator[System]:
    """Plain cores, FIFO controllers, rounder budgets."""
    for kind in PLACED:
        for name, thing in getattr(system, kind).items():
            if thing.reservation:
                yield _changed(system, kind, name, reservation=None, priority=50)
                for reservation in _simpler_reservations(thing.reservation):
                    yield _changed(system, kind, name, reservation=reservation)
            if getattr(thing, "cores", ()):
                yield _changed(system, kind, name, core=thing.cores[0], cores=())
            if getattr(thing, "policy", "FIFO") != "FIFO":
                yield _changed(system, kind, name, policy="FIFO")
    for path, core in system.cores.items():
        yield from _plainer_core(system, path, core)


def _plainer_core(system: System, path: str, core: Core) -> Iterator[System]:
    if core.reservation:
        yield _changed(system, "cores", path, reservation=None)
        for reservation in _simpler_reservations(core.reservation):
            yield _changed(system, "cores", path, reservation=reservation)
    if core.partitions:
        yield _changed(moved_to(system, path, path), "cores", path, partitions={})
    for name, partition in core.partitions.items():
        yield _changed(system, "cores", path, partitions=without(core.partitions, name))
        for reservation in _simpler_reservations(partition):
            changed = {**core.partitions, name: reservation}
            yield _changed(system, "cores", path, partitions=changed)


def _simpler_reservations(reservation: Reservation) -> Iterator[Reservation]:
    for budget in simpler_numbers(reservation.budget):
        yield replace(reservation, budget=budget)
    for period in simpler_numbers(reservation.period):
        if period >= reservation.budget:
            yield replace(reservation, period=period)
