"""A system in the user's words: machines, topics, threads, chains. Frozen; no analysis in here."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, did_you_mean, shown
from ddsrta.base.frozen import frozen
from ddsrta.base.shapes import singular
from ddsrta.base.shown import graph, page, text
from ddsrta.base.yaml_tree import Node, Tree
from ddsrta.models.chains import Chain, Constraint, Events, Order
from ddsrta.models.circles import Circle, Step, circles
from ddsrta.models.costs import EPSILON, NO_COST, Cost, Delays
from ddsrta.models.executors import Executor, Process
from ddsrta.models.messages import Activation, Following, Mode, Publication, Subscription
from ddsrta.models.middleware import FastDds, Limit, Middleware
from ddsrta.models.supplies import Core, Link, Reservation
from ddsrta.models.synchronization import Synchronizer
from ddsrta.models.threads import Thread, callback_path, declared_at
from ddsrta.models.topics import Topic
from ddsrta.ros2.entities import Entity

if TYPE_CHECKING:
    from ddsrta.base.yaml_differences import Difference
    from ddsrta.models.media import Medium

__all__ = [
    "EPSILON",
    "NO_COST",
    "Activation",
    "Chain",
    "Constraint",
    "Core",
    "Cost",
    "Delays",
    "Events",
    "FastDds",
    "Following",
    "Limit",
    "Link",
    "Middleware",
    "Mode",
    "Order",
    "Publication",
    "Reservation",
    "Subscription",
    "Synchronizer",
    "Thread",
    "Topic",
]


class Written(Protocol):
    """What a system was read from."""

    @property
    def text(self) -> str | bytes:
        """What the file says."""

    @property
    def path(self) -> str:
        """Where the file is, beside which its traces are looked for."""

    def replace(self, path: Sequence[str | int], changes: Mapping[str, Any]) -> System:
        """The system of a file in which some keys, to which a path leads, say something else."""

    @property
    def tree(self) -> Tree:
        """Where all of it stands."""

    def differences(self, newer: Any) -> list[Difference]:
        """What a newer file says differently."""

    def patched(self, wanted: Iterable[Difference]) -> System:
        """The system of the file with some differences of a newer one."""

    def retold(self, root: Node) -> System:
        """The system of the file with another root: the same in other words, say."""

    def edited(self, values: Mapping[Sequence[str | int], Any]) -> System:
        """The system of the file with other values at some paths."""


@frozen
class System:
    """Everything that exists, by name. Every reference in it is known to lead somewhere."""

    name: str
    cores: Mapping[str, Core] = field(default_factory=dict)
    links: Mapping[tuple[str, str], Link] = field(default_factory=dict)
    delays: Delays = field(default_factory=Delays)
    topics: Mapping[str, Topic] = field(default_factory=dict)
    flow_controllers: Mapping[str, Middleware] = field(default_factory=dict)
    listeners: Mapping[str, Middleware] = field(default_factory=dict)
    threads: Mapping[str, Thread] = field(default_factory=dict)
    executors: Mapping[str, Executor] = field(default_factory=dict)
    processes: Mapping[str, Process] = field(default_factory=dict)
    chains: Mapping[str, Chain] = field(default_factory=dict)
    orders: Mapping[str, Order] = field(default_factory=dict)
    fastdds: FastDds | None = None  # None: the ten rules, and no more
    media: Mapping[str, Medium] = field(default_factory=dict)
    resets: Mapping[str, int] = field(default_factory=dict, compare=False)  # of limits left out
    tree: Tree | None = field(default=None, compare=False, repr=False)
    is_valid: bool = field(default=False, init=False, compare=False, repr=False)
    written: Written | None = field(default=None, init=False, compare=False, repr=False)

    def where(self, *path: str | int) -> Position | None:
        """The place in the file where this part of the system was written, if it came from one."""
        if self.tree is None:
            return None
        thread = self.threads.get(str(path[1])) if path[:1] == ("threads",) and path[1:] else None
        if thread is not None:
            path = (*declared_at(thread, self.tree), *path[2:])
        elif path[:1] == ("callbacks",) and path[1:]:
            path = (*callback_path(str(path[1]), self.tree), *path[2:])
        return self.tree.find(path)

    def sending_cost(self, publication: Publication) -> Cost:
        """δf or δs of one copy: the publication's own, or the table's for the topic's size."""
        return publication.cost or self._row(publication.table, publication.topic)

    def listening_cost(self, subscription: Subscription, topic: str) -> Cost:
        """δl of one message: the subscription's own, or the table's for the topic's size."""
        return subscription.cost or self._row("listener", topic)

    def _row(self, table: str, topic: str) -> Cost:
        """δ of a topic, where what sends or reads it does not say its own."""
        found = self.delays.of(table, self.topics[topic].size)
        if found is None:
            raise LookupError(topic)
        return found

    def taking_cost(self, thread: Thread) -> Cost:
        """What a job of a thread takes to read its messages: one, one of each topic where it waits
        for all, or the newest of each where it samples them."""
        subscription = thread.subscribes
        if subscription is None or not (subscription.take or self.delays.take):
            return NO_COST
        costs = [
            subscription.take or self._row("take", topic)
            for topic in dict.fromkeys(subscription.topics)
        ]
        if thread.arrival is not None:  # a register may hold nothing
            return Cost(sum(cost.worst for cost in costs), 0)
        direct = bool(self.direct_writers(thread))  # such a message may cost less, or nothing
        if thread.activation == "and":
            best = 0 if direct else sum(cost.best for cost in costs)
            return Cost(sum(cost.worst for cost in costs), best)
        best = 0 if direct or thread.follows else min(cost.best for cost in costs)
        return Cost(max(cost.worst for cost in costs), best)

    def direct_writers(self, reader: Thread) -> list[Thread]:
        """The threads whose messages reach a reader without middleware."""
        if not self.processes or reader.subscribes is None:
            return []
        topics = dict.fromkeys(reader.subscribes.topics)
        return [w for topic in topics for w in self.writers(topic) if self.is_direct(w, reader)]

    def is_direct(self, writer: Thread, reader: Thread) -> bool:
        """Whether messages from one to the other need no middleware. Requests and replies do."""
        if reader.entity in ("service", "client"):
            return False
        process = self.processes.get(writer.process or "")
        return process is not None and process.intra_process and reader.process == writer.process

    def is_local(self, writer: Thread, reader: Thread) -> bool:
        """Whether a writer does the work of a reader of its process (definition local-readers)."""
        process = self.processes.get(writer.process or "")
        if process is None or not process.senders_read or reader.process != writer.process:
            return False
        return not self.is_direct(writer, reader)

    def is_heard(self, writer: Thread, reader: Thread) -> bool:
        """Whether messages from one to the other come through the reader's listener."""
        process = self.processes.get(writer.process or "")
        if process is None or reader.process != writer.process:
            return True
        return not (process.senders_read or self.is_direct(writer, reader))

    def receivers(self, writer: Thread, topic: str) -> tuple[Thread, ...]:
        """The readers to which a writer sends copies through the middleware (N_sub of them), in the
        order in which these leave: that of the file, unless priority decides; then SCHED_DEADLINE
        threads come before all others. An unknown order is given as one of those there may be.

        >>> from ddsrta.examples import two_threads
        >>> system = two_threads()
        >>> [reader.name for reader in system.receivers(system.threads["sensor"], "speed")]
        ['control']
        """
        readers = self.readers(topic)
        if self.processes:
            readers = tuple(r for r in readers if self.is_heard(writer, r))
        if self.topics[topic].copies != "priority":
            return readers
        return tuple(sorted(readers, key=lambda r: (0, 0) if r.reservation else (1, -r.priority)))

    def neighbours(self, writer: Thread, topic: str) -> tuple[Thread, ...]:
        """The readers in the writer's own process that its messages reach without a listener."""
        if not self.processes:
            return ()
        return tuple(r for r in self.readers(topic) if not self.is_heard(writer, r))

    def local_cost(self, writer: Thread, topic: str) -> Cost:
        """What a message costs who sends it for readers of its process (definition
        local-readers)."""
        readers = [r.subscribes for r in self.local_readers(writer, topic) if r.subscribes]
        costs = [self.listening_cost(one, topic) for one in readers]
        return Cost(sum(cost.worst for cost in costs), sum(cost.best for cost in costs))

    def is_sent(self, writer: Thread, topic: str) -> bool:
        """Whether who sends has anything to do for a message: copies, or the work of readers."""
        return bool(self.receivers(writer, topic) or self.local_readers(writer, topic))

    def local_readers(self, writer: Thread, topic: str) -> list[Thread]:
        """The readers whose work a writer does, as they are in its process."""
        return [r for r in self.neighbours(writer, topic) if self.is_local(writer, r)]

    def entity(self, callback: Thread) -> Entity | None:
        """What an executor sees of a callback. Messages from its own process are a waitable, also
        those of a subscription; one that has others, too, is two, and so may come anywhere."""
        if callback.entity != "subscription" or callback.subscribes is None:
            return callback.entity
        direct = {
            self.is_direct(writer, callback)
            for topic in callback.subscribes.topics
            for writer in self.writers(topic)
        }
        if True not in direct:
            return callback.entity
        return None if False in direct else "waitable"

    def readers(self, topic: str) -> tuple[Thread, ...]:
        """The threads that subscribe to a topic, in the order of the file."""
        return self._readers.get(topic, ())

    def writers(self, topic: str) -> tuple[Thread, ...]:
        """The threads that publish on a topic, in the order of the file."""
        return self._writers.get(topic, ())

    def followers(self, thread: str) -> tuple[Thread, ...]:
        """The threads that follow a thread directly, in the order of the file."""
        return self._followers.get(thread, ())

    @cached_property
    def circles(self) -> Mapping[tuple[str, str], Circle | str]:
        """Those that a counter ends, by the publication that closes each; or why it closes none."""
        return dict(circles(self.threads, self.writers))

    @cached_property
    def closed(self) -> tuple[Circle, ...]:
        """All that there are."""
        return tuple(one for one in self.circles.values() if isinstance(one, Circle))

    @cached_property
    def closing(self) -> frozenset[Step]:
        """The hops that close them."""
        return frozenset(circle.closes for circle in self.closed)

    @cached_property
    def _followers(self) -> dict[str, tuple[Thread, ...]]:
        return self._index(lambda thread: thread.follows.threads if thread.follows else ())

    @cached_property
    def _readers(self) -> dict[str, tuple[Thread, ...]]:
        return self._index(lambda thread: thread.subscribes.topics if thread.subscribes else ())

    @cached_property
    def _writers(self) -> dict[str, tuple[Thread, ...]]:
        return self._index(lambda thread: [p.topic for p in thread.publishes])

    def _index(self, topics_of: Any) -> dict[str, tuple[Thread, ...]]:
        lists: dict[str, list[Thread]] = {}
        for thread in self.threads.values():
            for topic in dict.fromkeys(topics_of(thread)):
                lists.setdefault(topic, []).append(thread)
        return {topic: tuple(threads) for topic, threads in lists.items()}

    @cached_property
    def searched(self) -> dict[str, Any]:
        """What was looked for by `models.paths`, by the thread that paths lead to."""
        return {}

    @cached_property
    def walked(self) -> dict[tuple[str, ...], Any]:
        """What `models.graph` found of paths that are written out."""
        return {}

    def overtakes(self, source: str, topic: str | None, target: str) -> bool:
        """Whether what goes from one thread to another, by a topic or by `follows`, may arrive in
        another order than that in which it left."""
        reader = self.threads[target]
        if topic is None:
            follows = reader.follows
            return follows is not None and not follows.ordered and follows.best < follows.delay
        if self.is_direct(self.threads[source], reader):
            return False
        ends = (self.machine_of(self.threads[n].core) for n in (source, target))
        link = self.links.get(tuple(ends))  # type: ignore[arg-type]
        return link is not None and not link.ordered and link.best < link.delay

    def mixes(self, thread: Thread) -> bool:
        """Whether a thread may take messages in another order than that in which they arrived, of
        several publishers on a topic, unless the file says that it does not; of several topics, or
        jobs that it follows, where it does so (lemma mixed-publishers)."""
        topics = thread.subscribes.topics if thread.subscribes else ()
        if thread.arrival is not None or thread.activation == "and":
            return False
        on = [self._writers.get(topic, ()) for topic in topics]
        if thread.order is not None:
            ways = len(topics) + len(thread.follows.threads if thread.follows else ())
            return thread.order == "any" and (ways > 1 or any(len(several) > 1 for several in on))
        on = [several for several in on if len(several) > 1]
        return any(sum(not self.is_direct(one, thread) for one in all_) > 1 for all_ in on)

    def network(self, source: str, target: str) -> Cost:
        """Worst and best propagation between two machines; none within one."""
        if source == target:
            return NO_COST
        link = self.links[source, target]
        return Cost(link.delay, link.best)

    def medium(self, writer: Thread, reader: Thread) -> Medium | None:
        """The shared link that messages from one thread to another take, if they do."""
        if not self.media:
            return None
        link = self.links.get((self.machine_of(writer.core), self.machine_of(reader.core)))
        return None if link is None or link.medium is None else self.media[link.medium]

    def machine_of(self, core: str) -> str:
        """The machine of a core path such as 'ecu1/c0'."""
        return self.cores[core].machine

    def replace(self, /, *path: str | int, **changes: Any) -> System:
        """The system of a file that says something else in one place: what-if without editing it.

        The path leads to a mapping of system.yaml, the changes are values of its keys, written as
        there or as numbers of the least unit (ns, bytes); None takes a key away. All that follows
        from them is made and checked anew: what is wrong raises InputError.

        >>> from ddsrta.examples import two_threads
        >>> changed = two_threads().replace("threads", "sensor", wcet="2 ms", bcet=500_000)
        >>> changed.threads["sensor"].wcet, changed.threads["sensor"].bcet
        (2000000, 500000)
        >>> changed.replace("threads", "sensor", "publishes", 0, count=3) == changed
        False
        """
        if self.written is None:
            message = (
                "this system was made in Python: there is no file that could say anything else"
            )
            raise InputError([Diagnostic(None, message, "load it, or use 'altered'")])
        return self.written.replace(path, changes)

    def altered(self, kind: str, name: str, /, **attributes: Any) -> System:
        """A copy with other attributes of one thing, whatever it was made of; what a file's words
        would change beside them stays, and the whole is checked when it is analysed.

        >>> from ddsrta.examples import two_threads
        >>> two_threads().altered("threads", "sensor", priority=90).threads["sensor"].priority
        90
        """
        things = getattr(self, kind, None)
        if not isinstance(things, Mapping):
            kinds = [key for key, value in vars(self).items() if isinstance(value, Mapping)]
            self._lacks("kind of things", kind, kinds)
        if name not in things:
            self._lacks(singular(kind), name, [str(each) for each in things])
        known = [each.name for each in dataclasses.fields(things[name]) if each.init]
        for attribute in attributes.keys() - set(known):
            self._lacks(f"attribute of a {singular(kind)}", attribute, known)
        changed: Any = {kind: {**things, name: dataclasses.replace(things[name], **attributes)}}
        return dataclasses.replace(self, **changed)

    @staticmethod
    def _lacks(what: str, name: str, known: list[str]) -> NoReturn:
        message = f"there is no {what} {shown(name)}"
        raise InputError([Diagnostic(None, message, did_you_mean(name, known))])

    def graph(self) -> Any:
        """Threads, middleware and topics as a directed graph of networkx, the way of the data."""
        return graph(self)

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return page(self)


def moving(system: System) -> Iterator[Thread | Executor]:
    """All that moves between cores (definitions core-sets and moving-pool)."""
    yield from (thread for thread in system.threads.values() if thread.cores)
    yield from (executor for executor in system.executors.values() if executor.moves)
