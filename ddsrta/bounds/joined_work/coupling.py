"""Stages that follow each other on one supply, and what one event brings there (definition
joined-stages, lemma joined-work)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ddsrta.bounds.effects.successors import releases_at_end
from ddsrta.bounds.placement import Placement
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.streams import Streams

MOST_WORK = 4_000_000  # levels times stages of a supply: beyond, its stages are not coupled


class Branch(NamedTuple):
    """A stage that each unit of another brings work to, on the same supply."""

    stage: int
    multiplicity: int


@dataclass(slots=True)
class Level:
    """The units of a supply from its first up to `end`: `piece` is the most that one execution of a
    less urgent stage releases to them, `roots` are (unit, work that one of its units brings)."""

    number: int
    supply: int
    end: int
    piece: int = 0
    coupled: bool = False  # any of its stages is joined
    external_events: dict[int, int] = field(default_factory=dict)  # of its roots: how many of each
    roots: list[tuple[int, int]] = field(default_factory=list)
    # by stage: C, of all stages where none is joined; and what one execution releases
    work: Mapping[int, int] = field(default_factory=dict)
    released_work: Mapping[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Coupling:
    """Who is joined to whom; `branches` by stage, where it has any. `levels` is by (supply, end),
    where anything is joined or in step."""

    joined: list[bool]
    branches: dict[int, list[Branch]] = field(default_factory=dict)
    levels: dict[tuple[int, int], Level] = field(default_factory=dict)


def couple(
    stages: list[Stage],
    streams: Streams,
    placement: Placement,
    unit_of: list[int],
    in_step: bool = True,
) -> Coupling:
    """The coupling of all stages."""
    coupling = Coupling([False] * len(stages))
    supply_of = [placement.supply_of[unit] for unit in unit_of]
    members: dict[int, list[int]] = {}
    for number, supply in enumerate(supply_of):
        members.setdefault(supply, []).append(number)
    for supply, own in members.items():
        if placement.supplies[supply].threads > 1:
            continue  # not one thing after the other (lemma overtaking-jobs)
        joined = [number for number in own if _is_joined(stages[number], supply, supply_of)]
        for number in joined:
            coupling.joined[number] = True
            for edge in stages[number].inputs:
                branch = Branch(number, edge.multiplicity)
                coupling.branches.setdefault(edge.source, []).append(branch)
        if placement.supplies[supply].is_link:
            continue  # on a link something comes first, whatever follows what (lemma shared-link)
        bases = {streams.of[stage].node for stage in own}
        in_turn = any(placement.carried[unit_of[stage]] for stage in own)
        if joined or in_turn or (in_step and len(bases) < len(own)):
            _levels(coupling, stages, streams, placement, unit_of, supply, own)
    return coupling


def released_at_end(stages: list[Stage], coupling: Coupling, level: Level, number: int) -> int:
    """What a stage brings to a level only by completing."""
    found = 0
    for branch in coupling.branches.get(number, ()):
        if releases_at_end(stages, number, branch.stage):
            found += branch.multiplicity * level.work[branch.stage]
    return found


def _is_joined(stage: Stage, supply: int, supply_of: list[int]) -> bool:
    """All inputs come from the same supply, at once; an AND job begins anew."""
    if (stage.activation == "and" and len(stage.inputs) > 1) or stage.anew:
        return False
    for edge in stage.inputs:
        if edge.link or supply_of[edge.source] != supply:
            return False
    return bool(stage.inputs)


def _levels(
    coupling: Coupling,
    stages: list[Stage],
    streams: Streams,
    placement: Placement,
    unit_of: list[int],
    supply: int,
    members: list[int],
) -> None:
    first = placement.supplies[supply].first
    ends = sorted({placement.levels[unit_of[stage]][1] for stage in members})
    if len(ends) * len(members) > MOST_WORK:
        return
    loads = [unit for unit in placement.load_of if placement.supply_of[unit] == supply]
    shadows = [unit for unit in placement.shadow_of if placement.supply_of[unit] == supply]
    backwards = [(stage, unit_of[stage], stages[stage].cost) for stage in reversed(members)]
    roots = [(s, unit_of[s], streams.of[s].node) for s in members if not coupling.joined[s]]
    is_joined = len(roots) < len(members)
    costs = {stage: cost for stage, _, cost in backwards}
    nothing = dict.fromkeys(costs, 0)
    for end in [first + len(loads), *ends]:
        level = coupling.levels[supply, end] = Level(len(coupling.levels), supply, end)
        level.work, level.released_work = costs, nothing
        if is_joined:
            _join(coupling, level, backwards)
        work, events = level.work, level.external_events
        level.roots = [(unit, placement.load_cost(unit)) for unit in loads]
        for unit in shadows:  # they arrive where they begin, and release what is not joined
            if unit < end:
                level.roots.append((unit, stages[placement.shadow_of[unit]].cost))
                node = streams.of[placement.shadow_of[unit]].node
                events[node] = events.get(node, 0) + 1
        before = [one for one in roots if one[1] < end]
        level.roots += [(unit, work[stage]) for stage, unit, _ in before]
        for _, _, node in before:
            events[node] = events.get(node, 0) + 1


def _join(coupling: Coupling, level: Level, backwards: list[tuple[int, int, int]]) -> None:
    """What an event at each stage brings to a level, effects before causes."""
    level.work, level.released_work = work, released = dict[int, int](), dict[int, int]()
    end = level.end
    for stage, unit, cost in backwards:
        piece = 0
        for branch in coupling.branches.get(stage, ()):
            piece += branch.multiplicity * work[branch.stage]
        released[stage] = piece
        work[stage] = cost + piece if unit < end else 0
        if unit >= end:
            level.piece = max(level.piece, piece)
        elif coupling.joined[stage]:
            level.coupled = True
