"""Whether everything that a document names exists, and where it may be."""

from __future__ import annotations

from collections.abc import Container, Mapping

from ddsrta.checker.callbacks import check_executors
from ddsrta.checker.policies import POLICIES
from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.things import Executor, Middleware, Order, Place, System, Thread


def check_references(system: System) -> None:
    """Raises where the document leads nowhere or contradicts itself."""
    groups: dict[str, Mapping[str, Middleware | Executor]] = {
        "flow_controllers": system.controllers,
        "listeners": system.listeners,
        "executors": system.executors,
    }
    for kind, group in groups.items():
        for name, runner in group.items():
            _place(system, runner.place, f"{kind}.{shown(name)}")
    for name in system.controllers:
        if name in system.listeners:
            raise CertificateError(f"listeners.{shown(name)}: a flow controller has this name")
    for name, listener in system.listeners.items():
        if listener.policy != "FIFO":
            raise CertificateError(f"listeners.{shown(name)}: a listener serves in FIFO order")
    check_executors(system)
    for name, thread in system.threads.items():
        _thread(system, thread, f"threads.{shown(name)}")
    _senders(system)
    _over_links(system)
    for name, copies in system.copies.items():
        if sorted(copies.readers) != sorted(system.readers.get(name, ())):
            raise CertificateError(f"topics.{shown(name)}.readers: are not those who subscribe")
    for name, chain in system.chains.items():
        for end in chain.ends or ():
            _known(system.threads, end, f"chains.{shown(name)}", "thread")
    for name, order in system.orders.items():
        _order(system, order, f"orders.{shown(name)}")


def _senders(system: System) -> None:
    """Raises where a topic lacks what its policy needs, or a publication says more than it has."""
    for name, thread in system.threads.items():
        for topic, publication in thread.publishes.items():
            controller = system.controllers.get(publication.controller or "")
            policy = POLICIES[controller.policy] if controller else None
            for key in policy.needed if policy else ():
                if key not in system.said.get(topic, {}):
                    raise CertificateError(f"topics.{shown(topic)}: has no {key}")
            for key in publication.said:
                if policy is None or key not in policy.publication_keys:
                    raise CertificateError(f"threads.{shown(name)}: '{key}' has no effect")


def _over_links(system: System) -> None:
    """Raises where a message cannot be sent over its link, or what else there is is not known of
    links (note links-alone)."""
    users: dict[tuple[str, int], tuple[str, ...]] = {}
    for name, link in system.media.items():
        for frame in link.frames.values() if link.is_bus else ():
            users[name, frame.priority] = ()
        if any(name in group for group in (system.controllers, system.listeners, system.executors)):
            raise CertificateError(f"media.{shown(name)}: something else has this name")
    for named in system.routes.values():
        _known(system.media, named, "links", "shared link")
    crossed = False
    for writer, thread in system.threads.items():
        for topic in thread.publishes if system.routes else ():
            for reader in system.receivers(writer, topic):
                if (route := system.link(writer, reader)) is None:
                    continue
                crossed, link = True, system.media[route]
                priority = system.priority_on(route, writer, topic)
                where = f"topics.{shown(topic)}"
                if priority is None:
                    raise CertificateError(f"{where}: says no priority on {shown(route)}")
                link.check(system.sizes[topic], priority, where)
                same = users.setdefault((route, priority), (writer, topic))
                if link.is_bus and same != (writer, topic):
                    raise CertificateError(f"{where}: two senders have one identifier")
    if crossed and (system.sleeps or system.orders):
        raise CertificateError("media: not known together with locks, limits or orders")


def _known(names: Container[str], name: str | None, where: str, what: str) -> None:
    if name not in names:
        raise CertificateError(f"{where}: there is no {what} {shown(name)}")


def _order(system: System, order: Order, where: str) -> None:
    _known(system.threads, order.subscriber, where, "thread")
    for topic in order.topics:
        _known(system.threads[order.subscriber].topics, topic, where, "topic that it reads,")


def _place(system: System, place: Place, where: str) -> None:
    _known(system.cores, place.core, where, "core")
    core = system.cores[place.core]
    if core.partitions:
        _known(core.partitions, place.partition, where, "partition")
    elif place.partition is not None:
        raise CertificateError(f"{where}: the core has no partitions")
    if place.reservation and (core.partitions or core.reservation):
        raise CertificateError(f"{where}: the core serves no reservations of threads")


def _thread(system: System, thread: Thread, where: str) -> None:
    _place(system, thread.place, where)
    for other in thread.follows:
        _known(system.threads, other, f"{where}.follows", "thread")
    for topic in thread.topics:
        _known(system.sizes, topic, f"{where}.subscribes", "topic")
    if thread.topics or thread.listener is not None:
        _known(system.listeners, thread.listener, f"{where}.subscribes", "listener")
        _same_machine(thread, system.listeners[str(thread.listener)].place, where)
    for topic, publication in thread.publishes.items():
        _known(system.sizes, topic, f"{where}.publishes", "topic")
        if publication.controller is not None:
            _known(system.controllers, publication.controller, where, "flow controller")
            _same_machine(thread, system.controllers[publication.controller].place, where)
    if thread.arrival is None:
        _released(system, thread, where)
    if thread.synchronizer is not None:
        _synchronized(system, thread, where)


def _same_machine(thread: Thread, place: Place, where: str) -> None:
    if thread.place.machine != place.machine:
        raise CertificateError(f"{where}: uses a middleware thread of another machine")


def _released(system: System, thread: Thread, where: str) -> None:
    """Somebody must release a thread without an arrival; every input of an AND must come."""
    fed = [topic for topic in thread.topics if system.writers.get(topic)]
    inputs = len(fed) + len(thread.follows)
    if not inputs or (thread.joins and len(fed) < len(thread.topics)):
        raise CertificateError(f"{where}: nothing releases this thread")


def _synchronized(system: System, thread: Thread, where: str) -> None:
    """It waits for one message of each of several topics, of one writer each (definition
    message-stamps)."""
    assert thread.synchronizer is not None
    policy, queue = thread.synchronizer
    writers = [len(system.writers.get(topic, ())) for topic in thread.topics]
    followed = thread.follows if thread.entity == "inline" else ()
    topics = len(writers) + len(followed)
    if thread.arrival is not None or not thread.joins or followed != thread.follows:
        raise CertificateError(f"{where}: a synchronizer waits for messages of all its topics")
    if topics < 2 or set(writers) - {1} or (policy == "mtd" and topics > 2):
        raise CertificateError(f"{where}: its synchronizer has no such topics")
    if policy == "latest" and queue is not None:
        raise CertificateError(f"{where}: latest has no queue")
