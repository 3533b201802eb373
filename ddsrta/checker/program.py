"""When a job hands over what it publishes, and when it is done at the earliest (definition
stage-graph)."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.checker.costs import local_cost, sending_cost, taking_cost
from ddsrta.checker.things import Cost, Place, Publication, Reservation, System


class Sending(NamedTuple):
    """A publication that somebody reads, as it comes in its job."""

    publication: Publication
    copies: int  # N_sub, 0 where it only goes to readers of the same process
    done: int  # the least time from the start of the job until it begins to leave
    rest: int  # what the job still sends by itself after it


class Program(NamedTuple):
    """All that a job publishes, in order, and its least time; `worst` is all its own sending."""

    sendings: tuple[Sending, ...]
    worst: int
    shortest: int

    def sending(self, topic: str) -> Sending:
        """The publication on a topic."""
        return next(one for one in self.sendings if one.publication.topic == topic)


def program(system: System, name: str) -> Program:
    """The program order of one thread."""
    thread = system.threads[name]
    done, before, best = 0, 0, thread.best + taking_cost(system, name).best
    if not thread.publishes:
        return Program((), 0, best)
    found: list[tuple[Publication, int, int]] = []
    spent = _Spent()
    until: list[int] = []  # own sending before and with each, at most
    for publication in thread.publishes.values():
        if not system.readers.get(publication.topic):
            continue
        copies = len(system.receivers(name, publication.topic))
        done, before, worst = done + before, 0, 0
        soonest = max(handed_over(system, name, publication), done)
        if publication.part is None:
            done = soonest
        if publication.controller is None:
            each = local_cost(system, name, publication.topic)
            if copies:
                cost = sending_cost(system, publication)
                # at the least (note lost-refinements)
                sends = 1 if system.fastdds else copies
                each = Cost(each.worst + copies * cost.worst, each.best + sends * cost.best)
            worst = publication.messages * each.worst
            before = 0 if publication.part else publication.messages * each.best
        best += before
        until.append(spent.with_next(publication.one_of, worst))
        found.append((publication, copies, soonest))
    sendings = tuple(
        Sending(publication, copies, when, spent.whole - until[number])
        for number, (publication, copies, when) in enumerate(found)
    )
    sure = (one for one, _, _ in found if one.part is None)
    earliest = max((handed_over(system, name, one) for one in sure), default=0)
    return Program(sendings, spent.whole, max(best, earliest))


def handed_over(system: System, name: str, publication: Publication) -> int:
    """When a job may hand over the first message: before its end, so that what is more urgent may
    come between, unless nothing is handed over behind it."""
    thread = system.threads[name]
    last = next(reversed(thread.publishes.values()))
    instead = publication.one_of is not None and publication.one_of == last.one_of
    if publication.messages == 1 and (publication is last or instead):
        readers = len(system.readers.get(publication.topic, ()))
        heard = len(system.receivers(name, publication.topic))
        if readers <= 1 or (publication.controller is not None and heard == readers):
            return publication.earliest
    return min(publication.earliest, max(1, thread.wcet - 1))


class _Spent:
    """What a job has sent by itself at most; of alternatives, which are neighbours, the dearest."""

    def __init__(self) -> None:
        self.name: str | None = None
        self.before = self.whole = 0

    def with_next(self, name: str | None, worst: int) -> int:
        """With one more publication, if that is sent."""
        if name is None or name != self.name:
            self.name, self.before = name, self.whole
        self.whole = max(self.whole, self.before + worst)
        return self.before + worst


def sooner(system: System, place: Place, left: int, cost: int) -> int:
    """How much sooner than its unit is done something leaves its thread (lemma reserved-rest): as
    long as what is left takes where the thread has no more of its core than it must, each whole
    budget a period. Not where threads sleep, nor where one budget of the thread's own is enough for
    all of the unit."""
    own = place.reservation
    if not left or (own and own.budget >= cost) or system.sleeps:
        return left
    supply = _supply(system, place)
    if supply is None:
        return left
    return left + left // supply.budget * (supply.period - supply.budget)


def _supply(system: System, place: Place) -> Reservation | None:
    """What it has of its core, if that is not all."""
    if place.reservation or place.cores:
        return place.reservation
    core = system.cores[place.core]
    return core.partitions[place.partition] if place.partition else core.reservation
