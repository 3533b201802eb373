"""Who may have released what opened the window of a unit, of less urgent stages of its core (lemma
one-opener)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from ddsrta.bounds.joined_work.coupling import Coupling
from ddsrta.bounds.placement import Placement
from ddsrta.bounds.stages import Stage
from ddsrta.policies.relation import Delay, Relation
from ddsrta_kernel.problem import Problem

MOST_OPENERS = 8  # of a unit: each is looked at by itself
MOST_BROUGHT = 24  # units that they bring
_WAITING = Delay.OVERTAKES, Delay.AHEAD
_FIRST = Delay.PREEMPTS, *_WAITING
_PLAIN = frozenset((*_FIRST, Delay.BLOCKS))

Row = tuple[int, int, int, int]  # who, what, how many of it, and how that stands to the unit


def add_openers(
    p: Problem, stages: list[Stage], placement: Placement, unit_of: list[int], coupling: Coupling
) -> None:
    """Adds what each of them brings, where there are any."""
    found = _Openers(stages, placement, unit_of, coupling)
    runs = [
        [] if stage is None else [*found.of(unit, stages[stage])]
        for unit, stage in enumerate(placement.stage_of)
    ]
    if any(runs):
        p.runs("opener_start", "opener", "who unit most kind", runs)


class _Openers:
    """Of all units."""

    def __init__(
        self, stages: list[Stage], placement: Placement, unit_of: list[int], coupling: Coupling
    ) -> None:
        self.placement = placement
        self.sources: dict[int, Mapping[int, int]] = {}  # by unit that is joined to others
        for number, is_joined in enumerate(coupling.joined):
            if is_joined:
                self.sources[unit_of[number]] = _sources(stages[number], unit_of)
        self.on: dict[int, list[int]] = {}  # the same by supply, in order
        for unit in sorted(self.sources):
            self.on.setdefault(placement.supply_of[unit], []).append(unit)

    def of(self, unit: int, stage: Stage) -> Iterator[Row]:
        """What each may bring, opener by opener; nothing where it is not known, or too much."""
        number = self.placement.supply_of[unit]
        supply, some = self.placement.supplies[number], self.on.get(number)
        if not some or supply.is_link or supply.fresh is not None:
            return
        relations = self.placement.relations[unit]
        if stage.mixes or stage.tells_apart or stage.first or not _has_level(relations):
            return
        below = self._below(unit, some, [one for one in relations if one.kind in _FIRST])
        openers = sorted({one for _, sources in below.values() for one in sources})
        if unit in below:
            openers = [one for one in openers if one in below[unit][1]]
        if len(openers) > MOST_OPENERS or len(below) > MOST_BROUGHT:
            return
        blocks = [one for one in relations if one.kind == Delay.BLOCKS]
        for opener in openers:
            for other, (kind, sources) in below.items():
                late = other == unit and _is_in(blocks, opener)
                yield opener, other, sources.get(opener, 0), Delay.BLOCKS if late else kind

    def _below(
        self, unit: int, some: Sequence[int], first: Sequence[Relation]
    ) -> dict[int, tuple[Delay, Mapping[int, int]]]:
        """What comes from below, how that stands to the unit, and who brings how much of it; no
        more than one too many."""
        found: dict[int, tuple[Delay, Mapping[int, int]]] = {}
        before = [*first, Relation(Delay.AHEAD, unit, unit + 1)]
        for relation in before:
            if relation.kind not in _WAITING:
                continue
            for at in range(bisect_left(some, relation.first), bisect_left(some, relation.last)):
                sources = self.sources[some[at]]
                if not any(_is_in(before, source) for source in sources):
                    found.setdefault(some[at], (relation.kind, sources))
                if len(found) > MOST_BROUGHT:
                    return found
        return found


def _sources(stage: Stage, unit_of: Sequence[int]) -> Mapping[int, int]:
    """How many units each unit of its inputs brings."""
    found: dict[int, int] = {}
    for edge in stage.inputs:
        source = unit_of[edge.source]
        found[source] = found.get(source, 0) + edge.multiplicity
    return found


def _has_level(relations: Sequence[Relation]) -> bool:
    """Whether its windows open with what is ahead, and nothing stands to it in another way."""
    kinds = {one.kind for one in relations}
    return _PLAIN.issuperset(kinds) and kinds != {Delay.PREEMPTS}


def _is_in(relations: Sequence[Relation], unit: int) -> bool:
    return any(one.first <= unit < one.last for one in relations)
