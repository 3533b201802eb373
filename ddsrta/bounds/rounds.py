"""How long messages go round until a counter ends their circle (lemma bounded-rounds)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddsrta.bounds.stages import Stage, around
from ddsrta_kernel import UNBOUNDED

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution


def returning(solution: Solution) -> dict[str, int]:
    """From each job that a circle begins with to the arrival of the last message that comes back to
    it, at most, by its thread: so many times all responses on the way, and what lies between."""
    needed: dict[str, int] = {}
    stages = solution.compiled.stages
    for first in stages:
        if first.again is None:
            continue
        once = 0
        for edge in around(stages, first):
            response = solution.response(edge.source)
            once = UNBOUNDED if response is None else min(UNBOUNDED, once + response + edge.worst)
        needed[first.key[1]] = min(UNBOUNDED, once * first.again.rounds, within(solution, first))
    return needed


def within(solution: Solution, first: Stage) -> int:
    """What that takes at most whatever responses are: the closed window of the circle."""
    assert first.again is not None
    window = solution.closed_windows.of(first.again.last.source)
    return UNBOUNDED if window is None else window.length


def ceiling(solution: Solution, name: str) -> int:
    """The same by the name of its thread; none for what is not of a circle."""
    first = solution.compiled.stages[solution.number(("job", name))]
    return UNBOUNDED if first.again is None else within(solution, first)
