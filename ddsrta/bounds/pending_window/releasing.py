"""What a core was at just before it released a unit (lemma released-here).

What its own thread released found no other callback in progress. What a less urgent thread of the
core released found nothing as urgent as itself: that thread would not have run.
"""

from __future__ import annotations

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.effects.successors import releases_at_end
from ddsrta.bounds.stages import Stage
from ddsrta_kernel import Solver

MOST_DEEP = 6  # stages in a row that are looked back through


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


def in_progress(compiled: Compiled, number: int) -> set[int] | None:
    """What of its own thread may be in progress when a unit comes, if it comes from there alone:
    that which releases it, but not by its end. None: it comes from elsewhere."""
    stages = compiled.stages
    stage = stages[number]
    if not released_here(compiled, stage):
        return None
    sources = {edge.source for edge in stage.inputs}
    if any(stages[source].server != stage.server for source in sources):
        return None
    return {source for source in sources if not releases_at_end(stages, source, number)}


def from_below(compiled: Compiled, solver: Solver, number: int) -> FromBelow | None:
    """What comes beside a stage that only less urgent ones of its core release; None: not so."""
    found = FromBelow(compiled, solver, number)
    return found if found.holds else None


class FromBelow:
    """A stage that only less urgent ones of its core release: how many units of others come from
    then on."""

    def __init__(self, compiled: Compiled, solver: Solver, number: int) -> None:
        self.compiled, self.solver = compiled, solver
        stage, placement = compiled.stages[number], compiled.placement
        self.end = placement.levels[compiled.unit_of[number]][1]  # less urgent units begin there
        self.sources = {edge.source for edge in stage.inputs}
        self.holds = released_here(compiled, stage) and all(map(self._is_below, self.sources))
        self.own = 0  # units of it that come at the same time before ours
        if self.holds:
            self.own = max(self._from(stage, source) for source in self.sources) - 1
        self.known: dict[tuple[int, int, int], int] = {}

    def _is_below(self, number: int) -> bool:
        return self.compiled.unit_of[number] >= self.end

    def _from(self, stage: Stage, source: int) -> int:
        return sum(edge.multiplicity for edge in stage.inputs if edge.source == source)

    def most(self, number: int, after: int, deep: int = MOST_DEEP) -> int:
        """Units of another stage that come at the same time, or up to so long after."""
        asked = number, after, deep
        if asked not in self.known:
            self.known[asked] = self._most(number, after, deep)
        return self.known[asked]

    def _most(self, number: int, after: int, deep: int) -> int:
        found: int = self.solver.count(self.compiled.unit_of[number], max(0, after + 1))
        stage = self.compiled.stages[number]
        if not deep or not found or not released_here(self.compiled, stage):
            return found
        brought = [
            edge.multiplicity * self._begun(edge.source, after, deep - 1) for edge in stage.inputs
        ]
        return min(found, max(brought) if stage.activation == "and" else sum(brought))

    def _begun(self, source: int, after: int, deep: int) -> int:
        """Of those that bring them: what is less urgent is not served but for the unit that has
        brought ours."""
        if self._is_below(source):
            return int(source in self.sources)
        return self.most(source, after, deep)
