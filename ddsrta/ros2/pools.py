"""Pools: the callbacks of an executor whose threads are on several cores (lemma pool-window), and
what such an executor asks of its cores and callbacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.executors import Executor
from ddsrta.models.system import System
from ddsrta.policies.relation import Delay, Relation, span
from ddsrta.ros2.callbacks import group_of
from ddsrta.ros2.kind import Turn
from ddsrta.ros2.one_by_one import Whichever
from ddsrta_simulator.orders import POOL

# Releases in which messages within a process may be forgotten; None: it may be one of them.
FORGETS = ("humble", None)


class Pool(Whichever):
    """Several threads, each of which takes one at a time."""

    takes = "in several threads, one at a time in each"
    window = "pool"
    serves = POOL

    def relate(self, turns: Sequence[Turn]) -> list[list[Relation]]:
        """Not by turns: see below."""
        raise AssertionError("a pool is related by its groups")


def relate(
    guests: int, groups: Sequence[str | None], inline: Sequence[bool] = ()
) -> list[list[Relation]]:
    """Relations of the callbacks of a pool, given their groups (None: reentrant), those of one side
    by side, which come behind so many `guests`, the more urgent units of its cores: those of its
    own group exclude a callback, all others share the threads with it. An `inline` one is what its
    thread goes on with: it waits for none of them (lemma inline-in-pools).

    >>> relate(1, ["a", "a", None])[0]
    [Relation(kind=0, first=0, last=1), Relation(kind=2, first=1, last=2), \
Relation(kind=1, first=2, last=3), Relation(kind=9, first=3, last=4)]
    """
    spans = []
    last = guests
    for group, members in groupby(groups):
        first, last = last, last + len(list(members))
        spans.append((group, first, last))
    found = []
    for own, group in enumerate(groups, guests):
        relations = span(Delay.PREEMPTS, 0, guests)
        goes_on = inline and inline[own - guests]
        for other, first, last in () if goes_on else spans:
            if other is None:
                relations += span(Delay.OVERLAPS, first, last)
            elif other != group:
                relations += span(Delay.SHARES, first, last)
            else:
                relations += span(Delay.OVERTAKES, first, own)
                relations += span(Delay.AHEAD, own, own + 1)
                relations += span(Delay.OVERTAKES, own + 1, last)
        found.append(relations)
    return found


def pool_problems(system: System, executor: Executor) -> Iterator[Diagnostic]:
    """Cores that are unknown, shared out, or used by others at the same priority; and callbacks
    that are not modelled."""
    yield from _cores(system, executor)
    yield from _callbacks(system, executor)
    if executor.release in FORGETS:
        yield from _forgotten(system, executor)


def _cores(system: System, executor: Executor) -> Iterator[Diagnostic]:
    for index, path in enumerate(executor.cores):
        where = system.where("executors", executor.name, "cores", index)
        if path not in system.cores:
            continue  # said where references are checked
        core, first = system.cores[path], system.cores.get(executor.core)
        if core.reservation or core.partitions:
            yield Diagnostic(
                where,
                f"core {path} has a reservation or partitions",
                "threads on several cores are modelled on whole cores only",
            )
        if first is not None and core.machine != first.machine:
            yield Diagnostic(
                where,
                f"core {path} is on another machine than {executor.core}",
                "the threads of an executor are in one process",
            )
        for kind, name in _equals(system, executor, path):
            yield Diagnostic(
                where,
                f"{kind} '{name}' has the priority of executor '{executor.name}' on {path}",
                "this is not modelled: give one of them another priority",
            )


def _equals(system: System, executor: Executor, path: str) -> Iterator[tuple[str, str]]:
    """What has the same priority on a core; of SCHED_OTHER they may."""
    if executor.nice is not None:
        return
    for kind in ("threads", "flow_controllers", "listeners", "executors"):
        for name, thing in getattr(system, kind).items():
            if getattr(thing, "executor", None) or thing is executor or thing.reservation:
                continue
            here = path in (getattr(thing, "cores", ()) or (thing.core,))
            if here and thing.priority == executor.priority:
                yield kind.removesuffix("s").replace("_", " "), name


def _callbacks(system: System, executor: Executor) -> Iterator[Diagnostic]:
    """What waits for several topics has a group (definition sets-in-a-group)."""
    for thread in system.threads.values():
        inline = thread.executor == executor.name and thread.entity == "inline"
        if inline and thread.reentrant:
            yield Diagnostic(
                system.where("threads", thread.name, "subscribes"),
                "a reentrant callback waits for several topics in an executor over several cores",
                "messages of one topic may overtake each other before it, which is not modelled: "
                "put it in a group",
            )


def _forgotten(system: System, executor: Executor) -> Iterator[Diagnostic]:
    """In humble, what is ready in a busy group leaves the ready set, and the guard condition of a
    message within the process has been reset by then: nothing wakes a thread for it again."""
    callbacks = [one for one in system.threads.values() if one.executor == executor.name]
    groups = [group_of(one) for one in callbacks]
    for callback, group in zip(callbacks, groups, strict=True):
        if group is not None and groups.count(group) > 1 and system.direct_writers(callback):
            yield Diagnostic(
                system.where("threads", callback.name, "subscribes"),
                f"in rclcpp of humble, messages within the process are forgotten that come to "
                f"'{callback.name}' while another callback of its group runs, if its executor is "
                "over several cores",
                f"say 'release: iron' or a later one of '{executor.name}' where that is so, make "
                "it reentrant, or give it a group of its own",
            )
