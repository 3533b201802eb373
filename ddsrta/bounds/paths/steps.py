"""What the kernel found along a path, as steps: by which window each stage is bounded."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow
from ddsrta.bounds.paths import Step, instead
from ddsrta.bounds.paths.walk import Walk
from ddsrta.bounds.solution import bounded
from ddsrta_kernel.problem import (
    BY_ALL,
    BY_CLOSED,
    BY_GROUP,
    BY_NOTHING,
    BY_NUMBER,
    BY_PENDING,
    BY_TANDEM,
    STEP,
    STEP_BEFORE,
    STEP_BY,
    STEP_CARRIED,
    STEP_DUE,
    STEP_ORIGIN,
    STEP_TOTAL,
    STEP_UNIT,
    STEP_WHICH,
)

if TYPE_CHECKING:
    from ddsrta.bounds.paths.told import Told


def steps_of(walk: Walk | Told) -> list[Step]:
    """All steps from the first on: nobody tells them without a walk."""
    assert isinstance(walk, Walk)
    return [step for part in walk.since(0) for step in _last_of(part)]


def _last_of(walk: Walk) -> Iterator[Step]:
    """Those of the last stretch."""
    stretch = _Stretch(walk)
    *others, last = range(len(walk.stretch))
    for number in others:
        yield stretch.step(number)
    step = stretch.step(last)
    if walk.changed:
        changed = dict(walk.changed)
        if "last" in changed:
            begun, way = changed["last"]
            changed["last"] = begun, tuple(steps_of(way.settled))
        step = instead(step, walk.last(STEP_TOTAL))._replace(**changed)
    yield step


class _Stretch:
    def __init__(self, walk: Walk) -> None:
        self.walk, self.solution = walk, walk.solution
        self.rows = len(walk.path) // STEP
        self.first = self.rows - len(walk.stretch)  # those before are of other stretches

    def column(self, row: int, column: int) -> int:
        return self.walk.path[STEP * row + column]

    def stage(self, unit: int) -> int:
        number = self.solution.compiled.placement.stage_of[unit]
        assert number is not None
        return number

    def step(self, place: int) -> Step:
        """That of a stage of the stretch."""
        walk, row = self.walk, self.first + place
        edge = walk.plan.edges[place] if place else walk.edge
        number, origin = walk.stretch[place], self.stage(self.column(row, STEP_ORIGIN))
        carried, before = self.column(row, STEP_CARRIED), self.column(row, STEP_BEFORE)
        by, which = self.column(row, STEP_BY), self.column(row, STEP_WHICH)
        total = bounded(self.column(row, STEP_TOTAL))
        if by == BY_NOTHING:
            return Step(number, edge, origin, carried, 0, None, None)
        kept = 0 if place else walk.kept
        if by == BY_GROUP:
            return self.of_group(Step(number, edge, origin, carried, before, None, total), place)
        if by == BY_TANDEM:
            step = Step(number, edge, origin, carried, before, None, total)
            return self.in_tandem(step, self.column(row - 1, STEP_BEFORE))
        outcome = self.solution.evaluate(number, origin, before)
        step = Step(number, edge, origin, carried, before, outcome, total, kept=kept)
        if by in (BY_CLOSED, BY_ALL):
            closed = self.solution.ceilings.get(number)
            if closed is None or closed.apart:  # a latency that has no closed window
                return step._replace(end_to_end=self.behind(place, total))
            return step._replace(closed=closed, spanned=which)
        if by == BY_PENDING:
            windows = self.solution.from_arrival(number)
            return step._replace(pending=min(windows, key=attrgetter("response")))
        if by == BY_NUMBER:
            part = self.behind(place, total)
            return step._replace(end_to_end=part, due=None if part else self.column(row, STEP_DUE))
        return step

    def behind(self, place: int, total: int | None) -> EndToEndWindow | None:
        """The window of the last stages alone, if a latency is by that (lemma latest-by-path)."""
        walk = self.walk
        known = self.solution.latest.get(walk.stretch[place])
        first = place + 1 - len(known.units) if known and known.units else -1
        if first < 0 or known is None or total is None:
            return None
        row, places = self.first + first, range(first, place + 1)
        arrived = self.column(row, STEP_CARRIED) + self.column(row, STEP_BEFORE)
        way = [(walk.stretch[each], walk.plan.edges[each]) for each in places]
        found = self.solution.end_to_end_windows.find(way, total - arrived + 1)
        if found is None or found.units != known.units or arrived + found.finish != total:
            return None
        return found

    def of_group(self, step: Step, place: int) -> Step:
        """With the group that bounds it."""
        row, kept = self.first + place, 0 if place else self.walk.kept
        group = self.walk.plan.groups[place][self.column(row, STEP_WHICH)]
        head = self.solution.compiled.unit_of[group.head]
        while row >= 0 and self.column(row, STEP_UNIT) != head:
            row -= 1
        if row < 0:
            outcome, since = self.solution.evaluate_group(group, self.walk.start), None
        else:
            origin, before = (
                self.stage(self.column(row, STEP_ORIGIN)),
                self.column(row, STEP_BEFORE),
            )
            outcome = self.solution.evaluate_group(group, None, origin, before)
            since = self.column(row, STEP_CARRIED) + before
        return step._replace(outcome=outcome, group=group, since=since, kept=kept)

    def in_tandem(self, step: Step, before: int) -> Step:
        """With the tandem that does: the outcome is that of its case."""
        tandem = self.solution.compiled.tandems.before(step.stage)
        assert tandem is not None
        found = self.solution.evaluate_tandem(tandem, step.origin, (before, step.before))
        is_late = found.late.latency > found.early.latency
        outcome, both = (found.late, found) if is_late else (found.early, None)
        return step._replace(outcome=outcome, tandem=both)
