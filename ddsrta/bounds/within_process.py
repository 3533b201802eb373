"""What reaches readers of the same process without a listener (definitions direct-messages and
local-readers)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.bounds.sending import Sending
from ddsrta.models.costs import Cost
from ddsrta.models.reservations import copies_cost
from ddsrta.models.system import Publication, System, Thread


def by_job(
    system: System, thread: Thread, publication: Publication, sending: Sending, rest: int
) -> Iterator[tuple[str, int, int]]:
    """Each reader that has it from the job: the least time until then, and what the job sends by
    itself after it; `rest` is what it sends after the publication."""
    for reader in system.neighbours(thread, publication.topic):
        least, behind = sending.least(publication), rest
        if system.is_local(thread, reader):
            if publication.mode == "async":
                continue  # behind its sample
            if sending.ordered:
                least += _reading(system, reader, publication.topic)
                behind += copies_cost(system, thread, publication)
        yield reader.name, least, behind


def by_sample(
    system: System, thread: Thread, topic: str, sent: Cost
) -> Iterator[tuple[str, int, int, int]]:
    """Each reader whose work a flow controller does, before what all copies take: the least time
    until then, the least of a whole sample, and by how much less they may be apart."""
    whole = sent.best + system.local_cost(thread, topic).best
    for reader in system.local_readers(thread, topic):
        least = _reading(system, reader, topic)
        yield reader.name, least, whole, whole - sent.best - least


def _reading(system: System, reader: Thread, topic: str) -> int:
    assert reader.subscribes is not None
    return system.listening_cost(reader.subscribes, topic).best
