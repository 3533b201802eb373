"""The solution of a system: bounds of every stage, and latencies from one stage to another."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

from ddsrta.bounds.compile import Compiled, compile_system
from ddsrta.bounds.end_to_end_window.windows import Accounts
from ddsrta.bounds.joined_work.groups import Group
from ddsrta.bounds.load import stage_rates, utilization
from ddsrta.bounds.locks.wait import NO_WAIT, Wait
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.stages import Edge, Key
from ddsrta.bounds.streams import best_arrival
from ddsrta.bounds.synchronizers import found as synchronizers
from ddsrta.bounds.tandem_window import Tandem
from ddsrta.bounds.timer_skips import Skips, grown, skipping
from ddsrta.bounds.waiting import waiting
from ddsrta.models.bandwidth import limited
from ddsrta.models.system import System
from ddsrta_kernel import UNBOUNDED, Outcome, Solver, TandemOutcome
from ddsrta_kernel.problem import MOST_STEPS

if TYPE_CHECKING:
    from ddsrta.bounds.synchronizers.bounds import Bounds

_MOST_ATTEMPTS = 16
_MOST_ROUNDS = 200  # in which what stages wait for grows
_ENDLESS = "what it keeps, and what its sets delay, need more of each other without end"


class Solution:
    """A solved system. Times are None where unbounded; stages are given by key or by number.
    `added` is what the curves of synchronizers allow for, `lost` why some have none (lemma
    set-curves).

    >>> from ddsrta.examples import two_threads
    >>> solve(two_threads()).response(("job", "sensor"))
    1000000
    """

    def __init__(
        self,
        compiled: Compiled,
        solver: Solver,
        added: Mapping[str, int] | None = None,
        lost: Mapping[str, str] | None = None,
    ) -> None:
        self.compiled = compiled
        self.solver = solver
        self.added = added or {}
        self.lost = lost or {}

    @property
    def system(self) -> System:
        """What was solved."""
        return self.compiled.system

    def number(self, key: Key) -> int:
        """The number of a stage."""
        return self.compiled.stage_number[key]

    def response(self, stage: Key | int) -> int | None:
        """From the arrival at the stage to its completion."""
        return bounded(self.solver.response[self._unit(stage)])

    def latency(self, stage: Key | int) -> int | None:
        """From the event at the base of the stage's stream to the stage's completion."""
        return bounded(self.solver.latency[self._unit(stage)])

    def window(self, stage: Key | int) -> int | None:
        """The length of the busy window that was searched."""
        return bounded(self.solver.window[self._unit(stage)])

    def pending(self, stage: Key | int) -> int | None:
        """The most units of the stage that can be waiting or served at once (lemma
        backlog-bound)."""
        response = self.response(stage)
        return None if response is None else self.count(stage, response)

    def count(self, stage: Key | int, window: int) -> int:
        """The most units that arrive in a window."""
        return self.solver.count(self._unit(stage), window)

    def evaluate(self, stage: int, origin: int | None = None, before: int = 0) -> Outcome:
        """The stage's window; with an origin, its latency counts from that stage's arrival, where
        `before` bounds the time from there to the arrival here."""
        if origin is None:
            return self.solver.evaluate(self._unit(stage))
        return self.solver.evaluate(self._unit(stage), self._unit(origin), before)

    def has_groups(self, stage: int) -> bool:
        """Whether windows that begin with earlier stages may bound the stage, too."""
        unit, start = self._unit(stage), self.compiled.problem.group_start
        return bool(start) and start[unit] < start[unit + 1]

    def before(self, stage: int) -> int:
        """The latest arrival at a stage, counted from the event at its stream's base."""
        return self.solver.before(self._unit(stage))

    def evaluate_group(
        self, group: Group, start: int | None, origin: int | None = None, before: int = 0
    ) -> Outcome:
        """The window of a group. Its latency counts from the arrival of the origin, `before` is
        from there to that of the head; its response from the arrival at `start`, behind the head.
        """
        best = self.compiled.streams.of
        head = self._unit(group.head)
        least = 0 if start is None else best[start].best - best[group.head].best
        last = self._unit(group.last)
        works = (group.first, group.each, group.later)
        kernel_group = (group.kind, head, group.level, *works, least, last)
        return self.solver.evaluate_group(
            kernel_group, head if origin is None else self._unit(origin), before
        )

    def evaluate_tandem(
        self, tandem: Tandem, origin: int, before: tuple[int, int]
    ) -> TandemOutcome:
        """The windows of two threads in tandem. Latencies count from the arrival of the origin;
        `before` is from there to the arrival at the first stage and at the last."""
        units = self._unit(tandem.first), self._unit(tandem.last)
        way = (*units, tandem.worst, tandem.link)
        return self.solver.evaluate_tandem(way, tandem.feeds, self._unit(origin), before)

    def arrival_window(self, edge: Edge) -> tuple[int, int | None]:
        """When a unit arrives behind an edge at the earliest and latest, from its base's event."""
        latency = self.latency(edge.source)
        latest = None if latency is None else latency + edge.worst
        return best_arrival(self.compiled.streams, edge), latest

    def _unit(self, stage: Key | int) -> int:
        number = stage if isinstance(stage, int) else self.number(stage)
        return self.compiled.unit_of[number]

    @cached_property
    def accounts(self) -> Accounts:
        """Accounts of whole paths (lemma end-to-end-window)."""
        return Accounts(self.compiled, self.solver)

    @cached_property
    def synchronizers(self) -> dict[str, Bounds]:
        """What holds of the sets of each synchronizer, by its thread."""
        return synchronizers.found_bounds(self)

    @cached_property
    def utilization(self) -> dict[str, float]:
        """Long-run load of each core, as a fraction of what it supplies."""
        return utilization(self.compiled)

    @cached_property
    def rates(self) -> list[float]:
        """Long-run units of each stage in a nanosecond."""
        return stage_rates(self.compiled)


def bounded(time: int) -> int | None:
    """None for what the kernel calls unbounded."""
    return None if time >= UNBOUNDED else time


def solve(
    system: System, refinements: Refinements | None = None, most_steps: int = MOST_STEPS
) -> Solution:
    """Compiles and solves a valid system; a window of more evaluations is called unbounded."""
    skips: Skips = {}
    apart: Mapping[str, str] = {}
    for attempt in count(1):
        solution = _waiting(system, refinements, most_steps, skips, apart)
        more = grown(skips, skipping(solution), attempt)
        lossy = _mispaired(solution, attempt)
        if more is None and lossy.keys() <= apart.keys():
            break
        skips, apart = more or skips, {**lossy, **apart}
    return solution


def _mispaired(solution: Solution, attempt: int) -> dict[str, str]:
    if all(thread.activation != "and" for thread in solution.system.threads.values()):
        return {}
    from ddsrta.bounds.queues.mispaired import mispaired

    return mispaired(solution, attempt)


def _waiting(
    system: System,
    refinements: Refinements | None,
    most_steps: int,
    skips: Skips,
    apart: Mapping[str, str],
) -> Solution:
    """With timers that may skip releases (lemma timer-skips), and threads that may take messages of
    different numbers together (lemma backlog-bound)."""
    waits: dict[int, Wait] = {}
    compiling = _Compiling(system, refinements, skips, apart)
    for attempt in count(1):
        solution = _solve(compiling, most_steps, waits)
        if system.fastdds is None and not limited(system):
            break
        from ddsrta.bounds.locks.waits import waits_of

        needed = waits_of(solution)
        if all(
            time <= waits.get(n, NO_WAIT)[i] for n, w in needed.items() for i, time in enumerate(w)
        ):
            break
        waits = {n: _grown(waits.get(n, NO_WAIT), w, attempt) for n, w in needed.items()}
    return solution


def _grown(before: Wait, now: Wait, attempt: int) -> Wait:
    """Each part the larger of both; what grows without end is not bounded."""
    return Wait(*(
        old if new <= old else UNBOUNDED if attempt >= _MOST_ROUNDS else new
        for old, new in zip(before, now, strict=True)
    ))  # fmt: skip


class _Compiling:
    """Compiles a system once for all that stages may wait for."""

    def __init__(
        self,
        system: System,
        refinements: Refinements | None,
        skips: Skips,
        apart: Mapping[str, str],
    ) -> None:
        self.fixed = system, refinements, skips, apart
        self.known: dict[frozenset[tuple[str, int]], Compiled] = {}

    def of(self, added: Mapping[str, int], waits: Mapping[int, Wait]) -> Compiled:
        key = frozenset(added.items())
        if key not in self.known:
            system, refinements, skips, apart = self.fixed
            if len(self.known) >= _MOST_ATTEMPTS:
                self.known.clear()
            self.known[key] = compile_system(system, refinements, added, skips, apart)
        return waiting(self.known[key], waits) if waits else self.known[key]


def _solve(compiling: _Compiling, most_steps: int, waits: Mapping[int, Wait]) -> Solution:
    """With what stages are taken to wait for (lemmas sleeping-window and byte-limit)."""
    added: dict[str, int] = {}
    lost: dict[str, str] = {}
    for attempt in count(1):
        compiled = compiling.of(added, waits)
        solver = Solver(compiled.problem, most_steps)
        solver.solve()
        solution = Solution(compiled, solver, added, lost)
        needed = synchronizers.added(solution, solution.synchronizers)
        growing = {name: time for name, time in needed.items() if time > added.get(name, -1)}
        if not growing:
            break
        if attempt >= _MOST_ATTEMPTS:  # what still grows is not bounded
            growing = dict.fromkeys(growing, UNBOUNDED)
        for name, time in growing.items():
            if time >= UNBOUNDED:
                lost[name] = solution.synchronizers[name].because or _ENDLESS
        added = {**added, **growing}
    return solution
