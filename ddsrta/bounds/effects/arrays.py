"""Which units come only after which, as arrays of a problem (definition later-effect, lemma
effects-behind-joins)."""

from __future__ import annotations

from ddsrta.bounds.effects.successors import Successors
from ddsrta.bounds.placement import Placement
from ddsrta.policies.relation import Delay
from ddsrta_kernel.problem import LATENCY_TOO, Problem
from ddsrta_kernel.tables import integers

_TURNS = Delay.ALTERNATES, Delay.PRECEDES


def takes_turns(placement: Placement) -> bool:
    """Whether anything takes turns with anything."""
    return any(each.kind in _TURNS for relations in placement.relations for each in relations)


def add_successors(p: Problem, placement: Placement, successors: Successors) -> None:
    """The places of all units, and the ranges of what comes after each."""
    stages = placement.stage_of
    places = [-1 if stage is None else successors.place[stage] for stage in stages]
    p.cause_place.extend(integers(places))
    runs = (() if stage is None else successors.after[stage] for stage in stages)
    p.runs("cause_start", "cause", "first end", runs)


def add_effects(
    p: Problem, placement: Placement, unit_of: list[int], successors: Successors | None
) -> None:
    """What takes turns with a unit, and comes only after it for one event; none without them."""
    if successors is None:
        p.effect_start.extend([0] * (len(placement.stage_of) + 1))
        return
    runs: list[list[tuple[int, int]]] = []
    units = [unit_of[stage] for stage in successors.order]
    for unit, stage in enumerate(placement.stage_of):
        runs.append(run := [])
        if stage is None or p.multiplicity[unit] > 1:
            continue
        turns = [r for r in placement.relations[unit] if r.kind in _TURNS and r.is_plain]
        effects = sorted({*successors.effects_in(units, stage)}) if turns else ()
        for kind, first, last, *_ in turns:
            for other in effects:
                if first <= other < last:
                    run.append((other, int(kind == Delay.PRECEDES)))
                    p.is_carried[other] = LATENCY_TOO
    p.runs("effect_start", "effect", "unit more", runs)
