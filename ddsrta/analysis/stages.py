"""Unfolds a system into stages: streams of equal units of work, and who feeds whom (theory 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ddsrta.models.arrivals import Arrival
from ddsrta.models.graph import inputs
from ddsrta.models.system import EPSILON, Activation, Publication, System, Thread

Key = tuple[str, ...]  # ("job", p), ("sample", p, topic) or ("message", p, topic, s)
Server = tuple[str, str]  # the thread that does the work: ("threads", "P"), ("listeners", "L"), …


class Edge(NamedTuple):
    """Each unit of a stage brings `multiplicity` units to the next.

    `worst` counts from the completion at the source, `least` from the arrival at the source.
    """

    source: int
    multiplicity: int
    worst: int
    least: int


@dataclass(slots=True)
class Stage:
    """A stage; `priority` is that of its topic, where it has one."""

    key: Key
    server: Server
    cost: int
    priority: int = 0
    inputs: list[Edge] = field(default_factory=list)
    arrival: Arrival | None = None
    activation: Activation = "or"


def job_cost(system: System, thread: Thread) -> int:
    """The WCET of a job together with what it sends by itself."""
    cost = thread.wcet
    for publication in thread.publishes:
        if publication.mode == "sync" and (readers := len(system.readers(publication.topic))):
            cost += publication.count * readers * system.sending_cost(publication).worst
    return cost


def unfold(system: System) -> list[Stage]:
    """All stages, every one after those that feed it."""
    return _Unfolding(system).stages


class _Unfolding:
    def __init__(self, system: System) -> None:
        self.system = system
        self.stages: list[Stage] = []
        self.arriving: dict[str, list[Edge]] = {name: [] for name in system.threads}
        for thread in _in_order(system):
            self.thread(thread)

    def add(self, stage: Stage) -> int:
        self.stages.append(stage)
        return len(self.stages) - 1

    def thread(self, thread: Thread) -> None:
        job = self.add(
            Stage(
                ("job", thread.name),
                ("threads", thread.name),
                job_cost(self.system, thread),
                inputs=[] if thread.arrival else self.arriving[thread.name],
                arrival=thread.arrival,
                activation=thread.activation,
            )
        )
        for publication in thread.publishes:
            self.publication(thread, publication, job)
        least = EPSILON if thread.bcet is None else thread.bcet
        for follower in self.followers(thread):
            follows = follower.follows
            assert follows is not None
            self.arriving[follower.name].append(Edge(job, 1, follows.delay, least + follows.best))

    def followers(self, thread: Thread) -> tuple[Thread, ...]:
        return self.system.followers(thread.name)

    def publication(self, thread: Thread, publication: Publication, job: int) -> None:
        """The sample of an async publication, and the message to each reader."""
        system, topic = self.system, publication.topic
        readers = system.readers(topic)
        if not readers:
            return
        priority = system.topics[topic].priority
        source, count, least = job, publication.count, publication.earliest
        if publication.mode == "async":
            cost = system.sending_cost(publication)
            sample = Stage(
                ("sample", thread.name, topic),
                ("flow_controllers", publication.flow_controller or ""),
                max(EPSILON, len(readers) * cost.worst),
                priority,
                [Edge(job, count, 0, least)],
            )
            source, count, least = self.add(sample), 1, cost.best
        here = system.machine_of(thread.core)
        for reader in readers:
            assert reader.subscribes is not None
            network = system.network(here, system.machine_of(reader.core))
            delay = system.listening_cost(reader.subscribes, topic)
            message = Stage(
                ("message", thread.name, topic, reader.name),
                ("listeners", reader.subscribes.listener),
                max(EPSILON, delay.worst),
                priority,
                [Edge(source, count, network.worst, least + network.best)],
            )
            self.arriving[reader.name].append(Edge(self.add(message), 1, 0, delay.best))


def _in_order(system: System) -> Iterator[Thread]:
    """Threads, each after all that release it (validation has excluded circles)."""
    waiting = {
        name: len({hop.source for hop in inputs(system, thread)}) if thread.arrival is None else 0
        for name, thread in system.threads.items()
    }
    ready = [name for name in reversed(list(system.threads)) if waiting[name] == 0]
    while ready:
        thread = system.threads[ready.pop()]
        yield thread
        targets = {reader.name for p in thread.publishes for reader in system.readers(p.topic)}
        targets |= {follower.name for follower in system.followers(thread.name)}
        for target in sorted(targets):
            if system.threads[target].arrival is None:
                waiting[target] -= 1
                if waiting[target] == 0:
                    ready.append(target)
