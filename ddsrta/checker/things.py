"""What the document of a system consists of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.checker.arrivals import Source
from ddsrta.checker.policies import Sender

if TYPE_CHECKING:
    from ddsrta.checker.links import Link, OnLink


class Reservation(NamedTuple):
    """`budget` of processor time in each `period`."""

    budget: int
    period: int


class Core(NamedTuple):
    """A processor, its one reservation, or its partitions."""

    reservation: Reservation | None
    partitions: Mapping[str, Reservation]
    tick: int | None = None  # the most between two of the kernel of its machine, where it is said


class Cost(NamedTuple):
    """Worst and best case."""

    worst: int
    best: int


FAIR = -(2**31) - 1  # in place of a priority, of SCHED_OTHER: all that has one comes first


class Place(NamedTuple):
    """What every thread has, of the application or the middleware; those that move between cores
    have the first as theirs."""

    core: str
    priority: int
    partition: str | None
    reservation: Reservation | None
    cores: tuple[str, ...] = ()
    nice: int = 0  # of SCHED_OTHER
    slice: int | None = None

    @property
    def machine(self) -> str:
        """The machine of its core."""
        return self.core.partition("/")[0]


class Limit(NamedTuple):
    """So many bytes may be sent each period."""

    bytes: int
    period: int


class Middleware(NamedTuple):
    """A flow controller or a listener."""

    place: Place
    policy: str
    limit: Limit | None = None
    room: int | None = None  # of a queue; None: not given


class Executor(NamedTuple):
    """A thread that serves callbacks; they are named in the order of the file. A pool has several,
    one on each of its cores, and knows the group of each callback, None where it is reentrant."""

    place: Place
    kind: str
    registered: bool
    release: str | None
    callbacks: tuple[str, ...]
    cores: tuple[str, ...] = ()
    groups: Mapping[str, str | None] | None = None
    moving: int = 0  # threads that are not pinned, but move between the cores

    @property
    def threads(self) -> int:
        """Of a pool."""
        return self.moving or len(self.cores)

    @property
    def is_pool(self) -> bool:
        """Whether its threads are on several cores (definition pinned-pool)."""
        return bool(self.cores)


DELIVERIES = ("OFF", "USER_DATA_ONLY", "FULL")


class Process(NamedTuple):
    """The threads and callbacks that share a listener."""

    listener: str
    intra_process: bool
    delivery: str | None = None  # of Fast DDS; None: nothing is said


class Publication(NamedTuple):
    """What a job sends on one topic."""

    topic: str
    controller: str | None  # None: synchronous
    messages: int
    cost: Cost | None
    earliest: int
    reserved: int = 0  # percent of the limit
    clashes: bool = False  # it is synchronous, and names a flow controller
    said: Mapping[str, int] = {}  # by keys that only some policies have
    classes: Mapping[str, int] = {}  # how urgent on links
    jobs: tuple[int, int] | None = None  # at most so many of any so many in a row send it
    one_of: str | None = None  # a name that alternatives share
    apart: int | None = None  # the least time between two when they leave the job
    rounds: int | None = None  # it closes a circle, so often for each event that enters it

    @property
    def part(self) -> tuple[int, int] | None:
        """So many of any so many jobs in a row send it at most; None: each does."""
        reasons = self.one_of, self.apart, self.rounds
        return self.jobs or (None if reasons == (None, None, None) else (1, 1))


class Copies(NamedTuple):
    """How the order in which copies leave is declared, and the readers in the order of the file."""

    order: str
    readers: tuple[str, ...]


class Synchronizer(NamedTuple):
    """What messages are taken together, and how many are kept; None: all."""

    policy: str
    queue: int | None


class Thread(NamedTuple):
    """An application thread, or a callback in the thread of its executor."""

    place: Place
    wcet: int
    best: int
    arrival: Source | None
    publishes: dict[str, Publication]
    topics: tuple[str, ...]
    listener: str | None
    listening: Cost | None
    follows: tuple[str, ...]
    delay: Cost
    joins: bool  # AND
    take: Cost | None
    process: str | None
    executor: str | None
    entity: str | None
    urgency: int
    synchronizer: Synchronizer | None = None
    loose: bool = False  # what it follows may come in another order
    datagrams: int = 0  # which it sends of itself, all its work being under the send mutex
    order: str | None = None  # in which messages of several publishers and topics are taken


class Chain(NamedTuple):
    """A path, or the two ends of all paths."""

    path: tuple[str, ...]
    ends: tuple[str, str] | None
    limit: int
    deadline: int | None = None
    constraint: str = "latency"


class Order(NamedTuple):
    """In which order a subscriber must see messages of jobs of one thread; None: of any."""

    subscriber: str
    topics: tuple[str, ...]
    origin: str | None
    events: str  # those of each job, or of all


RELEASES = ("2.6", "2.9", "2.10", "2.14", "3.2", "3.6")  # of Fast DDS, alike in what bounds count


class FastDds(NamedTuple):
    """Its locks and datagrams count; `write` is the longest hold of write(), where known."""

    version: str
    write: int | None
    dynamic: bool = False  # more buffers are made where all are in use

    @property
    def mutexes(self) -> int:
        """That a put takes: of the queue, and since 2.12 of the condition that it signals."""
        return 1 if self.version in RELEASES[:3] else 2


class _Written(NamedTuple):
    """The whole document; every reference leads somewhere."""

    cores: Mapping[str, Core]
    links: Mapping[tuple[str, str], Cost]
    delays: Mapping[str, tuple[tuple[int, Cost], ...]]
    sizes: Mapping[str, int]
    urgency: Mapping[str, int]
    said: Mapping[str, Mapping[str, int]]  # of topics, by keys that only some policies have
    copies: Mapping[str, Copies]  # of the topics that declare it
    controllers: Mapping[str, Middleware]
    listeners: Mapping[str, Middleware]
    executors: Mapping[str, Executor]
    processes: Mapping[str, Process]
    threads: Mapping[str, Thread]
    chains: Mapping[str, Chain]
    readers: Mapping[str, tuple[str, ...]]
    writers: Mapping[str, tuple[str, ...]]
    fastdds: FastDds | None = None
    histories: Mapping[str, int] = {}  # of topics that give their depth
    loose: frozenset[tuple[str, str]] = frozenset()  # the links that do not keep order
    orders: Mapping[str, Order] = MappingProxyType({})
    media: Mapping[str, Link] = MappingProxyType({})
    routes: Mapping[tuple[str, str], str] = MappingProxyType({})  # the links between machines
    classes: Mapping[str, Mapping[str, int]] = MappingProxyType({})  # of topics, on links
    placeholder: bool = False  # δ that the tables lack are placeholders
    resets: Mapping[str, int] = MappingProxyType({})  # periods of limits that were left out


class System(_Written):
    """A document, and what follows of it."""

    @property
    def is_limited(self) -> bool:
        """Whether some flow controller may send so many bytes each period (lemma byte-limit)."""
        return any(controller.limit for controller in self.controllers.values())

    def reset(self, controller: str) -> int | None:
        """How often a flow controller with a limit wakes, whether it may reach that or not."""
        limit = self.controllers[controller].limit
        return self.resets.get(controller) if limit is None else limit.period

    @property
    def sleeps(self) -> bool:
        """Whether threads with work may sleep (note lost-refinements)."""
        return self.fastdds is not None or self.is_limited

    @cached_property
    def counted(self) -> tuple[tuple[str, str, int], ...]:
        """The publications that count rounds: by whom, of what, how many."""
        return tuple(
            (name, topic, each.rounds)
            for name, thread in self.threads.items()
            for topic, each in thread.publishes.items()
            if each.rounds is not None
        )

    @property
    def has_rounds(self) -> bool:
        """Whether messages go round in circles (note rounds-alone)."""
        return bool(self.counted)

    def sender(self, writer: str, topic: str) -> Sender:
        """What a flow controller sees of what a writer sends through it."""
        publication = self.threads[writer].publishes[topic]
        controller = self.controllers[publication.controller or ""]
        limit = controller.limit.bytes if controller.limit else 0
        reserves = limit * publication.reserved // 100 > 0
        said = {**self.said.get(topic, {}), **publication.said}
        return Sender((writer, topic), self.urgency[topic], reserves, said)

    def overlaps(self, name: str) -> bool:
        """Whether two jobs of a thread may run at the same time (lemma overtaking-jobs)."""
        executor = self.executors.get(self.threads[name].executor or "")
        return bool(executor and executor.groups and executor.groups.get(name, "") is None)

    def mixes(self, name: str) -> bool:
        """Whether a thread may take what came later first, of several publishers on a topic, or,
        where it says so, of several topics or beside jobs that it follows (lemma
        mixed-publishers)."""
        thread = self.threads[name]
        if thread.arrival is not None or thread.joins or thread.order == "arrival":
            return False
        if thread.order == "any" and len(thread.topics) + len(thread.follows) > 1:
            return True
        for topic in thread.topics:
            writers = self.writers.get(topic, ())
            if len(writers) > 1 and (
                thread.order == "any"
                or sum(not self.is_direct(writer, name) for writer in writers) > 1
            ):
                return True
        return False

    def link(self, writer: str, reader: str) -> str | None:
        """The shared link that messages from one thread to another take."""
        ends = (self.threads[name].place.machine for name in (writer, reader))
        return self.routes.get(tuple(ends)) if self.routes else None  # type: ignore[arg-type]

    def on_link(self, name: str, writer: str, topic: str) -> OnLink | None:
        """What messages of a publication are on a link; None without a needed priority."""
        urgency = self.priority_on(name, writer, topic)
        return None if urgency is None else self.media[name].on(self.sizes[topic], urgency)

    def priority_on(self, name: str, writer: str, topic: str) -> int | None:
        """As the publication says, or else its topic; a class is the lowest if nothing does."""
        link, said = self.media[name], self.threads[writer].publishes[topic].classes
        default = None if link.is_bus else 0
        key = link.key
        return said.get(key, self.classes.get(topic, {}).get(key, default))

    def is_direct(self, writer: str, reader: str) -> bool:
        """Whether messages from one thread to another need no middleware (definition
        direct-messages)."""
        name, to = self.threads[writer].process, self.threads[reader]
        if name is None or to.process != name or to.entity in ("service", "client"):
            return False
        return self.processes[name].intra_process

    def is_local(self, writer: str, reader: str) -> bool:
        """Whether a job that sends does the work of the reader, too (definition local-readers)."""
        name = self.threads[writer].process
        if name is None or self.threads[reader].process != name:
            return False
        is_said = self.processes[name].delivery not in (None, "OFF")
        return is_said and not self.is_direct(writer, reader)

    def is_within(self, writer: str, reader: str) -> bool:
        """Whether no listener takes messages from one to the other."""
        return self.is_direct(writer, reader) or self.is_local(writer, reader)

    def local_readers(self, writer: str, topic: str) -> list[str]:
        """The readers whose work is done by who sends."""
        process = self.processes.get(self.threads[writer].process or "")
        if process is None or process.delivery in (None, "OFF"):
            return []  # this is asked for each copy
        return [reader for reader in self.readers.get(topic, ()) if self.is_local(writer, reader)]

    def receivers(self, writer: str, topic: str) -> tuple[str, ...]:
        """The readers of a topic that get its messages through their listener: N_sub of them."""
        readers = self.readers.get(topic, ())
        return tuple(reader for reader in readers if not self.is_within(writer, reader))
