"""The turns of the callbacks of a system in the rounds of their executors."""

from __future__ import annotations

from ddsrta.base.priorities import ALIKE, Rank
from ddsrta.models.executors import Executor
from ddsrta.models.groups import is_timer
from ddsrta.models.stamps import in_order_of_stamps
from ddsrta.models.synchronization import Synchronizer
from ddsrta.models.system import System, Thread
from ddsrta.ros2 import kind_of
from ddsrta.ros2.kind import ANYWHERE, Turn


def turn_of(system: System, callback: Thread, priority: Rank = ALIKE) -> Turn:
    """A callback as its executor sees it."""
    sets = callback.synchronizer
    return Turn(
        _turn(system, system.executors[str(callback.executor)], callback),
        callback.entity == "inline",
        sets is not None and _is_often(system, callback, sets),
        is_timer(callback),
        priority,
    )


def _is_often(system: System, callback: Thread, sets: Synchronizer) -> bool:
    """Whether it may make several sets in one round (lemma set-response)."""
    if sets.fires_once_a_round:
        return False
    return not (sets.policy == "exact_time" and in_order_of_stamps(system, callback))


def _turn(system: System, executor: Executor, callback: Thread) -> int:
    """Where a callback stands in a round by its kind. Direct messages make a subscription a
    waitable, too, which some releases of rclcpp ask at its turn: that may be anywhere."""
    if callback.entity is None or (system.processes and _has_direct(system, callback)):
        return ANYWHERE
    return kind_of(executor).turn(callback.entity)


def _has_direct(system: System, callback: Thread) -> bool:
    follows = callback.follows.threads if callback.entity == "inline" and callback.follows else ()
    parts = [callback, *[system.threads[name] for name in follows]]
    return any(system.direct_writers(part) for part in parts)


def places(system: System) -> dict[str, Rank]:
    """Of callbacks in the rounds of their executors: by kind, then as in the file; not of those
    that have priorities."""
    turns: dict[str, list[tuple[int, str]]] = {}
    for name, thread in system.threads.items():
        executor = system.executors.get(thread.executor or "")
        if executor is not None and not kind_of(executor).by_priority:
            turns.setdefault(executor.name, []).append((_turn(system, executor, thread), name))
    return {
        name: Rank(place)
        for found in turns.values()
        for place, (_, name) in enumerate(sorted(found, key=lambda each: each[0]))
    }
