"""Stretches of joined stages that one window bounds as a whole (theory 9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.analysis.coupling import Coupling, released_at_end
from ddsrta.analysis.placement import Placement
from ddsrta.analysis.stages import Edge, Stage
from ddsrta.analysis.streams import Streams
from ddsrta_kernel.problem import ANYHOW, PIECE, ROOT


class Group(NamedTuple):
    """Joined stages from `head` to the one in question, `last`; the rest is as in a Problem."""

    kind: int
    head: int
    level: int
    first: int
    each: int
    later: int
    last: int


def groups_of(
    stages: list[Stage],
    streams: Streams,
    placement: Placement,
    unit_of: list[int],
    coupling: Coupling,
    last: int,
) -> Iterator[Group]:
    """The groups that a stage may close, shortest first, as far as each stage has one input."""
    way: list[tuple[int, Edge]] = []
    stage = last
    while coupling.joined[stage] and len(stages[stage].inputs) == 1:
        edge = stages[stage].inputs[0]
        way.append((stage, edge))
        stage = edge.source
    return groups_along(stages, streams, placement, unit_of, coupling, [*way, (stage, None)])


def groups_along(
    stages: list[Stage],
    streams: Streams,
    placement: Placement,
    unit_of: list[int],
    coupling: Coupling,
    way: list[tuple[int, Edge | None]],
) -> Iterator[Group]:
    """The same along a way back from a stage: each with the edge by which it is entered."""
    last = way[0][0]
    supply = placement.supply_of[unit_of[last]]
    end, multiplicity = 0, 1
    for stage, edge in way:
        end = max(end, placement.levels[unit_of[stage]][1])
        number = coupling.number.get((supply, end))
        if number is None:
            return
        level = coupling.levels[supply, end]
        after = released_at_end(stages, coupling, level, last)
        if not coupling.joined[stage]:
            in_turn = placement.carried[unit_of[last]]
            if level.coupled or in_turn or level.bases[streams.of[stage].node] > 1:
                each = level.work[stage]
                later = each - multiplicity * level.work[last]
                yield Group(ROOT, stage, number, each - after, each, later, last)
            return
        sources = [edge.source] if edge else [e.source for e in stages[stage].inputs]
        if all(unit_of[source] >= end for source in sources):
            piece = max(level.pieces[source] for source in sources)
            yield Group(PIECE, stage, number, piece - after, 0, 0, last)
        elif edge is None:
            yield Group(ANYHOW, stage, number, 0, 0, 0, last)
        if edge:
            multiplicity *= edge.multiplicity
