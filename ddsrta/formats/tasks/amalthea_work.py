"""What a task of an AMALTHEA model does: ticks, by itself or in runnables, and triggers."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ddsrta.base.diagnostics import Diagnostic, shown
from ddsrta.formats.xml_tree import Element

_SILENT = ("LabelAccess", "CustomEventTrigger", "EventMask", "ClearEvent", "SetEvent")
_DEEPEST = 20


class Clock(NamedTuple):
    """Of a core: the definition it is of, and its ticks a second."""

    kind: str
    rate: Fraction


class Work(NamedTuple):
    """Execution times in ns, and the stimuli that are triggered, none before `best`."""

    worst: int
    best: int
    triggers: tuple[str, ...]


def works_of(
    task: Element,
    runnables: dict[str, Element],
    clock: Clock,
    problems: list[Diagnostic],
    notes: dict[str, None],
) -> Work:
    """The work of one task on its core."""
    adder = _Adder(runnables, clock, problems, notes)
    adder.graph(task, 0)
    ends = adder.most, min([adder.least, *adder.triggered])
    worst, best = (ticks * 10**9 / clock.rate for ticks in ends)
    if adder.most == 0 and not adder.failed:
        adder.wrong(task, f"task '{task.attributes.get('name', '')}' has no ticks")
    return Work(-int(-worst // 1), int(best // 1), tuple(adder.triggers))


class _Adder:
    """Ticks of all that a task calls, added up."""

    def __init__(
        self,
        runnables: dict[str, Element],
        clock: Clock,
        problems: list[Diagnostic],
        notes: dict[str, None],
    ) -> None:
        self.runnables = runnables
        self.clock = clock
        self.problems = problems
        self.notes = notes
        self.most = self.least = 0
        self.triggers: list[str] = []
        self.triggered: list[int] = []  # the least ticks before each of them
        self.failed = False

    def wrong(self, place: Element, message: str, advice: str = "") -> None:
        self.failed = True
        self.problems.append(Diagnostic(place.position, message, advice))

    def graph(self, owner: Element, depth: int) -> None:
        """All items of a task or runnable."""
        if owner.find("callGraph") is not None:
            message = "<callGraph> is of a version before 0.9.7"
            self.wrong(owner, message, "let APP4MC migrate the model")
        for graph in owner.all("activityGraph"):
            for item in graph.all("items"):
                self.item(item, depth)

    def item(self, item: Element, depth: int) -> None:
        kind = item.attributes.get("type", "").removeprefix("am:")
        before, triggers = self.least, len(self.triggered)
        self.does(item, kind, depth)
        if item.find("counter") is not None:  # not each time
            self.least = before
        if item.attributes.get("ordered") == "false":  # a trigger may come first
            self.triggered[triggers:] = [before] * (len(self.triggered) - triggers)

    def does(self, item: Element, kind: str, depth: int) -> None:
        """What an item of a kind does, each time."""
        if depth > _DEEPEST:
            self.wrong(item, f"calls are nested more than {_DEEPEST} levels deep")
        elif kind == "Group":
            for each in item.all("items"):
                self.item(each, depth + 1)
        elif kind == "RunnableCall":
            name = item.attributes.get("runnable", "").rpartition("#")[2].partition("?")[0]
            if name in self.runnables:
                self.graph(self.runnables[name], depth + 1)
            else:
                self.wrong(item, f"there is no runnable {shown(name, 60)}")
        elif kind == "Ticks":
            self.ticks(item)
        elif kind == "InterProcessTrigger":
            stimulus = item.attributes.get("stimulus", "")
            self.triggered.append(self.least)
            self.triggers.append(stimulus.rpartition("#")[2].partition("?")[0])
        elif kind == "LabelAccess":
            self.notes["accesses to labels: what memory takes is in no bound"] = None
        elif kind not in _SILENT:
            self.wrong(item, f"{shown(kind, 60)} is not read")

    def ticks(self, item: Element) -> None:
        """The bounds of an item, for the kind of the core if there are such."""
        found = item.find("default")
        for each in item.all("extended"):
            key = each.attributes.get("key", "").rpartition("#")[2].partition("?")[0]
            if key == self.clock.kind:
                found = each.find("value")
        if found is None:
            self.wrong(item, f"no ticks for a core of kind {shown(self.clock.kind, 60)}")
            return
        constant = found.attributes.get("value")
        least = found.attributes.get("lowerBound", constant or "")
        most = found.attributes.get("upperBound", constant or "")
        if not (least.isdecimal() and most.isdecimal() and int(least) <= int(most) < 1 << 60):
            kind = found.attributes.get("type", "")
            self.wrong(found, f"ticks of {shown(kind, 60)} have no bounds", "lower and upper ones")
            return
        self.least += int(least)
        self.most += int(most)
