"""When a job hands over what it publishes, and how long it takes at the least (lemma
program-order); what reaches readers of its process without a listener (definitions direct-messages
and local-readers)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.models.executors import Executor
from ddsrta.models.fastdds import least_sends
from ddsrta.models.handing_over import handed_over
from ddsrta.models.reservations import copies_cost, own_cost, sending_costs, supply_of
from ddsrta.models.system import EPSILON, Middleware, Publication, System, Thread
from ddsrta_kernel.problem import UNBOUNDED


def least_time(system: System, thread: Thread) -> int:
    """The least execution time of a job without what it sends."""
    best = EPSILON if thread.bcet is None else thread.bcet
    return best + system.taking_cost(thread).best


class Sending(NamedTuple):
    """Where a job is in its publications: the least time so far, the longest that the sends to come
    still take, and the shortest that a whole job takes. Without program order none of it counts.

    Behind an alternative, of the name `one_of`, they are what comes behind it and its others:
    before all of these it was `before`, and it is `left` behind the dearest so far."""

    ordered: bool
    done: int
    rest: int
    shortest: int
    left: int
    before: int = 0
    one_of: str | None = None

    @classmethod
    def of(cls, system: System, thread: Thread, ordered: bool) -> Sending:
        """At the start of a job."""
        best = earliest = 0
        for publication in thread.publishes:
            if system.readers(publication.topic) and publication.part is None:
                earliest = max(earliest, handed_over(system, thread, publication))
                best += least_sending(system, thread, publication)
        shortest = max(least_time(system, thread) + best, earliest)
        worst = sum(sending_costs(system, thread).values()) if ordered else 0
        return cls(ordered, 0, worst, shortest, worst)

    def least(self, system: System, thread: Thread, publication: Publication) -> int:
        """The least time from the arrival of the job to the start of a publication."""
        return max(self.done, handed_over(system, thread, publication))

    def after(self, system: System, thread: Thread, publication: Publication) -> Sending:
        """After a publication."""
        if not self.ordered:
            return self
        done = self.done
        if publication.part is None:
            done = self.least(system, thread, publication)
            done += least_sending(system, thread, publication)
        other = publication.one_of is not None and publication.one_of == self.one_of
        before = self.before if other else self.left
        rest = before - own_cost(system, thread, publication)
        left = min(self.left, rest) if other else rest
        return Sending(True, done, rest, self.shortest, left, before, publication.one_of)

    def one_by_one(
        self, system: System, publication: Publication, readers: int
    ) -> tuple[int, int] | None:
        """How many copies of a message leave one by one, and how long one takes at most; None where
        not each job sends it, or not in order."""
        is_sure = self.ordered and publication.part is None and publication.one_of is None
        if publication.mode == "sync" and not is_sure:
            return None
        return readers, system.sending_cost(publication).worst


def least_sending(system: System, thread: Thread, publication: Publication) -> int:
    """The least that a job takes to send by itself what it does not leave out."""
    if publication.mode != "sync":
        return 0
    each = system.local_cost(thread, publication.topic).best if system.processes else 0
    if readers := len(system.receivers(thread, publication.topic)):
        each += least_sends(system, readers) * system.sending_cost(publication).best
    return publication.count * each


def still_takes(system: System, server: tuple[str, str], work: int, cost: int) -> int:
    """How long a thread takes at least for the last work of a unit that costs so much, where its
    supply gives no more than it must (lemma reserved-rest).

    >>> from ddsrta.examples import two_threads
    >>> still_takes(two_threads(), ("threads", "sensor"), 4, 9)
    4
    """
    if not work:
        return work
    thing: Thread | Executor | Middleware = getattr(system, server[0])[server[1]]
    supply = supply_of(system, thing)
    if supply is None or (thing.reservation is not None and cost <= supply.budget):
        return work  # a budget that is enough for each job is there at once (deadline-servers)
    periods, rest = divmod(work, supply.budget)
    return min(UNBOUNDED, periods * supply.period + rest)


def by_job(
    system: System, thread: Thread, publication: Publication, sending: Sending, rest: int
) -> Iterator[tuple[str, int, int]]:
    """Each reader that has it from the job: the least time until then, and what the job sends by
    itself after it; `rest` is what it sends after the publication."""
    for reader in system.neighbours(thread, publication.topic):
        least, behind = sending.least(system, thread, publication), rest
        if system.is_local(thread, reader):
            if publication.mode == "async":
                continue  # behind its sample
            if sending.ordered:
                least += _reading(system, reader, publication.topic)
                behind += copies_cost(system, thread, publication)
        yield reader.name, least, behind


def by_sample(
    system: System, thread: Thread, topic: str, sent: int
) -> Iterator[tuple[str, int, int, int]]:
    """Each reader whose work a flow controller does, before all copies are `sent`, which takes so
    long at the least: the least time until then, the least of a whole sample, and by how much less
    they may be apart."""
    whole = sent + system.local_cost(thread, topic).best
    for reader in system.local_readers(thread, topic):
        least = _reading(system, reader, topic)
        yield reader.name, least, whole, whole - sent - least


def _reading(system: System, reader: Thread, topic: str) -> int:
    assert reader.subscribes is not None
    return system.listening_cost(reader.subscribes, topic).best
