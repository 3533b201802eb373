"""What is pending when a unit arrives, and what comes while it waits (lemmas pending-window,
closed-counts, counts-before, clocked-counts, side-by-side and done-before)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.closed import Closed
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Base, Stream
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.pools import SHADOW
from ddsrta.checker.precedence import Precedence
from ddsrta.checker.related import Relations
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.released import Released
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim

# by closed counts, less what a unit brings itself, and by what was done before
_BY_COUNTS = (False, False, False), (True, False, False), (True, True, False)


class _UnknownError(Exception):
    """What delays a stage has no bound, or is not known by its arrivals."""


class _Rule(NamedTuple):
    """How long after ours a unit may come and still go first, if that is limited; no more than it
    has units and so many; or at any time, also when ours runs."""

    latest: int | None = None
    turns: int | None = None
    preempts: bool = False


class Pending:
    """The windows of units from their arrival on, by what is claimed of the stages beside them."""

    def __init__(
        self,
        streams: Streams,
        neighbours: Neighbours,
        claims: Mapping[Key, Claim],
        order: Precedence,
        closed: Closed,
        hold: bool,
    ) -> None:
        self.closed = closed
        self.counts = self.before = self.done = False
        self.hold = hold  # not where threads sleep (note lost-refinements)
        self.streams = streams
        self.neighbours = neighbours
        self.claims = claims
        self.order, self.effects = order, order.effects
        self.budget: Budget = streams.budget
        self.lines: dict[tuple[str, str], list[list[Stage]]] = {}
        self.messages: dict[Key, int | None] = {}

    def unconfirmed(self, stage: Stage, claim: Claim) -> Claim:
        """What of a claim the window does not confirm, where it says that this may."""
        if not claim.pending or not self.hold or (claim.response, claim.latency) == (None, None):
            return claim
        # by closed windows only where that is needed
        for self.counts, self.before, self.done in (*_BY_COUNTS, (True, True, True)):
            if self._may_say_more(stage):
                claim = self._left(stage, claim)
            if (claim.response, claim.latency) == (None, None):
                break
        return claim

    def _may_say_more(self, stage: Stage) -> bool:
        if self.done:
            return self.neighbours.is_pool(stage)
        return not self.before or bool(self.closed.before(stage.key))

    def of_message(self, key: Key) -> int | None:
        """From the arrival of a message to its end, whichever go before it (lemma
        turns-in-order)."""
        if key not in self.messages:
            stage = self.streams.stages[key]._replace(mixes=True)
            found = self._of_message(stage) if self.hold else []
            self.messages[key] = min(found, default=None)
        return self.messages[key]

    def _of_message(self, stage: Stage) -> list[int]:
        """By responses alone, and with what came since nothing was there."""
        found = []
        self.done = False
        for self.counts, self.before, _ in _BY_COUNTS:
            try:
                found.append(self._window(stage))
            except _UnknownError:
                return []
        return [window for window in found if window is not None]

    def _left(self, stage: Stage, claim: Claim) -> Claim:
        try:
            window = self._window(stage)
        except _UnknownError:
            return claim
        before = self.streams[stage.key].before
        if window is None or before is None:
            return claim
        if claim.response is not None and window <= claim.response:
            claim = claim._replace(response=None)
        if claim.latency is not None and before + window <= claim.latency:
            claim = claim._replace(latency=None)
        return claim

    def _window(self, stage: Stage) -> int | None:
        """From the arrival of a unit to its end."""
        if self.neighbours.is_pool(stage):
            return self._in_pool(stage)
        if not self._is_alone(stage):
            raise _UnknownError
        given = self.neighbours.relations(stage)
        released = Released(stage, self.streams, self.neighbours, self.effects)
        from_below = released.from_below and not stage.mixes
        before_it = self._own(stage)
        before_it = min(before_it, released.beside()) if from_below else before_it
        blocks = self._blocks(stage, given, released)
        lines = [] if from_below else self._lines(stage, given)
        in_lines = {one.key for line in lines for one in line}
        ahead = sum(self._on_line(stage, line) for line in lines)
        chosen: list[tuple[Callable[[int], int], _Rule, int]] = []
        urgent: list[tuple[Callable[[int], int], int]] = []
        for other, rule in _rules(given):
            if rule.latest == 0 and other.key in in_lines:
                continue
            most = self._most(stage, self._itself(other), rule.preempts)
            if from_below and other.key[0] != SHADOW:  # which may wait elsewhere
                most = _least_of(most, partial(released.most, other))
            if rule.preempts:
                urgent.append((most, other.cost))
            else:
                chosen.append((most, rule, other.cost))

        def before(start: int) -> int:
            """What goes before a unit that starts so long after its arrival."""
            self.budget.work(len(chosen) + len(urgent))
            own = self._own(stage, start) if stage.mixes else before_it
            total = blocks + own * stage.cost + ahead
            for most, rule, cost in chosen:
                units = most(start if rule.latest is None else min(start, rule.latest))
                if rule.turns is not None:
                    units = min(units, own + 1 + rule.turns)
                total += units * cost
            return total

        def above(after: int) -> int:
            return sum(most(after) * cost for most, cost in urgent)

        start: int | None = 0
        if before(0) + above(0) > 0:
            start = least_fixed(lambda time: before(time) + above(time), 1, self.budget)
        if start is None:
            return None
        work = before(start) + stage.cost
        return least_fixed(lambda time: work + above(time - EPSILON), 1, self.budget)

    def _lines(self, stage: Stage, given: Relations) -> list[list[Stage]]:
        """The lines of what is ahead that hold several stages."""
        ahead = {one.key for one in given.ahead if one.key[0] != SHADOW} - {stage.key}
        lines = ([one for one in line if one.key in ahead] for line in self._threads(stage))
        return [line for line in lines if len(line) > 1]

    def _threads(self, stage: Stage) -> list[list[Stage]]:
        """All lines of its thread."""
        if self.neighbours.is_pool(stage):
            return []
        thread = stage.kind, stage.runner
        if thread not in self.lines:
            by_base: dict[Base, list[Stage]] = {}
            for one in self.order.of_thread(stage):
                by_base.setdefault(self.streams[one.key].base, []).append(one)
            self.lines[thread] = []
            for stages in by_base.values():
                if len(stages) > 1:
                    from ddsrta.checker.lines import lines_of

                    stages.sort(key=self._rank)
                    self.lines[thread] += lines_of(stages, self.order.depth, self.order.precedes)
        return self.lines[thread]

    def _rank(self, stage: Stage) -> tuple[int, int, Key]:
        """What takes longest comes first onto a line: what joins it there then adds nothing."""
        cost = 0 if stage.key[0] == "job" else stage.cost
        return -self.streams[stage.key].times * cost, self.order.depth(stage), stage.key

    def _on_line(self, stage: Stage, line: list[Stage]) -> int:
        """The work of a line that is ahead of a unit."""
        from ddsrta.checker.lines import Ahead, work_ahead

        found: list[Ahead] = []
        for one in line:
            claim = self.claims[one.key]
            units = self._most(stage, one, preempts=False)(0)
            assert claim.latency is not None  # which is asked for there
            if units:
                over, behind = self.order.precedes(one, stage), self.order.leads(stage, one)
                stream = self.streams[one.key]
                found.append(Ahead(stream, units, one.cost, claim.latency, over, behind))
        self.budget.work(len(line) + len(found) ** 2)
        return work_ahead(found, self.streams[stage.key])

    def _in_pool(self, stage: Stage) -> int | None:
        """The same, of a callback of a pool."""
        if self.neighbours.supply(stage) != (None, ()) or not self.neighbours.fits(stage):
            raise _UnknownError
        from ddsrta.checker.pending_pools import rivals

        given = self.neighbours.relations(stage)

        def most(other: Stage, preempts: bool) -> Callable[[int], int]:
            return self._most(stage, self._itself(other), preempts)

        moving = self.neighbours.system.executors[stage.runner].moving
        beside = self.counts and not moving and not stage.mixes
        left = self.closed.backlog(stage.key) if beside else None
        own = partial(self._own, stage)
        found = rivals(stage, self.neighbours, given, own, most, left)
        if not self.done or stage.mixes:
            return found.window(stage.cost, self.budget)
        part = None if moving else self.closed.part(stage.key)
        if part is None:
            return None
        from ddsrta.checker.done_before import DoneBefore

        return DoneBefore(stage, given, found, part, self.neighbours, self.budget).window()

    def _itself(self, stage: Stage) -> Stage:
        """What a shadow stands for: it is there no longer than that."""
        return self.streams.stages[stage.key[1:]] if stage.key[0] == SHADOW else stage

    def _blocks(self, stage: Stage, given: Relations, released: Released) -> int:
        """What is left of a unit that has begun before ours came: of a stage of which one can have
        come before, and not be done."""
        longest = 0
        for other in given.blocked_by:
            if not (stage.mixes or released.may_block(other)):
                continue
            try:
                if not self._most(stage, other, preempts=False)(-given.begun):
                    continue
            except _UnknownError:  # so it may
                pass
            longest = max(longest, other.cost - given.begun)
        return longest

    def _is_alone(self, stage: Stage) -> bool:
        """Whether it is on a whole core, and waits for what stands in a relation to it."""
        neighbours = self.neighbours
        if stage.kind == LINK or neighbours.cores(stage) or neighbours.wait(stage) is not None:
            return False
        return neighbours.supply(stage) == (None, ()) and neighbours.fits(stage)

    def _own(self, stage: Stage, start: int = 0) -> int:
        """How many of its other units that came before are pending when one comes; or come before
        it starts, so long after, if these may go first."""
        stream, claim = self.streams[stage.key], self.claims[stage.key]
        if claim.response is None or not stream.bounded:
            raise _UnknownError
        after = start if stage.mixes else 0
        earlier = stream.most(claim.response + after) - 1
        if stream.times == 1 and claim.latency is not None:
            earlier = min(earlier, stream.base.most(claim.latency - stream.best + after) - 1)
        released = self._released(stage, stage)
        if released is not None:  # ours is one of them
            earlier = min(earlier, released - 1)
        return max(0, earlier)

    def _released(self, stage: Stage, other: Stage, before: bool = False) -> int | None:
        """How much there is of another one since nothing was there (lemma closed-counts), or before
        ours begins (lemma counts-before)."""
        if not self.counts:
            return None
        most = self.closed.counts(stage.key).get(other.key)
        return self.closed.before(stage.key).get(other.key, most) if before else most

    def _most(self, stage: Stage, other: Stage, preempts: bool) -> Callable[[int], int]:
        """How many units of another stage are pending then, or come up to so long after, but those
        that come only when ours has begun; where they may preempt it, when it has ended."""
        if other.key[0] == SHADOW or other.key not in self.claims:
            raise _UnknownError
        mine, theirs, claim = (
            self.streams[stage.key],
            self.streams[other.key],
            self.claims[other.key],
        )
        if claim.response is None or claim.latency is None or not theirs.bounded:
            raise _UnknownError
        response, latency = claim.response, claim.latency
        released = self._released(stage, other, self.before and not preempts)
        clocked = self._by_clock(mine, theirs, latency)

        def alone(after: int) -> int:
            events = theirs.base.most(after + latency - theirs.best)
            if clocked is not None:
                events = min(events, clocked(after))
            units = min(theirs.most(after + response), theirs.times * events)
            return units if released is None else min(units, released)

        if theirs.base is not mine.base or mine.before is None:
            return alone
        latest, base = mine.before, mine.base
        # of the events before ours those whose unit is not done when ours comes
        earlier = max(0, base.most(latency - mine.best) - 1)
        leads = not stage.mixes and self.order.leads(stage, other)  # not what its turns bring
        if leads and (not preempts or self.order.is_over(stage, other)):
            return lambda after: min(alone(after), theirs.times * earlier)
        is_over = self.order.leads(other, stage) and self.order.is_over(other, stage)

        def together(after: int) -> int:
            later = max(0, base.most(latest + after - theirs.best + EPSILON) - 1)
            if is_over:
                return min(alone(after), theirs.times * later)
            same = latency > mine.best and latest + after >= theirs.best
            return min(alone(after), theirs.times * (earlier + same + later))

        return together

    def _by_clock(self, mine: Stream, theirs: Stream, latency: int) -> Callable[[int], int] | None:
        """The events of another stream that count, by when they and that of ours are due on the
        clock of one machine, if they are (lemma clocked-counts)."""
        clocks, latest = self.streams.clocks, mine.before
        ours, beat = clocks.beat(mine.base), clocks.beat(theirs.base)
        if ours is None or beat is None or ours.machine != beat.machine:
            return None
        if theirs.base is mine.base or latest is None:
            return None
        soonest, best = mine.best - latency - beat.late, latest + ours.late - theirs.best
        return lambda after: beat.most(ours, soonest, best + after)


def _least_of(one: Callable[[int], int], other: Callable[[int], int]) -> Callable[[int], int]:
    return lambda after: min(one(after), other(after))


def _rules(given: Relations) -> Iterator[tuple[Stage, _Rule]]:
    """What may go before, each with its rule."""
    if given.contends or given.shares:
        raise _UnknownError
    for other in given.preempts:
        yield other, _Rule(preempts=True)
    for other in (*given.overtakes, *given.lingers):
        yield other, _Rule()
    for other in given.ahead:
        yield other, _Rule(latest=0)
    for other, later in given.due:
        yield other, _Rule(latest=later)
    for other in given.alternates:
        yield other, _Rule(turns=None if other.key in given.turns else 0)
    for other in given.precedes:
        yield other, _Rule(turns=1)
