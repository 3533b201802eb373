"""What must be true of synchronizers: that there is something to put together, and that it fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.graph import Hop, inputs
from ddsrta.models.system import System, Thread

_PAIR = 2  # the mtd algorithm compares two topics


class Origin(NamedTuple):
    """The thread released by time whose job a message stems from, and how many messages a job of it
    brings here at most, all with the stamp of that job."""

    thread: str
    messages: int


def origins(system: System) -> dict[str, Origin | None]:
    """Where the jobs of each thread stem from; None where from jobs of several threads.

    >>> from ddsrta.examples import two_threads
    >>> origins(two_threads())["control"]
    Origin(thread='sensor', messages=1)
    """
    found: dict[str, Origin | None] = {}
    for start in system.threads:
        stack = [start]
        while stack:
            if stack[-1] in found:
                stack.pop()
                continue
            thread = system.threads[stack[-1]]
            before = [] if thread.arrival is not None else inputs(system, thread)
            missing = {hop.source for hop in before} - found.keys()
            if missing:
                stack += sorted(missing)
                continue
            found[thread.name] = _origin(system, thread, before, found)
            stack.pop()
    return found


def _origin(
    system: System, thread: Thread, before: list[Hop], found: dict[str, Origin | None]
) -> Origin | None:
    """A thread of several inputs passes a stamp on if it waits for all messages of one job."""
    if thread.arrival is not None:
        return Origin(thread.name, 1)
    by_number = thread.synchronizer is None or thread.synchronizer.keeps_numbers
    if len(before) > 1 and not (thread.activation == "and" and by_number):
        return None
    one = {message_origin(system, hop, found) for hop in before}
    return one.pop() if len(one) == 1 else None


def message_origin(system: System, hop: Hop, jobs: Mapping[str, Origin | None]) -> Origin | None:
    """The same of the messages of a hop, given that of jobs."""
    one = jobs[hop.source]
    published = system.threads[hop.source].publishes
    count = next((each.count for each in published if each.topic == hop.topic), 1)
    return None if one is None else Origin(one.thread, one.messages * count)


def synchronizer_problems(system: System) -> Iterator[Diagnostic]:
    """All of them; the rest of the system is known to be right."""
    if any(thread.synchronizer is not None for thread in system.threads.values()):
        known = origins(system)
        for thread in system.threads.values():
            if thread.synchronizer is not None:
                yield from _problems(system, thread, known)


def _problems(
    system: System, thread: Thread, known: Mapping[str, Origin | None]
) -> Iterator[Diagnostic]:
    assert thread.synchronizer is not None
    policy = thread.synchronizer.policy
    where = system.where("threads", thread.name, "subscribes", "synchronize")
    topics = thread.synchronized_topics
    followed = thread.follows.threads if thread.follows else ()
    by_messages = not followed or (
        thread.entity == "inline" and all(name.startswith(f"{thread.name}/") for name in followed)
    )
    if thread.arrival is not None:
        advice = "it samples the newest message of each: remove 'synchronize', or what releases it"
        yield Diagnostic(where, f"'{thread.name}' is released by time", advice)
    elif len(topics) < _PAIR:
        yield Diagnostic(where, "one topic alone has nothing to be synchronized with",
                         "name several topics")  # fmt: skip
    elif thread.activation != "and":
        yield Diagnostic(where, "a synchronizer waits for all its topics", "say 'activation: and'")
    elif not by_messages or any(name not in system.topics for name in topics):
        yield Diagnostic(where, "a synchronizer puts messages together: 'follows' brings none",
                         "remove 'follows'")  # fmt: skip
    elif policy == "mtd" and len(topics) != _PAIR:
        yield Diagnostic(where, f"mtd compares two topics, not {len(topics)}",
                         "use approximate_time")  # fmt: skip
    elif policy == "latest" and thread.synchronizer.queue is not None:
        yield Diagnostic(system.where("threads", thread.name, "subscribes", "queue"),
                         "latest keeps one message of each topic", "remove 'queue'")  # fmt: skip
    elif policy == "exact_time":
        yield from _stamps(system, thread, known)


def _stamps(
    system: System, thread: Thread, known: Mapping[str, Origin | None]
) -> Iterator[Diagnostic]:
    """Messages that stem from jobs of different threads never have the same stamp."""
    found: dict[str, str] = {}
    for topic, hop in zip(thread.synchronized_topics, inputs(system, thread), strict=False):
        one = message_origin(system, hop, known)
        if one is not None:
            found.setdefault(one.thread, topic)
    if len(found) > 1:
        (first, this), (other, that) = list(found.items())[:2]
        yield Diagnostic(
            system.where("threads", thread.name, "subscribes", "synchronize"),
            f"'{thread.name}' never runs: the stamps of '{this}' are releases of '{first}', those "
            f"of '{that}' of '{other}', and exact_time wants equal ones",
            "use approximate_time, or let one thread release both",
        )
