"""A system of pyCPA as a system to start from. Only its objects are read: pyCPA is not imported."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.units import NANOSECONDS
from ddsrta.formats.tasks.draft import draft_of
from ddsrta.formats.tasks.model import Task, TaskChain, TaskSystem
from ddsrta.models.arrivals import Arrival, Burst, Periodic

if TYPE_CHECKING:
    from ddsrta.formats.draft import Draft
    from ddsrta.models.system import System

_SCHEDULER = "SPPScheduler"  # static priorities, preemptive
_COMPARE = {(True, False, True): -1, (False, True, True): 1}  # of 1 and 2, 2 and 1, 1 and 1


def from_pycpa(system: Any, unit: str = "us") -> System:
    """A `pycpa.model.System` as a system; `unit` is that of its times, which pyCPA does not know.

    What was assumed stands in the comments of `.written.text`. What ddsrta has no word for, or
    would bound lower than it may be, raises InputError.
    """
    from ddsrta.formats.yaml_writer import write
    from ddsrta.models.reader import loads

    return loads(write(draft(system, unit)), "from_pycpa.yaml")


def draft(system: Any, unit: str = "us") -> Draft:
    """The same as a draft, for `ddsrta.formats.yaml_writer.write`."""
    reader = _Reader(system, unit)
    tasks = TaskSystem(
        str(system.name) or "from pyCPA", reader.tasks(), reader.chains(), tuple(reader.notes)
    )
    if reader.problems:
        raise InputError(reader.problems)
    return draft_of(tasks, f"a system of pyCPA, with times in {unit}")


class _Reader:
    """Objects on their way into tasks, and what is wrong with them."""

    def __init__(self, system: Any, unit: str) -> None:
        if unit not in NANOSECONDS:
            names = ", ".join(NANOSECONDS)
            raise InputError([Diagnostic(None, f"there is no unit '{unit}'", f"one of {names}")])
        self.system = system
        self.unit = int(NANOSECONDS[unit])
        self.problems: list[Diagnostic] = []
        self.notes: list[str] = []
        self.before: dict[Any, list[Any]] = {}
        for one in [*self._all(), *getattr(system, "junctions", ())]:
            for following in one.next_tasks:
                self.before.setdefault(following, []).append(one)

    def _all(self) -> list[Any]:
        """All tasks, in an order that is always the same."""
        resources = sorted(self.system.resources, key=lambda resource: str(resource.name))
        return [t for r in resources for t in sorted(r.tasks, key=lambda task: str(task.name))]

    def wrong(self, message: str, advice: str = "") -> None:
        self.problems.append(Diagnostic(None, message, advice))

    def tasks(self) -> dict[str, Task]:
        """Each after those that start it; names are those of pyCPA, which have to differ."""
        waiting = self._all()
        found: dict[str, Task] = {}
        for junction in getattr(self.system, "junctions", ()):
            if type(junction.strategy).__name__ != "ORJoin":
                kind = type(junction.strategy).__name__
                self.wrong(f"junction '{junction.name}' is a {kind}", "only ORJoin is read")
        while waiting:
            ready = [t for t in waiting if all(str(b.name) in found for b in self.starts(t))]
            if not ready:
                names = ", ".join(f"'{task.name}'" for task in waiting[:4])
                self.wrong(f"tasks start each other in a circle: {names}")
                return found
            for task in ready:
                if str(task.name) in found:
                    self.wrong(f"there are two tasks '{task.name}'")
                found[str(task.name)] = self.task(task)
            waiting = [task for task in waiting if task not in ready]
        return found

    def starts(self, task: Any) -> list[Any]:
        """The tasks whose ends start a task, also through junctions."""
        found = []
        for before in self.before.get(task, ()):
            found += self.starts(before) if hasattr(before, "strategy") else [before]
        return sorted(found, key=lambda one: str(one.name))

    def task(self, task: Any) -> Task:
        name = str(task.name)
        if type(task).__name__ != "Task":
            self.wrong(f"'{name}' is a {type(task).__name__}", "only plain tasks are read")
        if getattr(task, "mutex", None) is not None:
            self.wrong(f"'{name}' has a mutex", "locks are not read")
        after = tuple(str(one.name) for one in self.starts(task))
        arrival = None if after else self.arrival(name, task.in_event_model)
        wcet, bcet = (self.time(getattr(task, key), name, key) for key in ("wcet", "bcet"))
        core = str(task.resource.name)
        return Task(name, core, self.priority(task), wcet, bcet, arrival, after)

    def priority(self, task: Any) -> int:
        """The bigger is the more urgent."""
        scheduler, level = task.resource.scheduler, getattr(task, "scheduling_parameter", None)
        sign = 1
        if type(scheduler).__name__ != _SCHEDULER:
            kind = type(scheduler).__name__
            message = f"resource '{task.resource.name}' has a {kind}"
            self.wrong(message, f"only {_SCHEDULER} is read")
        else:
            compare = scheduler.priority_cmp
            sign = _COMPARE.get((compare(1, 2), compare(2, 1), compare(1, 1)), 0)
            if not sign:
                message = f"resource '{task.resource.name}' compares priorities in its own way"
                self.wrong(message, "equal ones delay each other, smaller or bigger ones win")
        if not isinstance(level, int):
            self.wrong(f"the priority of '{task.name}' is no whole number, but {level!r}")
            return 0
        return sign * level

    def time(self, value: Any, name: str, what: str) -> int:
        """A time in ns, exactly."""
        try:
            found = Fraction(value) * self.unit
        except (TypeError, ValueError, OverflowError):
            found = Fraction(-1)
        if found < 0 or found.denominator != 1:
            self.wrong(f"{what} of '{name}' is no time of whole ns: {value!r}", "another unit")
            return 0
        return int(found)

    def arrival(self, name: str, model: Any) -> Arrival | None:
        """What starts a task from outside."""
        kind = type(model).__name__
        keys = {"PJdEventModel": ("P", "J", "dmin"), "CTEventModel": ("c", "dmin", "T")}.get(kind)
        if keys is None:
            message = f"'{name}' has the event model {kind}"
            self.wrong(message, "only PJdEventModel and CTEventModel are read")
            return None
        if getattr(model, "phi", 0):
            self.notes.append(f"the offset of '{name}': it may be released at any time")
        values = [getattr(model, key) for key in keys]
        times = [self.time(value, name, key) for value, key in zip(values, keys, strict=True)]
        try:
            if kind == "CTEventModel":
                return Burst(int(model.c), *times[1:])
            period, jitter, apart = times
            return Periodic(period, jitter, apart)
        except ValueError as reason:
            self.wrong(f"the event model of '{name}': {reason}")
            return None

    def chains(self) -> dict[str, TaskChain]:
        """Paths without their junctions, with the deadlines of the system's constraints."""
        constraints = getattr(self.system, "constraints", None)
        deadlines = dict(getattr(constraints, "_path_constraints", {}))
        found = {}
        for path in sorted(self.system.paths, key=lambda path: str(path.name)):
            tasks = [task for task in path.tasks if not hasattr(task, "strategy")]
            if getattr(path, "overhead", 0):
                self.wrong(
                    f"path '{path.name}' has an overhead", "a delay between two of its tasks"
                )
            limit, events = deadlines.get(path, (None, 1))
            if events != 1:
                self.wrong(f"the deadline of path '{path.name}' is for {events} events")
            deadline = None if limit is None else self.time(limit, str(path.name), "deadline")
            found[str(path.name)] = TaskChain(tuple(str(t.name) for t in tasks), deadline)
        self.notes += self._unread(constraints)
        return found

    def _unread(self, constraints: Any) -> Iterator[str]:
        for chain in getattr(self.system, "effect_chains", ()):
            yield f"effect chain '{chain.name}'"
        for kind in ("wcrt", "backlog", "load"):
            if getattr(constraints, f"_{kind}_constraints", None):
                yield f"constraints of {kind}"
