"""A System as the published analysis sees it: threads, the messages in them, and their supply."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ddsrta.base.frozen import frozen
from ddsrta.base.priorities import ALIKE, Priority, Rank
from ddsrta.models.executors import Executor
from ddsrta.models.graph import inputs
from ddsrta.models.system import Middleware, Publication, Reservation, System, Thread

Key = tuple[str, ...]  # (thread,), (publisher, topic) or (publisher, topic, subscriber)


@frozen
class Host:
    """A thread of the scheduler, whether of the application or of the middleware."""

    kind: str  # the key of system.yaml: threads, executors, flow_controllers or listeners
    name: str
    supply: tuple[str, ...]
    reservation: Reservation | None
    priority: Priority
    policy: str = "FIFO"
    queue: int | None = None

    @property
    def middleware(self) -> bool:
        """A flow controller or listener."""
        return self.kind not in ("threads", "executors")

    def time(self, work: int) -> int:
        """The least Δ with sbf(Δ) ≥ work: the periodic resource model, or a whole core.

        >>> Host("threads", "t", (), Reservation(3, 10), 1).time(4)
        25
        """
        if self.reservation is None or work <= 0:
            return max(0, work)
        budget, period = self.reservation.budget, self.reservation.period
        return 2 * (period - budget) + (work - 1) // budget * period + (work - 1) % budget + 1


@frozen
class Unit:
    """A job of a thread, or a message in a middleware thread with its δ of Lemma 3."""

    key: Key
    host: Host
    cost: int
    topic: str = ""
    urgency: Rank = ALIKE  # topic priority
    part: bool = False  # of a callback of several topics: it takes the message of one of them


@frozen
class Model:
    """All units by key, in the order of the data flow."""

    system: System
    hosts: dict[tuple[str, str], Host]
    units: dict[Key, Unit]
    order: tuple[Unit, ...]

    @cached_property
    def units_of(self) -> dict[Host, tuple[Unit, ...]]:
        """The job of a thread, callbacks of an executor, messages of a middleware thread."""
        found: dict[Host, list[Unit]] = {host: [] for host in self.hosts.values()}
        for unit in self.units.values():
            found[unit.host].append(unit)
        return {host: tuple(units) for host, units in found.items()}

    @cached_property
    def above(self) -> dict[Host, tuple[Host, ...]]:
        """hp of the same core, reservation or partition: strictly bigger priorities only."""
        sharing: dict[tuple[str, ...], list[Host]] = {}
        for host in self.hosts.values():
            sharing.setdefault(host.supply, []).append(host)
        return {
            host: tuple(other for other in sharing[host.supply] if other.priority > host.priority)
            for host in self.hosts.values()
        }

    @cached_property
    def _hosts_below(self) -> dict[Host, list[Host]]:
        below: dict[Host, list[Host]] = {host: [] for host in self.above}
        for host, others in self.above.items():
            for other in others:
                below[other].append(host)
        return below

    @cached_property
    def _hosts_after(self) -> dict[Key, set[Host]]:
        """The threads that the completion of a unit sends something to."""
        after: dict[Key, set[Host]] = {key: set() for key in self.units}
        for key, unit in self.units.items():
            if len(key) == 1:
                thread = self.system.threads[key[0]]
                hops = inputs(self.system, thread) if thread.arrival is None else []
                feeding: list[Key] = [
                    (hop.source, hop.topic, hop.target) if hop.topic else (hop.source,)
                    for hop in hops
                ]
            else:
                feeding = [key[:2] if len(key) == 3 and key[:2] in self.units else key[:1]]
            for other in feeding:
                after[other].add(unit.host)
        return after

    def concerned_by(self, unit: Unit) -> list[Host]:
        """Threads whose units the curve or the bound of this one enters."""
        return [unit.host, *self._hosts_below[unit.host], *self._hosts_after[unit.key]]


def model(system: System) -> Model:
    """Flattens a system.

    >>> from ddsrta.examples import two_threads
    >>> list(model(two_threads()).units)
    [('sensor',), ('sensor', 'speed'), ('sensor', 'speed', 'control'), ('control',)]
    """
    hosts = {
        (kind, thing.name): _host(system, kind, thing)
        for kind in ("threads", "executors", "flow_controllers", "listeners")
        for thing in getattr(system, kind).values()
        if not (isinstance(thing, Thread) and thing.executor)
    }
    order = tuple(unit for thread in _order(system) for unit in _units(system, hosts, thread))
    return Model(system, hosts, {unit.key: unit for unit in order}, order)


def _host(system: System, kind: str, thing: Thread | Executor | Middleware) -> Host:
    core = system.cores[thing.core]
    supply: tuple[str, ...] = (core.path,)
    reservation = core.reservation
    if thing.reservation:  # SCHED_DEADLINE: isolated, so the thread is alone in its supply
        supply, reservation = (core.path, kind, thing.name), thing.reservation
    elif thing.partition:  # APS: only the threads of the partition
        supply, reservation = (core.path, thing.partition), core.partitions[thing.partition]
    policy, queue = "FIFO", None
    if isinstance(thing, Middleware):
        policy, queue = thing.policy if kind == "flow_controllers" else policy, thing.queue
    return Host(kind, thing.name, supply, reservation, thing.priority, policy, queue)


def _units(system: System, hosts: dict[tuple[str, str], Host], thread: Thread) -> Iterator[Unit]:
    cost = thread.wcet + system.taking_cost(thread).worst
    sent = list(sending(system, thread))
    for publication in sent:
        if publication.mode == "sync":  # the e^sync of the paper
            copies = publication.count * len(system.readers(publication.topic))
            cost += copies * system.sending_cost(publication).worst
    part = any(follower.entity == "inline" for follower in system.followers(thread.name))
    yield Unit(
        (thread.name,), hosts[thread.server], cost, part=part and thread.executor is not None
    )
    for publication in sent:
        topic = system.topics[publication.topic]
        readers = system.readers(topic.name)
        if publication.mode == "async":
            host = hosts["flow_controllers", str(publication.flow_controller)]
            copies = len(readers) * system.sending_cost(publication).worst
            yield Unit((thread.name, topic.name), host, copies, topic.name, topic.priority)
        for reader in readers:
            assert reader.subscribes is not None
            host = hosts["listeners", reader.subscribes.listener]
            one = system.listening_cost(reader.subscribes, topic.name).worst
            key = (thread.name, topic.name, reader.name)
            yield Unit(key, host, one, topic.name, topic.priority)


def sending(system: System, thread: Thread) -> Iterator[Publication]:
    """The publications of a thread that somebody reads; the others cost nothing."""
    return (p for p in thread.publishes if system.readers(p.topic))


def _order(system: System) -> list[Thread]:
    """Threads after those that release them; a cycle that nothing starts is left out."""
    waiting: dict[str, int] = {}
    released: dict[str, list[str]] = {name: [] for name in system.threads}
    for thread in system.threads.values():
        hops = inputs(system, thread) if thread.arrival is None else []
        waiting[thread.name] = len(hops)
        for hop in hops:
            released[hop.source].append(thread.name)
    ready = [name for name, count in waiting.items() if not count]
    for name in ready:  # grows while it is walked
        for other in released[name]:
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    return [system.threads[name] for name in ready]
