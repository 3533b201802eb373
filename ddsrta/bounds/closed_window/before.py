"""What comes since nothing was there, and before a unit begins (lemma counts-before)."""

from __future__ import annotations

from ddsrta.bounds.closed_window.windows import ClosedWindow
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.stages import goes_round


def tells_before(compiled: Compiled, window: ClosedWindow) -> bool:
    """Whether counts may say what events do not: some of it is released by sets."""
    stages = compiled.stages
    has_sets = any(stages[number].makes_sets for number in window.counts)
    return has_sets and not window.apart and not goes_round(stages, window.counts)


def counts_before(compiled: Compiled, window: ClosedWindow, stage: int) -> dict[int, int]:
    """How many of each stage that one brings something come of what is released in its closed
    window before a unit of it begins: of what it brings, one unit less counts."""
    found = {stage: max(0, window.counts[stage][0] - 1)}
    for number in sorted(window.counts):
        inputs = compiled.stages[number].inputs
        if number == stage or not any(edge.source in found for edge in inputs):
            continue
        units = window.counts[number][0]
        brought = [
            found.get(edge.source, window.counts[edge.source][0]) * edge.multiplicity
            for edge in inputs
        ]
        most = _joined(compiled, number, brought)
        found[number] = units if most is None else min(units, most)
    del found[stage]
    return found


def _joined(compiled: Compiled, number: int, brought: list[int]) -> int | None:
    """How often these release a stage; None where nothing bounds that."""
    stage = compiled.stages[number]
    if stage.makes_sets:
        sets = compiled.streams.sets(number)
        return sets.most(brought) if sets else None
    return max(brought) if stage.activation == "and" else sum(brought)
