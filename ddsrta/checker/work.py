"""The work that counts in the windows of a stage, in one of two sums (lemmas busy-window and
urgent-by-roots)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.checker.added import Curves, Rates
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Base, Stream

if TYPE_CHECKING:
    from ddsrta.checker.crowds import Crowd


class Later(NamedTuple):
    """What bounds a stage that gets units after ours, of the same job or event."""

    base: Base
    jobs: int  # of an event of the base; 1: the event itself
    bunch: int  # units of each
    shift: int  # before of it less best of ours

    def most(self, length: int) -> int:
        """No more than those of the jobs, or events, before ours."""
        jobs = self.jobs * self.base.most(length + self.shift)
        return self.bunch * max(0, jobs - 1)


class Earlier(NamedTuple):
    """What bounds a callback that comes only after ours, for one event (lemma effects-in-turn)."""

    times: int
    pending: int  # events before the first of ours whose units may not be done

    def most(self, count: int) -> int:
        """No more than those of the events before the count-th of ours."""
        return self.times * (count - 1 + self.pending)


class Turn(NamedTuple):
    """Another stage that takes turns with ours: the units of each in one, and turns beyond ours."""

    cost: int
    theirs: int
    ours: int
    more: int

    def most(self, count: int) -> int:
        """Its units before the count-th of ours."""
        return -(-(count + self.more) // self.ours) * self.theirs


class Term(NamedTuple):
    """Work of one other stage."""

    stream: Stream
    cost: int
    response: int
    later: Later | None = None
    earlier: Earlier | None = None
    brought: int | None = None  # no more of it than that (lemma one-opener)
    turn: tuple[int, int] = (1, 1)  # units that it is served in a turn, and ours in one of ours

    def in_turn(self, start: int, count: int, most: int) -> int:
        """How many of its units are served before the count-th of ours, if it gets most turns."""
        most = -(-most // self.turn[1]) * self.turn[0]
        turns = min(most, self.stream.most(start + self.response))
        return min(turns, self.earlier.most(count)) if self.earlier else turns

    def most(self, length: int) -> int:
        """How many of its units arrive in a window, ahead of ours."""
        most = self.stream.most(length)
        if self.brought is not None:
            most = min(most, self.brought)
        return min(most, self.later.most(length)) if self.later else most

    @property
    def is_late(self) -> bool:
        """Whether not all of it is ahead."""
        return self.later is not None or self.brought is not None


class Due(NamedTuple):
    """Work of another stage that comes first where it is due no later: it is due so long after it
    arrives, less what is ours."""

    stream: Stream
    cost: int
    ahead: int

    def work(self, arrival: int, start: int) -> int:
        """What arrives before ours starts, and is due no later."""
        last = min(arrival + self.ahead, start)
        return self.stream.most(last + EPSILON) * self.cost if last >= 0 else 0


class Terms(tuple[Term, ...]):
    """The work of some other stages."""

    sums: tuple[Curves, Curves] | None = None  # of what arrives, and of what is pending, too
    late: tuple[Term, ...] | None = None  # of which not all is ahead

    @property
    def looks(self) -> int:
        """How many curves are evaluated for a window."""
        return self._sums()[0].looks if self else 0

    def arriving(self, length: int) -> int:
        """The work that arrives in a window."""
        if not self or length <= 0:
            return 0
        return self._sums()[0].at(length)

    def ahead(self, length: int) -> int:
        """The same, of what is ahead of ours."""
        if self.late is None:
            self.late = tuple(term for term in self if term.is_late)
        return self.arriving(length) - _not_ahead(self.late, length)

    def rates(self) -> Rates | None:
        """Of what arrives, by its periods, if that is all that there is to say."""
        return self._sums()[0].rates() if self else []

    def pending(self, length: int) -> int:
        """The work that arrives in a window, or is pending when it opens."""
        if length <= 0:
            return sum(term.stream.most(length + term.response) * term.cost for term in self)
        return self._sums()[1].at(length) if self else 0

    def _sums(self) -> tuple[Curves, Curves]:
        if self.sums is None:
            arriving = Curves((term.stream, term.cost, 0) for term in self)
            pending = Curves((term.stream, term.cost, term.response) for term in self)
            self.sums = arriving, pending
        return self.sums


class AllBut:
    """The work of all of a queue but for one stage; of some, by their streams, not all is ahead."""

    def __init__(self, whole: Terms, place: int, late: Mapping[int, Term]) -> None:
        self.whole = whole
        self.place = place
        self.late = late

    def __iter__(self) -> Iterator[Term]:
        for place, term in enumerate(self.whole):
            if place != self.place:
                yield self.late.get(id(term.stream), term)

    @property
    def looks(self) -> int:
        """How many curves are evaluated for a window."""
        return self.whole.looks + len(self.late) + 1

    def arriving(self, length: int) -> int:
        """The work that arrives in a window."""
        if length <= 0:
            return 0
        mine = self.whole[self.place]
        return self.whole.arriving(length) - mine.stream.most(length) * mine.cost

    def ahead(self, length: int) -> int:
        """The same, of what is ahead of ours."""
        return self.arriving(length) - _not_ahead(self.late.values(), length)


def _not_ahead(terms: Iterable[Term], length: int) -> int:
    """What of some work is not ahead of ours."""
    return sum((one.stream.most(length) - one.most(length)) * one.cost for one in terms)


class Sum(NamedTuple):
    """One of the sums: all terms of lemma busy-window, with the costs that belong to it."""

    own: int
    last: int  # of the unit in question, at its finish
    blocks: int
    endless: tuple[Turn, ...]  # what has no bound takes turns all the same
    overtakes: Terms
    ahead: Terms | AllBut
    lingers: Terms
    alternates: Terms
    precedes: Terms
    preempting: Callable[[int], int]
    looks: int  # how many curves that evaluates
    crowd: Crowd | None
    rates: Callable[[], Rates | None]  # of what preempts
    due: tuple[Due, ...] = ()
    mixed: Stream | None = None  # its own, where they are done in any order

    @property
    def each(self) -> int:
        """What an own unit keeps the next one waiting; nothing where they may be served at once."""
        return 0 if self.crowd is not None and self.crowd.itself is not None else self.own

    def behind(self, arrival: int, count: int) -> int:
        """What must be served before the count-th unit, of what it finds."""
        ahead = self.ahead.ahead(arrival + EPSILON)
        return self.blocks + ahead + (count - 1) * (self.own if self.mixed else self.each)

    def overtaking(self, start: int, count: int, arrival: int) -> int:
        """V of lemma busy-window."""
        found, served = self.overtakes.arriving(start + EPSILON), count
        if self.mixed is not None:  # also those that come later
            served = max(count, self.mixed.most(start + EPSILON))
            found += (served - count) * self.own
        if self.lingers:
            found += self.lingers.pending(start)
        if self.crowd is not None:
            found += self.crowd.waiting(start, count, arrival)
        for turn in self.endless:
            found += turn.cost * turn.most(served)
        for term in self.alternates:
            found += term.in_turn(start, served, served) * term.cost
        for term in self.precedes:
            found += term.in_turn(start, served, served + 1) * term.cost
        for one in self.due:
            found += one.work(arrival, start)
        return found

    def level(self, window: int, own: int) -> int:
        """All work of a window of the level, with so many units of the stage itself."""
        return (
            self.blocks
            + own * (self.own if self.mixed else self.each)
            + self.ahead.arriving(window)
            + self.overtakes.arriving(window)
            + sum(one.stream.most(window) * one.cost for one in self.due)
            + self.lingers.pending(window)
            + (0 if self.crowd is None else self.crowd.filling(window))
            + self.preempting(window)
        )
