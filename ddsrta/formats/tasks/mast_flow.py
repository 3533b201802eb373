"""Transactions of MAST as tasks: events lead from a source through activities."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.base.diagnostics import shown
from ddsrta.formats.tasks.mast_said import Reading, Said, children
from ddsrta.formats.tasks.mast_text import Node
from ddsrta.formats.tasks.model import Task, TaskChain
from ddsrta.models.arrivals import Arrival, Burst, Periodic, Sporadic
from ddsrta.models.costs import NO_COST, Cost


class Work(NamedTuple):
    """What an operation takes."""

    worst: int
    best: int


class Places(NamedTuple):
    """Core and priority of each server, and the work of each operation."""

    servers: dict[str, tuple[str, int]]
    works: dict[str, Work]


class _Way(NamedTuple):
    """Where an event comes from: an external event or a task, and how long ago at most."""

    source: str
    is_external: bool
    delay: Cost = NO_COST


def read_transaction(
    said: Said,
    places: Places,
    reading: Reading,
    tasks: dict[str, Task],
    chains: dict[str, TaskChain],
) -> None:
    """Put the tasks and chains of a transaction to the others."""
    if said.wants("regular"):
        _Transaction(said, places, reading, tasks).read(chains)
    said.done()


class _Transaction:
    """Handlers by the events that they make, and the tasks that come of them."""

    def __init__(
        self, said: Said, places: Places, reading: Reading, tasks: dict[str, Task]
    ) -> None:
        self.said = said
        self.places = places
        self.reading = reading
        self.tasks = tasks
        self.name = said.word("name")
        self.sources: dict[str, Arrival] = {}
        self.makers: dict[str, Said] = {}  # of internal events
        self.own: dict[str, str] = {}  # the task that makes each event

    def read(self, chains: dict[str, TaskChain]) -> None:
        """Sources, then handlers in causal order, then deadlines."""
        for event in children(self.said.items("external_events"), "external event", self.reading):
            name = event.word("name")
            event.what = f"external event {shown(name, 40)}"
            if (arrival := self.arrival(event)) is not None:
                self.sources[name] = arrival
            event.done()
        what = f"event handler of {self.said.what}"
        handlers = list(children(self.said.items("event_handlers"), what, self.reading))
        for handler in handlers:
            self.enter(handler)
        waiting = [one for one in handlers if one.kind == "activity"]
        while waiting:
            ready = [one for one in waiting if self.is_ready(one.word("input_event"), set())]
            for handler in ready:
                self.activity(handler)
            if not ready:
                self.reading.wrong(waiting[0].at, f"{self.said.what}: its events go in a circle")
                return
            waiting = [one for one in waiting if one not in ready]
        for handler in handlers:
            handler.done()
        self.chains(chains)

    def arrival(self, event: Said) -> Arrival | None:
        """When an external event comes."""
        try:
            if event.kind == "periodic":
                if event.number("phase", 0):
                    self.reading.note(event.at, f"the phase of {event.what}: it may come any time")
                return Periodic(event.time("period", up=False), event.time("max_jitter", 0))
            if event.kind == "sporadic":
                return Sporadic(event.time("min_interarrival", up=False))
            if event.kind == "bursty":
                count, period = event.number("max_arrivals"), event.time("bound_interval", up=False)
                return Burst(int(count), 0, period)
        except ValueError as reason:
            self.reading.wrong(event.at, f"{event.what}: {reason}")
            return None
        event.wants("periodic", "sporadic", "bursty")
        return None

    def enter(self, handler: Said) -> None:
        """Remember which events a handler makes."""
        if not handler.wants("activity", "delay", "multicast", "concentrator"):
            return
        made = handler.items("output_events_list") if handler.kind == "multicast" else []
        names = [one.word for one in made] or [handler.word("output_event")]
        for name in names:
            if name in self.makers or name in self.sources:
                self.reading.wrong(handler.at, f"event {shown(name, 40)} is made twice")
            self.makers[name] = handler

    def before(self, event: str, seen: set[str]) -> list[str]:
        """The events from which a handler that is no activity makes one."""
        handler = self.makers.get(event)
        if handler is None or handler.kind == "activity" or event in seen:
            return []
        seen.add(event)
        if handler.kind == "concentrator":
            return [one.word for one in handler.items("input_events_list")]
        return [handler.word("input_event")]

    def is_ready(self, event: str, seen: set[str]) -> bool:
        """Whether all that leads to an event is there already."""
        if event in self.sources or event in self.own or event not in self.makers:
            return True
        found = self.before(event, seen)
        return bool(found) and all(self.is_ready(one, seen) for one in found)

    def ways(self, event: str, delay: Cost = NO_COST) -> list[_Way]:
        """Where an event comes from."""
        if event in self.sources or event in self.own:
            return [_Way(self.own.get(event, event), event in self.sources, delay)]
        if event not in self.makers:
            self.reading.wrong(self.said.at, f"{self.said.what}: nothing makes event '{event}'")
            return []
        handler = self.makers[event]
        if handler.kind == "delay":
            longest = handler.time("delay_max_interval")
            least = min(longest, handler.time("delay_min_interval", 0, up=False))
            delay = Cost(delay.worst + longest, delay.best + least)
        return [way for one in self.before(event, set()) for way in self.ways(one, delay)]

    def activity(self, handler: Said) -> None:
        """The task of an activity."""
        operation, server = handler.word("activity_operation"), handler.word("activity_server")
        event = handler.word("output_event")
        name = operation if operation not in self.tasks else f"{operation} ({self.name}.{event})"
        for what, found, known in (
            ("operation", operation, self.places.works),
            ("server", server, self.places.servers),
        ):
            if found not in known:
                self.reading.wrong(handler.at, f"{handler.what}: no {what} {shown(found, 40)}")
        core, priority = self.places.servers.get(server, ("", 0))
        work = self.places.works.get(operation, Work(0, 0))
        ways = self.ways(handler.word("input_event"))
        delays = {way.delay for way in ways}
        external = [way for way in ways if way.is_external]
        arrival = None
        if external:
            arrival = self.sources[external[0].source]
            if len(ways) > 1 or external[0].delay.worst:
                message = f"{handler.what}: an external event with a delay, or with others"
                self.reading.wrong(handler.at, f"{message}, is not read")
        elif len(delays) > 1:
            self.reading.wrong(handler.at, f"{handler.what}: different delays join before it")
        after = () if external else tuple(dict.fromkeys(way.source for way in ways))
        if len(after) < len(ways) and not external:
            self.reading.wrong(handler.at, f"{handler.what}: a task starts it twice")
        delay = next(iter(delays), NO_COST) if after else NO_COST
        task = Task(name, core, priority, work.worst, work.best, arrival, after, delay)
        self.tasks[name] = task
        self.own[event] = name

    def chains(self, chains: dict[str, TaskChain]) -> None:
        """A chain to each task that starts no other, or has a deadline."""
        deadlines: dict[str, int] = {}
        for event in children(self.said.items("internal_events"), "internal event", self.reading):
            if not event.wants("regular"):
                continue
            name = event.word("name")
            if (wanted := event.get("timing_requirements")) is not None:
                for one in self.requirements(wanted):
                    self.deadline(name, one, deadlines)
            event.done()
        starting = {before for task in self.tasks.values() for before in task.after}
        ends = [name for name in self.own.values() if name in deadlines or name not in starting]
        for end in dict.fromkeys(ends):
            path = self.path(end)
            name = self.name if len(ends) == 1 else f"{self.name} {end}"
            if path is None:
                self.reading.note(self.said.at, f"chain to '{end}': several ways lead there")
            else:
                chains[name] = TaskChain(path, deadlines.get(end))

    def requirements(self, wanted: Node) -> list[Said]:
        """All timing requirements of an event."""
        said = Said(wanted, "timing requirement", self.reading)
        if said.kind == "composite":
            nodes = said.items("requirements_list")
            return list(children(nodes, "timing requirement", self.reading))
        return [said]

    def deadline(self, event: str, one: Said, deadlines: dict[str, int]) -> None:
        """A hard deadline from an external event of the transaction is that of a chain."""
        source = one.word("referenced_event", required=False)
        if one.kind == "hard_global_deadline" and source in self.sources and event in self.own:
            limit = one.time("deadline", up=False)
            late = getattr(self.sources[source], "jitter", 0)
            if late:  # MAST counts from when the event would come without it
                self.reading.note(one.at, f"the jitter in the deadline of event '{event}': shorter")
            limit = max(1, limit - late)
            deadlines[self.own[event]] = min(limit, deadlines.get(self.own[event], limit))
        else:
            self.reading.note(one.at, f"{one.kind} of event '{event}'")

    def path(self, end: str) -> tuple[str, ...] | None:
        """The one way to a task; None where there are several."""
        path = [end]
        while after := self.tasks[path[-1]].after:
            if len(after) > 1:
                return None
            path.append(after[0])
        return tuple(reversed(path))
