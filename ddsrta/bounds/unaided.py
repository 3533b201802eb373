"""Systems that the kernel solves by itself, with closed windows, those of listeners and those from
the arrival of a unit: only the lengths of these, without what could explain them."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.flow import Flow, is_plain
from ddsrta.bounds.joint_outputs.ceilings import joint_windows
from ddsrta.bounds.joint_outputs.windows import listeners_of
from ddsrta.bounds.queues.overflow import has_rooms
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import (
    USES_ALONE,
    USES_APART,
    USES_CLOSED,
    USES_COUNTS,
    USES_ENDS,
    USES_FORKS,
    USES_HERE,
    USES_LATEST,
    USES_LINES,
    USES_MEETINGS,
    USES_PENDING,
    USES_TOKENS,
)

if TYPE_CHECKING:
    from ddsrta.bounds.joint_outputs.windows import JointWindow
    from ddsrta.bounds.solution import Solution


class Unaided:
    """How the kernel solves systems that have the structure and the cores of a compiled one.

    >>> from ddsrta.bounds.compile import compile_system
    >>> from ddsrta.examples import two_threads
    >>> compiled = compile_system(two_threads())
    >>> Unaided.fits(compiled), Unaided(compiled).solved(compiled).response[0]
    (True, 1000000)
    """

    def __init__(self, compiled: Compiled) -> None:
        self.compiled, self.flow, self.used = compiled, Flow(compiled), _uses(compiled)
        self.is_sure = not self.used & USES_FORKS  # else that there may be forks
        self.joint: Mapping[int, JointWindow] = {}  # of what was solved last
        self.is_joint = compiled.joint_outputs and bool(compiled.system.flow_controllers)
        self.is_joint = self.is_joint and bool(listeners_of(compiled))

    @staticmethod
    def fits(compiled: Compiled) -> bool:
        """Whether the kernel can tell all figures of systems like it."""
        if not compiled.stages:
            return False
        system = compiled.system
        lossy = has_rooms(system) and any(t.activation == "and" for t in system.threads.values())
        if compiled.fair_shares:  # these the kernel does not know
            return False
        return is_plain(compiled) and not (lossy or compiled.skips or compiled.slowest)

    @property
    def uses(self) -> int:
        """Which refinements are used, as the kernel has them; forks where there are any."""
        if not self.is_sure:
            from ddsrta.bounds.closed_window.forks import Forks

            self.is_sure = True
            if not any(True for _ in Forks(self.compiled)):
                self.used -= USES_FORKS
        return self.used

    def solved(self, compiled: Compiled) -> Solver | None:
        """One that is solved, again with all that one solution shows to be possible; None where
        there is more to look at than is allowed for. Few closed windows ask for forks: where one
        does, it is looked whether there are any."""
        found, asked = self._solved(compiled), self.used
        return self._solved(compiled) if found is None and self.uses != asked else found

    def _solved(self, compiled: Compiled) -> Solver | None:
        p = compiled.problem
        self.flow.fill(compiled)
        p.ceiling = array("q", [UNBOUNDED]) * len(p)
        p.latest = array("q", [UNBOUNDED]) * len(p)
        solver = Solver(p)
        if not solver.solve_first(self.flow.slow, self.used):
            return None
        if self.is_joint:
            self.joint = joint = joint_windows(compiled, solver)
            found = array("q", [UNBOUNDED]) * len(compiled.stages)
            for number, window in joint.items():
                found[number] = window.response
            if joint and not solver.solve_jointly(found):
                return None
        return solver if solver.solve_pending(compiled.structure.leading(solver)) else None

    def solution(self, solver: Solver) -> Solution:
        """What was solved last, with what bounds stages beside the windows of the fixed point.
        These have their lengths, and nothing that explains them: a result asks for no more."""
        from ddsrta.bounds.closed_window.windows import ClosedWindow
        from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow
        from ddsrta.bounds.pending_window.windows import PendingWindow
        from ddsrta.bounds.solution import Solution

        compiled, found = self.compiled, solver.ceilings()
        closed, pending, latest = {}, {}, {}
        columns = (found[column::4] for column in range(4))
        rows = enumerate(zip(*columns, strict=True))
        for number, (length, finish, instead, is_whole) in rows:
            if length < UNBOUNDED:
                closed[number] = ClosedWindow(length, {})
            if finish < UNBOUNDED:
                pending[number] = PendingWindow(finish, instead, ())
            if is_whole:
                latest[number] = EndToEndWindow(solver.latency[compiled.unit_of[number]], 0, ())
        return Solution(compiled, solver, None, None, closed, pending, self.joint, latest)


def _uses(compiled: Compiled) -> int:
    """Which refinements may be used, as the kernel has them."""
    return (
        USES_ENDS * compiled.end_to_end_windows
        + USES_CLOSED * compiled.closed_windows
        + USES_TOKENS * compiled.last_tokens
        + USES_ALONE * compiled.events_alone
        + USES_FORKS * (compiled.fork_overlaps and compiled.closed_windows)
        + USES_APART * compiled.ways_apart
        + USES_HERE * compiled.releasing
        + USES_PENDING * compiled.pending_windows
        + USES_COUNTS * compiled.closed_counts
        + USES_LINES * compiled.one_at_a_time
        + USES_MEETINGS * compiled.meetings_in_order
        + USES_LATEST * compiled.latest_by_paths
    )
