"""Two threads in tandem in plain Python: a burst is paid once (lemma tandem-window)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    LINGERS,
    OVERTAKES,
    PRECEDES,
    PREEMPTS,
    UNBOUNDED,
    Outcome,
    TandemOutcome,
)
from ddsrta_kernel.twin_windows import NOTHING, OVERLOAD, TooLongError, Window

if TYPE_CHECKING:
    from ddsrta_kernel.twin import Solver
    from ddsrta_kernel.twin_windows import _View


class Feed(NamedTuple):
    """Each unit of `source` brings `times` units of `target`; a unit of the source that is served
    later may come first where `slack`, the longest way less the least time, is not negative."""

    source: int
    target: int
    times: int
    slack: int


class Tandem(NamedTuple):
    """A unit and the one that it feeds: the extra delay between them, and the way's part of it."""

    first: int
    last: int
    worst: int
    link: int


def evaluate(
    solver: Solver, tandem: Tandem, feeds: Sequence[int], origin: int, before: tuple[int, int]
) -> TandemOutcome:
    """Both cases; `before` is the latest arrival at the first and at the last, from the origin."""
    units = (tandem.first, tandem.last)
    nothing = TandemOutcome(NOTHING, NOTHING, 0, 0)
    if max(before) >= UNBOUNDED or any(solver.demand(unit) > OVERLOAD for unit in units):
        return nothing
    last = Window(solver, tandem.last, origin, before[1])
    last.floor = max(0, before[1] - before[0] - tandem.link)
    first = _First(solver, tandem, feeds, origin, before)
    try:
        early, late = _searched(last), _searched(first)
    except TooLongError:
        return nothing
    if max(early.latency, late.latency) >= UNBOUNDED:
        return nothing
    return TandemOutcome(early, late, first.first_finish, first.last_finish)


def _searched(window: Window) -> Outcome:
    length = window.own() if window.is_own else window.level()
    return window.best._replace(latency=window.latency, window=length)


class _First(Window):
    """The windows of the first thread, each with what then waits at the last one."""

    def __init__(
        self,
        solver: Solver,
        tandem: Tandem,
        feeds: Sequence[int],
        origin: int,
        before: tuple[int, int],
    ) -> None:
        super().__init__(solver, tandem.first, origin, before[0])
        self.tandem = tandem
        self.last = _Last(solver, tandem.last, origin, before[1])
        every = [Feed(*feeds[i : i + 4]) for i in range(0, len(feeds), 4)]
        self.feeds = [(source, list(some)) for source, some in groupby(every, lambda f: f.source)]
        self.first_finish = self.last_finish = 0

    def record(self, index: int, arrival: int, start: int, finish: int, left: int) -> None:
        """The finish at the last thread instead of that at the first."""
        found, tandem = self.latency, self.tandem
        reach = max(1, finish + tandem.worst - arrival - tandem.link)
        self.last.open(reach)
        saved = most = 0
        for source, feeds in self.feeds:
            units, each = self.shared(source, feeds, (index, arrival, start, finish), reach)
            saved += units * each
            most = max(most, each if units else 0)
        later = self.last.finished()
        most = max(0, most - self.last.blockers[0])  # what blocks is served before all others
        total = finish + later + tandem.link - saved + most
        super().record(index, arrival, start, total, left)
        if self.latency > found:
            self.first_finish, self.last_finish = finish, later

    def shared(
        self, source: int, feeds: list[Feed], at: tuple[int, int, int, int], reach: int
    ) -> tuple[int, int]:
        """How many units of a source are paid on one of both threads only, and how much."""
        kind = AHEAD if source == self.unit else self.kind(source)
        if kind < 0 or kind in (PREEMPTS, LINGERS):
            return 0, 0
        curves, last, finish = self.curves, self.last, at[3]
        counted = self.counted(source, kind, at)
        units, cost, blocking = -1, 0, []
        for feed in feeds:
            own = feed.target == last.unit
            in_order = own or feed.slack < 0
            if not own and last.kind(feed.target) != AHEAD:
                continue
            if not in_order and kind in (ALTERNATES, BLOCKS, PRECEDES):
                continue
            arriving = curves.count(feed.target, reach)
            if kind == BLOCKS:
                last.remove(feed.target, arriving)
                blocking.append((feed.target, feed.times if arriving else 0))
                continue
            extra = 0 if in_order else curves.count(source, finish + feed.slack + 1) - counted
            extra = max(0, extra)
            most = min(arriving, feed.times * (counted + extra))
            if own:
                last.units = most
            else:
                last.remove(feed.target, arriving - most)
            paid = max(0, most // feed.times - extra)
            units = paid if units < 0 else min(units, paid)
            cost += feed.times * last.views[0].costs[feed.target]
        last.block(blocking)
        return max(0, units), min(cost, self.views[0].costs[source])

    def counted(self, source: int, kind: int, at: tuple[int, int, int, int]) -> int:
        """How many units of a source the window of the first thread counts."""
        index, arrival, start, _ = at
        count, response = self.curves.count, self.solver.response
        if source == self.unit:
            return index
        if kind == AHEAD:
            return min([count(source, arrival + 1), *self.siblings(source, arrival)])
        if kind == OVERTAKES:
            return count(source, start + 1)
        if kind == BLOCKS:
            return 0
        most = min(index + (kind == PRECEDES), count(source, start + response[source]))
        return min(most, self.earlier(source, index)) if self.is_effect(source) else most

    def is_effect(self, source: int) -> bool:
        """Whether it comes only after the unit in question, for one event (lemma
        effects-in-turn)."""
        p = self.solver.problem
        begin, end = p.effect_start[self.unit], p.effect_start[self.unit + 1]
        return source in p.effect_unit[begin:end]

    def siblings(self, source: int, arrival: int) -> Iterator[int]:
        """The most that counts of a later sibling (lemma later-siblings)."""
        p, curves = self.solver.problem, self.curves
        for i in range(p.later_start[self.unit], p.later_start[self.unit + 1]):
            if p.later_unit[i] == source:
                shift = curves.before[source] - p.best[self.unit]
                jobs = p.later_jobs[i] * curves.node_count(self.node, arrival + 1 + shift) - 1
                yield jobs * p.later_bunch[i]

    def kind(self, other: int) -> int:
        """The relation of another unit; -1: none."""
        return _kind(self, other)


class _Last(Window):
    """The window of the last thread, with no more than what the first one lets through."""

    def open(self, reach: int) -> None:
        """All that arrives by itself in a window of this length."""
        self.units = 1
        self.less = [0] * len(self.views)
        self.blockers = [0] * len(self.views)
        self.all = [0] * len(self.views)
        if not self.is_own:
            self.all = [
                view.blocking + view.arriving(AHEAD, reach, without=self.unit)
                for view in self.views
            ]

    def remove(self, unit: int, count: int) -> None:
        """So many units do not come."""
        for i, view in enumerate(self.views):
            self.less[i] += view.costs[unit] * count

    def block(self, units: list[tuple[int, int]]) -> None:
        """Of all units that block at the first thread, one comes."""
        for i, view in enumerate(self.views):
            one = sum(view.costs[unit] * times for unit, times in units)
            self.blockers[i] = max(self.blockers[i], one)

    def ahead(self, view: _View, arrival: int) -> int:
        """B + H."""
        i = self.views.index(view)
        if self.all[i] >= UNBOUNDED:
            return UNBOUNDED
        return self.all[i] - self.less[i] + self.blockers[i]

    def finished(self) -> int:
        """When the last of the units is done."""
        start = self.start(0, self.units, 0) if self.asks_start else 0
        return self.finish(0, self.units, start, start + self.cost)

    def kind(self, other: int) -> int:
        """The relation of another unit; -1: none."""
        return _kind(self, other)


def _kind(window: Window, other: int) -> int:
    for kind in range(PREEMPTS, BLOCKS + 1):
        if any(low <= other < high for low, high in window.ranges[kind]):
            return kind
    return -1
