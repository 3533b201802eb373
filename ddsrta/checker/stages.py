"""Unfolds a system into stages and edges (theory 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddsrta.checker.arrivals import Source
from ddsrta.checker.costs import EPSILON, listening_cost, network, sending_cost
from ddsrta.checker.program import Program, Sending, program
from ddsrta.checker.things import System

Key = tuple[str, ...]


@dataclass(frozen=True)
class Edge:
    """Where units of a stage come from, in bunches of `times`, spaced by theory 11."""

    source: Key
    times: int
    extra: int  # worst
    least: int  # from the arrival at the source to the arrival here
    distance: int
    slack: int
    is_direct: bool  # nothing lies between: neither network nor delay

    def most(self, length: int) -> int | None:
        """How much comes by it in a window; a distance of 0 says nothing."""
        if not self.distance:
            return None
        return self.times * -(-(length + self.slack) // self.distance)

    def apart(self, count: int) -> int:
        """The least time that so many units span, as far as their spacing tells."""
        if not self.distance:
            return 0
        return (-(-count // self.times) - 1) * self.distance - self.slack


@dataclass(frozen=True)
class Stage:
    """A stream of equal units of work on one thread."""

    key: Key
    kind: str  # of the thread it runs in: thread, flow_controller, listener
    runner: str
    cost: int
    inputs: tuple[Edge, ...]
    joins: bool  # AND
    arrival: Source | None
    number: int = 0  # of a sample: where in its job it is published
    copies: int = 1  # of a sample

    @property
    def label(self) -> str:
        """The stage in the words of a message."""
        what = f"{self.key[0]} {'/'.join(self.key[1:])}"
        if self.kind == "thread":
            return what
        return f"{what} in {self.kind.replace('_', ' ')} {self.runner}"


def unfold(system: System) -> Iterator[Stage]:
    """Every stage that the system implies, one by one: there may be far more than are claimed."""
    programs = {name: program(system, name) for name in system.threads}
    for name, thread in system.threads.items():
        order = programs[name]
        for number, sending in enumerate(order.sendings):
            if sending.publication.controller is not None:
                yield _sample(system, name, order, number)
            yield from _messages(system, name, order, sending)
        inputs = () if thread.arrival else tuple(_releases(system, name, programs))
        cost = max(thread.wcet + order.worst, EPSILON)
        yield Stage(("job", name), "thread", name, cost, inputs, thread.joins, thread.arrival)


def _sample(system: System, publisher: str, order: Program, number: int) -> Stage:
    sending = order.sendings[number]
    publication, copies, done = sending.publication, sending.copies, sending.done
    distance = max(order.shortest, done)
    edge = Edge(
        ("job", publisher), publication.count, -sending.rest, done, distance, distance - done, True
    )
    key = ("sample", publisher, publication.topic)
    cost = max(copies * sending_cost(system, publication).worst, EPSILON)
    runner = str(publication.controller)
    return Stage(key, "flow_controller", runner, cost, (edge,), False, None, number, copies)


def _messages(system: System, publisher: str, order: Program, sending: Sending) -> Iterator[Stage]:
    topic = sending.publication.topic
    for reader in system.readers[topic]:
        edge = _to_message(system, publisher, reader, order, sending)
        cost = max(listening_cost(system, topic, reader).worst, EPSILON)
        listener = str(system.threads[reader].listener)
        key = ("message", publisher, topic, reader)
        yield Stage(key, "listener", listener, cost, (edge,), False, None)


def _to_message(
    system: System, publisher: str, reader: str, order: Program, sending: Sending
) -> Edge:
    publication, net = sending.publication, network(system, publisher, reader)
    best, is_direct = sending_cost(system, publication).best, net.worst == 0
    varies = net.worst - net.best
    if publication.controller is not None:
        sample = ("sample", publisher, publication.topic)
        distance, slack = sending.copies * best, (sending.copies - 1) * best + varies
        return Edge(sample, 1, net.worst, best + net.best, distance, slack, is_direct)
    first = sending.done + best
    distance, extra = max(order.shortest, first), net.worst - sending.rest
    slack, least = distance - first + varies, first + net.best
    job = ("job", publisher)
    return Edge(job, publication.count, extra, least, distance, slack, is_direct)


def _releases(system: System, name: str, programs: dict[str, Program]) -> Iterator[Edge]:
    thread = system.threads[name]
    for topic in thread.topics:
        for writer in system.writers.get(topic, ()):
            best = listening_cost(system, topic, name).best
            yield Edge(("message", writer, topic, name), 1, 0, best, best, 0, True)
    worst, best = thread.delay.worst, thread.delay.best
    for other in thread.follows:
        shortest = programs[other].shortest
        slack, is_direct = worst - best, worst == 0
        yield Edge(("job", other), 1, worst, shortest + best, shortest, slack, is_direct)
