"""Unfolds a system into stages: streams of equal units of work, and who feeds whom (theory 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ddsrta.analysis.refinements import Refinements
from ddsrta.models.arrivals import Arrival
from ddsrta.models.graph import inputs
from ddsrta.models.system import EPSILON, Activation, Publication, System, Thread

Key = tuple[str, ...]  # ("job", p), ("sample", p, topic) or ("message", p, topic, s)
Server = tuple[str, str]  # the thread that does the work: ("threads", "P"), ("listeners", "L"), …


class Spacing(NamedTuple):
    """Units come apart: at most ⌈(Δ + slack) / distance⌉ bunches of `bunch` in a window Δ."""

    distance: int
    slack: int
    bunch: int


class Edge(NamedTuple):
    """Each unit of a stage brings `multiplicity` units to the next.

    `worst` counts from the completion at the source and is negative where units leave before it,
    `least` from the arrival at the source; `link` is what the way between them takes at most.
    """

    source: int
    multiplicity: int
    worst: int
    least: int
    link: int
    spacing: Spacing | None = None


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
    copies: int = 1  # of a sample


def job_cost(system: System, thread: Thread) -> int:
    """The WCET of a job together with what it sends by itself."""
    cost = thread.wcet
    for publication in thread.publishes:
        if publication.mode == "sync" and (readers := len(system.readers(publication.topic))):
            cost += publication.count * readers * system.sending_cost(publication).worst
    return cost


def unfold(system: System, refinements: Refinements | None = None) -> list[Stage]:
    """All stages, every one after those that feed it."""
    return _Unfolding(system, refinements or Refinements.all()).stages


class _Unfolding:
    def __init__(self, system: System, refinements: Refinements) -> None:
        self.system = system
        self.refinements = refinements
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
        sending = Sending.of(self.system, thread, self.refinements.program_order)
        for publication in thread.publishes:
            if readers := self.system.readers(publication.topic):
                self.publication(thread, publication, readers, job, sending)
                sending = sending.after(self.system, publication, len(readers))
        for follower in self.system.followers(thread.name):
            follows = follower.follows
            assert follows is not None
            least = EPSILON if thread.bcet is None else thread.bcet
            if self.refinements.program_order:
                least = sending.shortest
            spacing = self.spacing(sending.shortest, follows.delay - follows.best)
            self.arriving[follower.name].append(
                Edge(job, 1, follows.delay, least + follows.best, follows.delay, spacing)
            )

    def spacing(self, distance: int, slack: int, bunch: int = 1) -> Spacing | None:
        """What comes one after the other from one thread, if that is to be used."""
        if not self.refinements.spacing or distance == 0:
            return None
        return Spacing(distance, slack, bunch)

    def publication(
        self,
        thread: Thread,
        publication: Publication,
        readers: Sequence[Thread],
        job: int,
        sending: Sending,
    ) -> None:
        """The sample of an async publication, and the message to each reader."""
        system, topic = self.system, publication.topic
        priority = system.topics[topic].priority
        cost = system.sending_cost(publication)
        least = sending.least(publication)
        early = -sending.after(system, publication, len(readers)).rest
        spaced = max(sending.shortest, least)
        source, count = job, publication.count
        slack = spaced - least
        if publication.mode == "async":
            edge = Edge(job, count, early, least, 0, self.spacing(spaced, slack, count))
            sample = Stage(
                ("sample", thread.name, topic),
                ("flow_controllers", publication.flow_controller or ""),
                max(EPSILON, len(readers) * cost.worst),
                priority,
                [edge],
                copies=len(readers),
            )
            source, count, least, early = self.add(sample), 1, cost.best, 0
            spaced, slack = len(readers) * cost.best, (len(readers) - 1) * cost.best
        elif self.refinements.program_order:
            least += cost.best
        here = system.machine_of(thread.core)
        for reader in readers:
            assert reader.subscribes is not None
            net = system.network(here, system.machine_of(reader.core))
            delay = system.listening_cost(reader.subscribes, topic)
            best = min(net.best, net.worst)
            spacing = self.spacing(spaced, slack + net.worst - best, count)
            message = Stage(
                ("message", thread.name, topic, reader.name),
                ("listeners", reader.subscribes.listener),
                max(EPSILON, delay.worst),
                priority,
                [Edge(source, count, early + net.worst, least + net.best, net.worst, spacing)],
            )
            spacing = self.spacing(delay.best, 0)
            edge = Edge(self.add(message), 1, 0, delay.best, 0, spacing)
            self.arriving[reader.name].append(edge)


class Sending(NamedTuple):
    """Where a job is in its publications: the least time so far, the longest that the sends to come
    still take, and the shortest that a whole job takes. Without program order none of it counts."""

    ordered: bool
    done: int
    rest: int
    shortest: int

    @classmethod
    def of(cls, system: System, thread: Thread, ordered: bool) -> Sending:
        """At the start of a job."""
        worst = best = earliest = 0
        for publication in thread.publishes:
            readers = len(system.readers(publication.topic))
            if readers:
                earliest = max(earliest, publication.earliest)
            if publication.mode == "sync":
                cost = system.sending_cost(publication)
                worst += publication.count * readers * cost.worst
                best += publication.count * readers * cost.best
        least = EPSILON if thread.bcet is None else thread.bcet
        return cls(ordered, 0, worst if ordered else 0, max(least + best, earliest))

    def least(self, publication: Publication) -> int:
        """The least time from the arrival of the job to the start of a publication."""
        return max(self.done, publication.earliest)

    def after(self, system: System, publication: Publication, readers: int) -> Sending:
        """After a publication."""
        if not self.ordered:
            return self
        done, rest = self.least(publication), self.rest
        if publication.mode == "sync":
            cost = system.sending_cost(publication)
            done += publication.count * readers * cost.best
            rest -= publication.count * readers * cost.worst
        return self._replace(done=done, rest=rest)


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
