"""What the bounds of a system rest on: a certificate that does not say so claims too much."""

from __future__ import annotations

from ddsrta.checker import costs
from ddsrta.checker.copies import copies
from ddsrta.checker.costs import network
from ddsrta.checker.executors import INLINE, Turns
from ddsrta.checker.idle_threads import keeps_wait_set, relies_on_idleness
from ddsrta.checker.kinds import TIMERS_MADE_EARLY
from ddsrta.checker.policies import POLICIES
from ddsrta.checker.reading import shown
from ddsrta.checker.supplied import relies_on_budgets, relies_on_deadlines, relies_on_shares
from ddsrta.checker.things import FAIR, RELEASES, Place, System

FRAGMENT = 64_000  # bytes of a message, at least, in each datagram of a large one but the last
NO_KEYS = "no-keys"  # where confirmed queues of readers hold several
READER_LOCKS = "reader-locks"  # there, too
NO_OVERFLOW = "no-overflow"  # where confirmed queues exceed their rooms


def not_assumed(rule: str) -> str:
    """What is wrong with a certificate that leaves one out."""
    return (
        f"the bounds rest on {shown(rule)}, which is not said to be assumed; "
        "if an older ddsrta wrote it, analyse again"
    )


def assumed(system: System) -> set[str]:
    """The assumptions that a certificate of this system has to state."""
    policies = {t.synchronizer.policy for t in system.threads.values() if t.synchronizer}
    held = {
        "locks": _waits_for_locks(system),
        "write-timeout": bool(_sending(system)),
        "event-thread": bool(_sending(system)),
        "short-locks": bool(_sending(system)),
        "send-buffers": _shares_buffers(system),
        "own-writers": _relies_on_writers(system),
        "delivery": _relies_on_delivery(system),
        "listeners-receive": _relies_on_listeners(system),
        "one-port": _relies_on_one_port(system),
        "whole-messages": _relies_on_whole_messages(system),
        READER_LOCKS: _does_work_of_readers(system) or _samples(system) or _looks(system),
        "arrival-order": _relies_on_arrivals(system),
        "copies": _relies_on_copies(system),
        "message-flow": any(
            sent.part is not None for t in system.threads.values() for sent in t.publishes.values()
        ),
        "link-order": _relies_on_order(system),
        "shared-link": bool(system.media),
        "core-sets": any(thread.place.cores for thread in system.threads.values())
        or any(executor.moving for executor in system.executors.values()),
        "rounded-rates": any(t.arrival and t.arrival.rounded for t in system.threads.values()),
        "placeholder-delays": _relies_on_placeholders(system),
        "registration": _relies_on_registration(system),
        "timers-threads": _relies_on_timers_threads(system),
        "free-groups": any(map(keeps_wait_set, system.executors.values())),
        "idle-threads": relies_on_idleness(system),
        "deadline-servers": relies_on_deadlines(system),
        "fair-threads": any(t.place.priority == FAIR for t in system.threads.values()),
        "fair-share": relies_on_shares(system),
        "core-budgets": relies_on_budgets(system),
        "common-start": _relies_on_start(system),
        "stamps": bool(policies - {"latest"}),
        "first-messages": "latest" in policies,
    }
    return {rule for rule, holds in held.items() if holds}


def _sending(system: System) -> list[tuple[str, str | None]]:
    """Who sends through Fast DDS, and by which flow controller."""
    if system.fastdds is None:
        return []
    of_itself = [(name, None) for name, thread in system.threads.items() if thread.datagrams]
    published = [
        (name, publication.controller)
        for name, thread in system.threads.items()
        for publication in thread.publishes.values()
        if system.receivers(name, publication.topic)
    ]
    return [*of_itself, *published]


def _waits_for_locks(system: System) -> bool:
    """Whether publishers and flow controllers may wait for each other."""
    return any(controller is not None for _, controller in _sending(system))


def _shares_buffers(system: System) -> bool:
    """Whether several threads of a participant write by themselves, with buffers of a number."""
    if system.fastdds is None or system.fastdds.dynamic:
        return False
    writing: dict[tuple[str, bool], set[str]] = {}
    for name, controller in _sending(system):
        if controller is None:
            thread = system.threads[name]
            apart = thread.process is not None
            who = (thread.process or thread.place.machine, apart)
            served = f"executor {thread.executor}" if thread.executor else f"thread {name}"
            writing.setdefault(who, set()).add(served)
    return any(len(threads) > 1 for threads in writing.values())


def _relies_on_writers(system: System) -> bool:
    """Whether several threads or callbacks of a participant publish on a topic, and who waits there
    depends on whether they do by one writer."""
    ways: dict[tuple[str | None, str, str], list[str | None]] = {}
    for name, thread in system.threads.items():
        machine = thread.place.machine if thread.process is None else ""
        for topic, publication in thread.publishes.items():
            if system.receivers(name, topic):
                where = thread.process, machine, topic
                ways.setdefault(where, []).append(publication.controller)
    return any(
        len(by) > 1 and (system.fastdds is not None or _wait_apart(system, topic, by))
        for (*_, topic), by in ways.items()
    )


def _wait_apart(system: System, topic: str, by: list[str | None]) -> bool:
    """Whether they wait for one controller, each in a queue or in a history of so much room."""
    return any(
        name is not None
        and by.count(name) > 1
        and (topic in system.histories or POLICIES[system.controllers[name].policy].has_queues)
        for name in by
    )


def _relies_on_delivery(system: System) -> bool:
    """Whether anything leaves a machine or a process for another."""
    place = {name: (one.place.machine, one.process) for name, one in system.threads.items()}
    for topic, readers in system.readers.items():
        there = {place[reader] for reader in readers}
        if any(there - {place[writer]} for writer in system.writers.get(topic, ())):
            return True
    return any(
        place[name][0] != place[other][0]
        for name, thread in system.threads.items()
        for other in thread.follows
    )


def _relies_on_listeners(system: System) -> bool:
    """Whether a message goes through the middleware within a declared process, of which nobody
    said who receives it."""
    return any(
        thread.process is not None
        and system.processes[thread.process].delivery is None
        and system.threads[reader].process == thread.process
        for name, thread in system.threads.items()
        for topic in thread.publishes
        for reader in system.receivers(name, topic)
    )


def _relies_on_one_port(system: System) -> bool:
    """Whether a listener has messages of its own machine and of another to receive, or several of
    its own machine for readers that are no callbacks, which data sharing may bring, or any of its
    own machine where Fast DDS sends them by shared memory and UDP."""
    twice = system.fastdds is not None and system.fastdds.version in RELEASES[1:3]
    sources: dict[str | None, set[str]] = {}
    shared: dict[str | None, int] = {}
    for name, thread in system.threads.items():
        for topic in thread.publishes:
            for reader in system.receivers(name, topic):
                listener = system.threads[reader].listener
                sources.setdefault(listener, set()).add(thread.place.machine)
                if system.threads[reader].executor is None:
                    own = None if listener is None else system.listeners[listener].place.machine
                    shared[listener] = shared.get(listener, 0) + (own == thread.place.machine)
    return any(
        listener is not None
        and (
            shared.get(listener, 0) > 1
            or (
                (twice or len(machines) > 1)
                and system.listeners[listener].place.machine in machines
            )
        )
        for listener, machines in sources.items()
    )


def _relies_on_whole_messages(system: System) -> bool:
    """Whether a listener has messages to receive that come in several datagrams."""
    return any(
        system.sizes[topic] > FRAGMENT and system.receivers(name, topic)
        for name, thread in system.threads.items()
        for topic in thread.publishes
    )


def _does_work_of_readers(system: System) -> bool:
    """Whether some job has to take the lock of a reader of its process."""
    return any(
        system.local_readers(name, topic)
        for name, thread in system.threads.items()
        for topic in thread.publishes
    )


def _samples(system: System) -> bool:
    """Whether a thread may take a message while its listener has another one for it."""
    return any(
        system.threads[reader].arrival is not None
        for name, thread in system.threads.items()
        for topic in thread.publishes
        for reader in system.receivers(name, topic)
    )


def _looks(system: System) -> bool:
    """Whether an executor may look at what it waits for while somebody brings it something: a
    listener or a job that it does not run, on another core or kept from going on."""
    pairs: set[tuple[str | None, tuple[str, str | None]]] = set()
    for name, thread in system.threads.items():
        runs = ("threads", name) if thread.executor is None else ("executors", thread.executor)
        for topic in thread.publishes:
            for reader in system.receivers(name, topic):
                to = system.threads[reader]
                pairs.add((to.executor, ("listeners", to.listener)))
            for reader in system.readers.get(topic, ()):
                if system.is_direct(name, reader):
                    pairs.add((system.threads[reader].executor, runs))
        for other in thread.follows:
            by = system.threads[other].executor
            before = ("threads", other) if by is None else ("executors", by)
            pairs.add((thread.executor, before))
    return any(
        executor is not None
        and who[1] is not None
        and who != ("executors", executor)
        and not _is_alone(system, executor, who)
        for executor, who in pairs
    )


def _is_alone(system: System, executor: str, who: tuple[str, str | None]) -> bool:
    """Whether of all that is more urgent than an executor there is this one alone."""
    places: dict[tuple[str, str | None], list[Place]] = {}
    for name, thread in system.threads.items():
        if thread.executor is None:
            places["threads", name] = [thread.place]
    for name, one in system.executors.items():
        cores = one.cores or (one.place.core,)
        places["executors", name] = [one.place._replace(core=core) for core in cores]
    for name, middleware in system.listeners.items():
        places["listeners", name] = [middleware.place]
    for name, middleware in system.controllers.items():
        places["controllers", name] = [middleware.place]
    (own, *several), theirs = places.pop(("executors", executor)), places.pop(who)
    core = system.cores[own.core]
    return (
        not several
        and own.priority != FAIR
        and own.reservation is core.reservation is None
        and not core.partitions
        and [(p.core, p.cores, p.reservation) for p in theirs] == [(own.core, (), None)]
        and theirs[0].priority > own.priority
        and not any(
            own.core in (place.core, *place.cores)
            and (place.reservation is not None or place.priority > own.priority)
            for some in places.values()
            for place in some
        )
    )


def _relies_on_arrivals(system: System) -> bool:
    """Whether a reader takes what waits in several places as it comes, though nothing says so."""
    return any(
        _places(system, name) > 1 and thread.order is None and not system.mixes(name)
        for name, thread in system.threads.items()
        if thread.arrival is None and not thread.joins
    )


def _places(system: System, name: str) -> int:
    """Where it may look for work: histories of topics, with one more for what comes directly, and
    jobs that it follows."""
    thread = system.threads[name]
    histories = {(topic, False) for topic in thread.topics}
    for topic in thread.topics:
        direct = {system.is_direct(writer, name) for writer in system.writers.get(topic, ())}
        histories |= {(topic, True)} if len(direct) > 1 else set()
    return len(histories) + len(thread.follows)


def _relies_on_copies(system: System) -> bool:
    """Whether some message has several copies, which leave in an order that is declared."""
    return any(
        len(copies(system, writer, topic)) > 1
        for topic in system.copies
        for writer in system.writers.get(topic, ())
    )


def _relies_on_order(system: System) -> bool:
    """Whether something on its way for a time that varies is taken to keep its order."""
    for name, thread in system.threads.items():
        if thread.follows and not thread.loose and thread.delay.best < thread.delay.worst:
            return True
        for topic in thread.publishes:
            for reader in system.receivers(name, topic):
                way = network(system, name, reader)
                ends = thread.place.machine, system.threads[reader].place.machine
                if way.best < way.worst and ends not in system.loose:
                    return True
    return False


def _relies_on_placeholders(system: System) -> bool:
    """Whether some message costs what nobody measured."""
    for name, thread in system.threads.items():
        for topic, publication in thread.publishes.items():
            receivers = system.receivers(name, topic)
            sender = costs.sender(publication)
            if receivers and costs.is_placeholder(system, sender, topic, publication.cost):
                return True
            for reader in (*receivers, *system.local_readers(name, topic)):
                own = system.threads[reader].listening
                if costs.is_placeholder(system, "listener", topic, own):
                    return True
    return False


def _relies_on_registration(system: System) -> bool:
    """Whether callbacks of one kind take their turns in the order of the file (definition
    executor-relations)."""
    for name, executor in system.executors.items():
        turns, kinds = Turns(system, name), (system.threads[c].entity for c in executor.callbacks)
        ordered = [turns.turn(kind) for kind in kinds if kind is not None and kind != INLINE]
        several = len(set(ordered)) < len(ordered)
        if executor.registered and several and turns.in_rounds:
            return True
    return False


def _relies_on_timers_threads(system: System) -> bool:
    """Whether threads that watch timers are made where an executor is constructed."""
    return any(
        thread.entity == "timer"
        and system.executors[str(thread.executor)].kind in TIMERS_MADE_EARLY
        for thread in system.threads.values()
    )


def _relies_on_start(system: System) -> bool:
    """Whether some thread waits for messages of several threads that are released by time: how long
    chains and histories rest on it, and how often it runs if it takes them by number."""
    asked = bool(system.chains or system.histories)
    return any(
        thread.joins
        and thread.arrival is None
        and (asked or thread.synchronizer is None)
        and len(_sources(system, name)) > 1
        for name, thread in system.threads.items()
    )


def _sources(system: System, name: str) -> set[str]:
    """The threads released by time that a job may stem from."""
    found, seen, ahead = set(), {name}, [name]
    while ahead:
        one = ahead.pop()
        thread = system.threads[one]
        if thread.arrival is not None:
            found.add(one)
            continue
        before = [writer for topic in thread.topics for writer in system.writers.get(topic, ())]
        for other in (*before, *thread.follows):
            if other not in seen:
                seen.add(other)
                ahead.append(other)
    return found
