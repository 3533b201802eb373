"""Moves between places: cores, executors, callback groups, and executors that are split."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ddsrta.exploration.edits import Edit
from ddsrta.exploration.improve.by_sending import plain
from ddsrta.exploration.improve.move import Move, Thing, View
from ddsrta.models.executors import Executor
from ddsrta.models.system import System, Thread
from ddsrta.ros2 import kind_of


def cores(view: View) -> Iterator[Move]:
    """A thread, executor, flow controller or listener on another core of its machine: with its own
    priority, or above or below all that is there."""
    for thing, each in view.running:
        if view.text(*thing, "core") is None:
            continue
        for core in _cores_of(view.system, each.core):
            edit = Edit((*thing, "core"), core)
            yield Move("cores", (edit,), about=(thing,))
            for priority in _ends(view, thing, core):
                edits = (edit, Edit((*thing, "priority"), str(priority)))
                yield Move("cores", edits, about=(thing,))


def executors(view: View) -> Iterator[Move]:
    """A callback in another executor of its machine and process."""
    for thing, callback in _callbacks(view):
        old = view.system.executors[str(callback.executor)]
        for other in view.system.executors.values():
            if other.name != old.name and _may_take(view.system, old, other):
                edit = Edit((*thing, "executor"), other.name)
                yield Move("executors", (edit,), about=(thing, ("executors", old.name)))


def groups(view: View) -> Iterator[Move]:
    """A callback of a multi_threaded executor in a group of its own; or one thread more."""
    for thing, callback in _callbacks(view):
        executor = view.system.executors[str(callback.executor)]
        if kind_of(executor).several_threads and not callback.reentrant:
            edit = Edit((*thing, "group"), _new(f"{callback.name} group", _groups(view.system)))
            yield Move("groups", (edit,), about=(thing, ("executors", executor.name)))
    for name, executor in view.system.executors.items():
        if (
            kind_of(executor).several_threads
            and view.text("executors", name, "threads") is not None
        ):
            edit = Edit(("executors", name, "threads"), str(executor.threads + 1))
            yield Move("groups", (edit,), about=(("executors", name),))


def split(view: View) -> Iterator[Move]:
    """A second executor beside one, on its core or on another one of the machine, for one of its
    callbacks; or with all that is not on the ways of late chains left in the first one."""
    for name, executor in view.system.executors.items():
        said = view.node(("executors", name))
        inside = [thing for thing, callback in _callbacks(view) if callback.executor == name]
        if said is None or len(inside) < 2 or kind_of(executor).several_threads:
            continue
        late = [thing for thing in inside if view.cost((thing,)) > 1]
        sets = [[thing] for thing in inside]
        if 1 < len(late) < len(inside):
            sets.append(late)
        for taken in sets:
            for core in (executor.core, *_cores_of(view.system, executor.core)):
                yield from _second(view, executor, plain(said), taken, core)


def _second(
    view: View, executor: Executor, said: Any, taken: list[Thing], core: str
) -> Iterator[Move]:
    name = _new(f"{executor.name}_2", [*view.system.executors])
    moved = [Edit((*thing, "executor"), name) for thing in taken]
    for priority in _priorities(view, executor, core):
        new = {**said, "core": core, **({"priority": str(priority)} if priority else {})}
        edits = (Edit(("executors", name), new), *moved)
        yield Move("split", edits, about=(*taken, ("executors", executor.name)))


def _priorities(view: View, executor: Executor, core: str) -> list[int]:
    """Above and below all that is on the core; nothing where it has no priority."""
    if view.text("executors", executor.name, "priority") is None:
        return [0]
    return _ends(view, ("executors", executor.name), core) or [0]


def _ends(view: View, thing: Thing, core: str) -> list[int]:
    """Priorities above and below all others of a core, other than its own."""
    found = view.text(*thing, "priority")
    if found is None:
        return []
    if core not in view.urgencies:
        return []
    own, (least, most) = int(found), view.urgencies[core]
    ends = [max(own, most + 1), min(own, least - 1)]
    return [end for end in ends if end != own and 1 <= end <= 99]


def _cores_of(system: System, core: str) -> list[str]:
    """The other cores of the machine."""
    machine = system.machine_of(core)
    return [path for path, each in system.cores.items() if each.machine == machine and path != core]


def _callbacks(view: View) -> Iterator[tuple[Thing, Thread]]:
    """Those of the file, each with where it stands."""
    for name, thread in view.system.threads.items():
        place = view.declared(thread) if thread.executor and thread.declared_as == name else None
        if place is not None:
            yield place, thread


def _may_take(system: System, old: Executor, other: Executor) -> bool:
    """Whether callbacks may go from one to the other, and be released in the same way."""
    same = kind_of(old).by_priority == kind_of(other).by_priority and old.process == other.process
    return same and system.machine_of(old.core) == system.machine_of(other.core)


def _groups(system: System) -> list[str]:
    return [thread.group for thread in system.threads.values() if thread.group]


def _new(name: str, known: list[str]) -> str:
    """A name that nothing has.

    >>> _new("ex_2", ["ex", "ex_2"])
    'ex_3'
    """
    stem, number = (name[:-2], 2) if name.endswith("_2") else (name, 1)
    while name in known:
        number += 1
        name = f"{stem}_{number}"
    return name
