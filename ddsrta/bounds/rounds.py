"""How long messages go round until a counter ends their circle (lemma bounded-rounds), one round
after the other (lemma rounds-in-turn)."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.stages import Stage, around
from ddsrta.models.costs import EPSILON
from ddsrta_kernel import UNBOUNDED

if TYPE_CHECKING:
    from ddsrta.bounds.compiled import Compiled
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


def turns(compiled: Compiled) -> list[array[int]]:
    """By unit: how often a message comes back to it; the node of all that comes to the first of its
    circle; the least time of a round; and what is done of a unit before the next round comes."""
    found = [(0, 0, 0, 0)] * len(compiled.placement.stage_of)
    placement = compiled.placement
    for first in compiled.stages:
        if first.again is None:
            continue
        way = list(around(compiled.stages, first))
        once = sum(edge.least for edge in way)
        base = compiled.streams.of[compiled.stage_number[first.key]].node
        for edge in way if _is_plain(compiled, way, base) else ():
            unit = compiled.unit_of[edge.source]
            supply = placement.supplies[placement.supply_of[unit]]
            if supply.threads == 1 and not supply.moves:
                leaves = _leaves(compiled.stages[edge.source], edge)
                found[unit] = first.again.rounds, base, once, leaves
    return [array("q", each) for each in zip(*found, strict=True)]


def _is_plain(compiled: Compiled, way: list[Edge], base: int) -> bool:
    """Whether each unit brings one, and all up to the last job stand on the node of the first."""
    stages = [compiled.stages[edge.source] for edge in way]
    last = next(at for at, stage in enumerate(stages) if stage.key[0] == "job")
    alike = (compiled.streams.of[edge.source].node == base for edge in way[last:])
    return all(edge.multiplicity == 1 for edge in way) and all(alike)


def _leaves(stage: Stage, edge: Edge) -> int:
    """The least work of a unit before what goes round leaves it: all of it, but of a job, and of a
    sample of several copies."""
    if stage.key[0] != "job" and stage.copies == 1:
        return stage.cost
    return min(stage.cost, max(EPSILON, edge.least - edge.link))
