"""What bounds rest on in executors of ROS 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.base.priorities import FAIR
from ddsrta.base.text import plural
from ddsrta.models.assumptions import Assumption
from ddsrta.models.executors import Executor
from ddsrta.models.groups import excludes, has_timers_thread
from ddsrta.models.middleware import Middleware
from ddsrta.models.system import System, Thread
from ddsrta.ros2 import kind_of

_Other = Middleware | Thread | Executor
_Pair = tuple[str, _Other, Executor]  # what to call the first


def of_executors(system: System) -> Iterator[Assumption]:
    """All of it.

    >>> from ddsrta.examples import two_threads
    >>> list(of_executors(two_threads()))
    []
    """
    yield from _registered(system)
    yield from _timers_made_early(system)
    yield from _told(system)
    yield from _idle(system)
    yield from _looking(system)


def _registered(system: System) -> Iterator[Assumption]:
    """Turns of callbacks in the order of the file, where an executor takes them in rounds."""
    turns: dict[str, list[int]] = {}
    for thread in system.threads.values():
        if thread.executor is not None and thread.entity not in (None, "inline"):
            turn = kind_of(system.executors[thread.executor]).turn(thread.entity)
            turns.setdefault(thread.executor, []).append(turn)
    for name, executor in system.executors.items():
        found, kind = turns.get(name, []), kind_of(executor)
        if executor.order != "registered" or not kind.service(executor).in_rounds:
            continue
        if len(set(found)) < len(found):
            alike = " of one kind" if kind.entities else ""
            yield Assumption(
                "registration",
                f"executor {name!r} has its callbacks{alike} registered in the order of the "
                "file ('order: unknown' if that is not certain)",
                system.where("executors", name, "order"),
            )


def _timers_made_early(system: System) -> Iterator[Assumption]:
    """What has timers that threads watch which spin() does not make."""
    for name, executor in system.executors.items():
        if kind_of(executor).timers_made_early and has_timers_thread(system, executor):
            yield Assumption(
                "timers-threads",
                f"the thread that constructs executor {name!r} has its policy, priority and core, "
                "which the threads that watch its timers inherit",
                system.where("executors", name, "kind"),
            )


def _told(system: System) -> Iterator[Assumption]:
    """That a group which was left out of a wait set comes back (definition pinned-pool)."""
    for name, executor in system.executors.items():
        if kind_of(executor).keeps_wait_set(executor) and excludes(system, executor):
            yield Assumption(
                "free-groups",
                f"a thread of executor {name!r} that waits hears of each group that becomes free: "
                "no trigger is lost (rmw_fastrtps may lose one without its pull request 895)",
                system.where("executors", name, "kind"),
            )
            return


def _idle(system: System) -> Iterator[Assumption]:
    """That a thread which looks for work, and finds what a busy group has, does not spin for long
    (note idle-threads)."""
    for name, executor in system.executors.items():
        if not (kind_of(executor).spins(executor) and excludes(system, executor)):
            continue
        robbed = [one.name for one in _less_urgent(system, executor)]
        if robbed:
            others = f" (nor {plural(len(robbed) - 1, 'more of them')})" if robbed[1:] else ""
            yield Assumption(
                "idle-threads",
                f"while a callback of a group runs, an idle thread of executor {name!r} takes no "
                f"time from {robbed[0]!r}{others}, which is less urgent, on a core of both: rclcpp "
                "since jazzy may let it spin",
                system.where("executors", name, "cores"),
            )
            return


def _less_urgent(system: System, executor: Executor) -> Iterator[_Other]:
    """What is less urgent than an executor, and may be on one of its cores."""
    for ones in (system.threads, system.executors, system.flow_controllers, system.listeners):
        for one in ones.values():
            is_below = one.reservation is None and one.priority < executor.priority
            is_here = not set(executor.cores).isdisjoint(_cores(one) or (one.core,))
            if is_below and is_here and getattr(one, "executor", None) is None:
                yield one


def _looking(system: System) -> Iterator[Assumption]:
    """That executors do not wait for who brings them something, nor those for them: before each
    wait an executor looks at its readers, and at what it waits in, under locks that those take."""
    pairs = [
        (said, executor.name)
        for said, other, executor in (*_listening(system), *_waking(system))
        if not _is_next(system, other, executor)
    ]
    for said, executor in pairs[:1]:
        others = f" (nor {plural(len(pairs) - 1, 'more such pair')})" if pairs[1:] else ""
        yield Assumption(
            "reader-locks",
            f"neither executor {executor!r} nor {said}{others} waits for the other, which has the "
            "lock of a reader, or of the wait set, while it looks there or brings something, "
            "however long something preempts it",
            system.where("executors", executor),
        )


def _listening(system: System) -> Iterator[_Pair]:
    """Each listener, and each executor to whose callbacks it brings messages."""
    found = {
        (reader.subscribes.listener, reader.executor): None
        for topic in system.topics
        for writer in system.writers(topic)
        for reader in system.receivers(writer, topic)
        if reader.subscribes is not None and reader.executor is not None
    }
    for name, executor in found:
        yield f"listener {name!r}", system.listeners[name], system.executors[executor]


def _waking(system: System) -> Iterator[_Pair]:
    """Whose jobs wake an executor that does not run them, and that one."""
    found: dict[tuple[str, str], None] = {}
    for callback in system.threads.values():
        if callback.executor is not None:
            before = [writer.name for writer in system.direct_writers(callback)]
            before += callback.follows.threads if callback.follows else ()
            found.update(dict.fromkeys((name, callback.executor) for name in before))
    for name, executor in found:
        thread = system.threads[name]
        if thread.executor != executor:
            runs = system.executors[thread.executor] if thread.executor else thread
            yield repr(name), runs, system.executors[executor]


def _is_next(system: System, other: _Other, executor: Executor) -> bool:
    """Whether nothing preempts an executor but this one, and nothing does this: what one of them
    holds is free again before the other goes on."""
    core = system.cores[executor.core]
    budgets = core.reservation, core.partitions, executor.reservation, other.reservation
    apart = executor.core != other.core or executor.priority == FAIR or any(budgets)
    if apart or _cores(executor) or _cores(other) or other.priority <= executor.priority:
        return False
    return not any(
        executor.core in (_cores(one) or (one.core,))
        and (one.reservation or one.priority > executor.priority)
        for ones in (system.threads, system.executors, system.flow_controllers, system.listeners)
        for one in ones.values()
        if one is not other and getattr(one, "executor", None) is None
    )


def _cores(one: _Other) -> Sequence[str]:
    """The cores of what has several."""
    return getattr(one, "cores", ())
