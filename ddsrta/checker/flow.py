"""What waits for one of each where jobs may leave some messages out: numbers do not match there."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.checker.reading import shown
from ddsrta.checker.things import System

Left = tuple[str, ...]  # who leaves messages out; empty: nobody


def left_out(system: System) -> Iterator[str]:
    """What is not taken, one sentence each (note left-out)."""
    partial = {
        (name, topic)
        for name, thread in system.threads.items()
        for topic, publication in thread.publishes.items()
        if publication.part is not None
    }
    jobs: dict[str, Left] = dict.fromkeys(system.threads, ())
    for _ in system.threads:  # a circle has no end, and is refused elsewhere
        before = dict(jobs)
        for name, thread in system.threads.items():
            left = [*_arriving(system, name, partial, jobs)] if not thread.arrival else []
            mixed = len(left) > 1 and not thread.joins
            if any(left):
                jobs[name] = (name,) if mixed or len(set(left)) > 1 else left[0]
        if jobs == before:
            break
    for name, thread in system.threads.items():
        arriving = set(_arriving(system, name, partial, jobs))
        matches = thread.joins and any(arriving) and thread.arrival is None
        if matches and (len(arriving) > 1 or thread.synchronizer is not None):
            yield f"{shown(name)} waits for one of each, of which jobs leave some out"
    for name, order in system.orders.items():
        if any(_arriving(system, order.subscriber, partial, jobs)):
            yield f"order {shown(name)} is of messages that jobs leave out"


def _arriving(
    system: System, name: str, partial: set[tuple[str, str]], jobs: dict[str, Left]
) -> Iterator[Left]:
    """What each input of a thread leaves out."""
    thread = system.threads[name]
    for topic in thread.topics:
        for writer in system.writers.get(topic, ()):
            yield (writer, topic) if (writer, topic) in partial else jobs[writer]
    yield from (jobs[other] for other in thread.follows)
