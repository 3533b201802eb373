"""What the bounds of a system rest on. The checker has a list of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ddsrta.base.priorities import FAIR
from ddsrta.bounds.evidence.middleware import (
    delivered,
    done_by_senders,
    event_threads,
    listeners_find_locks_free,
    received_by_listeners,
    received_by_one_thread,
    received_whole,
    taken_as_they_come,
    taken_in_order,
    written_apart,
)
from ddsrta.bounds.evidence.provisional import provisional
from ddsrta.bounds.placement import WORKERS
from ddsrta.bounds.queues.overflow import Place
from ddsrta.bounds.refinements import Refinements
from ddsrta.models.assumptions import Assumption
from ddsrta.models.fastdds import participant, senders
from ddsrta.models.graph import inputs
from ddsrta.models.groups import pool_of
from ddsrta.models.reservations import servers
from ddsrta.models.system import System, Thread, moving

_MOST_NAMED = 4
FLOW = ("jobs", "one_of", "min_separation", "rounds")
_PATIENCE = (
    "Fast DDS is built without STRICT_REALTIME, or no write() waits for locks as long as the "
    "max_blocking_time of its writer (100 ms, if it is not set): it would give up, and the "
    "message be lost"
)
_OF_SETS = {
    "stamps": "the messages that {!r} waits for carry the release of the job that they stem "
    "from as their stamp, by one clock, and pass it on unchanged (a job that reads the "
    "clock as it runs stamps later: sets are others then, and may come later)",
    "first-messages": "no topic brings {!r} its second message before each that stands ahead of "
    "it has brought its first (LatestTime of message_filters reads and writes beyond the rates "
    "that it has then)",
}
_SHORT_LOCKS = (
    "nobody is kept from running while it has one of the locks that Fast DDS takes for a moment "
    "and the model does not know, or nobody else wants it then: of the payloads of a topic in a "
    "process, of the conditions of a reader, of the buffers to send with, of what a participant "
    "knows of others"
)


def assumptions(system: System, places: Sequence[Place] = ()) -> tuple[Assumption, ...]:
    """All that has to be true of what runs, in the order of the file; `places` are where messages
    wait, and how many, by the bounds.

    >>> from ddsrta.examples import two_threads
    >>> assumptions(two_threads())
    ()
    """
    found = [
        *_locks_of_queues(system),
        *_sent(system),
        *written_apart(system),
        *_budgeted(system),
        *_supplied(system),
        *_fair(system),
        *_shared_fairly(system),
        *_moved(system),
        *delivered(system),
        *received_by_listeners(system),
        *received_by_one_thread(system),
        *received_whole(system),
        *done_by_senders(system),
        *taken_as_they_come(system),
        *_copied(system),
        *_flow(system),
        *_links(system),
        *_shared(system),
        *_followed(system),
        *provisional(system),
        *_executed(system),
        *_stamped(system),
        *_started(system),
        *taken_in_order(system, places),
        *listeners_find_locks_free(system, places),
        *_kept(system, places),
        *_roomy(system, places),
    ]
    return tuple(sorted(found, key=lambda each: (each.position or ("", 0, 0), each.rule)))


def _supplied(system: System) -> Iterator[Assumption]:
    """What is taken of cores that are there for a part of the time only."""
    if any(core.reservation or core.partitions for core in system.cores.values()):
        from ddsrta.bounds.evidence.supplied import supplied

        yield from supplied(system)


def _budgeted(system: System) -> Iterator[Assumption]:
    """What is taken of SCHED_DEADLINE (lemmas deadline-servers, fresh-budgets, waking-budgets)."""
    for core, ((_, thing), *_) in islice(servers(system).items(), 1):
        kind = next(one for one in WORKERS if getattr(system, one).get(thing.name) is thing)
        yield Assumption(
            "deadline-servers",
            f"threads of SCHED_DEADLINE as {thing.name!r} sleep but for their jobs, and have a "
            f"whole budget for the first; {core}, at full frequency, keeps budgets exactly "
            "(HRTICK_DL, no SCHED_FLAG_RECLAIM), with no other of that class, as a fair server",
            system.where(kind, thing.name, "reservation"),
        )


def _fair(system: System) -> Iterator[Assumption]:
    """What is taken of SCHED_OTHER (lemma fair-threads)."""
    cores: dict[str, tuple[str, str]] = {}
    for thread in (each for each in system.threads.values() if each.priority == FAIR):
        for core in pool.cores if (pool := pool_of(system, thread)) else (thread.core,):
            cores.setdefault(core, thread.server)
    for core, thing in islice(cores.items(), 1):
        others = f" (and {len(cores) - 1} more)" if len(cores) > 1 else ""
        yield Assumption(
            "fair-threads",
            f"core {core}{others} has no threads of SCHED_OTHER but those that are said, pinned to "
            "it, and none of the kernel's; no control group limits them (cpu.max); their timers "
            "have no slack (as it comes, Linux lets each be 50 us late); and nothing takes time "
            "from SCHED_FIFO for them: neither a fair server nor sched_rt_runtime_us",
            system.where(*thing, "policy"),
        )


def _shared_fairly(system: System) -> Iterator[Assumption]:
    """What is taken of the shares of SCHED_OTHER (lemma fair-share)."""
    ticking = {path for path, core in system.cores.items() if core.tick is not None}
    if not ticking:
        return
    from ddsrta.models.fair import fair_things

    for kind, thing in fair_things(system):
        if ticking.isdisjoint(thing.cores or (thing.core,)):
            continue
        yield Assumption(
            "fair-share",
            f"on the core of {thing.name!r}, as on others of SCHED_OTHER with a tick, Linux 6.6 or "
            "later picks by virtual deadlines (RUN_TO_PARITY or not, no NEXT_BUDDY, no sched_ext) "
            "and, where a thread waits, again no later than a slice and a tick after; slices are "
            "no longer than they say (base_slice_ns: 3 ms), nice values stay, and virtual time is "
            "not rounded; its threads are of one control group (and no autogroups), give nothing "
            "up by sched_yield, and sleep but when a job is done and none waits",
            system.where(kind, thing.name, "policy"),
        )
        return


def _moved(system: System) -> Iterator[Assumption]:
    """What is taken of threads that move (definition core-sets)."""
    for one in islice(moving(system), 1):
        kind = "threads" if isinstance(one, Thread) else "executors"
        whose = "threads as" if isinstance(one, Thread) else "the threads of"
        yield Assumption(
            "core-sets",
            f"Linux moves {whose} {one.name!r} between {', '.join(one.cores)} at once, in "
            "no time that is not in their wcet (one scheduling domain, nothing that waits with "
            "migrate_disable), and no other thread of a real-time priority runs there",
            system.where(kind, one.name, "cores"),
        )


def _copied(system: System) -> Iterator[Assumption]:
    """Declared orders of copies, where a message has several."""
    declared = [name for name, topic in system.topics.items() if topic.copies != "unknown"]
    if not declared or not Refinements().of(system).copies:
        return
    several = [
        name
        for name in declared
        if any(len(system.receivers(writer, name)) > 1 for writer in system.writers(name))
    ]
    if several:
        others = f" (and {len(several) - 1} more)" if several[1:] else ""
        yield Assumption(
            "copies",
            f"the copies of each message on topic {several[0]!r}{others} leave in the order that "
            "'copies' declares ('copies: unknown' if the middleware may have another)",
            system.where("topics", several[0], "copies"),
        )


def _flow(system: System) -> Iterator[Assumption]:
    """What is said of how many jobs send a message, or instead of what, or how often round."""
    said = [
        (thread, index, one)
        for thread in system.threads.values()
        for index, one in enumerate(thread.publishes)
        if one.part is not None
    ]
    for thread, index, one in said[:1]:
        others = f" (and {len(said) - 1} more)" if said[1:] else ""
        kinds = [kind for kind in FLOW if any(getattr(each, kind) is not None for *_, each in said)]
        words = ", ".join(f"'{kind}'" for kind in kinds) + f" allow{'s' * (len(kinds) == 1)}"
        yield Assumption(
            "message-flow",
            f"jobs of {thread.name} send {one.topic!r}{others} no more often than {words} "
            "(a trace shows it of one run only)",
            system.where("threads", thread.name, "publishes", index),
        )


def _links(system: System) -> Iterator[Assumption]:
    """Order on links whose delay varies, where messages use them."""
    used = {
        (system.machine_of(thread.core), system.machine_of(reader.core))
        for thread in system.threads.values()
        for publication in thread.publishes
        for reader in system.receivers(thread, publication.topic)
    }
    for index, (ends, link) in enumerate(system.links.items()):
        if link.ordered and link.best < link.delay and ends in used:
            yield Assumption(
                "link-order",
                f"on the network from {link.source} to {link.target}, messages of one publisher on "
                "one topic keep their order on the way to a reader ('ordered: false' if they may "
                "not)",
                system.where("network", index),
            )


def _shared(system: System) -> Iterator[Assumption]:
    """What holds of shared links."""
    for name, medium in system.media.items():
        message = f"of link {name!r}: {medium.rules.assumption}"
        yield Assumption("shared-link", message, system.where("links", name))


def _followed(system: System) -> Iterator[Assumption]:
    """Order behind `follows` whose delay varies."""
    for thread in system.threads.values():
        follows = thread.follows
        if follows and follows.ordered and follows.best < follows.delay:
            yield Assumption(
                "link-order",
                f"{thread.name} hears of the jobs of a thread that it follows in the order of "
                "their ends ('ordered: false' if it may not)",
                system.where("threads", thread.name, "follows"),
            )


def _kept(system: System, places: Sequence[Place]) -> Iterator[Assumption]:
    """That nothing is lost where queues may overflow."""
    topics = list(dict.fromkeys(key[2] for place in places if place.loses for key in place.keys))
    if not topics:
        return
    named = next(name for name in system.topics if name in topics)
    others = f" (and {len(topics) - 1} more)" if topics[1:] else ""
    yield Assumption(
        "no-overflow",
        f"no queue or history loses messages of topic '{named}'{others}, though more may wait than "
        "it has room for, or the model does not bound how many: a lost message has no latency "
        "(compare 'queues', and enlarge it)",
        system.where("topics", named),
    )


def _roomy(system: System, places: Sequence[Place]) -> Iterator[Assumption]:
    """That there is room where several messages may wait, and nobody said for how many."""
    most: dict[str, Place] = {}
    for place in sorted((one for one in places if one.open), key=_count, reverse=True):
        most.setdefault(place.what, place)
    if not most:
        return
    named = [
        f"{'any number' if place.waiting is None else place.waiting} in {what}"
        for what, place in islice(most.items(), _MOST_NAMED)
    ]
    others = f", and in {len(most) - len(named)} more" if len(most) > len(named) else ""
    yield Assumption(
        "no-overflow",
        f"there is room for all that wait where no 'queue' or 'history' says how many: "
        f"{', '.join(named)}{others}",
        system.where(*next(iter(most.values())).where),
    )


def _count(place: Place) -> tuple[bool, int]:
    return place.waiting is None, place.waiting or 0


def _stamped(system: System) -> Iterator[Assumption]:
    """That sets are chosen by releases (definition message-stamps), where stamps choose them; else
    that none is asked for too soon (lemma latest-sets)."""
    said: set[str] = set()
    for name, thread in system.threads.items():
        if thread.synchronizer is None:
            continue
        rule = "first-messages" if thread.synchronizer.policy == "latest" else "stamps"
        if rule not in said:
            said.add(rule)
            where = system.where("threads", name, "subscribes", "synchronize")
            yield Assumption(rule, _OF_SETS[rule].format(name), where)


def _started(system: System) -> Iterator[Assumption]:
    """That sources begin together, where a thread waits for messages of several."""
    asked = system.chains or any(topic.history is not None for topic in system.topics.values())
    for name, thread in system.threads.items():
        if thread.activation != "and" or thread.arrival is not None:
            continue
        if thread.synchronizer and not asked:  # others, how often they run rests on it
            continue
        if len(_sources(system, thread)) > 1:
            yield Assumption(
                "common-start",
                f"the threads released by time whose messages {name!r} waits for begin together: "
                "the first release of each is within one period and its jitter of a common start "
                "(if one begins later, as on a machine that boots later, it waits longer, and its "
                "jobs come closer together)",
                system.where("threads", name),
            )
            return


def _sources(system: System, thread: Thread) -> set[str]:
    """The threads released by time that its jobs stem from."""
    found: set[str] = set()
    known = {thread.name}
    waiting = [thread]
    while waiting:
        one = waiting.pop()
        if one.arrival is not None:
            found.add(one.name)
            continue
        before = dict.fromkeys(hop.source for hop in inputs(system, one) if hop.source not in known)
        known.update(before)
        waiting += [system.threads[name] for name in before]
    return found


def _executed(system: System) -> Iterator[Assumption]:
    """What executors rest on, where there are some."""
    if system.executors:
        from ddsrta.bounds.evidence.executors import of_executors

        yield from of_executors(system)


def _locks_of_queues(system: System) -> Iterator[Assumption]:
    if system.fastdds is not None:
        from ddsrta.bounds.evidence.queue_locks import of_queues

        yield from of_queues(system)


def _sent(system: System) -> Iterator[Assumption]:
    """What Fast DDS may do besides, when it sends: give up, wait for buffers, or send of itself."""
    if system.fastdds is None or not any(senders(system)):
        return
    where = system.where("middleware")
    yield Assumption("write-timeout", _PATIENCE, where)
    yield Assumption("event-thread", event_threads(system), where)
    yield Assumption("short-locks", _SHORT_LOCKS, where)
    writing: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
    for thread, controller in senders(system):
        if controller is None:
            writing.setdefault(participant(system, thread), {})[thread.server] = None
    for (kind, name), threads in writing.items():
        if len(threads) > 1 and system.fastdds.send_buffers == "fixed":
            yield Assumption(
                "send-buffers",
                f"the participant of {kind} {name!r} has a buffer for each of the {len(threads)} "
                "threads that publish synchronously ('send_buffers: dynamic', if it makes more "
                "where they are all in use)",
                where,
            )
            return
