"""Systems as models of MAST, the Modeling and Analysis Suite for Real-Time Applications.

Each source begins a transaction: its release is an external event, each task an activity with a
server and an operation of its own. Names of MAST are words, so the originals stand in comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.text import shown
from ddsrta.formats.exported import Exported
from ddsrta.formats.tasks.model import Task, TaskSystem
from ddsrta.formats.tasks.of_system import tasks_of
from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic

if TYPE_CHECKING:
    from ddsrta.models.system import System

IN_NANOSECONDS = "-- ddsrta: times in ns"
Part = str | list["Part"] | dict[str, "Part"]


class Model(NamedTuple):
    """The text of a model, the words that stand for tasks in it, and what is not in it."""

    text: str
    words: Mapping[str, str]
    notes: tuple[str, ...]


def export(system: System) -> Exported:
    """The model, for `mast_analysis holistic`, whose analysis is the one that knows forks.

    >>> from ddsrta.examples import two_threads
    >>> text = export(two_threads()).content
    >>> text.count("Scheduling_Server ("), text.count("Transaction (")
    (4, 1)
    """
    made = model(tasks_of(system))
    return Exported(made.text, made.notes)


def model(tasks: TaskSystem) -> Model:
    """The same of tasks: the event `o_WORD` is the end of the task of this word."""
    problems = list(_problems(tasks))
    if problems:
        raise InputError(problems)
    writer = _Writer(tasks)
    parts = [*writer.parts()]
    notes = (*tasks.notes, *writer.notes)
    head = [IN_NANOSECONDS, f"-- {shown(tasks.name)}, for: mast_analysis holistic MODEL"]
    head += [f"-- not as in ddsrta: {shown(note)}" for note in notes]
    head += [f"-- {own}: {shown(name)}" for (_, name), own in writer.names.items()]
    words = {name: own for (kind, name), own in writer.names.items() if kind == "t"}
    return Model("\n".join([*head, "", *parts]), words, notes)


def _problems(tasks: TaskSystem) -> Iterator[Diagnostic]:
    """What MAST's analysis refuses, or has no event for."""
    for task in tasks.tasks.values():
        if len(task.after) > 1:
            message = f"'{task.name}' is started by several tasks"
            yield Diagnostic(None, f"{message}: MAST analyses transactions with one source")
        if isinstance(task.arrival, Curve):
            yield Diagnostic(None, f"MAST has no curve such as that of '{task.name}'")


class _Writer:
    """The parts of a model in their order, and what is less exact in them."""

    def __init__(self, tasks: TaskSystem) -> None:
        self.tasks = tasks
        self.names: dict[tuple[str, str], str] = {}
        self.taken: set[str] = set()
        self.notes: list[str] = []
        self.following: dict[str, list[Task]] = {}
        for task in tasks.tasks.values():
            for before in task.after:
                self.following.setdefault(before, []).append(task)
        self.lowest = min((int(task.priority) for task in tasks.tasks.values()), default=1)
        if self.lowest < 1:
            self.notes.append(f"priorities: raised by {1 - self.lowest}, so that all are positive")

    def parts(self) -> Iterator[str]:
        """Cores, threads, work, transactions."""
        yield _part("Model", {"Model_Name": self.word("m", self.tasks.name)})
        for core in self.tasks.cores:
            name = self.word("c", core)
            yield _part("Processing_Resource", {"Type": "Regular_Processor", "Name": name})
            policy: Part = {"Type": "Fixed_Priority", "Worst_Context_Switch": "0.0"}
            scheduler: dict[str, Part] = {"Type": "Primary_Scheduler", "Name": name, "Host": name}
            yield _part("Scheduler", {**scheduler, "Policy": policy})
        for task in self.tasks.tasks.values():
            yield from self.task(task)
        for task in self.tasks.tasks.values():
            if task.arrival is not None:
                yield self.transaction(task, task.arrival)

    def word(self, kind: str, name: str) -> str:
        """A name as MAST may have it: a letter that tells what it is of, and is no word of MAST."""
        if (kind, name) not in self.names:
            plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "x"
            found, number = f"{kind}_{plain}", 1
            while found in self.taken:
                number += 1
                found = f"{kind}_{plain}_{number}"
            self.taken.add(found)
            self.names[kind, name] = found
        return self.names[kind, name]

    def task(self, task: Task) -> Iterator[str]:
        name = self.word("t", task.name)
        level = int(task.priority) + max(0, 1 - self.lowest)
        parameters: Part = {"Type": "Fixed_Priority_Policy", "The_Priority": str(level)}
        yield _part(
            "Scheduling_Server",
            {
                "Type": "Regular",
                "Name": name,
                "Server_Sched_Parameters": parameters,
                "Scheduler": self.word("c", task.core),
            },
        )
        yield _part(
            "Operation",
            {
                "Type": "Simple",
                "Name": name,
                "Worst_Case_Execution_Time": _time(task.wcet),
                "Best_Case_Execution_Time": _time(task.bcet),
            },
        )

    def transaction(self, source: Task, arrival: Arrival) -> str:
        """The tree of what one source starts."""
        name = self.word("t", source.name)
        self.handlers: list[Part] = []
        self.events: dict[str, Part] = {}
        self.deadlines = self.deadlines_of(source)
        external = f"e_{name}"
        waiting = [(source, external)]
        while waiting:
            waiting[:1] = self.handle(*waiting[0], external)
        return _part(
            "Transaction",
            {
                "Type": "Regular",
                "Name": f"x_{name}",
                "External_Events": [self.released(external, source, arrival)],
                "Internal_Events": list(self.events.values()),
                "Event_Handlers": self.handlers,
            },
        )

    def handle(self, task: Task, event: str, source: str) -> list[tuple[Task, str]]:
        """A task that an event starts; returns what it starts by which events."""
        name = self.word("t", task.name)
        if task.delay.worst:
            later = self.event(f"d_{name}")
            times: dict[str, Part] = {"Delay_Max_Interval": _time(task.delay.worst)}
            times["Delay_Min_Interval"] = _time(task.delay.best)
            self.handlers.append(_way("Delay", event, later) | times)
            event = later
        done = self.event(f"o_{name}", self.deadlines.get(task.name), source)
        work: dict[str, Part] = {"Activity_Operation": name, "Activity_Server": name}
        self.handlers.append(_way("Activity", event, done) | work)
        following = self.following.get(task.name, [])
        events = [done]
        if len(following) > 1:
            events = [self.event(f"i_{self.word('t', each.name)}") for each in following]
            way: dict[str, Part] = {"Type": "Multicast", "Input_Event": done}
            self.handlers.append(way | {"Output_Events_List": [*events]})
        return list(zip(following, events, strict=False))

    def event(self, name: str, deadline: int | None = None, source: str = "") -> str:
        """An internal event, with a deadline from the external one."""
        said: dict[str, Part] = {"Type": "Regular", "Name": name}
        if deadline is not None:
            said["Timing_Requirements"] = {
                "Type": "Hard_Global_Deadline",
                "Deadline": _time(deadline),
                "Referenced_Event": source,
            }
        self.events[name] = said
        return name

    def deadlines_of(self, source: Task) -> dict[str, int]:
        """The shortest deadline of each task from a source. MAST counts from when its event would
        come without jitter."""
        found: dict[str, int] = {}
        late = getattr(source.arrival, "jitter", 0)
        for name, chain in self.tasks.chains.items():
            first, last = self.tasks.tasks[chain.path[0]], chain.path[-1]
            if chain.deadline is None:
                continue
            if first.arrival is None:
                if source == next(iter(self.tasks.tasks.values())):
                    self.notes.append(f"deadline of chain '{name}': it begins within a transaction")
            elif first == source:
                limit = chain.deadline + late
                found[last] = min(limit, found.get(last, limit))
        return found

    def released(self, event: str, task: Task, arrival: Arrival) -> Part:
        """An external event."""
        said: dict[str, Part] = {"Type": "Periodic", "Name": event}
        match arrival:
            case Periodic(period, jitter, distance):
                if distance:
                    self.notes.append(f"min_distance of '{task.name}': jitter alone")
                return said | {"Period": _time(period), "Max_Jitter": _time(jitter)}
            case Sporadic(distance, jitter) if jitter:
                self.notes.append(f"'{task.name}' is sporadic with jitter: periodic with it")
                return said | {"Period": _time(distance), "Max_Jitter": _time(jitter)}
            case Sporadic(distance):
                return said | {"Type": "Sporadic", "Min_Interarrival": _time(distance)}
            case Burst(count, distance, period):
                if distance:
                    self.notes.append(f"distance in bursts of '{task.name}': all may come at once")
                said |= {"Type": "Bursty", "Bound_Interval": _time(period)}
                return said | {"Max_Arrivals": str(count)}
        raise AssertionError(arrival)


def _way(kind: str, begin: str, end: str) -> dict[str, Part]:
    return {"Type": kind, "Input_Event": begin, "Output_Event": end}


def _time(value: int) -> str:
    return f"{int(value)}.0"


def _part(kind: str, said: dict[str, Part]) -> str:
    return f"{kind} (\n{_inside(said, 3)});\n"


def _inside(said: dict[str, Part], indent: int) -> str:
    margin = " " * indent
    return ",\n".join(
        f"{margin}{key} => {_value(value, indent + 3)}" for key, value in said.items()
    )


def _value(value: Part, indent: int) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return f"(\n{_inside(value, indent)})"
    margin = " " * indent
    listed = f",\n{margin}".join(_value(each, indent + 2) for each in value)
    return f"(\n{margin}{listed})"
