"""Unfolds a system into stages and edges (theory 1)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from ddsrta.checker.arrivals import Source
from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.things import Cost, Publication, System

Key = tuple[str, ...]
EPSILON = 1


@dataclass(frozen=True)
class Edge:
    """Where units of a stage come from."""

    source: Key
    times: int
    extra: int  # worst
    least: int  # from the arrival at the source to the arrival here


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

    @property
    def label(self) -> str:
        """The stage in the words of a message."""
        what = f"{self.key[0]} {'/'.join(self.key[1:])}"
        if self.kind == "thread":
            return what
        return f"{what} in {self.kind.replace('_', ' ')} {self.runner}"


def unfold(system: System) -> Iterator[Stage]:
    """Every stage that the system implies, one by one: there may be far more than are claimed."""
    for name, thread in system.threads.items():
        cost = thread.wcet
        for publication in thread.publishes.values():
            readers = system.readers.get(publication.topic, ())
            if not readers:
                continue
            sending = sending_cost(system, publication)
            if publication.controller is None:
                cost += publication.count * len(readers) * sending.worst
            else:
                yield _sample(name, publication, len(readers) * sending.worst)
            yield from _messages(system, name, publication, sending)
        inputs = () if thread.arrival else tuple(_releases(system, name))
        joins = thread.joins
        key = ("job", name)
        yield Stage(key, "thread", name, max(cost, EPSILON), inputs, joins, thread.arrival)


def _sample(publisher: str, publication: Publication, cost: int) -> Stage:
    edge = Edge(("job", publisher), publication.count, 0, publication.earliest)
    key = ("sample", publisher, publication.topic)
    runner = str(publication.controller)
    return Stage(key, "flow_controller", runner, max(cost, EPSILON), (edge,), False, None)


def _messages(
    system: System, publisher: str, publication: Publication, sending: Cost
) -> Iterator[Stage]:
    topic = publication.topic
    for reader in system.readers[topic]:
        net = network(system, publisher, reader)
        if publication.controller is None:
            least = publication.earliest + net.best
            edge = Edge(("job", publisher), publication.count, net.worst, least)
        else:
            edge = Edge(("sample", publisher, topic), 1, net.worst, sending.best + net.best)
        cost = max(listening_cost(system, topic, reader).worst, EPSILON)
        listener = str(system.threads[reader].listener)
        key = ("message", publisher, topic, reader)
        yield Stage(key, "listener", listener, cost, (edge,), False, None)


def _releases(system: System, name: str) -> Iterator[Edge]:
    thread = system.threads[name]
    for topic in thread.topics:
        for writer in system.writers.get(topic, ()):
            best = listening_cost(system, topic, name).best
            yield Edge(("message", writer, topic, name), 1, 0, best)
    for other in thread.follows:
        least = system.threads[other].best + thread.delay.best
        yield Edge(("job", other), 1, thread.delay.worst, least)


def sending_cost(system: System, publication: Publication) -> Cost:
    """δs or δf of one copy."""
    table = "publisher" if publication.controller is None else "flow_controller"
    return publication.cost or _row(system, table, publication.topic)


def listening_cost(system: System, topic: str, reader: str) -> Cost:
    """δl of one message."""
    return system.threads[reader].listening or _row(system, "listener", topic)


def _row(system: System, table: str, topic: str) -> Cost:
    """The worst case of the next larger row, the best of the next smaller one, else ε."""
    rows, size = system.delays[table], system.sizes[topic]
    index = bisect_left(rows, size, key=lambda row: row[0])
    if index == len(rows):
        raise CertificateError(f"delays.{table} has no row for topic {shown(topic)}")
    found, cost = rows[index]
    if found == size:
        return cost
    best = rows[index - 1][1].best if index else EPSILON
    return Cost(cost.worst, min(best, cost.worst))


def network(system: System, source: str, target: str) -> Cost:
    """δnet between the machines of two threads."""
    ends = system.threads[source].place.machine, system.threads[target].place.machine
    if ends[0] == ends[1]:
        return Cost(0, 0)
    if ends not in system.links:
        raise CertificateError(f"no link leads from {shown(ends[0])} to {shown(ends[1])}")
    return system.links[ends]
