"""Ceilings that rise with what is below them, until none of the windows that they stand for is
above its own: then all hold at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy

from ddsrta.bounds.compiled import Compiled, open_ceilings
from ddsrta.bounds.end_to_end_window.ceilings import starts
from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow, EndToEndWindows, ways_back
from ddsrta.bounds.pending_window.pools import is_pool
from ddsrta.bounds.pending_window.windows import MOST_COUNTS, PendingWindow, PendingWindows
from ddsrta_kernel import UNBOUNDED, Solver

MOST_WAY = 100  # stages of one: no window bounds what is further behind
MOST_RISES = 160  # of the ceilings of one part
PATIENCE, RACE = 12, 2  # rounds, before half as many more may not double the longest latency
SWEEPS = 2  # of the kernel in a round


Risen = tuple[Solver, dict[int, PendingWindow], dict[int, EndToEndWindow]]


def solved_from_below(
    compiled: Compiled,
    crowded: list[list[int]],
    most_steps: int,
    is_over: Callable[[], bool] | None,
    last: list[Rising],
) -> Risen | None:
    """A problem, solved with windows from the arrival of each unit, and of the ways to stages, in
    those of these parts where they come to an end; None where there is no time for that. The last
    one may be the same problem."""
    alike = next((one for one in last if one.compiled.problem is compiled.problem), None)
    rising = alike.of(compiled) if alike else Rising(compiled, crowded, most_steps, is_over)
    while rising.rises():
        pass
    if rising.gave_up and not rising.solver.stopped:
        rising.solve_again(most_steps, is_over)
    else:
        rising.solver.rise([], 0)
    if rising.solver.stopped:
        return None
    last[:] = [rising]
    return rising.solver, *rising.found()


class Rising:
    """The ceilings of the crowded parts of a problem, as they rise."""

    def __init__(
        self,
        compiled: Compiled,
        crowded: list[list[int]],
        most_steps: int,
        is_over: Callable[[], bool] | None,
    ) -> None:
        self.parts = dict(enumerate(crowded))
        self.rounds, self.all_rounds = dict.fromkeys(self.parts, 0), 0
        self.reached: dict[tuple[int, int], int] = {}  # latencies, by part and round
        self.gave_up = False
        open_ceilings(compiled.problem)
        self.ceiling, self.latest = compiled.problem.ceiling, compiled.problem.latest
        self._take(compiled, Solver(compiled.problem, most_steps, is_over))
        self.higher = [*self._begun()]

    def _take(self, compiled: Compiled, solver: Solver) -> None:
        self.compiled, self.unit_of, self.solver = compiled, compiled.unit_of, solver
        self.pending = PendingWindows(compiled, solver)
        self.ways = ways_back(compiled, MOST_WAY) if compiled.latest_by_paths else {}

    def of(self, compiled: Compiled) -> Rising:
        """The same of another system with the same problem: where its windows are others, they go
        on from there."""
        found = copy(self)
        found._take(compiled, self.solver)
        compiled.problem.ceiling, compiled.problem.latest = self.ceiling, self.latest
        return found

    @property
    def stages(self) -> frozenset[int]:
        """All that have ceilings, or may."""
        return frozenset(number for part in self.parts.values() for number in part)

    def solve_again(self, most_steps: int, is_over: Callable[[], bool] | None) -> None:
        """With the ceilings that there are: what was given up has bounds without."""
        self.solver = Solver(self.compiled.problem, most_steps, is_over)
        self.solver.solve()
        self.gave_up = False

    def _begun(self) -> Iterator[int]:
        """Units with ceilings, of which each begins with its own work."""
        for number in (number for part in self.parts.values() for number in part):
            unit, cost = self.unit_of[number], self.compiled.stages[number].cost
            if not is_pool(self.compiled, number) and not self.pending.is_elsewhere(number):
                self.ceiling[unit] = cost
            if number in self.ways:
                self.latest[unit] = cost
            yield unit

    def rises(self) -> bool:
        """Goes on with what has risen; whether that makes anything else rise."""
        examined = self.solver.rise(self.higher, SWEEPS)
        self.higher = []
        self.all_rounds += 1
        if self.solver.stopped:
            return False
        paths = EndToEndWindows(self.compiled, self.solver)
        for key, part in list(self.parts.items()):
            if self._is_hopeless(key):
                self._give_up(key)
                continue
            higher = [*self._higher(part, paths)]
            self.rounds[key] += bool(higher)
            self.higher += higher
        return bool(examined or self.higher)

    def _is_hopeless(self, key: int) -> bool:
        """Whether something of a part has no bound, or it looks like that."""
        response, latency = self.solver.response, self.solver.latency
        units = [self.unit_of[number] for number in self.parts[key]]
        reached = max(max(response[unit], latency[unit]) for unit in units)
        self.reached[key, self.all_rounds] = reached
        since = self.reached[key, max(1, 2 * self.all_rounds // 3)]
        races = self.all_rounds >= PATIENCE and reached > RACE * since
        return races or reached >= UNBOUNDED or self.rounds[key] > MOST_RISES

    def _higher(self, part: list[int], paths: EndToEndWindows) -> Iterator[int]:
        """The units of a part whose windows are above what they stand for: that rises to these."""
        solver, ceiling, latest = self.solver, self.ceiling, self.latest
        self.pending.left = MOST_COUNTS * max(100, len(part))
        for number in part:
            unit = self.unit_of[number]
            if solver.response[unit] == ceiling[unit]:
                found = self.pending.outcome(number, UNBOUNDED)
                end = UNBOUNDED if found is None else found.finish
                if end > ceiling[unit]:
                    ceiling[unit] = end
                    yield unit
            if solver.latency[unit] == latest[unit]:
                end, _ = self._latest(number, paths)
                if end > latest[unit]:
                    latest[unit] = end
                    yield unit

    def _latest(self, number: int, paths: EndToEndWindows) -> tuple[int, EndToEndWindow | None]:
        """When a stage is done at the latest by the windows of the way to it, and by which."""
        way, latest, found = self.ways[number], UNBOUNDED, None
        for first in starts(len(way)):
            before = self.solver.before(self.unit_of[way[first][0]])
            window = paths.find(way[first:], latest - before)
            if window is not None:
                latest, found = before + window.finish, window
        return latest, found

    def _give_up(self, key: int) -> None:
        """Leaves a part to what bounds it without ceilings."""
        units = [self.unit_of[number] for number in self.parts.pop(key)]
        for unit in units:
            self.ceiling[unit] = self.latest[unit] = UNBOUNDED
        self.solver.give_up(units)
        self.higher += units
        self.gave_up = True

    def found(self) -> tuple[dict[int, PendingWindow], dict[int, EndToEndWindow]]:
        """The windows that are the bounds of stages."""
        compiled, solver = self.compiled, self.solver
        pending, paths = PendingWindows(compiled, solver), EndToEndWindows(compiled, solver)
        pendings: dict[int, PendingWindow] = {}
        latest: dict[int, EndToEndWindow] = {}
        for part in self.parts.values():
            pending.left = MOST_COUNTS * max(100, len(part))
            for number in part:
                unit = self.unit_of[number]
                met = solver.response[unit] == self.ceiling[unit]
                if met and (one := pending.met(number)) is not None:
                    pendings[number] = one
                if solver.latency[unit] == self.latest[unit]:
                    _, way = self._latest(number, paths)
                    if way is not None:
                        latest[number] = way
        return pendings, latest
