"""How long after a tag may start its messages leave, its reactions run (lemma leftover-work)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.program import NoBoundError, Program
from ddsrta.checker.lf.tags import START, Tags, gap, meet
from ddsrta.checker.lf.times import Times
from ddsrta.checker.reading import shown

_POINTS = 4000


class Burst(NamedTuple):
    """Work that comes once `nearest` before a tag (below 0: behind it), each `period` before."""

    cost: int
    period: int | None
    nearest: int


class Lags:
    """Of one federate. `between`: what passes between two tags in a row; `late`: by how much its
    tags may start later than it waits; `patient`: it puts the first tag of all off."""

    def __init__(
        self,
        program: Program,
        times: Times,
        budget: Budget,
        between: int = 0,
        late: Mapping[Tags, int] | None = None,
        patient: bool = False,
    ) -> None:
        self.program, self.times, self.budget = program, times, budget
        self.between, self.late, self.patient = between, late or {}, patient
        self.name, self.federate = program.name, program.federate

    @cached_property
    def present(self) -> dict[Tags, set[str]]:
        """The reactions that each class of tags may bring."""
        return self._reacting()

    def _reacting(self) -> dict[Tags, set[str]]:
        self._tags("")
        advanced = self.times.advanced(self.name)
        found: dict[Tags, set[str]] = {tags: set() for tags in advanced}
        for name in self.federate.reactions:
            for tags in self.times.of((self.name, f"reaction {name}")):
                found.setdefault(tags, set()).add(name)
        # Who begins later with such a tag has no more work if the first of all is one of them.
        first = any(t.root is None and not t.at and not t.step for t in advanced)
        idle = self.federate.overhead and not self.patient and not first
        if idle or START in self.late:
            found.setdefault(START, set())
        return found

    def _besides(self, tags: Tags) -> int:
        """What a tag takes besides reactions."""
        sent = self.program.sends.items()
        sends = sum(send for out, send in sent if tags in self.times.of((self.name, out)))
        return self.federate.overhead + sends

    @cached_property
    def costs(self) -> dict[Tags, int]:
        """What each class brings, all in all."""
        top = self.program.top
        return {
            tags: self._besides(tags) + self.program.work(names, top) + self.between
            for tags, names in self.present.items()
        }

    @cached_property
    def share(self) -> Fraction:
        """What it takes of one core in the long run."""
        total = Fraction(0)
        for tags, names in self.present.items():
            if tags.period:
                work = self._besides(tags) + sum(map(self.program.cost, names))
                total += Fraction(work, tags.period)
        return total

    def bursts(self, tag: Tags) -> list[Burst]:
        """All work that may come before a tag."""
        found = []
        starts = {"startup", *(key for key, t in self.federate.timers.items() if not t.offset)}
        reacts = any(starts & set(r.triggers) for r in self.federate.reactions.values())
        if self.patient and not reacts and self.federate.overhead:
            found.append(Burst(self.federate.overhead, None, 0))
        for tags, cost in self.costs.items():
            self.budget.curve()
            if not cost:
                continue
            if tags.period is None and not tags.once:
                raise NoBoundError(f"any number of events of {shown(tags.root)} may be waiting")
            nearest = gap(tags, tag)
            if nearest is not None:
                more = max(0, self.late.get(tags, 0) - self.late.get(tag, 0))
                found.append(Burst(cost, tags.period, nearest - more))
        return found

    def left_over(self, tag: Tags) -> int:
        """Work of earlier tags."""
        rate = sum((Fraction(c, t.period) for t, c in self.costs.items() if t.period), Fraction(0))
        if rate > 1:
            raise NoBoundError(f"{shown(self.name)} has more work than time")
        return left_over(self.bursts(tag), rate, self.budget)

    def after(self, tags: Iterable[Tags], level: int) -> int:
        """How long after it may start a tag of these classes has levels up to this behind it."""
        most = 0
        for tag in tags:
            names = {n for other, some in self.present.items() if meet(tag, other) for n in some}
            at = self.federate.overhead + self.program.work(names, level)
            most = max(most, self.late.get(tag, 0) + self.left_over(tag) + at)
        return most

    def _tags(self, place: str) -> dict[Tags, int]:
        """Those of a place, of a federate whose tags can be followed."""
        if self.name in self.times.dense:
            raise NoBoundError(f"{shown(self.name)} has too many tags to follow")
        alike = self.times.federation.target != "C" and not self.federate.overhead
        if self.federate.enclaves and not alike:  # each has its own tags, and empty ones
            raise NoBoundError(f"the enclaves of {shown(self.name)} are not modelled here")
        return self.times.of((self.name, place))

    def sending(self, output: str, send: int) -> int:
        """Until a message begins to leave."""
        tags = self._tags(output)
        return self.after(tags, self.program.written(output)) + self.program.sending - send

    def ending(self, reaction: str) -> int:
        """Until a reaction has ended."""
        level = self.program.levels[reaction] if self.program.strict else self.program.top
        self.program.cost(reaction)
        tags = self._tags(f"reaction {reaction}")
        return max(self.after(tags, level) + self.program.sending, self.program.cost(reaction))

    def starting(self, reaction: str) -> int:
        """Until a reaction has started."""
        return self.ending(reaction) - self.program.cost(reaction)

    def done(self) -> int:
        """Until a whole tag is done."""
        return self.after(self.present, self.program.top) + self.program.sending


def left_over(bursts: list[Burst], rate: Fraction, budget: Budget) -> int:
    """The most by which what came in the time before a tag can exceed that time.

    All of it together is never exceeded, as there is time for what comes again.

    >>> left_over([Burst(4, 10, 10), Burst(3, 20, 1)], Fraction(11, 20), Budget())
    2
    """
    everything = sum(burst.cost for burst in bursts)
    horizon = min((burst.nearest + (burst.period or 0) for burst in bursts), default=0)
    horizon = max(0, horizon)
    while True:
        points = 0
        steps: dict[int, int] = {}
        for cost, period, nearest in bursts:
            ends = (
                range(nearest, horizon + 1, period) if period else [nearest][: nearest <= horizon]
            )
            points += len(ends)
            if points > _POINTS + 2 * len(bursts):
                return everything
            for at in ends:
                steps[at] = steps.get(at, 0) + cost
        budget.curve(points)
        most = work = 0
        for at in sorted(steps):
            work += steps[at]
            most = max(most, work - at)
        if everything - most <= (1 - rate) * horizon:
            return most
        horizon = 2 * horizon + 1
        if rate < 1:
            horizon = min(horizon, -int(-(everything - most) // (1 - rate)))
