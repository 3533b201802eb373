"""When a job hands over what it publishes, and when it is done at the earliest (definition
stage-graph)."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.checker.costs import sending_cost, taking_cost
from ddsrta.checker.things import Publication, System


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
    later: list[int] = []  # the sync sending of each
    for publication in thread.publishes.values():
        if not system.readers.get(publication.topic):
            continue
        copies = len(system.receivers(name, publication.topic))
        done = max(publication.earliest, done + before)
        before, worst = 0, 0
        if publication.controller is None and copies:
            cost, messages = sending_cost(system, publication), publication.messages * copies
            # at the least (note lost-refinements)
            sends = publication.messages if system.fastdds else messages
            before, worst = sends * cost.best, messages * cost.worst
        best += before
        later.append(worst)
        found.append((publication, copies, done))
    sendings = tuple(
        Sending(publication, copies, when, sum(later[number + 1 :]))
        for number, (publication, copies, when) in enumerate(found)
    )
    earliest = max((one.earliest for one, _, _ in found), default=0)
    return Program(sendings, sum(later), max(best, earliest))
