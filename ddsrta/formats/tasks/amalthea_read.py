"""An AMALTHEA model (`.amxmi`) as a system to start from: tasks, ticks of their runnables at the
clock of their core, stimuli and triggers, priorities, and latencies of event chains.

Of the versions since 0.9.7, which say `activityGraph`. What would make a bound too small is refused
with its place, but for accesses to labels: how long those take, ticks do not say, and a draft does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.base.units import LONGEST_DURATION
from ddsrta.formats.draft import Draft
from ddsrta.formats.tasks.amalthea_work import Clock, Work, works_of
from ddsrta.formats.tasks.draft import draft_of
from ddsrta.formats.tasks.model import Task, TaskChain, TaskSystem
from ddsrta.formats.xml_tree import Element, read_xml
from ddsrta.models.arrivals import Periodic

_UNITS = {"s": 10**12, "ms": 10**9, "us": 10**6, "ns": 10**3, "ps": 1}  # in ps
_HERTZ = {"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9}
_ALGORITHMS = ("FixedPriorityPreemptive", "FixedPriority", "OSEK")


def read(paths: Sequence[str]) -> Draft:
    """The draft of a system."""
    if len(paths) != 1:
        raise InputError([Diagnostic(None, "an AMALTHEA model is one file")])
    root = read_xml(paths[0])
    if root.name != "Amalthea":
        raise InputError([Diagnostic(root.position, f"<{root.name}> is no AMALTHEA model")])
    reader = _Reader(root)
    name = Path(paths[0]).stem
    tasks = TaskSystem(name, reader.tasks(), reader.chains(), tuple(reader.notes))
    if not tasks.tasks and not reader.problems:
        reader.wrong(root, "there is no task in this model")
    if reader.problems:
        raise InputError(reader.problems)
    return draft_of(tasks, f"the AMALTHEA model {Path(paths[0]).name}")


def target(reference: str) -> str:
    """The name in a reference such as 'amlt:/#T?type=Task'.

    >>> target("T?type=Task"), target("amlt:/#T?type=Task")
    ('T', 'T')
    """
    return reference.rpartition("#")[2].partition("?")[0]


class _Reader:
    """Parts of the model by name, and what is wrong with them."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.problems: list[Diagnostic] = []
        self.notes: dict[str, None] = {}
        self.found: dict[str, Task] = {}
        self.stimuli = self.named("stimuliModel", "stimuli")
        self.places = dict(self.allocated())

    def wrong(self, place: Element, message: str, advice: str = "") -> None:
        self.problems.append(Diagnostic(place.position, message, advice))

    def note(self, place: Element, text: str) -> None:
        self.notes[f"{text} (line {place.position.line})"] = None

    def parts(self, *path: str) -> Iterator[Element]:
        """All elements at the end of a path."""
        found = [self.root]
        for name in path:
            found = [child for each in found for child in each.all(name)]
        return iter(found)

    def named(self, *path: str) -> dict[str, Element]:
        """The same by name."""
        return {each.attributes.get("name", ""): each for each in self.parts(*path)}

    def time(self, element: Element | None, up: bool) -> int:
        """A time in ns, rounded up or down."""
        if element is None:
            return 0
        unit = _UNITS.get(element.attributes.get("unit", ""), 0)
        value = element.attributes.get("value", "0")
        if not unit or not value.isdecimal() or int(value) * unit > LONGEST_DURATION * 1000:
            self.wrong(element, f"<{element.name}> is no time of 104 days at most")
            return 0
        return -(int(value) * unit // -1000) if up else int(value) * unit // 1000

    def allocated(self) -> Iterator[tuple[str, tuple[str, int, Clock]]]:
        """The core, priority and clock of each task."""
        hosts: dict[str, list[str]] = {}
        for each in self.parts("mappingModel", "schedulerAllocation"):
            core = target(each.attributes.get("responsibility", ""))
            hosts.setdefault(target(each.attributes.get("scheduler", "")), []).append(core)
        for each in self.parts("osModel", "operatingSystems", "taskSchedulers"):
            self.scheduler(each)
        for each in self.parts("osModel", "operatingSystems"):
            if "overhead" in each.attributes:
                self.note(each, "the overhead of the operating system: it is in no bound")
        clocks = dict(self.clocks())
        for each in self.parts("mappingModel", "taskAllocation"):
            task = target(each.attributes.get("task", ""))
            cores = hosts.get(target(each.attributes.get("scheduler", "")), [])
            if len(cores) != 1 or cores[0] not in clocks:
                self.wrong(
                    each, f"task '{task}' is on {len(cores)} cores that are known, not on one"
                )
                continue
            yield task, (cores[0], self.priority(task, each), clocks[cores[0]])
        for each in self.parts("mappingModel", "isrAllocation"):
            self.wrong(each, "interrupts are not read")

    def scheduler(self, place: Element) -> None:
        """Fixed priorities are read; what a scheduler itself takes is told."""
        algorithm, name = place.find("schedulingAlgorithm"), place.attributes.get("name", "")
        kind = target(place.attributes.get("definition", ""))  # of later versions
        if algorithm is not None:
            kind = algorithm.attributes.get("type", "").removeprefix("am:")
        if kind not in (*_ALGORITHMS, ""):
            self.wrong(place, f"scheduler {shown(kind, 60)} is not read", "a fixed priority is")
        if not kind:
            self.note(place, f"how '{name}' schedules is not in the file: priorities are a guess")
        if place.find("parentAssociation") is not None or "parentAssociation" in place.attributes:
            self.wrong(place, f"scheduler '{name}' is under another, which is not read")
        if place.find("computationItems") is not None:
            self.note(place, f"what '{name}' itself takes: it is in no bound")

    def priority(self, task: str, allocation: Element) -> int:
        """The priority; of 0.9.x an attribute, later one of a map's entries."""
        for each in allocation.all("schedulingParameters"):
            value = each.attributes.get("priority")
            if each.attributes.get("key", "").lower() == "priority":
                inner = each.find("value")
                value = None if inner is None else inner.attributes.get("value")
            if value is not None and value.lstrip("-").isdecimal():
                return int(value)
        self.note(allocation, f"the priority of '{task}' is not in the file: 1 is a guess")
        return 1

    def clocks(self) -> Iterator[tuple[str, Clock]]:
        """How fast each processing unit is, and of what kind."""
        rates: dict[str, Fraction] = {}
        for each in self.parts("hwModel", "domains"):
            value = each.find("defaultValue")
            if value is not None:
                scale = _HERTZ.get(value.attributes.get("unit", ""), 0)
                rates[each.attributes.get("name", "")] = scale * _number(value)
        waiting = list(self.parts("hwModel", "structures"))
        while waiting:
            structure = waiting.pop()
            waiting += structure.all("structures")
            for unit in structure.all("modules"):
                if unit.attributes.get("type", "") == "am:ProcessingUnit":
                    rate = rates.get(
                        target(unit.attributes.get("frequencyDomain", "")), Fraction(0)
                    )
                    kind = target(unit.attributes.get("definition", ""))
                    if rate <= 0:
                        self.wrong(unit, "the frequency of this core is not in the file")
                    yield unit.attributes.get("name", ""), Clock(kind, rate or Fraction(1))

    def tasks(self) -> dict[str, Task]:
        """Each after those that trigger it."""
        declared = self.named("swModel", "tasks")
        runnables = self.named("swModel", "runnables")
        works: dict[str, Work] = {}
        before: dict[str, list[str]] = {}  # of each stimulus
        for name, task in declared.items():
            clock = self.places[name][2] if name in self.places else Clock("", Fraction(1))
            works[name] = works_of(task, runnables, clock, self.problems, self.notes)
            for stimulus in works[name].triggers:
                before.setdefault(stimulus, []).append(name)
            if task.attributes.get("preemption", "preemptive") not in ("preemptive", "_undefined_"):
                self.wrong(task, f"task '{name}' is not preemptive")
        waiting = dict(declared)
        while waiting:
            ready = [n for n, t in waiting.items() if self.starts(t, before) <= self.found.keys()]
            for name in ready:
                self.task(name, waiting.pop(name), works[name], before)
            if not ready:
                place = next(iter(waiting.values()))
                self.wrong(place, f"tasks trigger each other in a circle: {', '.join(waiting)}")
                break
        return self.found

    def starts(self, task: Element, before: dict[str, list[str]]) -> set[str]:
        """The tasks that trigger a task."""
        named = [target(each) for each in task.attributes.get("stimuli", "").split()]
        return {name for stimulus in named for name in before.get(stimulus, [])}

    def task(self, name: str, task: Element, work: Work, before: dict[str, list[str]]) -> None:
        named = [target(each) for each in task.attributes.get("stimuli", "").split()]
        after = [each for stimulus in named for each in before.get(stimulus, [])]
        timed = [s for s in named if s in self.stimuli and s not in before]
        if name not in self.places:
            self.wrong(task, f"task '{name}' is on no core: it has no taskAllocation")
            return
        if len(timed) + bool(after) != 1 or len(set(after)) < len(after):
            what = f"{len(timed)} stimuli of its own and {len(after)} triggers"
            self.wrong(task, f"task '{name}' has {what}", "one of the first, or each task once")
            return
        arrival = self.arrival(self.stimuli[timed[0]]) if timed else None
        core, priority, _ = self.places[name]
        self.found[name] = Task(name, core, priority, work.worst, work.best, arrival, tuple(after))

    def arrival(self, stimulus: Element) -> Periodic | None:
        """When a stimulus comes."""
        kind = stimulus.attributes.get("type", "").removeprefix("am:")
        if kind != "PeriodicStimulus":
            self.wrong(stimulus, f"stimulus {shown(kind, 60)} is not read", "a periodic one is")
            return None
        if (offset := stimulus.find("offset")) is not None and self.time(offset, up=False):
            self.note(offset, "an offset: the task may be released at any time of its period")
        jitter, late = stimulus.find("jitter"), 0
        if jitter is not None:
            late = self.deviation(jitter)
        period = self.time(stimulus.find("recurrence"), up=False)
        try:
            return Periodic(period, late, self.time(stimulus.find("minDistance"), up=False))
        except ValueError as reason:
            self.wrong(stimulus, f"stimulus: {reason}")
            return None

    def deviation(self, jitter: Element) -> int:
        """How far apart the ends of a jitter are: the lower one may be before the recurrence."""
        lower, upper = jitter.find("lowerBound"), jitter.find("upperBound")
        if lower is None or upper is None:
            self.wrong(jitter, "this jitter has no lower and upper bound")
            return 0
        value = lower.attributes.get("value", "")
        if not value.startswith("-"):
            return self.time(upper, up=True)
        early = replace(lower, attributes={**lower.attributes, "value": value[1:]})
        return self.time(early, up=True) + self.time(upper, up=True)

    def chains(self) -> dict[str, TaskChain]:
        """Chains of events from the activation of a task to the end of another."""
        events = self.named("eventModel", "events")
        limits: dict[str, tuple[Element, int]] = {}
        for each in self.parts("constraintsModel", "timingConstraints"):
            scope = target(each.attributes.get("scope", ""))
            reaction = each.attributes.get("type", "") not in ("Age", "am:Age")
            if each.find("maximum") is not None and scope and reaction:
                limits[scope] = each, self.time(each.find("maximum"), up=False)
            else:
                self.note(each, f"timing constraint '{each.attributes.get('name', '')}'")
        for each in self.parts("constraintsModel", "requirements"):
            self.note(each, f"requirement '{each.attributes.get('name', '')}'")
        found: dict[str, TaskChain] = {}
        for name, chain in self.named("constraintsModel", "eventChains").items():
            ends = [
                events.get(target(chain.attributes.get(k, ""))) for k in ("stimulus", "response")
            ]
            tasks = [target(e.attributes.get("entity", "")) for e in ends if e is not None]
            kinds = [e.attributes.get("eventType", "") for e in ends if e is not None]
            path = self.path(*tasks) if len(tasks) == 2 else None
            if path is None or kinds != ["activate", "terminate"]:
                self.note(chain, f"event chain '{name}': no one way of triggers from start to end")
            else:
                limit = limits[name][1] if name in limits else None
                found[name] = TaskChain(path, limit)
        return found

    def path(self, first: str, last: str) -> tuple[str, ...] | None:
        """The one way of triggers between two tasks."""
        path = [last]
        while path[-1] != first:
            after = self.found[path[-1]].after if path[-1] in self.found else ()
            if len(after) != 1:
                return None
            path.append(after[0])
        return tuple(reversed(path))


def _number(element: Element) -> Fraction:
    """A decimal number, 0 where it is none."""
    try:
        return Fraction(element.attributes.get("value", "0")[:40])
    except (ValueError, ZeroDivisionError):
        return Fraction(0)
