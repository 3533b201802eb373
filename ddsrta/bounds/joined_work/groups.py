"""Stretches of joined stages that one window bounds as a whole (lemma group-window)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.bounds.joined_work.coupling import Coupling, Level, released_at_end
from ddsrta.bounds.joined_work.ways import Way
from ddsrta.bounds.placement import Placement
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.streams import Streams
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
    way: Way,
) -> tuple[Group, ...]:
    """The groups that the last stage of a way may close, shortest first."""
    if way.groups is None:
        way.groups = (*_groups_of(stages, streams, placement, unit_of, coupling, way),)
    return way.groups


def group_alone(
    stages: list[Stage],
    streams: Streams,
    placement: Placement,
    unit_of: list[int],
    coupling: Coupling,
    stage: int,
) -> list[tuple[int, ...]]:
    """The group of a stage that is not joined to another, if it has one, as in a Problem."""
    unit = unit_of[stage]
    level = coupling.levels.get((placement.supply_of[unit], placement.levels[unit][1]))
    if level is not None and stages[stage].mixes:
        return [(ANYHOW, unit, level.number, 0, 0, 0, 0)]
    if level is None or not _opens(level, streams.of[stage].node, placement.carried[unit]):
        return []
    each = level.work[stage]
    first = each - released_at_end(stages, coupling, level, stage)
    return [(ROOT, unit, level.number, first, each, 0, 0)]


def _opens(level: Level, node: int, in_turn: bool) -> bool:
    """Whether windows of a level may open with an event of a node."""
    return level.coupled or in_turn or level.external_events.get(node, 0) > 1


def _groups_of(
    stages: list[Stage],
    streams: Streams,
    placement: Placement,
    unit_of: list[int],
    coupling: Coupling,
    way: Way,
) -> Iterator[Group]:
    last = way.stage
    supply = placement.supply_of[unit_of[last]]
    for head, end in way.heads():
        level = coupling.levels.get((supply, end))
        if level is None:
            return
        stage, number = head.stage, level.number
        after = released_at_end(stages, coupling, level, last)
        if not coupling.joined[stage]:
            if stages[stage].mixes:
                yield Group(ANYHOW, stage, number, 0, 0, 0, last)
            elif _opens(level, streams.of[stage].node, placement.carried[unit_of[last]]):
                each = level.work[stage]
                later = each - way.times // head.times * level.work[last]
                yield Group(ROOT, stage, number, each - after, each, later, last)
            continue
        before = head.before
        sources = [before.stage] if before else [e.source for e in stages[stage].inputs]
        if all(unit_of[source] >= end for source in sources):
            piece = max(level.released_work[source] for source in sources)
            yield Group(PIECE, stage, number, piece - after, 0, 0, last)
        elif before is None:
            yield Group(ANYHOW, stage, number, 0, 0, 0, last)
