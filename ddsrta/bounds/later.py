"""What a job publishes later comes after what it published first (lemma later-siblings)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.bounds.compiled import Compiled
from ddsrta.policies.relation import Delay


def add_later(compiled: Compiled, ordered: bool) -> None:
    """Samples of one job that wait in one queue: those published later come after."""
    stages = compiled.stages
    samples: dict[int, list[int]] = {}  # by the job that they are of
    for number, stage in enumerate(stages) if ordered else ():
        if stage.key[0] == "sample":
            samples.setdefault(stage.inputs[0].source, []).append(number)
    several = {one for found in samples.values() if len(found) > 1 for one in found}
    runs = [
        _later_than(compiled, unit, stage) if stage in several and stage is not None else ()
        for unit, stage in enumerate(compiled.placement.stage_of)
    ]
    compiled.problem.runs("later_start", "later", "unit jobs bunch", runs)


def _later_than(compiled: Compiled, unit: int, number: int) -> Iterator[tuple[int, int, int]]:
    stages, placement = compiled.stages, compiled.placement
    source = stages[number].inputs[0].source
    if stages[source].reorders or stages[number].anew:
        return  # a later job may be the first to publish, or earlier ones may have left it out
    jobs = compiled.streams.of[source].multiplicity
    for relation in placement.relations[unit]:
        for other in range(relation.first, relation.last) if relation.kind == Delay.AHEAD else ():
            stage = placement.stage_of[other]
            if stage is None or stage < number or stages[stage].anew:
                continue
            if stage > number and stages[stage].inputs[0].source == source:
                yield other, jobs, stages[stage].inputs[0].multiplicity
