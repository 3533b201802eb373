"""The plan of a system: its threads and topics as lines of numbers, for `harness/application`.

The programs of the harness are written in C and read no YAML. harness/README.md defines the format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.models.arrivals import Arrival, Periodic, Sporadic
from ddsrta.models.system import EPSILON, Middleware, Publication, System, Thread, Topic

_LEAST_SIZE = 32  # bytes: a message of the harness carries a few numbers
_MOST_OF_A_KIND = 1024
_LONGEST_NAME = 400  # bytes
_HISTORY = 500  # samples, where the topic has no depth of its own …
_HISTORY_BYTES = 32_000_000  # … and not more than this
_LARGEST_MESSAGE = 16_000_000
_MILLISECOND = 1_000_000


def plan(system: System) -> str:
    """The text of the plan; raises InputError for what real threads of the harness cannot do.

    >>> from ddsrta.examples import two_threads
    >>> print(*plan(two_threads()).splitlines()[:3], sep=chr(10))
    ddsrta-plan 1
    system two threads
    core 0 ecu/c0
    """
    problems = list(_problems(system))
    if problems:
        raise InputError(problems)
    lines = list(_lines(system))
    lines.append(f"end {len(lines)}")
    return "".join(f"{line}\n" for line in lines)


def _lines(system: System) -> Iterator[str]:
    cores, topics, threads = (
        _numbers(things) for things in (system.cores, system.topics, system.threads)
    )
    controllers, listeners = _numbers(system.flow_controllers), _numbers(system.listeners)
    yield "ddsrta-plan 1"
    yield f"system {_on_one_line(system.name)}"
    for path, index in cores.items():
        yield f"core {index} {path}"
    for name, topic in system.topics.items():
        size = max(int(topic.size), _LEAST_SIZE)
        yield f"topic {topics[name]} {size} {topic.priority} {_history(topic)} {name}"
    for name, made in system.flow_controllers.items():
        place = f"{controllers[name]} {cores[made.core]} {made.priority}"
        yield f"controller {place} {made.policy} {name}"
        if made.limit:
            yield f"limit {controllers[name]} {made.limit.bytes} {made.limit.period}"
    for name, made in system.listeners.items():
        yield f"listener {listeners[name]} {cores[made.core]} {made.priority} {name}"
    for thread in system.threads.values():
        yield from _thread_lines(thread, threads[thread.name], cores[thread.core])
    writers = count()
    for thread in system.threads.values():
        index = threads[thread.name]
        for publication in thread.publishes:
            sender = -1
            if publication.mode != "sync" and publication.flow_controller:
                sender = controllers[publication.flow_controller]
            ends = f"{index} {topics[publication.topic]} {sender}"
            yield from _publication_lines(publication, ends, next(writers))
        if thread.subscribes:
            listener = listeners[thread.subscribes.listener]
            for topic_name in dict.fromkeys(thread.subscribes.topics):
                yield f"subscribe {index} {topics[topic_name]} {listener}"
        for predecessor in thread.follows.threads if thread.follows else ():
            yield f"follow {index} {threads[predecessor]}"


def _publication_lines(publication: Publication, ends: str, writer: int) -> Iterator[str]:
    earliest = publication.earliest if publication.earliest > EPSILON else 0
    yield f"publish {ends} {publication.count} {earliest}"
    if publication.reserved:
        yield f"reserve {writer} {publication.reserved}"


def _thread_lines(thread: Thread, index: int, core: int) -> Iterator[str]:
    released_by = "timer" if thread.arrival else thread.activation
    yield f"thread {index} {core} {thread.priority} {thread.wcet} {released_by} {thread.name}"
    if isinstance(thread.arrival, Periodic):
        yield f"timer {index} {thread.arrival.period} {thread.arrival.jitter}"
    elif isinstance(thread.arrival, Sporadic):  # as often as it may be
        yield f"timer {index} {thread.arrival.distance} {thread.arrival.jitter}"


def _numbers(things: Iterable[str]) -> dict[str, int]:
    return {name: index for index, name in enumerate(things)}


def _on_one_line(text: str) -> str:
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())[:100] or "unnamed"


def _history(topic: Topic) -> int:
    return topic.history or max(4, min(_HISTORY, _HISTORY_BYTES // max(int(topic.size), 1)))


def _problems(system: System) -> Iterator[Diagnostic]:
    for kind in ("executors", "processes"):
        for name in getattr(system, kind):
            yield _problem(system, kind, name, "the harness runs threads of pure DDS only")
            break
    for path, core in system.cores.items():
        if core.reservation or core.partitions:
            yield Diagnostic(
                system.where("machines", core.machine, "cores", core.name),
                f"core {shown(path)} has reservations", "the harness cannot set them up",
            )  # fmt: skip
    for name, topic in system.topics.items():
        if int(topic.size) > _LARGEST_MESSAGE:
            yield _problem(system, "topics", name, "a message of the harness has at most 16MB")
    for kind in ("flow_controllers", "listeners"):
        middleware: dict[str, Middleware] = getattr(system, kind)
        for name, made in middleware.items():
            if made.reservation:
                yield _problem(system, kind, name, "the harness sets up no reservations")
            if made.limit and made.limit.period % _MILLISECOND:
                yield _problem(system, kind, name, "limits of Fast DDS have whole milliseconds")
    for thread in system.threads.values():
        yield from _thread_problems(system, thread)
    for kind in ("cores", "topics", "flow_controllers", "listeners", "threads"):
        yield from _naming_problems(system, kind)


def _thread_problems(system: System, thread: Thread) -> Iterator[Diagnostic]:
    if thread.reservation:
        yield _problem(system, "threads", thread.name, "the harness sets up no reservations")
    if thread.datagrams:
        what = "event threads are Fast DDS's own: a run has them anyway, leave it out"
        yield _problem(system, "threads", thread.name, what)
    if thread.nice is not None:
        yield _problem(system, "threads", thread.name, "the harness sets up SCHED_FIFO alone")
    if any(publication.part for publication in thread.publishes):
        what = "each job of the harness sends all that it publishes"
        yield _problem(system, "threads", thread.name, what)
    if thread.arrival and not _can_be_fired(thread.arrival):
        yield _problem(
            system, "threads", thread.name,
            "the harness releases threads by a period or a least distance",
        )  # fmt: skip


def _can_be_fired(arrival: Arrival) -> bool:
    """The releases of a jittery timer are random and so keep no least distance."""
    if isinstance(arrival, Periodic):
        return arrival.jitter == 0 or arrival.min_distance == 0
    return isinstance(arrival, Sporadic)


def _naming_problems(system: System, kind: str) -> Iterator[Diagnostic]:
    things = getattr(system, kind)
    if len(things) > _MOST_OF_A_KIND:
        yield Diagnostic(None, f"{len(things)} {kind}: the harness runs at most {_MOST_OF_A_KIND}")
    for name in things:
        if not name.isprintable() or len(name.encode()) > _LONGEST_NAME:
            yield _problem(system, kind, name, "a plan has short, printable names")


def _problem(system: System, kind: str, name: str, reason: str) -> Diagnostic:
    return Diagnostic(system.where(kind, name), f"{shown(name)} cannot be run", reason)
