"""Windows of all that shares locks and cores, by what arrives there (lemma sharing-window)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddsrta.bounds.closed_window.closure import Closures
from ddsrta.bounds.closed_window.gaps import Gaps
from ddsrta.bounds.closed_window.released import Released
from ddsrta.bounds.closed_window.sleeps import Sleeps
from ddsrta.bounds.closed_window.windows import ClosedWindow
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.stages import goes_round
from ddsrta_kernel import UNBOUNDED, Solver

MOST_ROUNDS = 500  # of the search of one


class SharingSets:
    """The sets of the stages of a system, which what they wait for leaves as they are."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.closures = Closures(compiled, with_inputs=False)
        self.known: dict[int, tuple[int, ...] | None] = {}

    def of(self, stage: int) -> tuple[int, ...] | None:
        """All that shares a core or a lock with what it holds; None where that is not countable."""
        if stage not in self.known:
            self.known[stage] = self._found(stage)
        return self.known[stage]

    def _found(self, stage: int) -> tuple[int, ...] | None:
        held: list[int] = []
        for number in self.closures.of(stage):
            if number is None or self.compiled.stages[number].makes_sets:
                return None
            held.append(number)
        if goes_round(self.compiled.stages, held):
            return None
        return tuple(sorted(held)) if self._waits(held) else None

    def _waits(self, held: Sequence[int]) -> bool:
        """Whether anything of them sleeps: else it is a busy window."""
        locks, stages = self.closures.locks, self.compiled.stages
        if locks is not None:
            return any(number in locks.locks for number in held)
        return any(stages[number].key[0] == "sample" for number in held)


class SharingWindows:
    """The windows of these sets in a solved system, as they are asked for."""

    def __init__(self, sets: SharingSets, compiled: Compiled, solver: Solver) -> None:
        self.sets, self.compiled, self.solver = sets, compiled, solver
        self.known: dict[tuple[int, ...], ClosedWindow | None] = {}

    def of(self, stage: int) -> ClosedWindow | None:
        """The window of a stage, where it is less than the bound that there is."""
        held = self.sets.of(stage)
        if held is None:
            return None
        if held not in self.known:
            self.known[held] = self._window(held)
        window = self.known[held]
        response = self.solver.response[self.compiled.unit_of[stage]]
        return window if window is not None and window.length < response else None

    def _window(self, held: tuple[int, ...]) -> ClosedWindow | None:
        compiled, locks = self.compiled, self.sets.closures.locks
        arriving = _Arriving(compiled, self.solver, held)
        work = arriving.work({number: compiled.stages[number].cost for number in held})
        gaps = Gaps(compiled, held, locks) if locks else None
        sleeps = Sleeps(compiled, held)
        if not sleeps.is_whole or (gaps and gaps.each and sleeps.wakes and not compiled.limit_gaps):
            return None
        unit_of = compiled.unit_of
        longest = max(self.solver.response[unit_of[number]] for number in held)
        without = gaps.inside(arriving) if gaps and gaps.each else None
        sleeping = sleeps.inside(arriving) if sleeps.each else None
        length = 1
        for _ in range(MOST_ROUNDS):
            closed = without(length) if without else 0
            asleep = sleeping(length) if sleeping else 0
            needed = work(length) + closed + asleep
            if needed <= length:
                counts = {
                    n: (units, compiled.stages[n].cost, 0)
                    for n, units in zip(held, arriving.events(length), strict=True)
                }
                return ClosedWindow(length, counts, closed, asleep, sharing=True)
            if needed >= min(longest, UNBOUNDED):
                break
            length = needed
        return None


class _Arriving(Released):
    """What arrives at closed stages in a window that opens when none of them has work."""

    def __init__(self, compiled: Compiled, solver: Solver, held: Sequence[int]) -> None:
        super().__init__()
        self.held, self.solver = held, solver
        self.units = [compiled.unit_of[number] for number in held]
        self.counted = len(held)

    def events(self, length: int) -> Sequence[int]:
        """The units of each."""
        return [self.solver.count(unit, length) for unit in self.units]

    def weights(self, each: Mapping[int, int]) -> Sequence[int]:
        """By stage."""
        return [each.get(number, 0) for number in self.held]
