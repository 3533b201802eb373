"""Whether the cores and queues are enough, by the loads and backlogs of a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from ddsrta.base.units import Size, format_rate, format_size
from ddsrta.bounds.findings.places import listed, sent_by
from ddsrta.bounds.findings.rules import finding
from ddsrta.bounds.findings.scheduling import UNTHROTTLING
from ddsrta.bounds.result import Finding, QueueResult
from ddsrta.models.senders import Name, policy_of, senders
from ddsrta.models.system import Publication, System, Thread
from ddsrta.policies.policy import Sender

_FULL = 1 + 1e-9  # a load is a float for people to read: allow for its last digits
_THROTTLED = 0.95 + 1e-9
_STRETCHED = 4  # times its size: a row that is far from a message
_NAMED = 3  # of what takes most of a link
_DATAGRAM = Size(65_000)  # bytes, about what Fast DDS fills before it sends


def coarse_delays(system: System) -> Iterator[Finding]:
    """Messages that take the time of much larger ones, as no row is nearer."""
    found: dict[tuple[str, str], dict[str, None]] = {}

    def ask(table: str, topic: str) -> None:
        size = system.topics[topic].size
        for (_, below), (larger, cost) in pairwise(system.delays.around(table, size)):
            if int(larger) >= _STRETCHED * int(size) and cost.worst >= 2 * below.worst:
                text = f"{topic!r} ({format_size(size)})"
                found.setdefault((table, format_size(larger)), {})[text] = None

    for thread in system.threads.values():
        for sent in thread.publishes:
            readers = system.receivers(thread, sent.topic)
            if readers and sent.cost is None:
                ask(sent.table, sent.topic)
            local = system.local_readers(thread, sent.topic)
            if any(one.subscribes and one.subscribes.cost is None for one in (*readers, *local)):
                ask("listener", sent.topic)
    for (table, larger), topics in found.items():
        first, *more = topics
        others = f" and {len(more)} more take" if more else " takes"
        yield finding(
            system,
            "coarse-delays",
            ("delays", table),
            f"{first}{others} as long as {larger} here, as no row is nearer; add one, or give a "
            "'delay'",
        )


def core_load(system: System, cores: Mapping[str, float]) -> Iterator[Finding]:
    """More than a core supplies, or more than Linux leaves to real-time threads."""
    for path, load in cores.items():
        core = system.cores[path]
        where = ("machines", core.machine, "cores", core.name)
        if load > _FULL:
            yield finding(
                system,
                "core-load",
                where,
                f"{path} is loaded {100 * load:.1f} % of what it supplies: something on it has no "
                "bound; move work to another core, or make it rarer",
            )
        elif load > _THROTTLED and not core.partitions and not core.reservation:
            yield finding(
                system,
                "core-load",
                where,
                f"{path} is loaded {100 * load:.1f} %, and Linux stops SCHED_FIFO threads at 95 % "
                f"by default, which no bound counts; set {UNTHROTTLING}, or move work",
                severity="warning",
            )


def link_load(system: System, links: Mapping[str, Mapping[str, float]]) -> Iterator[Finding]:
    """More than a shared link can send; what takes most of it is named."""
    for name, parts in links.items():
        load = sum(parts.values())
        if load > _FULL:
            most = sorted(parts, key=lambda sent: -parts[sent])[:_NAMED]
            told = ", ".join(f"{sent} ({100 * parts[sent]:.1f} %)" for sent in most)
            whom = "taken by" if len(most) == len(parts) else "of which most is taken by"
            yield finding(
                system,
                "link-load",
                ("links", name),
                f"link {name} is loaded {100 * load:.1f} %, {whom} {told}: the least urgent of it "
                "has no bound; send less, or more rarely, or over another link",
            )


def link_rate(system: System) -> Iterator[Finding]:
    """Faster than what can be bought: most likely the second rate of CAN FD."""
    for name, medium in system.media.items():
        if 0 < medium.rules.fastest < int(medium.rate):
            yield finding(
                system,
                "link-rate",
                ("links", name, "rate"),
                f"link {name} sends {format_rate(medium.rate)}, and no {medium.kind} bus "
                f"arbitrates above {format_rate(medium.rules.fastest)}: write the rate of the "
                "arbitration; a faster one for the payload is the 'data_rate' of kind can_fd",
            )


def queue_overflow(system: System, backlog: Mapping[str, QueueResult]) -> Iterator[Finding]:
    """Queues of flow controllers, listeners and readers, and histories of asynchronous writers."""
    sent, brought = sent_by(system), senders(system)
    for name in system.flow_controllers:
        if name in backlog:
            streams = _streams(backlog[name], sent.get(name, []))
            yield from _controller(system, name, streams, brought[name])
            yield from _writers(system, name, streams)
    for name, listener in system.listeners.items():
        if name in backlog and _exceeds(backlog[name].backlog, listener.queue):
            waiting = _count(backlog[name].backlog)
            yield finding(
                system,
                "queue-overflow",
                ("listeners", name, "queue"),
                f"{waiting} messages can wait at listener '{name}', whose socket holds "
                f"{listener.queue}: the rest is lost; enlarge its receive buffer",
            )
    yield from _readers(system, backlog)


_Streams = list[tuple[Thread, Publication, int | None]]


def _streams(queue: QueueResult, sent: list[tuple[Thread, Publication]]) -> _Streams:
    """The backlog of each publication in a controller; streams are named 'thread → topic'."""
    found: _Streams = []
    for thread, publication in sent:
        name = f"{thread.name} → {publication.topic}"
        if name in queue.streams:
            found.append((thread, publication, queue.streams[name]))
    return found


def _exceeds(backlog: int | None, capacity: int | None) -> bool:
    return capacity is not None and (backlog is None or backlog > capacity)


def _count(backlog: int | None) -> str:
    return "any number of" if backlog is None else str(backlog)


def _controller(
    system: System, name: str, streams: _Streams, brought: Mapping[Name, Sender]
) -> Iterator[Finding]:
    """The samples of a queue, of which its policy may have several."""
    controller = system.flow_controllers[name]
    policy, queues = policy_of(system, name), dict[int, list[int | None]]()
    for thread, publication, waiting in streams:
        queue = policy.queue(brought[thread.name, publication.topic])
        queues.setdefault(queue, []).append(waiting)
    totals = [_total(parts) for parts in queues.values()]
    over = [total for total in totals if _exceeds(total, controller.queue)]
    if over:
        most = None if None in over else max(total for total in over if total is not None)
        yield finding(
            system,
            "queue-overflow",
            ("flow_controllers", name, "queue"),
            f"{_count(most)} samples can wait in a queue of flow controller '{name}', which holds "
            f"{controller.queue}: some are lost; enlarge it",
        )


def _total(parts: list[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _writers(system: System, controller: str, streams: _Streams) -> Iterator[Finding]:
    """A sample stays in the history of its writer until it is sent."""
    for thread, publication, waiting in streams:
        history = system.topics[publication.topic].history
        if _exceeds(waiting, history):
            yield finding(
                system,
                "queue-overflow",
                ("topics", publication.topic, "history"),
                f"{_count(waiting)} samples of '{publication.topic}' by '{thread.name}' can wait "
                f"for '{controller}', and its history holds {history}: KEEP_LAST drops the "
                "oldest, and write() waits for the send in progress; enlarge the history",
            )


def _readers(system: System, backlog: Mapping[str, QueueResult]) -> Iterator[Finding]:
    """Messages that no job has taken yet wait in the history of the reader, 'thread < topic'."""
    for thread in system.threads.values():
        for topic in thread.subscribes.topics if thread.subscribes else ():
            names = (f"{thread.name} < {topic}", f"{thread.name} < {topic}, directly")
            history = system.topics[topic].history
            for queue in (backlog[n] for n in names if n in backlog):
                if not _exceeds(queue.backlog, history):
                    continue
                yield finding(
                    system,
                    "queue-overflow",
                    ("topics", topic, "history"),
                    f"{_count(queue.backlog)} messages of '{topic}' can wait for '{thread.name}', "
                    f"and its history holds {history}: KEEP_LAST drops the oldest, so jobs "
                    "miss messages; enlarge the history",
                )


def sample_batches(system: System, backlog: Mapping[str, QueueResult]) -> Iterator[Finding]:
    """Consecutive samples of a writer share a datagram, so that blocking is not one sample."""
    if system.fastdds is not None:
        return  # counted (lemma sleeping-window)
    brought = senders(system)
    for name, sent in sent_by(system).items():
        policy = policy_of(system, name)
        if not policy.of_fast_dds or name not in backlog:
            continue
        mine = brought[name]
        queues = {policy.queue(sender): sender for sender in mine.values()}  # one of each is enough
        blocking = [
            publication.topic
            for thread, publication, waiting in _streams(backlog[name], sent)
            if (waiting is None or waiting > 1)
            and system.topics[publication.topic].size < _DATAGRAM
            and len(mine) > 1
            and (sender := mine.get((thread.name, publication.topic)))
            and any(policy.holds_before(sender, other) for other in queues.values())
        ]
        if blocking:
            others = "more urgent topics" if policy.by_priority else "others"
            yield finding(
                system,
                "sample-batches",
                ("flow_controllers", name, "policy"),
                f"several samples of {listed(list(dict.fromkeys(blocking)))} can wait in '{name}': "
                "Fast DDS sends those of a writer together, about 64 kB at a time, and "
                f"{others} wait for all of it, where bounds without 'middleware' count one; "
                "publish fewer at once, or use another flow controller",
            )
