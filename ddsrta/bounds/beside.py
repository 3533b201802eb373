"""A solved problem, again below windows of a kind of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta_kernel import Solver

if TYPE_CHECKING:
    from ddsrta.bounds.closed_window.windows import ClosedWindow
    from ddsrta.bounds.fair_shares.windows import FairWindow
    from ddsrta.bounds.joint_outputs.windows import JointWindow
    from ddsrta.bounds.sharing_window.windows import SharingSets


class Beside(NamedTuple):
    """What is solved now, and the windows of stages that are below what was."""

    solver: Solver
    joint: dict[int, JointWindow]
    fair: dict[int, FairWindow]
    sharing: dict[int, ClosedWindow]


def solved_beside(
    compiled: Compiled,
    solver: Solver,
    known: dict[int, SharingSets],
    most_steps: int,
    is_over: Callable[[], bool] | None,
) -> Beside:
    """With windows of listeners, where flow controllers send to them; of threads of SCHED_OTHER,
    where these have their share; and of all that shares locks, which is known, where threads
    sleep."""
    found = Beside(solver, {}, {}, {})
    if compiled.joint_outputs and compiled.system.flow_controllers:
        from ddsrta.bounds.joint_outputs.ceilings import solved_jointly

        solver, joint = solved_jointly(compiled, solver, most_steps, is_over)
        found = found._replace(solver=solver, joint=joint)
    if compiled.fair_shares:
        from ddsrta.bounds.fair_shares.ceilings import solved_by_shares

        solver, fair = solved_by_shares(compiled, found.solver, most_steps, is_over)
        found = found._replace(solver=solver, fair=fair)
    if compiled.sharing_windows:
        from ddsrta.bounds.sharing_window.ceilings import solved_by_sharing

        solver, sharing = solved_by_sharing(known, compiled, found.solver, most_steps, is_over)
        found = found._replace(solver=solver, sharing=sharing)
    return found
