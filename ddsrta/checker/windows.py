"""The busy window of a stage: every inequality of lemma busy-window, with the claims put in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple, NoReturn, Protocol

from ddsrta.checker.budget import Budget
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.levels import Row, least_fixed
from ddsrta.checker.members import over, time
from ddsrta.checker.reading import MOST
from ddsrta.checker.related import Relations
from ddsrta.checker.stages import Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.words import duration
from ddsrta.checker.work import Sum

FEW = 64  # units of an own window that are looked at anyway
PART = 8  # of more, so great a part is passed over at once


class Curve(Protocol):
    """How close units may leave something."""

    def most(self, length: int) -> int:
        """How many in a window."""

    def least(self, count: int) -> int:
        """The least time that so many span."""


class Pace(NamedTuple):
    """Of events that come no sooner than at their pace (definition pace)."""

    period: int

    def most(self, length: int) -> int:
        """How many in a window."""
        return -(-length // self.period)

    def least(self, count: int) -> int:
        """The least time that so many span."""
        return (count - 1) * self.period


class Origin(NamedTuple):
    """Where a latency counts from; each event there brings so many units."""

    curve: Curve
    ratio: int

    def left(self, unit: int) -> int:
        """The least time from the first of the units to this one."""
        return self.curve.least(-(-unit // self.ratio))

    def units(self, time: int) -> int:
        """How many may have left by then."""
        return self.ratio * self.curve.most(time + EPSILON)


class Limit(NamedTuple):
    """A claim, and how long after they left units may end by it."""

    origin: Origin
    most: int
    which: str
    claimed: int


class Window:
    """The windows of one stage."""

    def __init__(
        self,
        stage: Stage,
        relations: Relations,
        streams: Streams,
        sums: list[Sum],
        claim: Claim,
        budget: Budget,
    ) -> None:
        self.stage = stage
        self.claim = claim
        self.relations = relations
        self.budget = budget
        self.stream = streams[stage.key]
        self.streams = streams
        self.sums = sums
        self.openers: Sequence[Callable[[Window], Window]] = ()  # what each makes of it
        self.opened: tuple[Window, ...] = ()  # the same opener by opener
        self.looks = 0  # finishes
        self.total = 0  # units of a window
        self.length = 0  # of one of its level
        self.rounds = 0  # of one message, and nothing else of the stage, come to a window
        # How many curves are evaluated: of what is ahead, what preempts, and what else goes first.
        self.ahead = max(one.ahead.looks for one in sums)
        self.more_urgent = max(one.looks for one in sums)
        given, first = relations, sums[0]
        others = len(given.due) + sum(map(len, (given.alternates, given.precedes, given.shares)))
        self.chosen = first.overtakes.looks + first.lingers.looks + others + given.mixes

    def confirm(self) -> int:
        """Confirms all that is claimed, and says how many finishes that took; raises RefutedError
        where one is later, and so it is with the first unit that is done before another comes."""
        try:
            return self._confirmed(is_first=False)
        except RefutedError:
            if not self.relations.is_own or self.total <= FEW:
                raise
            return self._confirmed(is_first=True)

    def _confirmed(self, is_first: bool) -> int:
        if self.relations.is_own:
            self.total = self._closed(is_first)
        else:
            self.length = self._confirmed_window()
            self.rounds = self._in_turn(self.length)
            self.total = self.stream.most(self.length)
            if self.openers:
                self.opened = tuple(opened(self) for opened in self.openers)
        for limit, one in product(self._limits(), self.by):
            row = one.row(limit.origin)
            if self.relations.is_own and self.total > FEW:
                from ddsrta.checker import repeated

                row.last = repeated.enough(self, limit.origin)
            most, at = row.above(limit.most, limit.most)
            if most > limit.most:
                self._refute(row.unit(at), row.left(at), most, limit)
        return sum(one.looks for one in self.by)

    @property
    def by(self) -> tuple[Window, ...]:
        """The windows that may be, opener by opener; of nobody in particular if none is known."""
        return self.opened or (self,)

    def row(self, origin: Origin, floor: int = 0) -> _Units | _Times:
        """All units of a window, to count from an origin what they take; but not before the
        floor."""
        return (_Units if self.relations.is_own else _Times)(self, origin, floor)

    def _closed(self, is_first: bool) -> int:
        """A unit that is done before another comes (lemma own-window): the first, or of many one
        that is not much later. None of those between takes longer than all before them, but at
        its pace, or where rounds come in turn."""
        left = self.relations.own.left if self.relations.own else 0
        if self.claim.window is not None:
            return self._as_claimed(self.claim.window, left)
        count, reached = 0, (0, 0)
        while not count or reached[1] + left > self.stream.least(count + 1):
            more = count // PART if count > FEW and not is_first else 1
            count = max(count + more, self.stream.most(reached[1] + left))
            reached = self.finish(reached, count, 0)
        self.rounds = self._in_turn(reached[1])
        return count

    def _as_claimed(self, window: int, left: int) -> int:
        """The last unit of a claimed window, if it is done when that ends."""
        count = max(1, self.stream.most(window + left))
        reached = self.finish((0, 0), count, 0, window)
        if reached[1] > window:
            raise RefutedError(
                f"{self.stage.label}: its windows end later than {duration(window)} after they "
                "open, as is claimed, and waits depend on that (lemma sleeping-window)"
            )
        self.rounds = self._in_turn(window)
        return count

    def _in_turn(self, length: int) -> int:
        """How many rounds of one message may come before another to a window of that length, if no
        other message does (lemma rounds-in-turn)."""
        turn, before = self.streams.turns.get(self.stage.key), self.stream.before
        given = self.relations
        if turn is None or before is None or given.threads > 1 or given.moves or given.mixes:
            return 0
        most = self.streams[turn.first].most(length + before + turn.around)
        return turn.rounds if most <= turn.rounds + 1 else 0

    def gone(self, unit: int) -> int:
        """How long after the opening a unit comes, and left its origin, at least."""
        rounds = min(unit - 1, self.rounds)
        leaves = self.streams.turns[self.stage.key].leaves if rounds > 0 else 0
        return (rounds - 1) * self.stage.cost + leaves if rounds > 0 else 0

    def _limits(self) -> Iterator[Limit]:
        """What is claimed, from where it counts."""
        stream, claim = self.stream, self.claim
        if claim.response is not None:
            yield Limit(Origin(stream, 1), claim.response, "response", claim.response)
        if claim.latency is not None:
            most, base = claim.latency - (stream.before or 0), Origin(stream.base, stream.times)
            yield Limit(base, most, "latency", claim.latency)
        if claim.paced is not None:
            most, pace = claim.paced - (stream.paced or 0), Pace(stream.base.pace)
            yield Limit(Origin(pace, stream.times), most, "latency at its pace", claim.paced)

    def _confirmed_window(self) -> int:
        window, label = self.claim.window, self.stage.label
        if window is None:  # it is claimed only where waits depend on it
            window = least_fixed(self._needed, 1, self.budget)
        if window is None:
            raise RefutedError(f"{label}: claims a bound without a window (lemma busy-window)")
        if window < 1:
            raise RefutedError(f"{label}: the window of {window} ns is empty (lemma busy-window)")
        needed = self._needed(window)
        if needed > window:
            raise RefutedError(
                f"{label}: the work of its level takes {duration(needed)}, longer than the claimed "
                f"window of {duration(window)} (lemma busy-window)"
            )
        return window

    def _needed(self, window: int) -> int:
        """How long the work takes that comes in a window of the level."""
        self.budget.work(self.ahead + self.chosen + self.more_urgent)
        own = self.stream.most(window)
        return over(self.relations.own, min(one.level(window, own) for one in self.sums))

    def finish(
        self, reached: tuple[int, int], count: int, arrival: int, latest: int = MOST
    ) -> tuple[int, int]:
        """S and F of the count-th unit behind what has come, from both of one that counts less; no
        further than to an F that is later than asked for."""
        self.budget.curve(self.ahead)
        behind = [one.behind(arrival, count) for one in self.sums]
        return self.done(behind, reached, count, arrival, latest)

    def done(
        self, behind: list[int], reached: tuple[int, int], count: int, arrival: int, latest: int
    ) -> tuple[int, int]:
        """The same behind so much work, by each of the sums."""
        start, finish = reached
        supply, cost, budget = self.relations.own, self.stage.cost, self.budget
        begun = cost - EPSILON if self.relations.moves else 0  # others go first up to its last
        cost -= begun
        looked = self.chosen + self.more_urgent
        while start + cost <= latest:
            budget.work(looked)
            most = start + EPSILON
            work = min(
                [
                    before + one.preempting(most) + one.overtaking(start, count, arrival)
                    for before, one in zip(behind, self.sums, strict=True)
                ]
            )
            found = time(supply, work + begun + EPSILON) - EPSILON
            if found <= start:
                break
            start = found
        delays = [
            before + one.overtaking(start, count, arrival) + one.last
            for before, one in zip(behind, self.sums, strict=True)
        ]
        finish = max(finish, start + cost)
        while finish <= latest:
            budget.work(self.more_urgent)
            work = min(
                [
                    delay + one.preempting(finish)
                    for delay, one in zip(delays, self.sums, strict=True)
                ]
            )
            found = time(supply, work)
            if found <= finish:
                break
            finish = found
        self.looks += 1
        if finish > MOST:
            raise RefutedError(
                f"{self.stage.label}: unit {count} finishes at {duration(finish)} or later, "
                "which is no number (definition time-saturation)"
            )
        return start, finish

    def _refute(self, unit: int, left: int, took: int, limit: Limit) -> NoReturn:
        raise RefutedError(
            f"{self.stage.label}: unit {unit} arriving at {duration(left)} finishes at "
            f"{duration(left + took)}, but the claimed {limit.which} of {duration(limit.claimed)} "
            f"ends at {duration(left + limit.most)} (lemma busy-window)"
        )


class _Units(Row):
    """Those of a window that opens with the first of them, by number."""

    def __init__(self, window: Window, origin: Origin, floor: int) -> None:
        self.window, self.origin, self.floor = window, origin, floor
        self.first, self.last = 1, window.total

    def left(self, at: int) -> int:
        came = 0 if isinstance(self.origin.curve, Pace) else self.window.gone(at)
        return max(self.origin.left(at), self.floor, came)

    def unit(self, at: int) -> int:
        """The number of a unit."""
        return at

    def finish(self, begin: int, end: int, latest: int) -> int:
        found = self.window.finish(self.reached, end, 0, latest)
        if found[1] <= latest:
            self.reached = found
        return found[1]


class _Times(Row):
    """Those of a window of their level, by when they leave at the earliest."""

    def __init__(self, window: Window, origin: Origin, floor: int) -> None:
        self.window, self.origin = window, origin
        self.first, self.last = floor, max(floor, window.length - 1, origin.left(window.total))
        while origin.units(self.last) < window.total:
            self.last = 2 * self.last + 1

    def left(self, at: int) -> int:
        paced = isinstance(self.origin.curve, Pace)
        return at if paced else max(at, self.window.gone(self.unit(at)))

    def unit(self, at: int) -> int:
        """The last that may have left and come by then."""
        arrival = min(at, self.window.length - 1)
        most = self.window.stream.most(arrival + EPSILON)
        return min(self.origin.units(at), most, self.window.total)

    def finish(self, begin: int, end: int, latest: int) -> int:
        arrival = min(end, self.window.length - 1)
        found = self.window.finish(self.reached, self.unit(end), arrival, latest)
        if found[1] <= latest:
            self.reached = found
        return found[1]
