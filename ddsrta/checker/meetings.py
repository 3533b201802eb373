"""What meets a path in order: an event goes through its stages one after the other, and so does the
path (lemma meetings-in-order)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ddsrta.checker.curves import Base, Stream
from ddsrta.checker.precedence import Precedence
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.sums import Claim

_NEVER, _ONCE, _OFTEN = range(3)  # how a stage meets another: what is ahead, once a visit


class Member(NamedTuple):
    """A stage of a row: whether it is over when what is behind it comes, how late it may be, and
    the most work of an event that is there or further on."""

    stage: Stage
    latest: int
    work: int


class Row(NamedTuple):
    """The stages of one row that a path may meet."""

    base: Base
    soonest: int
    members: tuple[Member, ...]
    own: int  # of one event, in whatever order

    def work(self, length: int, first: Stream) -> int:
        """What all events add while a path from a first stage is on its way so long."""
        found, later = 0, [one.work for one in self.members[1:]]
        for one, behind in zip(self.members, [*later, 0], strict=True):
            if self.base is first.base:
                events = max(0, self.base.most(one.latest - first.best) - 1)
            else:
                events = self.base.most(length + one.latest - self.soonest)
            found += (one.work - behind) * events
        if self.base is not first.base:
            return found
        after = max(0, self.base.most(length + (first.before or 0) - self.soonest) - 1)
        return found + self.own + self.members[0].work * after


class Meetings:
    """All rows of a system, and how paths meet them."""

    def __init__(
        self, stages: Mapping[Key, Stage], order: Precedence, claims: Mapping[Key, Claim]
    ) -> None:
        self.order, self.claims = order, claims
        self.neighbours, self.streams = order.neighbours, order.streams
        self.known: dict[Key, Mapping[Key, int]] = {}
        self.rows: list[list[Stage]] = []
        ends: dict[Base, list[list[Stage]]] = {}
        order.budget.curve(len(stages))
        for stage in sorted(stages.values(), key=lambda one: (order.depth(one), one.key)):
            stream = self.streams[stage.key]
            if stream.times != 1:
                continue
            mine = ends.setdefault(stream.base, [])
            row = next((row for row in mine if order.leads(row[-1], stage)), None)
            if row is None:
                self.rows.append(row := [])
                mine.append(row)
            row.append(stage)

    def of(self, visits: Sequence[Stage], counted: Collection[Key]) -> list[Row] | None:
        """The rows of what counts that meet some visits; None where it is not known how."""
        if any(self.neighbours.wait(one) is not None for one in visits):
            return None
        found, meets = [], [self._how(visit) for visit in reversed(visits)]
        for row in self.rows:
            here = [one for one in row if one.key in counted]
            here = [one for one in here if self.claims[one.key].latency is not None]
            if len(here) > 1:
                found.append(self._row(meets, row, here))
        return found

    def _row(self, meets: Sequence[Mapping[Key, int]], row: list[Stage], here: list[Stage]) -> Row:
        """What of a row meets some visits, of which it is known how others meet each, the last one
        first."""
        behind = {one.key: after for one, after in pairwise(row)}
        self.order.budget.curve(len(meets) * len(here))
        least = [0] * len(meets)  # work of what meets a visit or a later one
        fresh = [0] * len(meets)  # and of that visit nothing that is ahead
        works = list[int]()
        for one in reversed(here):
            key, cost, later = one.key, one.cost, 0
            is_over = not works or self.order.is_over(one, behind[key])
            for at, how in enumerate(meets):
                mine, free, met = least[at], fresh[at], how.get(key, _NEVER)
                if met == _ONCE:
                    mine = max(mine, (free if is_over else mine) + cost)
                elif met == _OFTEN:
                    mine, free = mine + cost, free + cost
                free = max(free, later)  # what meets a later visit
                mine = max(mine, free)
                least[at], fresh[at], later = mine, free, mine
            works.append(later)
        members, latest = [], 0
        for one, work in zip(here, reversed(works), strict=True):
            latest = max(latest, self.claims[one.key].latency or 0)
            members.append(Member(one, latest, work))
        streams = [self.streams[one.key] for one in here]
        soonest, own = min(one.best for one in streams), sum(one.cost for one in here)
        return Row(streams[0].base, soonest, tuple(members), own)

    def _how(self, visit: Stage) -> Mapping[Key, int]:
        """How others may meet a visit."""
        if visit.key not in self.known:
            given = self.neighbours.relations(visit)
            found = {one.key: _ONCE for one in (visit, *given.ahead)}
            often = (
                *given.preempts, *given.overtakes, *given.contends, *given.lingers,
                *given.alternates, *given.precedes, *(one for one, _ in given.due), *given.served,
            )  # fmt: skip
            found |= {one.key: _OFTEN for one in often}
            self.known[visit.key] = found
        return self.known[visit.key]
