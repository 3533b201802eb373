"""Solves a system: again, with what one solution shows to be possible, until nothing is new."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import accumulate, count
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.end_to_end_window.windows import ways_back
from ddsrta.bounds.locks.wait import NO_WAIT, Wait
from ddsrta.bounds.refinements import LARGE, Refinements
from ddsrta.bounds.skipped import Skips
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.structure import Structure
from ddsrta.bounds.synchronizers import of_solution as synchronizers
from ddsrta.bounds.unbounded import Because
from ddsrta.models.bandwidth import limited, without_limits
from ddsrta.models.system import System
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import MOST_STEPS

if TYPE_CHECKING:
    from ddsrta.base.watch import Watch
    from ddsrta.bounds.beside import Beside
    from ddsrta.bounds.closed_window.windows import ClosedWindow, ClosedWindows
    from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow
    from ddsrta.bounds.from_below.rising import Rising
    from ddsrta.bounds.locks.known import Known
    from ddsrta.bounds.pending_window.windows import PendingWindow
    from ddsrta.bounds.sharing_window.windows import SharingSets

    Over = Callable[[], bool] | None  # whether the time is
    # What was solved, with closed windows that are ceilings, and others
    _Found = tuple[
        Solver,
        dict[int, ClosedWindow],
        ClosedWindows | None,
        dict[int, PendingWindow],
        dict[int, EndToEndWindow],
    ]

_MOST_ATTEMPTS = 24  # in which what is allowed for grows: of circles and synchronizers alike
# stages: of larger systems what has no bound may have closed windows, and pending ones in crowds
MOST_CLOSED = 400
MOST_CROWDED = 4000  # stages of one such part
FEW_STEPS = 2_000  # of a window, to see which parts are crowded, and which stages are loose
_MOST_ROUNDS = 200  # in which what stages wait for grows


class Limits(NamedTuple):
    """Of the steps of a window, and of time; how many stages there are beside; what is known of the
    problem; what was solved last, in the pass before with what may be skipped, and with ceilings
    that rise."""

    most_steps: int
    watch: Watch | None
    beside: int
    known: Structure | Compiled | None
    last: list[tuple[Compiled, Solver]]
    before: list[tuple[Compiled, Solver]]
    risen: list[Rising]


def solve(
    system: System,
    refinements: Refinements | None = None,
    most_steps: int | None = None,
    watch: Watch | None = None,
    beside: int = 0,
    known: Structure | Compiled | None = None,
) -> Solution:
    """Compiles and solves a valid system; a window of more evaluations is called unbounded, and so
    is what is not finished when it is time to end. So many stages beside make it no small one.
    `known` is the structure of another system that has the same one, or what was compiled of
    this one."""
    steps = MOST_STEPS if most_steps is None else most_steps
    limits = Limits(steps, watch, beside, known, [], [], [])
    if not limited(system) or not (refinements or Refinements.all()).idle_limits:
        return _skipping(system, refinements, limits)
    from ddsrta.bounds.locks.limits import reached, without_shares

    idle = without_shares(system)
    while True:
        solution = _skipping(without_limits(system, idle), refinements, limits)
        if not (binding := reached(solution, system, idle)):
            break
        idle -= binding
    solution.given, solution.idle_limits = system, idle
    return solution


def _skipping(system: System, refinements: Refinements | None, limits: Limits) -> Solution:
    """With the timers that may skip releases, and the threads that may take messages of different
    numbers together."""
    skips: Skips = {}
    apart: Mapping[str, str] = {}
    for attempt in count(1):
        solution = _waiting(system, refinements, limits, skips, apart)
        if solution.compiled.problem.excess:
            from ddsrta.bounds.paths.messages import tell

            is_small = len(solution.compiled.stages) + limits.beside <= MOST_CLOSED
            tell(solution, is_small and not (limits.watch and limits.watch.is_over()))
        more = _more_skips(solution, skips, attempt)
        lossy = _mispaired(solution, attempt)
        if more is None and lossy.keys() <= apart.keys():
            break
        skips, apart = more or skips, {**lossy, **apart}
    if limits.watch is not None:
        limits.watch.end_attempts()
        is_large = len(solution.compiled.stages) > LARGE
        solution.is_hurried = is_large and (solution.solver.stopped or limits.watch.is_over())
    return solution


def _more_skips(solution: Solution, skips: Skips, attempt: int) -> Skips | None:
    if not solution.system.executors:  # which alone have timers that skip
        return None
    from ddsrta.bounds.timer_skips import grown, skipping

    return grown(skips, skipping(solution), attempt)


def _mispaired(solution: Solution, attempt: int) -> dict[str, str]:
    if all(thread.activation != "and" for thread in solution.system.threads.values()):
        return {}
    from ddsrta.bounds.queues.mispaired import mispaired

    return mispaired(solution, attempt)


def _waiting(
    system: System,
    refinements: Refinements | None,
    limits: Limits,
    skips: Skips,
    apart: Mapping[str, str],
) -> Solution:
    """With timers that may skip releases (lemma timer-skips), and threads that may take messages of
    different numbers together (lemma room-overflow)."""
    waits: dict[int, Wait] = {}
    limits.before[:] = limits.last
    limits.last.clear()
    compiling = _Compiling(system, refinements, skips, apart, limits)
    for attempt in count(1):
        solution = _solve(compiling, limits, waits)
        if system.fastdds is None and not limited(system):
            break
        from ddsrta.bounds.locks.waits import waits_of

        needed = waits_of(solution, compiling.locking)
        if all(
            time <= waits.get(n, NO_WAIT)[i] for n, w in needed.items() for i, time in enumerate(w)
        ):
            break
        is_last = attempt >= _MOST_ROUNDS  # what grows without end is not bounded
        waits = {n: waits.get(n, NO_WAIT).grown(w, is_last) for n, w in needed.items()}
    return solution


class _Compiling:
    """Compiles a system once for all that stages may wait for."""

    def __init__(
        self,
        system: System,
        refinements: Refinements | None,
        skips: Skips,
        apart: Mapping[str, str],
        limits: Limits,
    ) -> None:
        known, watch = limits.known, limits.watch
        self.is_over: Over = watch.is_over if watch else None
        self.known: dict[frozenset[tuple[str, int]], Compiled] = {}
        self.closed: dict[int, ClosedWindows] = {}
        self.sharing: dict[int, SharingSets] = {}
        self.locking: dict[int, Known] = {}
        if isinstance(known, Compiled):
            is_same = known.system is system  # with no limit left out
            if is_same and not skips and not apart:
                self.known[frozenset()] = known
            known = known.structure if is_same else None
        self.fixed = system, refinements, skips, apart, known

    def of(self, added: Mapping[str, int], waits: Mapping[int, Wait]) -> Compiled:
        key = frozenset(added.items())
        if key not in self.known:
            system, refinements, skips, apart, structure = self.fixed
            if len(self.known) >= _MOST_ATTEMPTS:
                self.known.clear()
            given = system, refinements, added, skips, apart, structure
            self.known[key] = compile_system(*given, is_over=self.is_over)
        if not waits:
            return self.known[key]
        from ddsrta.bounds.waiting import waiting

        return waiting(self.known[key], waits)

    def closed_of(self, compiled: Compiled, solver: Solver, most_steps: int) -> ClosedWindows:
        """Its closed windows, with what is known of those for other waits."""
        from ddsrta.bounds.closed_window.windows import ClosedWindows

        kept = self.closed.get(id(compiled.stages))  # which waits leave as they are
        closed = kept.waiting(compiled, solver) if kept else None
        closed = closed or ClosedWindows(compiled, solver, most_steps)
        self.closed[id(compiled.stages)] = closed
        return closed


def loose_stages(
    compiled: Compiled, solver: Solver, beside: int = 0, crowded: Collection[int] = ()
) -> list[int]:
    """The stages that a closed window may bound by less: it counts all that is more urgent once. Of
    a large system these are those without a bound, and crowded ones."""
    if not compiled.closed_windows:
        return []
    placement, all_of_them = compiled.placement, len(compiled.stages) + beside <= MOST_CLOSED
    sums = list(accumulate(compiled.problem.cost, initial=0))
    loose = []
    for number, unit in enumerate(compiled.unit_of):
        bound = max(solver.response[unit], solver.latency[unit])
        least = sums[unit + 1] - sums[placement.supplies[placement.supply_of[unit]].first]
        is_asked = all_of_them or number in crowded
        if bound >= UNBOUNDED or (is_asked and bound > least):
            loose.append(number)
    return loose


def _solve(compiling: _Compiling, limits: Limits, waits: Mapping[int, Wait]) -> Solution:
    """With what stages are taken to wait for (lemmas sleeping-window and byte-limit)."""
    added, lost = dict[str, int](), dict[str, Because]()
    most_steps, watch, beside, *_ = limits
    for attempt in count(1):
        if watch is not None:
            watch.begin_attempt()
        is_over, compiled = compiling.is_over, compiling.of(added, waits)
        is_small = len(compiled.stages) + beside <= MOST_CLOSED
        solved = _with_ceilings(compiling, compiled, limits, is_over)
        solver, ceilings, closed, pendings, latest = solved
        found: Beside | None = None
        if compiled.has_own_windows and is_small:
            from ddsrta.bounds.beside import solved_beside

            found = solved_beside(compiled, solver, compiling.sharing, most_steps, is_over)
            solver = found.solver
        if compiled.pending_windows and is_small and not (watch and watch.is_over()):
            from ddsrta.bounds.pending_window.ceilings import solved_again

            risen: dict[int, PendingWindow] = {}
            if max(solver.response, default=0) >= UNBOUNDED:
                from ddsrta.bounds.pending_window.rising import solved_rising

                solver, risen = solved_rising(compiled, solver, most_steps, is_over)
            solver, pendings = solved_again(compiled, solver, closed, most_steps, is_over)
            pendings = {**risen, **pendings}
        ways = ways_back(compiled) if compiled.latest_by_paths and is_small else {}
        if ways and not (watch and watch.is_over()):
            from ddsrta.bounds.end_to_end_window.ceilings import solved_by_paths

            known = compiled, ways, solver, closed
            solver, latest, more = solved_by_paths(*known, most_steps, is_over)
            pendings = {**pendings, **more}
        solution = Solution(
            compiled, solver, added, lost, ceilings, pendings, found and found.joint, latest
        )
        if found:
            solution.fair, solution.sharing = found.fair, found.sharing
        solution.synchronizers = synchronizers.bounds_of(solution)
        needed = synchronizers.added(solution, solution.synchronizers)
        needed |= _returning(solution) if compiled.system.circles else {}
        growing = {name: time for name, time in needed.items() if time > added.get(name, -1)}
        if not growing:
            break
        if attempt >= _MOST_ATTEMPTS:  # what still grows is not bounded, but by closed windows
            growing = _ceilings(solution, growing)
        for name, time in growing.items():
            if time >= UNBOUNDED:
                lost[name] = synchronizers.why(solution, name)
        added = {**added, **growing}
    return solution


def _with_ceilings(
    compiling: _Compiling, compiled: Compiled, limits: Limits, is_over: Over
) -> _Found:
    """By the windows of the kernel, and closed ones as ceilings of what is loose then. Where the
    former take many steps, or never end, few are enough: a ceiling that is no less than what would
    be found without it changes nothing, so which ones are need not be known."""
    is_small = len(compiled.stages) + limits.beside <= MOST_CLOSED
    few = _few(compiled, limits, is_over) if is_small else None
    if few is not None and max(few.response, default=0) >= UNBOUNDED:
        closed = compiling.closed_of(compiled, few, limits.most_steps)
        loose = loose_stages(compiled, few, limits.beside)
        from ddsrta.bounds.closed_window.ceilings import solved_below

        solver, ceilings = solved_below(closed, loose, limits.most_steps, is_over)
        if solver is not few:
            return solver, ceilings, closed, {}, {}
    solver, pendings, latest = _first(compiled, limits, is_over, is_small, few)
    crowded = limits.risen[0].stages if limits.risen else ()
    loose = loose_stages(compiled, solver, limits.beside, crowded)
    if not loose or (is_over and is_over()):
        return solver, {}, None, pendings, latest
    from ddsrta.bounds.closed_window.ceilings import solved_below

    closed = compiling.closed_of(compiled, solver, limits.most_steps)
    solver, ceilings = solved_below(closed, loose, limits.most_steps, is_over)
    return solver, ceilings, closed, pendings, latest


def _few(compiled: Compiled, limits: Limits, is_over: Over) -> Solver | None:
    """Solved with few steps for each window, where closed windows do not ask for what is found
    without these."""
    asks = compiled.slowest or any(stage.makes_sets for stage in compiled.stages)
    if asks or not compiled.closed_windows or limits.before:
        return None
    compiled.forget_ceilings()
    solver = Solver(compiled.problem, min(FEW_STEPS, limits.most_steps), is_over)
    solver.give_up(_hopeless(compiled, limits))
    solver.solve()
    return None if solver.stopped else solver


def _solved(compiled: Compiled, limits: Limits, is_over: Over, few: Solver | None = None) -> Solver:
    """By the windows of the kernel alone. What the pass before solved may be the same problems, one
    by one: timers that skip releases release no more for that. `few` steps may have been enough."""
    if limits.before:
        from ddsrta.bounds.alike import is_alike

        before, known = limits.before.pop(0)
        if not known.stopped and is_alike(before, compiled):
            compiled.problem = before.problem
            compiled.forget_ceilings()
            limits.last.append((compiled, known))
            return known
        limits.before.clear()
    compiled.forget_ceilings()
    if compiled.slowest:
        from ddsrta.bounds.slowest_input.waits import solved_by_slowest

        solver = solved_by_slowest(compiled, limits.most_steps, is_over)
    elif few is not None and not few.allow(limits.most_steps):
        solver = few
    else:
        solver = Solver(compiled.problem, limits.most_steps, is_over)
        solver.give_up(_hopeless(compiled, limits))
        solver.solve()
    if len(compiled.stages) > MOST_CLOSED:
        limits.last.clear()  # they are large
    if len(limits.last) < _MOST_ATTEMPTS:
        limits.last.append((compiled, solver))
    return solver


def _hopeless(compiled: Compiled, limits: Limits) -> Iterable[int]:
    """The units that had no bound when stages waited for less: more to wait for gives them none."""
    if len(compiled.stages) > MOST_CLOSED:
        return ()
    for before, solver in reversed(limits.last):
        if before.stages is compiled.stages and not solver.stopped:
            return (unit for unit, time in enumerate(solver.response) if time >= UNBOUNDED)
    return ()


def _first(
    compiled: Compiled, limits: Limits, is_over: Over, is_small: bool, few: Solver | None
) -> tuple[Solver, dict[int, PendingWindow], dict[int, EndToEndWindow]]:
    """By the windows of the kernel alone; the crowded parts of a large system with all that bounds
    them, as they are seen with few steps."""
    if is_small or compiled.slowest or not compiled.pending_windows:
        return _solved(compiled, limits, is_over, few), {}, {}
    from ddsrta.bounds.from_below.parts import crowded_parts
    from ddsrta.bounds.from_below.rising import solved_from_below

    fewer = limits._replace(most_steps=min(FEW_STEPS, limits.most_steps))
    solver = _solved(compiled, fewer, is_over)
    crowded = [p for p in crowded_parts(compiled, solver) if len(p) <= MOST_CROWDED]
    if crowded and not solver.stopped:
        asked = compiled, crowded, limits.most_steps, is_over
        if (found := solved_from_below(*asked, limits.risen)) is not None:
            return found
        compiled.forget_ceilings()
    if solver.allow(limits.most_steps) and not solver.stopped:  # with more steps it may be less
        limits.last.clear()
        solver = _solved(compiled, limits, is_over)
    return solver, {}, {}


def _returning(solution: Solution) -> dict[str, int]:
    from ddsrta.bounds.rounds import returning

    return returning(solution)


def _ceilings(solution: Solution, names: Iterable[str]) -> dict[str, int]:
    from ddsrta.bounds.rounds import ceiling

    return {name: ceiling(solution, name) for name in names}
