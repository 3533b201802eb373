"""What a small system consists of: threads that serve queues, what jobs send, what a figure is of.

All that is not followed is an UnknownError: it confirms nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.checker.copies import copies
from ddsrta.checker.costs import listening_cost, network, sending_cost, taking_cost
from ddsrta.checker.kinds import BY_PRIORITY, TIMERS_THREAD
from ddsrta.checker.paths import Hop, hops
from ddsrta.checker.policies import POLICIES
from ddsrta.checker.program import handed_over
from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.things import Cost, Place, System, Thread

Key = tuple[str, ...]  # of a stage
PATHS = ("latency", "trigger_latency", "data_age", "reaction_time")  # figures of paths
ANY, TURNS, FIRST = range(3)  # which of several queues is served next
_ORDERS = {
    "FIFO": FIRST,
    "HIGH_PRIORITY": FIRST,
    "ROUND_ROBIN": TURNS,
    "WEIGHTED_ROUND_ROBIN": TURNS,
}


class UnknownError(Exception):
    """The checker does not follow this; the message says what."""


class Sent(NamedTuple):
    """A message of a job: who sends it, none: the job; what a copy costs; who reads it."""

    topic: str
    controller: str | None
    earliest: int
    cost: Cost
    readers: tuple[str, ...]
    is_open: bool  # copies leave in any order
    before: int  # what the job may have sent by itself until then


class Server(NamedTuple):
    """A thread that serves queues, in an order; of each queue how many a turn has."""

    name: str
    core: str
    priority: int
    order: int
    queues: tuple[object, ...] = (0,)
    weights: tuple[int, ...] = (1,)
    takes_inline: bool = False  # the first queue comes before all others
    urgency: tuple[int, ...] = ()  # of each queue: only the most urgent are taken

    def most_urgent(self, queues: list[int]) -> list[int]:
        """Of queues where something waits those that may be next."""
        if not self.urgency:
            return queues
        most = max(self.urgency[queue] for queue in queues)
        return [queue for queue in queues if self.urgency[queue] == most]


class Way(NamedTuple):
    """How long what goes this way takes, and whether the faster comes first."""

    cost: Cost
    is_loose: bool


class Figure(NamedTuple):
    """Of a path, or a delivery: between which threads, by which hops."""

    kind: str
    of: Key
    hops: tuple[Hop, ...] = ()


class Model:
    """A system, and the figures that are looked at."""

    def __init__(self, system: System, figures: list[Figure]) -> None:
        self.system, self.figures = system, figures
        _refuse(system)
        self.sends = {name: tuple(self._sends(name)) for name in system.threads}
        self.samples = {
            (name, one.topic) for name, all_ in self.sends.items() for one in all_ if one.controller
        }
        self.work = {name: self._work(name) for name in system.threads}
        self.servers = tuple(self._servers())
        self.number = {server.name: i for i, server in enumerate(self.servers)}
        self.cores = self._cores()
        self.sources = {n: t.arrival for n, t in system.threads.items() if t.arrival}
        self.followers: dict[str, list[str]] = {}
        for name, thread in system.threads.items():
            for other in thread.follows:
                self.followers.setdefault(other, []).append(name)
        self._next()

    def _next(self) -> None:
        """Who is the beginning of which figures, and where they go on."""
        self.begins: dict[str, list[int]] = {}
        self.handed: dict[tuple[str, str], list[int]] = {}
        self.onward: dict[Key, list[tuple[int, int]]] = {}
        self.ends: dict[str, list[tuple[int, int]]] = {}
        for f, figure in enumerate(self.figures):
            if figure.kind == "ddl":
                writer, topic, _ = figure.of
                controller = self.system.threads[writer].publishes[topic].controller
                (self.handed if controller else {}).setdefault((writer, topic), []).append(f)
                if controller is None:
                    self.begins.setdefault(writer, []).append(f)
                continue
            self.begins.setdefault(figure.of[0], []).append(f)
            for at, hop in enumerate(figure.hops):
                way = (hop.source, hop.topic or "", hop.target)
                self.onward.setdefault(way, []).append((f, at))
            last = figure.hops[-1].target if figure.hops else figure.of[0]
            self.ends.setdefault(last, []).append((f, len(figure.hops)))

    def _sends(self, name: str) -> Iterator[Sent]:
        system, before = self.system, 0
        for topic, publication in system.threads[name].publishes.items():
            readers = system.receivers(name, topic)
            if not readers:
                continue
            cost = sending_cost(system, publication)
            places = copies(system, name, topic)
            order = sorted(readers, key=lambda one: places[one].number if places else 0)
            is_open = topic not in system.copies and len(readers) > 1
            for _ in range(publication.messages):
                yield Sent(
                    topic,
                    publication.controller,
                    handed_over(self.system, name, publication),
                    cost,
                    tuple(order),
                    is_open,
                    before,
                )
                if publication.controller is None:
                    before += cost.worst * len(readers)

    def _work(self, name: str) -> Cost:
        """What a job takes, but for what it sends by itself; at least until its first message."""
        take = taking_cost(self.system, name)
        return Cost(self.system.threads[name].wcet + take.worst, _least(self.system, name))

    def _servers(self) -> Iterator[Server]:
        system = self.system
        for name, thread in system.threads.items():
            if thread.executor is None:
                yield Server(f"thread {name}", thread.place.core, thread.place.priority, FIRST)
        for name, executor in system.executors.items():
            own = [n for n in executor.callbacks if system.threads[n].entity != "inline"]
            queues = ("", *own)
            place = executor.place
            by = [system.threads[n].urgency for n in own] if executor.kind in BY_PRIORITY else []
            yield Server(
                f"executor {name}",
                place.core,
                place.priority,
                ANY,
                queues,
                (1,) * len(queues),
                True,
                (max(by), *by) if by else (),
            )
        for name, controller in system.controllers.items():
            yield self._controller(name, controller.place, controller.policy)
        for name, listener in system.listeners.items():
            yield Server(f"listener {name}", listener.place.core, listener.place.priority, FIRST)

    def _controller(self, name: str, place: Place, policy: str) -> Server:
        system = self.system
        found: dict[object, int] = {}
        for writer, thread in system.threads.items():
            for topic, publication in thread.publishes.items():
                if publication.controller == name and system.receivers(writer, topic):
                    queue = self.queue_of(("sample", writer, topic))
                    found[queue] = publication.said.get("weight", 1)
        order = _ORDERS.get(policy)
        if order is None and len(found) > 1:
            raise UnknownError(f"the policy {policy} of {shown(name)}")
        queues = [*found] if order == TURNS else sorted(found, key=lambda q: (q,))
        weights = tuple(found[queue] for queue in queues)
        return Server(
            f"flow controller {name}",
            place.core,
            place.priority,
            order or 0,
            tuple(queues),
            weights,
        )

    def server_of(self, stage: Key) -> int:
        """Who serves it."""
        kind, name = stage[:2]
        thread = self.system.threads[stage[-1] if kind == "message" else name]
        if kind == "job":
            by = f"executor {thread.executor}" if thread.executor else f"thread {name}"
        elif kind == "sample":
            by = f"flow controller {thread.publishes[stage[2]].controller}"
        else:
            by = f"listener {thread.listener}"
        return self.number[by]

    def queue_of(self, stage: Key) -> object:
        """In which of the queues there it waits."""
        thread = self.system.threads[stage[1]]
        if stage[0] == "job" and thread.executor:
            return "" if thread.entity == "inline" else stage[1]
        if stage[0] == "sample":
            controller = thread.publishes[stage[2]].controller or ""
            policy = POLICIES[self.system.controllers[controller].policy]
            queue = policy.queue(self.system.sender(stage[1], stage[2]))
            return 0 if queue is None else queue
        return 0

    def way(self, name: Key) -> Way:
        """Of a message, or of the news that a job is complete ("", writer, reader)."""
        if not name[1]:
            thread = self.system.threads[name[2]]
            return Way(thread.delay, thread.loose)
        cost = network(self.system, name[0], name[2])
        ends = tuple(self.system.threads[n].place.machine for n in (name[0], name[2]))
        return Way(cost, ends in self.system.loose)

    def reading(self, topic: str, reader: str) -> Cost:
        """Of a message, by its listener."""
        return listening_cost(self.system, topic, reader)

    def clock_mates(self, name: str) -> list[str]:
        """The sources that begin together: those with offsets on a machine, or it alone."""
        source = self.sources[name]
        if source.offset is None:
            return [name]
        machine = self.system.threads[name].place.machine
        return [
            other
            for other, its in self.sources.items()
            if its.offset is not None and self.system.threads[other].place.machine == machine
        ]

    def lead(self, name: str) -> int:
        """How long after the first of them a source begins, as its offset says."""
        offsets = [self.sources[one].offset or 0 for one in self.clock_mates(name)]
        return (self.sources[name].offset or 0) - min(offsets)

    def _cores(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for i in sorted(range(len(self.servers)), key=lambda i: -self.servers[i].priority):
            mine = found.setdefault(self.servers[i].core, [])
            if mine and self.servers[mine[-1]].priority == self.servers[i].priority:
                both = shown(self.servers[mine[-1]].name), shown(self.servers[i].name)
                raise UnknownError(f"the equal priorities of {both[0]} and {both[1]}")
            mine.append(i)
        return found


def figure_of(system: System, kind: str, of: Key) -> Figure:
    """A figure by what it is of; raises where there is none."""
    if kind in PATHS:
        found = tuple(hops(system, of, "figure"))
        timed = [hop for hop in found if system.threads[hop.target].arrival]
        if timed and kind.endswith("latency"):
            raise CertificateError(
                "a path through threads that are released by time has no latency"
            )
        if any(hop.topic and len(_writers(system, hop)) > 1 for hop in timed):
            raise UnknownError("registers with several writers")
        if kind == "reaction_time" and system.threads[of[0]].arrival is None:
            raise UnknownError("reactions to what time does not release")
        return Figure(kind, of, found)
    if kind != "ddl" or len(of) != 3 or of[0] not in system.threads:
        raise CertificateError(f"there is no figure {shown(kind)}")
    if of[1] not in system.threads[of[0]].publishes or of[2] not in system.receivers(*of[:2]):
        raise CertificateError("there is no such message")
    return Figure(kind, of)


def _writers(system: System, hop: Hop) -> list[str]:
    return [
        name
        for name, thread in system.threads.items()
        if hop.topic is not None
        and hop.topic in thread.publishes
        and hop.target in system.receivers(name, hop.topic)
    ]


def _refuse(system: System) -> None:
    for words in _unknown(system):
        raise UnknownError(words)


def _unknown(system: System) -> Iterator[str]:
    if system.sleeps or system.media or system.routes:
        yield "locks, limits, and shared links"
    if any(core.reservation or core.partitions for core in system.cores.values()):
        yield "reservations and partitions"
    for name, executor in system.executors.items():
        if executor.is_pool or executor.moving:
            yield f"the several threads of {shown(name)}"
        timers = [n for n in executor.callbacks if system.threads[n].entity == "timer"]
        if executor.kind in TIMERS_THREAD and timers:
            yield f"the thread that watches timers of {shown(name)}"
        several = sum(system.threads[n].entity != "inline" for n in executor.callbacks) > 1
        if several and executor.kind == "events":
            yield f"in which order {shown(name)} takes callbacks"
        yield from _of_place(name, executor.place)
    for group in (system.controllers, system.listeners):
        for name, one in group.items():
            yield from _of_place(name, one.place)
    for name, thread in system.threads.items():
        yield from _of_place(name, thread.place)
        yield from _of_thread(system, name, thread)


def _least(system: System, name: str) -> int:
    """What a job executes at least, but for what it sends by itself."""
    thread = system.threads[name]
    sent = [one for topic, one in thread.publishes.items() if system.readers.get(topic)]
    first = handed_over(system, name, sent[0]) if sent and sent[0].part is None else 0
    return max(thread.best + taking_cost(system, name).best, first)


def _of_place(name: str, place: Place) -> Iterator[str]:
    if place.cores or place.reservation or place.partition or place.priority < 0:
        yield f"where {shown(name)} runs"


def _of_thread(system: System, name: str, thread: Thread) -> Iterator[str]:
    source = thread.arrival
    if source and (source.kind != "periodic" or source.jitter or source.apart):
        yield f"the arrivals of {shown(name)}"
    if thread.synchronizer:
        yield f"the synchronizer of {shown(name)}"
    if system.mixes(name):
        yield f"the order in which {shown(name)} takes messages"
    if _least(system, name) < 1 or thread.wcet < 1:
        yield f"that {shown(name)} may take no time"
    own = [topic for topic in thread.publishes if system.readers.get(topic)]
    if own and thread.publishes[own[0]].earliest < 1:
        yield f"what {shown(name)} may send as it begins"
    for topic in own:
        publication, readers = thread.publishes[topic], system.receivers(name, topic)
        if publication.part or publication.clashes or len(readers) < len(system.readers[topic]):
            yield f"how {shown(name)} sends {shown(topic)}"
        if sending_cost(system, publication).best < 1:
            yield f"that sending {shown(topic)} may take no time"
        for reader in readers:
            if listening_cost(system, topic, reader).best < 1:
                yield f"that reading {shown(topic)} may take no time"
