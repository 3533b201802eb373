"""Which stages of an event come before others of it (definition leads-to)."""

from __future__ import annotations

from ddsrta.bounds.effects.successors import releases_at_end
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.streams import Streams

Leading = dict[int, bool]  # stages, each with whether it is done when the one in question arrives


def leading(stages: list[Stage], streams: Streams) -> list[Leading]:
    """What leads to each stage; stages come in an order in which causes precede effects."""
    found: list[Leading] = []
    for number, stage in enumerate(stages):
        mine: Leading = {}
        entries = streams.of[number].entries
        if entries == [None] * len(entries):
            for source in dict.fromkeys(edge.source for edge in stage.inputs):
                _through(mine, found[source], source, stages)
                if streams.of[source].multiplicity == 1:
                    mine[source] = mine.get(source, False) or releases_at_end(
                        stages, source, number
                    )
        found.append(mine)
    return found


def _through(mine: Leading, before: Leading, source: int, stages: list[Stage]) -> None:
    """What leads to an input leads further: it is done where its own thread has begun with that
    input."""
    server = stages[source].server
    for stage, is_done in before.items():
        mine[stage] = mine.get(stage, False) or is_done or stages[stage].server == server
