"""The windows of closed sets of stages (lemmas closed-window, slowest-release, fork-overlap and
closed-sets)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

from ddsrta.base.frozen import frozen
from ddsrta.bounds.closed_window.closure import Closures
from ddsrta.bounds.closed_window.released import Released
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.load import FULL, stage_rates
from ddsrta.bounds.slowest_input.due import released
from ddsrta.bounds.stages import comes_from, goes_round
from ddsrta.models.bandwidth import limited
from ddsrta_kernel import UNBOUNDED, Solver

if TYPE_CHECKING:
    from ddsrta.bounds.closed_window.forks import Fork, Forks
    from ddsrta.bounds.closed_window.gaps import Gaps
    from ddsrta.bounds.closed_window.sleeps import Sleeps
    from ddsrta.bounds.locks.sharing import LockSharing

MOST_ROUNDS = 5000  # of the search of one


@frozen
class ClosedWindow:
    """No unit of these stages takes longer from the release that it stems from, while nothing of
    its way waits; each with how many of its units count, and what one adds: cost, and way."""

    length: int
    counts: Mapping[int, tuple[int, int, int]]
    gaps: int = 0  # in which supplies do not serve them (lemma gaps-of-supplies)
    asleep: int = 0  # in which flow controllers sleep for their limits (lemma limit-windows)
    overlap: int = 0  # in which two cores serve them (lemma fork-overlap)
    fork: Fork | None = None
    apart: bool = False  # from when it came by the last long way (lemma ways-apart)
    sharing: bool = False  # of what shares locks, by what arrives there (lemma sharing-window)

    @property
    def response(self) -> int:
        """From the arrival of a unit of any of them."""
        return self.length


def _sleeps(compiled: Compiled, held: list[int]) -> Sleeps:
    from ddsrta.bounds.closed_window.sleeps import Sleeps

    return Sleeps(compiled, held)


def _gaps(compiled: Compiled, held: list[int], locks: LockSharing) -> Gaps:
    from ddsrta.bounds.closed_window.gaps import Gaps

    return Gaps(compiled, held, locks)


class ClosedWindows:
    """The windows of the closed sets of a system, as they are asked for."""

    def __init__(self, compiled: Compiled, solver: Solver, most_rounds: int = MOST_ROUNDS) -> None:
        self.compiled, self.solver = compiled, solver
        self.most_rounds = min(most_rounds, MOST_ROUNDS)
        self.closures = Closures(compiled)
        self.known: dict[int, ClosedWindow | None] = {}
        self.around: dict[int, ClosedWindow | None] = {}
        self.because: dict[int, str] = {}  # why stages have none
        self.parts: dict[int, Released] = {}  # of windows, by their identity
        self.backlogs: dict[int, int | None] = {}
        self.shares: dict[int, dict[int, float]] = {}  # of the time, where it takes all and more

    def waiting(self, compiled: Compiled, solver: Solver) -> ClosedWindows | None:
        """Those of the same system whose stages wait otherwise, with what is known: releases that
        are counted by their sources do not wait. None where some are counted by others, which no
        windows of what shares locks are: those of stages with sets there have none."""
        if compiled.slowest or compiled.closed_sets:
            return None
        found = copy(self)
        found.compiled, found.solver = compiled, solver
        return found

    def of(self, stage: int) -> ClosedWindow | None:
        """The window of the least closed set with a stage; where it has none, or too much was asked
        for, that of a larger one: with locks, some budgets may go to what only that one holds."""
        if stage not in self.known:
            found = self._found(stage) if self.compiled.closed_windows else None
            found = found or self.around.get(stage)
            if found is not None and found.fork is None:  # else what it holds may have none itself
                self.around.update(dict.fromkeys(found.counts, found))
            self.known[stage] = found
        return self.known[stage] or self.around.get(stage)

    def _found(self, stage: int) -> ClosedWindow | None:
        held: list[int] = []
        for number in self.closures.of(stage):
            if number is None:
                return self._none(stage, self.closures.because)
            has_none = number in self.known and self.known[number] is None
            if has_none and self.closures.locks is None:
                self.shares[stage] = self.shares.get(number, {})
                return self._none(stage, self.because[number])
            same = self.known.get(number)
            if same is not None and stage in same.counts:  # each holds the other
                return same
            held.append(number)
        stages = self.compiled.stages
        if goes_round(stages, held) and any(stages[number].makes_sets for number in held):
            return self._none(stage, "messages go round beside sets that are not counted by number")
        return self._window(stage, sorted(held))

    def _none(self, stage: int, because: str) -> ClosedWindow | None:
        self.because[stage] = because
        return None

    @cached_property
    def rates(self) -> list[float]:
        """Units of each stage in a nanosecond, as these windows count them."""
        return stage_rates(self.compiled, "any" if self.compiled.slowest_releases else "none")

    @cached_property
    def starts(self) -> list[int]:
        """How long after the event of its base what releases each stage may be released by time
        (lemma known-offsets)."""
        starts: list[int] = []
        for number, stage in enumerate(self.compiled.stages):
            if not stage.inputs:
                starts.append(self.solver.before(self.compiled.unit_of[number]))
            elif self.compiled.streams.of[number].entries[0] is None:
                starts.append(max(starts[edge.source] for edge in stage.inputs))
            else:
                starts.append(0)
        return starts

    def _window(self, stage: int, held: list[int]) -> ClosedWindow | None:
        stages = self.compiled.stages
        ways = dict.fromkeys(held, 0)  # the longest behind each stage, to another of them
        for edge in (edge for number in held for edge in comes_from(stages[number])):
            ways[edge.source] = max(ways[edge.source], edge.link)
        each = {number: stages[number].cost + ways[number] for number in held}
        locks = self.closures.locks
        gaps = _gaps(self.compiled, held, locks) if locks else None
        load = sum(time * self.rates[number] for number, time in each.items())
        load += gaps.rate(self.rates) if gaps else 0
        system = self.compiled.system
        sleeps = _sleeps(self.compiled, held) if system.resets or limited(system) else None
        beside = sleeps and sleeps.wakes and gaps and gaps.each
        if sleeps and (not sleeps.is_whole or (beside and not self.compiled.limit_gaps)):
            return self._none(stage, "a limit is beside a reservation there")
        load += sleeps.rate(self.rates) if sleeps else 0
        overlap, fork, because = 0, None, "its window is too long to be searched"
        if load >= FULL:
            overlap, fork = self._overlap(held)
            shares = {number: time * self.rates[number] for number, time in each.items()}
            self.shares[stage] = shares
            because = f"one by one, it takes {100 * load:.0f} % of the time"
        if load >= FULL and overlap == 0:
            return self._apart(held) or self._none(stage, because)
        longest = UNBOUNDED if load < FULL else int(overlap / max(load - 1, 1 - FULL))
        counted = _Work(self, each)
        work = counted.work(each)
        for number in held if counted.has_sets else ():
            if counted.counts(1)[number] >= UNBOUNDED:
                name = stages[number].key[1]
                return self._none(stage, f"nothing bounds how many sets of {name} come at once")
        without = gaps.inside(counted) if gaps and gaps.each else None
        sleeping = sleeps.inside(counted) if sleeps and sleeps.each else None
        length = 1
        for _ in range(self.most_rounds):
            closed = without(length) if without else 0
            asleep = sleeping(length) if sleeping else 0
            needed = work(length) + closed + asleep - overlap
            if needed <= length:
                counts = counted.counts(length)
                found = {n: (counts[n], stages[n].cost, ways[n]) for n in held}
                window = ClosedWindow(length, found, closed, asleep, overlap, fork)
                if not counted.has_sets and not goes_round(stages, held):
                    self.parts[id(window)] = counted
                return window
            if needed >= longest:
                break
            length = needed
        return self._apart(held) or self._none(stage, because)

    def _apart(self, held: list[int]) -> ClosedWindow | None:
        """One that counts no time on long ways, but what comes over them."""
        stages = self.compiled.stages
        inputs = (edge for number in held for edge in stages[number].inputs)
        has_sets = any(stages[number].makes_sets for number in held)
        if not self.compiled.ways_apart or has_sets or not any(edge.link for edge in inputs):
            return None
        if goes_round(stages, held):
            return None
        if (locks := self.closures.locks) and _gaps(self.compiled, held, locks).each:
            return None
        from ddsrta.bounds.closed_window.ways import WaysSearch

        known = self.compiled, self.solver, self.rates, self.starts
        found = WaysSearch(*known, held, self.most_rounds).best()
        if found is None:
            return None
        counts = {n: (found.counts[n], stages[n].cost, found.ways[n]) for n in held}
        window = ClosedWindow(found.length, counts, apart=True)
        self.parts[id(window)] = found
        return window

    def part(self, stage: int) -> tuple[ClosedWindow, Released] | None:
        """The window of a stage, and what is released in a part of it, where that is known."""
        window = self.of(stage)
        released = None if window is None else self.parts.get(id(window))
        return None if window is None or released is None else (window, released)

    def backlog(self, stage: int) -> int | None:
        """The most of what is released in the closed window of a stage that may be left to do at
        any time, with its ways (lemma side-by-side); None where that is not known."""
        if (found := self.part(stage)) is None:
            return None
        window, released = found
        if id(window) not in self.backlogs:
            from ddsrta.bounds.closed_window.backlog import most_left

            work = released.work({n: cost + way for n, (_, cost, way) in window.counts.items()})
            self.backlogs[id(window)] = most_left(work, window.length)
        return self.backlogs[id(window)]

    def _overlap(self, held: list[int]) -> tuple[int, Fork | None]:
        """How long two cores work at the same time on what one of these hands to both: by a
        nanosecond less, so that what is left of a window is idle."""
        if not self.compiled.fork_overlaps or goes_round(self.compiled.stages, held):
            return 0, None
        overlap, fork = self.forks.best(held)
        return max(0, overlap - 1), fork

    @cached_property
    def forks(self) -> Forks:
        """What jobs hand to two cores."""
        from ddsrta.bounds.closed_window.forks import Forks

        return Forks(self.compiled)


class _Work(Released):
    """What the releases of a window make closed stages do: the units of each are those of an
    origin, a source or a junction, so often."""

    def __init__(self, windows: ClosedWindows, held: Collection[int]) -> None:
        super().__init__()
        self.compiled, self.solver = windows.compiled, windows.solver
        self.origins: list[tuple[int, bool, list[tuple[int, int]]]] = []
        self.limits: list[tuple[int, int, int] | None] = []  # of ANDs, by their slowest input
        self.of: dict[int, tuple[int, int]] = {}
        self.has_sets = False
        self.goes_round = goes_round(self.compiled.stages, held)
        for number in held:
            self.has_sets = self.has_sets or self.compiled.stages[number].makes_sets
            self.of[number] = self._origin(windows, number)
        self.counted = len(self.of)

    def _origin(self, windows: ClosedWindows, number: int) -> tuple[int, int]:
        stage = self.compiled.stages[number]
        brought = {
            (self.of[e.source][0], self.of[e.source][1] * e.multiplicity) for e in stage.inputs
        }
        joins = stage.activation == "and"
        alike = len(brought) == 1 and (joins or len(stage.inputs) == 1)
        if alike and not stage.makes_sets:
            return next(iter(brought))
        parts = [
            (self.of[e.source][0], self.of[e.source][1] * e.multiplicity) for e in stage.inputs
        ]
        self.origins.append((number, joins, parts))
        self.limits.append(self._limit(windows, number) if joins else None)
        return len(self.origins) - 1, 1

    def _limit(self, windows: ClosedWindows, number: int) -> tuple[int, int, int] | None:
        """The slowest source of an AND that begins a stream, how many jobs it has for each event of
        that, and how much earlier than a window this may come if the job is of releases in it."""
        compiled = self.compiled
        stream = compiled.streams.of[number]
        slowest = compiled.slowest.get(stream.node) if compiled.slowest_releases else None
        if slowest is None or self.goes_round or stream.entries[0] is None:
            return None
        return slowest.source, slowest.times, max(0, released(slowest.due, windows.starts))

    def events(self, length: int) -> list[int]:
        """How often each origin comes."""
        solver, unit_of = self.solver, self.compiled.unit_of
        events: list[int] = []
        for (number, joins, parts), limit in zip(self.origins, self.limits, strict=True):
            if not parts:
                events.append(solver.count(unit_of[number], length))
                continue
            found = (events[origin] * times for origin, times in parts)
            stage = self.compiled.stages[number]
            if stage.makes_sets:
                events.append(self._sets(number, list(found), length))
                continue
            most = max(found) if joins else sum(found)
            if limit is not None:
                source, times, earlier = limit
                most = min(most, times * solver.node_count(source, length + earlier))
            events.append(most)
        return events

    def _sets(self, number: int, brought: list[int], length: int) -> int:
        """Those of a synchronizer, of so many messages of each topic (lemma closed-sets)."""
        compiled = self.compiled
        sets = compiled.streams.sets(number)
        most = sets.most(brought) if sets else None
        come = self.solver.count(compiled.unit_of[number], length + 1)
        return come if most is None else min(most, come)

    def weights(self, each: Mapping[int, int]) -> list[int]:
        """What each origin adds, with all that it brings."""
        found = [0] * len(self.origins)
        for number, time in each.items():
            origin, times = self.of[number]
            found[origin] += times * time
        return found

    def counts(self, length: int) -> dict[int, int]:
        """The units of each stage."""
        events = self.events(length)
        return {number: events[origin] * times for number, (origin, times) in self.of.items()}
