"""The engine held against the oracle."""

from __future__ import annotations

from ddsrta.models.system import System
from ddsrta.simulation import Run
from ddsrta.simulation.build_paths import paths_of
from ddsrta_simulator import Choices, Program
from ddsrta_simulator.program import CALM, TRACE
from tests.simulation.oracle.choices import releases, serving
from tests.simulation.oracle.oracle import Oracle

ENOUGH = 10**6


def differs(system: System, program: Program, choices: Choices, until: int) -> str:
    """The first thing that happens otherwise in a run of the engine, or that is seen otherwise; empty
    where nothing is. What happens at the same time is in the order of its numbers."""
    choices = choices.copy()
    choices.tie_mode = CALM
    run = Run(program, choices, trace=ENOUGH)
    run.advance(until)
    rows = run.take_trace()
    given = releases(program, choices, until), serving(program, rows)
    oracle = Oracle(program, choices, paths_of(system), *given)
    oracle.run(until)
    theirs = list(zip(*(rows[i::TRACE] for i in range(TRACE)), strict=True))
    for mine, other in zip(oracle.rows, theirs, strict=False):
        if mine != other:
            return f"{mine} by the definitions, {other} by the engine"
    if len(oracle.rows) != len(theirs):
        return f"{len(oracle.rows)} rows by the definitions, {len(theirs)} by the engine"
    for measure, most, seen in zip(program.measures, oracle.worst, run.worst, strict=True):
        if most != seen:
            return f"{measure}: {most} by the definitions, {seen} by the engine"
    return ""
