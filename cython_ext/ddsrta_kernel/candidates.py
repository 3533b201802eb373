"""Rows of costs and ranks, each to the figures of the system that they make."""

from __future__ import annotations

from ddsrta_kernel.again import solve_first, solve_pending
from ddsrta_kernel.basis import Int, Ints
from ddsrta_kernel.coupled import lay_out
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.latencies import begin_legs, find_latencies, tell_latencies
from ddsrta_kernel.problem import UNBOUNDED
from ddsrta_kernel.slowest import begin_again
from ddsrta_kernel.structs import System


def find_row(s: System, f: Flow, asked: Ints, count: Int, found: Ints, at: Int) -> None:
    """The latencies of some ways, from a place on, of the system that a layout, costs and ranks
    make."""
    p = s.problem
    f.failed = False
    lay_out(s, f)
    if f.failed:
        return
    for unit in range(p.units):
        p.ceiling[unit] = p.latest[unit] = UNBOUNDED
    begin_again(s)
    solve_first(s, f)
    solve_pending(s, f)
    if not f.failed:
        begin_legs(s, f)
        find_latencies(s, f, asked, count, found, at, count)
    if not f.failed:
        tell_latencies(f, count, found, at)


def find_candidates(
    s: System, f: Flow, rows: Ints, count: Int, asked: Ints, ways: Int, found: Ints
) -> None:
    """Of each row, which has the costs of stages and the ranks of blocks: 1 where all is known, the
    latencies of some ways, and the responses of stages."""
    stages = s.problem.stages
    size: Int = 1 + ways + stages
    for row in range(count):
        first = row * (stages + f.blocks)
        if s.stopped:
            return
        for i in range(stages):
            f.cost[i] = rows[first + i]
        for i in range(f.blocks):
            f.rank[i] = rows[first + stages + i]
        at = row * size
        find_row(s, f, asked, ways, found, at + 1)
        found[at] = 0 if f.failed or s.stopped else 1
        for i in range(stages):
            found[at + 1 + ways + i] = s.response[s.problem.stage_unit[i]]
