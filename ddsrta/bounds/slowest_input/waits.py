"""The bounds of all stages where ANDs come no more often than their slowest input (lemma
slowest-input): from below, until what joins are taken to wait for is what follows from that."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.edges import Edge
from ddsrta.bounds.slowest_input.due import Due, Slowest
from ddsrta_kernel import UNBOUNDED, Solver

MOST_ROUNDS = 24  # in which waits grow
_FEW = 6  # in which they grow no more than is needed


def solved_by_slowest(
    compiled: Compiled, most_steps: int, is_over: Callable[[], bool] | None
) -> Solver:
    """Solves a problem with joins that have a slowest input. What still grows in the end is not
    used."""
    waits, problem = dict.fromkeys(compiled.slowest, 0), compiled.problem
    lost: list[int] = []  # with less work
    for attempt in count():
        for node, wait in waits.items():
            problem.node_wait[node] = wait
        solver = Solver(problem, most_steps, is_over)
        solver.give_up(lost)
        solver.solve()
        grown = {}
        for node, wait in waits.items():
            needed = wait_of(compiled, solver, compiled.slowest[node])
            if needed > wait:
                more = needed - wait if attempt >= _FEW else 0
                grown[node] = needed + more if attempt < MOST_ROUNDS else UNBOUNDED
        if not grown:
            return solver
        waits |= {node: min(wait, UNBOUNDED) for node, wait in grown.items()}
        found = enumerate(zip(solver.response, solver.latency, strict=True))
        lost = [unit for unit, bounds in found if min(bounds) >= UNBOUNDED]
    raise AssertionError("counting ends")


def wait_of(compiled: Compiled, solver: Solver, slowest: Slowest) -> int:
    """How much longer than the window of a join that of its slowest source has to be."""
    due = _due(compiled, solver, slowest.due)
    return due if due >= UNBOUNDED else max(0, due - slowest.best)


def _due(compiled: Compiled, solver: Solver, due: Due) -> int:
    if not due.inputs:
        return due.begins
    arrivals = [_arrival(compiled, solver, edge, before) for edge, before in due.inputs]
    return max(arrivals) if due.needs_all else min(arrivals)


def _arrival(compiled: Compiled, solver: Solver, edge: Edge, before: Due) -> int:
    unit, begins = compiled.unit_of[edge.source], _due(compiled, solver, before)
    takes = solver.latency[unit]
    if before.paced and compiled.problem.node_pace[compiled.problem.node[unit]] > 0:
        takes = min(takes, solver.done(unit))
    unbounded = takes >= UNBOUNDED or begins >= UNBOUNDED
    return UNBOUNDED if unbounded else min(begins + takes + edge.worst, UNBOUNDED)
