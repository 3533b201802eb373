"""The events at the base of a stage's stream (definition arrival-curve)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution


def base_events(solution: Solution, stage: int, window: int) -> int:
    """The most events in a window at the base of a stage's stream."""
    compiled = solution.compiled
    while compiled.streams.of[stage].entries[:1] == [None]:
        stage = compiled.stages[stage].inputs[0].source
    if compiled.streams.of[stage].late:  # it comes with a jitter that its base has not
        period = compiled.problem.node_a[compiled.streams.of[stage].node]
        return max(0, -(-window // period))
    return solution.count(stage, window)
