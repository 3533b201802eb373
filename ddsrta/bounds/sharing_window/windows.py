"""Windows of all that shares locks and cores, by what arrives there (lemma sharing-window)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddsrta.bounds.closed_window.closure import Closures
from ddsrta.bounds.closed_window.released import Released
from ddsrta.bounds.closed_window.windows import ClosedWindow
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.sharing_window.plan import Plan, plan_of
from ddsrta.bounds.stages import goes_round
from ddsrta_kernel import UNBOUNDED, Solver

MOST_ROUNDS = 500  # of the search of one


class SharingSets:
    """The sets of the stages of a system, which what they wait for leaves as they are."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.closures = Closures(compiled, with_inputs=False)
        self.known: dict[int, tuple[int, ...] | None] = {}
        self.plans: dict[tuple[int, ...], Plan | None] = {}

    def plan(self, held: tuple[int, ...]) -> Plan | None:
        """What counts in the windows of a set; None where that is not countable."""
        if held not in self.plans:
            self.plans[held] = plan_of(self.compiled, held, self.closures.locks)
        return self.plans[held]

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
        plan, compiled = self.sets.plan(held), self.compiled
        if plan is None:
            return None
        longest = max(self.solver.response[compiled.unit_of[number]] for number in held)
        length = self.solver.sharing(plan.words, min(longest, UNBOUNDED), MOST_ROUNDS)
        if length < 0:
            return None
        arriving = _Arriving(compiled, self.solver, held)
        counts = {
            number: (units, compiled.stages[number].cost, 0)
            for number, units in zip(held, arriving.events(length), strict=True)
        }
        closed = plan.gaps.inside(arriving)(length) if plan.gaps else 0
        asleep = plan.sleeps.inside(arriving)(length) if plan.sleeps else 0
        return ClosedWindow(length, counts, closed, asleep, sharing=True)


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
