"""Which things of a system have anything to do with each other (definition part)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from ddsrta.models.bandwidth import limited
from ddsrta.models.chains import Chain, Order
from ddsrta.models.executors import Executor, Process
from ddsrta.models.middleware import Middleware
from ddsrta.models.system import System
from ddsrta.models.threads import Thread

Thing = tuple[str, str]  # kind, as the attribute of a system, and name
KINDS = (
    "cores",
    "topics",
    "flow_controllers",
    "listeners",
    "executors",
    "processes",
    "threads",
    "chains",
    "orders",
)
_CLOCK: Thing = ("clock", "")


def has_parts(system: System) -> bool:
    """Whether parts of a system can be looked at alone: not where links are shared, or where one
    thread that sleeps leaves all without some refinements (note lost-refinements)."""
    if system.fastdds is not None or system.media or limited(system):
        return False
    names = *system.flow_controllers, *system.listeners
    return len(set(names)) == len(names)


def has_copies(system: System) -> bool:
    """Whether something may be at work on several cores, and so counts on each: then nothing of the
    system is put into lines (lemma one-at-a-time).

    >>> from ddsrta.examples import two_threads
    >>> has_copies(two_threads())
    False
    """
    executors = system.executors
    return any(
        thread.cores or (thread.executor is not None and executors[thread.executor].is_pool)
        for thread in system.threads.values()
    )


def untouched(before: System, after: System) -> frozenset[Thing]:
    """All of a system that has nothing to do with what differs from another one.

    >>> from ddsrta.examples import two_threads
    >>> untouched(two_threads(), two_threads()) == frozenset(things(two_threads()))
    True
    >>> untouched(two_threads(), two_threads().altered("threads", "sensor", priority=9))
    frozenset()
    """
    if not (has_parts(before) and has_parts(after)):
        return frozenset()
    if before.delays != after.delays or before.links != after.links:
        return frozenset()
    changed = _changed(before, after)
    parts = _Parts(after)
    for kind, name in changed:  # what did not change names the same things as before
        if name in getattr(before, kind):
            parts.add(before, kind, name)
    hit = {parts.of(thing) for thing in changed}
    kept = {thing for thing in things(after) if parts.of(thing) not in hit}
    return frozenset(kept) if _in_one_order(before, after, kept) else frozenset()


def rest_of(system: System, kept: frozenset[Thing]) -> System:
    """The system without what is kept."""
    fewer: Any = {
        kind: {n: one for n, one in getattr(system, kind).items() if (kind, n) not in kept}
        for kind in KINDS
    }
    return replace(system, **fewer)


def part_of(system: System, thing: Thing) -> frozenset[Thing]:
    """All that has to do with a thing."""
    parts = _Parts(system)
    wanted = parts.of(thing)
    return frozenset(one for one in things(system) if parts.of(one) == wanted)


def things(system: System) -> Iterator[Thing]:
    """Everything that has a name."""
    for kind in KINDS:
        for name in getattr(system, kind):
            yield kind, name


def _changed(before: System, after: System) -> set[Thing]:
    """What is new, what is no more, and what differs."""
    changed: set[Thing] = set()
    for kind in KINDS:
        old, new = getattr(before, kind), getattr(after, kind)
        changed.update((kind, name) for name in old.keys() - new.keys())
        changed.update(
            (kind, name)
            for name, one in new.items()
            if (other := old.get(name)) is not one and other != one
        )
    return changed


def _in_one_order(before: System, after: System, kept: set[Thing]) -> bool:
    """Whether files say the same things in the same order: of some it counts."""
    for kind in KINDS:
        old, new = (
            [name for name in getattr(system, kind) if (kind, name) in kept]
            for system in (before, after)
        )
        if old != new:
            return False
    return True


class _Parts:
    """The parts of a system; each thing leads to one that stands for all of its part."""

    def __init__(self, system: System) -> None:
        self.leads: dict[Thing, Thing] = {}
        for kind in KINDS:
            for name in getattr(system, kind) if kind in _NAMES else ():
                self.add(system, kind, name)

    def add(self, system: System, kind: str, name: str) -> None:
        """A thing belongs to what it names."""
        if kind in _NAMES:
            self._join((kind, name), _NAMES[kind](system, getattr(system, kind)[name]))

    def of(self, thing: Thing) -> Thing:
        """What stands for its part."""
        leads = self.leads
        while (other := leads.get(thing, thing)) != thing:
            leads[thing] = leads.get(other, other)
            thing = other
        return thing

    def _join(self, thing: Thing, others: Iterable[Thing]) -> None:
        found = self.of(thing)
        for other in others:
            if (root := self.of(other)) != found:
                self.leads[found] = root
                found = root


def _of_thread(_: System, thread: Thread) -> Iterator[Thing]:
    """Offsets are of one clock, and what uses them asks for all of them."""
    yield "cores", thread.core
    yield from _named("cores", thread.cores)
    for publication in thread.publishes:
        yield "topics", publication.topic
        if publication.flow_controller is not None:
            yield "flow_controllers", publication.flow_controller
    if thread.subscribes is not None:
        yield from _named("topics", thread.subscribes.topics)
        yield "listeners", thread.subscribes.listener
    if thread.follows is not None:
        yield from _named("threads", thread.follows.threads)
    if thread.executor is not None:
        yield "executors", thread.executor
    if thread.process is not None:
        yield "processes", thread.process
    if getattr(thread.arrival, "offset", None) is not None:
        yield _CLOCK


def _named(kind: str, names: Iterable[str]) -> Iterator[Thing]:
    return ((kind, name) for name in names)


def _of_middleware(_: System, one: Middleware) -> Iterator[Thing]:
    yield "cores", one.core


def _of_executor(_: System, one: Executor) -> Iterator[Thing]:
    return _named("cores", (one.core, *one.cores))


def _of_process(_: System, one: Process) -> Iterator[Thing]:
    yield "listeners", one.listener


def _of_chain(system: System, chain: Chain) -> Iterator[Thing]:
    for one in (*chain.path, *(chain.ends or ())):
        if one in system.threads:
            yield "threads", one
        if one in system.topics:
            yield "topics", one


def _of_order(_: System, order: Order) -> Iterator[Thing]:
    yield "threads", order.subscriber
    yield from _named("topics", order.topics)


_NAMES: dict[str, Callable[[System, Any], Iterator[Thing]]] = {
    "threads": _of_thread,
    "flow_controllers": _of_middleware,
    "listeners": _of_middleware,
    "executors": _of_executor,
    "processes": _of_process,
    "chains": _of_chain,
    "orders": _of_order,
}
