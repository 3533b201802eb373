"""A system as a Problem for the kernel, and which unit is what."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from ddsrta.bounds.joined_work.coupling import Coupling
from ddsrta.bounds.joined_work.ways import Ways
from ddsrta.bounds.locks.wait import Waits
from ddsrta.bounds.placement import Placement
from ddsrta.bounds.skipped import Skips
from ddsrta.bounds.stages import Key, Stage
from ddsrta.bounds.streams import Streams
from ddsrta.bounds.structure import Structure
from ddsrta.bounds.tandem_window import Tandems
from ddsrta.models.system import System
from ddsrta_kernel import Solver
from ddsrta_kernel.problem import UNBOUNDED, Problem

if TYPE_CHECKING:
    from ddsrta.bounds.slowest_input.due import Slowest


@dataclass(slots=True)
class Compiled:
    """A problem, and the way from stages to units and back."""

    system: System
    stages: list[Stage]
    structure: Structure
    streams: Streams
    placement: Placement
    unit_of: list[int]  # by number of the stage
    stage_number: dict[Key, int]
    problem: Problem
    tandems: Tandems
    end_to_end_windows: bool  # whether a whole path may have one (lemma end-to-end-window)
    closed_windows: bool  # whether stages that delay one another may have one (closed-window)
    events_alone: bool  # whether an event that is done before the next is alone (event-alone)
    pending_windows: bool  # whether units are seen from their arrival, too (pending-window)
    pending_pools: bool  # also of pools (lemma pending-in-pools)
    releasing: bool  # and by what its core was at just before (lemma released-here)
    last_tokens: bool  # whether paths through joins look at all ways to them (last-token)
    waits: Waits
    skips: Skips
    mispaired: Mapping[str, str]  # threads, each with a topic that may lose what it waits for
    coupling: Coupling | None = None
    ways: Ways | None = None
    slowest: Mapping[int, Slowest] = field(default_factory=dict)  # inputs of joins, by node
    slowest_releases: bool = False  # whether closed windows count by them (slowest-release)
    fork_overlaps: bool = False  # whether by what two cores do at once (fork-overlap)
    closed_sets: bool = False  # whether closed windows count sets (lemma closed-sets)
    limit_gaps: bool = False  # whether they count wakings for limits beside budgets (limit-gaps)
    ways_apart: bool = False  # whether they count no time on long ways (ways-apart)
    waits_together: bool = False  # whether who is waited for works once at a time (waits-together)
    room_ages: bool = False  # whether queues of synchronizers bound ages (lemma room-age)
    closed_counts: bool = False  # whether closed windows say how much is pending (closed-counts)
    counts_before: bool = False  # less what the unit in question brings (counts-before)
    side_by_side: bool = False  # whether what pools do at once says what is left (side-by-side)
    one_at_a_time: bool = False  # of stages that follow each other on a thread (one-at-a-time)
    meetings_in_order: bool = False  # whether others meet paths in order (meetings-in-order)
    latest_by_paths: bool = False  # whether paths say when stages are done (latest-by-path)
    done_before: bool = False  # nor what was done before (lemma done-before)
    joint_outputs: bool = False  # whether what a controller sends comes one by one (joint-outputs)
    sharing_windows: bool = False  # whether all that shares locks may have one (sharing-window)
    fair_shares: bool = False  # whether threads of SCHED_OTHER have their share (lemma fair-share)

    @property
    def has_own_windows(self) -> bool:
        """Whether some stages may have windows of a kind of their own."""
        joint = self.joint_outputs and bool(self.system.flow_controllers)
        return joint or self.fair_shares or self.sharing_windows

    def forget_ceilings(self) -> None:
        """Those of an earlier solution."""
        self.problem.ceiling = self.problem.latest = array("q")

    def unit(self, key: Key) -> int:
        """The unit of a stage by its key."""
        return self.unit_of[self.stage_number[key]]


def open_ceilings(problem: Problem) -> None:
    """Room for ceilings of all stages, where there is none yet."""
    if not problem.ceilings:
        problem.ceiling = array("q", [UNBOUNDED]) * len(problem)
        problem.latest = array("q", [UNBOUNDED]) * len(problem)


class Responding(Protocol):
    """A window that bounds a stage from the arrival of a unit on."""

    @property
    def response(self) -> int:
        """By so much."""


R = TypeVar("R", bound=Responding)


def solved_while_lower(
    compiled: Compiled,
    solver: Solver,
    lower: Callable[[Solver], dict[int, R]],
    rounds: int,
    most_steps: int,
    is_over: Callable[[], bool] | None,
) -> tuple[Solver, dict[int, R]]:
    """A solved problem, again with the windows of stages that are lower than what is known then, as
    long as there are some, for so many rounds; and those that count."""
    found: dict[int, R] = {}
    for _ in range(rounds):
        windows = lower(solver)
        again = solved_with(compiled, windows, most_steps, is_over) if windows else None
        if again is None:
            break
        solver, found = again, {**found, **windows}
    return solver, found


def solved_with(
    compiled: Compiled,
    windows: Mapping[int, Responding],
    most_steps: int,
    is_over: Callable[[], bool] | None,
) -> Solver | None:
    """With windows of stages; None where there was no time: what is known is worth more."""
    problem = compiled.problem
    open_ceilings(problem)
    for number, window in windows.items():
        unit = compiled.unit_of[number]
        problem.ceiling[unit] = min(problem.ceiling[unit], window.response)
    again = Solver(problem, most_steps, is_over)
    again.solve()
    return None if is_over is not None and is_over() else again
