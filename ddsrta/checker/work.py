"""The work that counts in the windows of a stage, in one of two sums (theory 5 and 9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.streams import Stream


class Later(NamedTuple):
    """What bounds a sample that the job of ours publishes after ours."""

    job: Stream
    bunch: int
    shift: int  # before of it less best of ours

    def most(self, length: int) -> int:
        """No more than those of the jobs before ours."""
        jobs = self.job.times * self.job.base.most(length + self.shift)
        return self.bunch * max(0, jobs - 1)

    def next_step(self, length: int) -> int:
        """The first length behind which more counts than at this one."""
        base = self.job.base
        return base.least(base.most(length + self.shift) + 1) - self.shift


class Earlier(NamedTuple):
    """What bounds a callback that comes only after ours, for one event (theory 18)."""

    times: int
    pending: int  # events before the first of ours whose units may not be done

    def most(self, count: int) -> int:
        """No more than those of the events before the count-th of ours."""
        return self.times * (count - 1 + self.pending)


class Term(NamedTuple):
    """Work of one other stage."""

    stream: Stream
    cost: int
    response: int
    later: Later | None = None
    earlier: Earlier | None = None

    def in_turn(self, start: int, count: int, most: int) -> int:
        """How many of its units are served before the count-th of ours, if it gets most turns."""
        turns = min(most, self.stream.most(start + self.response))
        return min(turns, self.earlier.most(count)) if self.earlier else turns

    def most(self, length: int) -> int:
        """How many of its units arrive in a window, ahead of ours."""
        most = self.stream.most(length)
        return min(most, self.later.most(length)) if self.later else most


class Sum(NamedTuple):
    """One of the sums: all terms of theory 5, with the costs that belong to it."""

    own: int
    last: int  # of the unit in question, at its finish
    blocks: int
    each_turn: int  # of what has no bound: for each unit of ours,
    one_more: int  # and once more
    overtakes: list[Term]
    ahead: list[Term]
    lingers: list[Term]
    alternates: list[Term]
    precedes: list[Term]
    preempting: Callable[[int], int]
    shares: list[Term]
    threads: int

    def shared(self, length: int) -> int:
        """What all threads of a pool serve together, in one of them (theory 20)."""
        return -(-pending(self.shares, length) // self.threads)

    def behind(self, arrival: int, count: int) -> int:
        """What must be served before the count-th unit, of what it finds."""
        ahead = sum(term.most(arrival + EPSILON) * term.cost for term in self.ahead)
        return self.blocks + ahead + (count - 1) * self.own

    def overtaking(self, start: int, count: int) -> int:
        """V of theory 5."""
        turns = count * self.each_turn + self.one_more
        for terms, most in ((self.alternates, count), (self.precedes, count + 1)):
            turns += sum(term.in_turn(start, count, most) * term.cost for term in terms)
        waits = pending(self.lingers, start) + self.shared(start)
        return turns + arriving(self.overtakes, start + EPSILON) + waits

    def level(self, window: int, own: int) -> int:
        """All work of a window of the level, with so many units of the stage itself."""
        return (
            self.blocks
            + own * self.own
            + arriving(self.ahead, window)
            + arriving(self.overtakes, window)
            + pending(self.lingers, window)
            + self.shared(window)
            + self.preempting(window)
        )


def arriving(terms: list[Term], length: int) -> int:
    """The work that arrives in a window."""
    return sum(term.stream.most(length) * term.cost for term in terms)


def pending(terms: list[Term], length: int) -> int:
    """The work that arrives in a window, or is pending when it opens."""
    return sum(term.stream.most(length + term.response) * term.cost for term in terms)
