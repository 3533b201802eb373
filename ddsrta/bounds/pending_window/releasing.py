"""What a core was at just before it released a unit (lemma released-here).

What its own thread released found no other callback in progress. What a less urgent thread of the
core released found nothing as urgent as itself: that thread would not have run.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.effects.successors import releases_at_end
from ddsrta.bounds.stages import Stage
from ddsrta.policies.relation import Delay
from ddsrta_kernel.problem import HERE, HERE_STAGE


class Below(NamedTuple):
    """A stage that only less urgent ones of its core release, of units from `end` on; so many units
    of its own come at the same time before one."""

    end: int
    own: int


def released_here(compiled: Compiled, stage: Stage) -> bool:
    """Whether its units come where, and as soon as, something on its own core hands them over."""
    if not stage.inputs or stage.synchronizer is not None or stage.arrival is not None:
        return False
    own = compiled.placement.supply_of[compiled.unit_of[compiled.stage_number[stage.key]]]
    for edge in stage.inputs:
        supply = compiled.placement.supply_of[compiled.unit_of[edge.source]]
        if supply != own or edge.link or edge.again:
            return False
    return True


def barred(compiled: Compiled, number: int) -> list[int] | None:
    """The units of its own thread that cannot be in progress when a unit comes, if it comes from
    there alone: all but what releases it, if not by its end. None: it comes from elsewhere."""
    stages, placement = compiled.stages, compiled.placement
    stage = stages[number]
    if not released_here(compiled, stage):
        return None
    sources = {edge.source for edge in stage.inputs}
    if any(stages[source].server != stage.server for source in sources):
        return None
    begun = {source for source in sources if not releases_at_end(stages, source, number)}
    units = (
        unit
        for relation in placement.relations[compiled.unit_of[number]]
        for unit in range(relation.first, relation.last)
        if relation.kind == Delay.BLOCKS
    )
    return [unit for unit in units if _is_other(compiled, placement.stage_of[unit], stage, begun)]


def _is_other(compiled: Compiled, number: int | None, stage: Stage, begun: set[int]) -> bool:
    if number is None or number in begun:
        return False
    return compiled.stages[number].server == stage.server


def from_below(compiled: Compiled, number: int) -> Below | None:
    """What is known of a stage that only less urgent ones of its core release; None: not so."""
    stage = compiled.stages[number]
    if not released_here(compiled, stage):
        return None
    end = compiled.placement.levels[compiled.unit_of[number]][1]  # less urgent units begin there
    brought: dict[int, int] = {}
    for edge in stage.inputs:
        if compiled.unit_of[edge.source] < end:
            return None
        brought[edge.source] = brought.get(edge.source, 0) + edge.multiplicity
    return Below(end, max(brought.values()) - 1)


def releases(compiled: Compiled) -> array[int]:
    """As the kernel reads them: of each unit that its core releases, where its inputs stand, how
    many there are and whether it needs all, and its stage; and the inputs, each with the unit and
    how many of ours one of it brings."""
    rows = [0] * (HERE * len(compiled.problem))
    for number, unit in enumerate(compiled.unit_of):
        stage = compiled.stages[number]
        rows[HERE * unit + HERE_STAGE] = number
        if compiled.releasing and released_here(compiled, stage):
            joins = stage.activation == "and"
            rows[HERE * unit : HERE * unit + HERE_STAGE] = len(rows), len(stage.inputs), joins
            for edge in stage.inputs:
                rows += compiled.unit_of[edge.source], edge.multiplicity
    return array("q", rows)
