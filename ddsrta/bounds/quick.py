"""Some figures of many systems that share a structure and their cores, each found by the kernel
alone: what it is asked of a system is made without a solution that could explain itself."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from ddsrta.bounds.candidates import Candidates, Column
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.figures import ARROW
from ddsrta.bounds.flow import Flow, is_plain
from ddsrta.bounds.joint_outputs.ceilings import joint_windows
from ddsrta.bounds.joint_outputs.windows import JointWindows
from ddsrta.bounds.layout import Layout
from ddsrta.bounds.paths.book import Book
from ddsrta.bounds.paths.concrete import NamedPath
from ddsrta.bounds.paths.latency import keys_of
from ddsrta.bounds.present import message_keys
from ddsrta.bounds.queues.overflow import has_rooms
from ddsrta.bounds.result import Verdict
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Key
from ddsrta.bounds.synchronizers.set_responses import subscriptions
from ddsrta.bounds.timer_skips import soonest_skip
from ddsrta.models.system import System
from ddsrta.ros2.callbacks import is_timer
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import (
    USES_ALONE,
    USES_APART,
    USES_CLOSED,
    USES_COUNTS,
    USES_ENDS,
    USES_FORKS,
    USES_HERE,
    USES_PENDING,
    USES_TOKENS,
)

Figures = tuple[int | None, ...]
Way = tuple[tuple[int, ...], bool]  # its stages, and whether every event counts, or the last tokens


class Sum(NamedTuple):
    """Latencies of ways and responses of stages, one after the other."""

    ways: tuple[Way, ...] = ()
    stages: tuple[int, ...] = ()


class Asked(NamedTuple):
    """A figure: the longest of some, each the least of some sums. Those that are `needed` are
    unbounded where the first sum is; of none there is no figure."""

    longest: tuple[tuple[Sum, ...], ...]
    needed: bool = False


class Judged(NamedTuple):
    """What a verdict asks for: what is to have a bound, and figures that have deadlines."""

    bounds: tuple[Asked, ...]
    figures: tuple[Asked, ...]
    deadlines: tuple[int, ...]

    def verdict(self, values: Sequence[int | None]) -> Verdict:
        """Of all their values, but for errors."""
        if None in values:
            return "unbounded"
        late = values[len(self.bounds) :]
        held = (
            time is not None and time <= due for time, due in zip(late, self.deadlines, strict=True)
        )
        return "met" if all(held) else "missed"


class Asking:
    """What figures of a solved system ask of the kernel; None where they ask for more."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.number = solution.compiled.stage_number
        self.messages = {ARROW.join(keys[-1][1:]): keys for keys in message_keys(solution)}

    def chain(self, path: NamedPath, kind: str) -> Asked | None:
        """A figure of a path."""
        first, *others = keys_of(self.solution, path.start, path.hops)
        single = not others
        if not kind.endswith("latency"):
            return Asked(()) if single and path.chain.constraint != kind else None
        if not single:
            return Asked(())
        last = self.way(first)
        stages = [self.solution.compiled.stages[number] for number in last[0][1:]]
        every = last[0], any(stage.anew or len(stage.inputs) > 1 for stage in stages)
        sums = (Sum((every,)),) if kind == "latency" else (Sum((last,)), Sum((every,)))
        return Asked((sums,))

    def judged(self, paths: Iterable[NamedPath]) -> Judged | None:
        """What a verdict asks for; None where it is more: of orders, or of ages."""
        system = self.solution.system
        if system.orders:
            return None
        bounds = [self.wcrt(name) for name in system.threads]
        bounds += [self.ddl(message) for message in self.messages]
        figures, deadlines = [], []
        for path in paths:
            figure, deadline = self.chain(path, path.chain.constraint), path.chain.deadline
            if figure is None or (deadline is None and not figure.longest):
                return None
            if deadline is None:
                bounds.append(figure)
            else:
                figures.append(figure)
                deadlines.append(deadline)
        return Judged((*bounds,), (*figures,), (*deadlines,))

    def way(self, keys: Iterable[Key]) -> Way:
        """A way by the keys of its stages."""
        return tuple(self.number[key] for key in keys), False

    def ddl(self, message: str) -> Asked:
        """The data delivery latency of a message, from when its publisher has what it needs."""
        keys = self.messages[message]
        kind, name = keys[0][:2]
        parts = subscriptions(self.solution.system.threads[name]) if kind == "job" else ()
        own = self.way(keys)
        if not parts:
            return Asked(((Sum((own,)),),))
        through = [(part, self.way([("job", part), *keys])) for part in parts]
        sums = ((Sum((own,), (self.number["job", part],)), Sum((way,))) for part, way in through)
        return Asked((*sums,), True)

    def wcrt(self, name: str) -> Asked:
        """The response of a thread or callback."""
        own = self.number["job", name]
        parts = subscriptions(self.solution.system.threads[name])
        if not parts:
            return Asked(((Sum(stages=(own,)),),))
        ways = (self.way([("job", part), ("job", name)]) for part in parts)
        sums = ((Sum(stages=(way[0][0], own)), Sum((way,))) for way in ways)
        return Asked((*sums,), True)


class Quick:
    """Finds figures of systems that have the structure and the cores of a solved one.

    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> solution = solve(two_threads())
    >>> quick = Quick(solution, [Asking(solution).wcrt("sensor")])
    >>> quick.figures(two_threads().altered("threads", "sensor", wcet=2_000_000))
    (2000000,)
    >>> quick.candidates is None  # `many` needs cores without outputs that come sample by sample
    True
    """

    def __init__(self, solution: Solution, asked: Sequence[Asked], threads: int = 1) -> None:
        compiled = self.compiled = solution.compiled
        self.structure, self.flow = compiled.structure, Flow(solution)
        sums = [one for each in asked for some in each.longest for one in some]
        ways = list(dict.fromkeys(way for one in sums for way in one.ways))
        book = Book(solution, [way for way, _ in ways])
        self.book = book.array
        rows = zip(book.ways, (waits for _, waits in ways), strict=True)
        self.ways = array("q", (number for row in rows for number in row))
        self.figures_of = [_places(one, ways) for one in asked]
        self.plain = _plain(self.figures_of)
        self.timers: list[tuple[int, int]] = [
            (compiled.stage_number["job", name], soonest_skip(thread.arrival))
            for name, thread in solution.system.threads.items()
            if thread.arrival is not None and is_timer(thread)
        ]
        self.uses = _uses(compiled)
        self.is_joint = compiled.joint_outputs and bool(solution.system.flow_controllers)
        self.is_joint = self.is_joint and bool(JointWindows(compiled, solution.solver).listeners)
        self.candidates = None if self.is_joint else self._candidates(threads)

    @staticmethod
    def fits(solution: Solution) -> bool:
        """Whether the kernel can tell all figures of systems like a solved one."""
        system = solution.system
        lossy = has_rooms(system) and any(t.activation == "and" for t in system.threads.values())
        compiled = solution.compiled
        return is_plain(solution) and not (lossy or compiled.skips or compiled.slowest)

    def _candidates(self, threads: int) -> Candidates | None:
        """Candidates that the kernel makes itself, if it can."""
        if self.compiled.coupling is None or not self.compiled.coupling.levels:
            return None
        layout = Layout(self.compiled)
        if not layout.fits:
            return None
        return Candidates(layout, self.flow, (self.book, self.ways), self.uses, threads)

    def many(
        self, rows: Sequence[Sequence[int]], columns: Sequence[Column]
    ) -> list[Figures | None]:
        """The figures of systems that have other numbers in some columns; None for those of which
        the kernel cannot tell all."""
        candidates = self.candidates
        assert candidates is not None
        given = candidates.rows(rows, columns)
        found, size, width = candidates.found(given), candidates.size, len(candidates.base)
        return [
            self._figures(found[at + 1 : at + size], given, width * row) if found[at] else None
            for row, at in enumerate(range(0, len(found), size))
        ]

    def figures(self, system: System) -> Figures | None:
        """All of a system; None where the kernel cannot tell."""
        compiled = compile_system(system, structure=self.structure)
        if compiled.slowest:  # more than one solution is needed (lemma slowest-input)
            return None
        p = compiled.problem
        self.flow.fill(compiled)
        p.ceiling = array("q", [UNBOUNDED]) * len(p)
        p.latest = array("q", [UNBOUNDED]) * len(p)
        solver = Solver(p)
        found = array("q", bytes(4 * len(self.ways)))
        if not self._solved(compiled, solver):
            return None
        if found and not solver.latencies(self.book, self.ways, found):
            return None
        responses = (solver.response[unit] for unit in compiled.unit_of)
        return self._figures([*found, *responses], [stage.cost for stage in compiled.stages], 0)

    def _solved(self, compiled: Compiled, solver: Solver) -> bool:
        """Solves it, again with all that one solution shows to be possible."""
        leading = self.flow.leading
        if not solver.solve_first(leading, self.flow.slow, self.uses):
            return False
        if self.is_joint:
            joint = joint_windows(compiled, solver)
            found = array("q", [UNBOUNDED]) * len(compiled.stages)
            for number, window in joint.items():
                found[number] = window.response
            if joint and not solver.solve_jointly(found):
                return False
        return bool(solver.solve_pending(leading))

    def _figures(self, found: Sequence[int], costs: Sequence[int], begin: int) -> Figures | None:
        """All figures, by the latencies of ways and the responses of stages; None where timers may
        skip releases (lemma timer-skips). Costs stand from a place on."""
        ways = len(self.ways) // 2
        for number, soonest in self.timers:
            response = found[ways + number]
            if response >= UNBOUNDED or response - costs[begin + number] >= soonest:
                return None
        if self.plain:
            times = self.plain(found)
            return tuple([None if time >= UNBOUNDED else time for time in times])
        return tuple([_figure(one, found) for one in self.figures_of])


class _Places(NamedTuple):
    """A figure as sums of what stands at some places."""

    longest: tuple[tuple[tuple[int, ...], ...], ...]
    needed: bool


def _places(asked: Asked, ways: Sequence[Way]) -> _Places:
    """Behind the latencies of all ways stand the responses of all stages."""
    at = {way: place for place, way in enumerate(ways)}
    longest = tuple(
        tuple(
            (*(at[way] for way in one.ways), *(len(ways) + n for n in one.stages)) for one in sums
        )
        for sums in asked.longest
    )
    return _Places(longest, asked.needed)


def _plain(figures: Sequence[_Places]) -> Callable[[Sequence[int]], tuple[int, ...]] | None:
    """Finds figures each of which stands at one place, as most do; None where some do not."""
    if any(len(one.longest) != 1 or len(one.longest[0]) != 1 for one in figures):
        return None
    places = [sums[0] for one in figures for sums in one.longest]
    if len(places) < 2 or any(len(place) != 1 for place in places):
        return None
    return itemgetter(*(place for (place,) in places))


def _figure(places: _Places, found: Sequence[int]) -> int | None:
    longest = -1
    for sums in places.longest:
        times = [sum([found[place] for place in one]) for one in sums]
        least = UNBOUNDED if places.needed and times[0] >= UNBOUNDED else min(times)
        longest = max(longest, least)
    return None if longest < 0 or longest >= UNBOUNDED else longest


def _has_forks(compiled: Compiled) -> bool:
    """Whether closed windows may be less by what two cores do at once (lemma fork-overlap)."""
    if not compiled.fork_overlaps or not compiled.closed_windows:
        return False
    from ddsrta.bounds.closed_window.forks import Forks

    return bool(Forks(compiled).all)


def _uses(compiled: Compiled) -> int:
    """Which refinements are used, as the kernel has them."""
    return (
        USES_ENDS * compiled.end_to_end_windows
        + USES_CLOSED * compiled.closed_windows
        + USES_TOKENS * compiled.last_tokens
        + USES_ALONE * compiled.events_alone
        + USES_FORKS * _has_forks(compiled)
        + USES_APART * compiled.ways_apart
        + USES_HERE * compiled.releasing
        + USES_PENDING * compiled.pending_windows
        + USES_COUNTS * compiled.closed_counts
    )
