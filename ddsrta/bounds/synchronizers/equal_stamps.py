"""Where all that a synchronizer waits for has the stamps of one source (lemma equal-stamps)."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.stages import Stage


def find_equal_stamps(stages: Sequence[Stage]) -> None:
    """Lets sets of approximate_time be of the n-th messages wherever one source brings a message by
    each input at each of its releases, in their order."""
    sources: list[int | None] = []  # of what each stage brings
    for number, stage in enumerate(stages):
        source = number if stage.arrival is not None else _common(sources, stage.inputs)
        sets = stage.synchronizer
        if sets is not None and sets.policy == "approximate_time":
            stage.by_number = source is not None
        joins = len(stage.inputs) < 2 or (stage.activation == "and" and stage.by_number)
        keeps = joins and not stage.anew and not stage.reorders
        sources.append(source if keeps else None)


def _common(sources: Sequence[int | None], inputs: Sequence[Edge]) -> int | None:
    """The one source of all inputs."""
    found = {
        None if edge.multiplicity > 1 or edge.overtakes or edge.part else sources[edge.source]
        for edge in inputs
    }
    return found.pop() if len(found) == 1 else None
