"""Systems as AMALTHEA models (`.amxmi` of APP4MC, version 0.9.9, which later ones migrate).

Each task has a runnable whose ticks are nanoseconds, as its core runs at 1 GHz, and a stimulus: a
periodic one, or one that the tasks before it trigger. Names are words; the originals are comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.text import shown
from ddsrta.formats.exported import Exported
from ddsrta.formats.tasks.model import Task, TaskSystem
from ddsrta.formats.tasks.of_system import tasks_of
from ddsrta.models.arrivals import Arrival, Periodic, Sporadic
from ddsrta.models.costs import NO_COST

if TYPE_CHECKING:
    from ddsrta.models.system import System

_SPACES = {
    "xmlns:am": "http://app4mc.eclipse.org/amalthea/0.9.9",
    "xmlns:xmi": "http://www.omg.org/XMI",
    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "xmi:version": "2.0",
}
_DELAY = "network delay to '{}': a task on a core of its own"
_SPORADIC = "'{}' is sporadic: periodic here"


def export(system: System) -> Exported:
    """The model.

    >>> from ddsrta.examples import two_threads
    >>> export(two_threads()).content.count("<tasks ")
    4
    """
    tasks = tasks_of(system)
    problems = list(_problems(tasks))
    if problems:
        raise InputError(problems)
    writer = _Writer(_with_delays(tasks))
    root = writer.model()
    notes = (*tasks.notes, *_notes(tasks), *writer.notes)
    ElementTree.indent(root)
    said = [f"not as in ddsrta: {note}" for note in notes]
    said += [f"{own}: {name}" for name, own in writer.names.items() if own != name]
    comments = "".join(f"<!-- {shown(each).replace('--', '- -')} -->\n" for each in said)
    text = ElementTree.tostring(root, encoding="unicode")
    return Exported(f'<?xml version="1.0" encoding="UTF-8"?>\n{comments}{text}\n', notes)


def _problems(tasks: TaskSystem) -> Iterator[Diagnostic]:
    for task in tasks.tasks.values():
        if task.arrival is not None and not isinstance(task.arrival, Periodic | Sporadic):
            yield Diagnostic(None, f"bursts and curves are not written, as that of '{task.name}'")


def _notes(tasks: TaskSystem) -> Iterator[str]:
    for task in tasks.tasks.values():
        if task.delay.worst:
            yield _DELAY.format(task.name)
        if isinstance(task.arrival, Sporadic):
            yield _SPORADIC.format(task.name)


def _with_delays(tasks: TaskSystem) -> TaskSystem:
    """The same where each delay is a task of its own, which nothing delays, and which may take no
    time: else what is under way together would leave it apart."""
    found: dict[str, Task] = {}
    ways: dict[tuple[str, str], str] = {}
    for task in tasks.tasks.values():
        after = task.after
        if task.delay.worst:
            names = [f"{before} to {task.name}" for before in task.after]
            for before, name in zip(task.after, names, strict=True):
                found[name] = Task(name, f"way/{name}", 1, task.delay.worst, 0, None, (before,))
                ways[before, task.name] = name
            after = tuple(names)
        values = (task.name, task.core, task.priority, task.wcet, task.bcet, task.arrival)
        found[task.name] = Task(*values, after, NO_COST)
    chains = {}
    for name, chain in tasks.chains.items():
        path = [chain.path[0]]
        for task_name in chain.path[1:]:
            path += [ways[path[-1], task_name]] if (path[-1], task_name) in ways else []
            path.append(task_name)
        chains[name] = type(chain)(tuple(path), chain.deadline)
    return TaskSystem(tasks.name, found, chains)


class _Writer:
    """The parts of a model, with references by name and type."""

    def __init__(self, tasks: TaskSystem) -> None:
        self.tasks = tasks
        self.names: dict[str, str] = {}
        self.taken: set[str] = set()
        self.notes: list[str] = []

    def word(self, name: str) -> str:
        """A name without anything that a reference would have to spell."""
        if name not in self.names:
            plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "x"
            found, number = plain, 1
            while found in self.taken:
                number += 1
                found = f"{plain}_{number}"
            self.taken.add(found)
            self.names[name] = found
        return self.names[name]

    def named(self, parent: Element, tag: str, kind: str, name: str, **more: str) -> Element:
        """A part that others can refer to."""
        return SubElement(parent, tag, {"xmi:id": f"{name}?type={kind}", "name": name, **more})

    def model(self) -> Element:
        """Everything."""
        root = Element("am:Amalthea", _SPACES)
        software, hardware = SubElement(root, "swModel"), SubElement(root, "hwModel")
        system, stimuli = SubElement(root, "osModel"), SubElement(root, "stimuliModel")
        events, constraints = SubElement(root, "eventModel"), SubElement(root, "constraintsModel")
        mapping = SubElement(root, "mappingModel")
        self.cores(hardware, system, mapping)
        following: dict[str, list[str]] = {}
        for task in self.tasks.tasks.values():
            for before in task.after:
                following.setdefault(before, []).append(task.name)
        for task in self.tasks.tasks.values():
            self.task(software, following.get(task.name, []), task)
            self.stimulus(stimuli, task)
            place = {"task": f"{self.word(task.name)}?type=Task"}
            place["scheduler"] = f"{self.word(task.core)}_scheduler?type=TaskScheduler"
            allocation = SubElement(mapping, "taskAllocation", place)
            SubElement(allocation, "schedulingParameters", priority=str(int(task.priority)))
        for tag in ("tasks", "runnables"):  # in the order of the metamodel
            for part in software.findall(tag):
                software.remove(part)
                software.append(part)
        for name, chain in self.tasks.chains.items():
            if chain.deadline is not None:
                self.deadline(events, constraints, name, chain.path, chain.deadline)
        return root

    def cores(self, hardware: Element, system: Element, mapping: Element) -> None:
        """A processing unit of 1 GHz for each core, with a scheduler of fixed priorities."""
        self.named(hardware, "definitions", "ProcessingUnitDefinition", "unit", puType="CPU").set(
            "xsi:type", "am:ProcessingUnitDefinition"
        )
        structure = self.named(hardware, "structures", "HwStructure", "hardware")
        domain = self.named(hardware, "domains", "FrequencyDomain", "clock")
        domain.set("xsi:type", "am:FrequencyDomain")
        SubElement(domain, "defaultValue", value="1.0", unit="GHz")
        operating = self.named(system, "operatingSystems", "OperatingSystem", "system")
        for core in self.tasks.cores:
            name = self.word(core)
            unit = self.named(structure, "modules", "ProcessingUnit", name)
            unit.set("xsi:type", "am:ProcessingUnit")
            unit.set("frequencyDomain", "clock?type=FrequencyDomain")
            unit.set("definition", "unit?type=ProcessingUnitDefinition")
            own = self.named(operating, "taskSchedulers", "TaskScheduler", f"{name}_scheduler")
            SubElement(own, "schedulingAlgorithm", {"xsi:type": "am:FixedPriorityPreemptive"})
            place = {"scheduler": f"{name}_scheduler?type=TaskScheduler"}
            place["responsibility"] = f"{name}?type=ProcessingUnit"
            SubElement(mapping, "schedulerAllocation", place)

    def task(self, software: Element, following: list[str], task: Task) -> None:
        """A task, and the runnable that is its work."""
        name = self.word(task.name)
        own = self.named(software, "tasks", "Task", name, stimuli=self.begins(task))
        graph = SubElement(own, "activityGraph")
        call = {"xsi:type": "am:RunnableCall", "runnable": f"{name}_work?type=Runnable"}
        SubElement(graph, "items", call)
        for target in following:
            trigger = {"xsi:type": "am:InterProcessTrigger"}
            trigger["stimulus"] = self.begins(self.tasks.tasks[target])
            SubElement(graph, "items", trigger)
        work = self.named(software, "runnables", "Runnable", f"{name}_work")
        ticks = SubElement(SubElement(work, "activityGraph"), "items", {"xsi:type": "am:Ticks"})
        bounds = {"xsi:type": "am:DiscreteValueBoundaries", "samplingType": "WorstCase"}
        bounds |= {"lowerBound": str(int(task.bcet)), "upperBound": str(int(task.wcet))}
        SubElement(ticks, "default", bounds)

    def begins(self, task: Task) -> str:
        kind = "InterProcessStimulus" if task.arrival is None else "PeriodicStimulus"
        return f"{self.word(task.name)}_begins?type={kind}"

    def stimulus(self, stimuli: Element, task: Task) -> None:
        """What starts a task."""
        name, _, kind = self.begins(task).partition("?type=")
        own = self.named(stimuli, "stimuli", kind, name)
        own.set("xsi:type", f"am:{kind}")
        if task.arrival is not None:
            period, jitter, distance = _times(task.arrival)
            _time(own, "recurrence", period)
            if distance:
                _time(own, "minDistance", distance)
            if jitter:
                late = SubElement(own, "jitter", {"xsi:type": "am:TimeBoundaries"})
                _time(late, "lowerBound", 0)
                _time(late, "upperBound", jitter)

    def deadline(
        self, events: Element, constraints: Element, name: str, path: tuple[str, ...], limit: int
    ) -> None:
        """From the activation of the first task to the end of the last."""
        own = self.word(f"chain {name}")
        ends = {"stimulus": ("activate", path[0]), "response": ("terminate", path[-1])}
        said = {}
        for end, (kind, task) in ends.items():
            event = self.named(events, "events", "ProcessEvent", f"{own}_{kind}", eventType=kind)
            event.set("xsi:type", "am:ProcessEvent")
            event.set("entity", f"{self.word(task)}?type=Task")
            said[end] = f"{own}_{kind}?type=ProcessEvent"
        self.named(constraints, "eventChains", "EventChain", own, **said)
        more = {"scope": f"{own}?type=EventChain", "type": "Reaction"}
        kind = "EventChainLatencyConstraint"
        wanted = self.named(constraints, "timingConstraints", kind, f"{own}_deadline", **more)
        wanted.set("xsi:type", f"am:{kind}")
        _time(wanted, "maximum", limit)


def _times(arrival: Arrival) -> tuple[int, int, int]:
    """Period, jitter, least distance."""
    if isinstance(arrival, Sporadic):
        return arrival.distance, arrival.jitter, 0
    assert isinstance(arrival, Periodic)
    return arrival.period, arrival.jitter, arrival.min_distance


def _time(parent: Element, tag: str, value: int) -> None:
    SubElement(parent, tag, value=str(int(value)), unit="ns")
