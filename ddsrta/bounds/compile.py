"""Turns a system into a Problem for the kernel."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import accumulate

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.effects.arrays import add_effects, add_successors
from ddsrta.bounds.effects.successors import completions
from ddsrta.bounds.joined_work.arrays import add_groups
from ddsrta.bounds.joined_work.coupling import couple
from ddsrta.bounds.joined_work.ways import Ways
from ddsrta.bounds.placement import place
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.skipped import Skipping, Skips
from ddsrta.bounds.stages import Spacing, Stage, unfold
from ddsrta.bounds.streams import UNCOUNTED, Node, best_arrival, follow
from ddsrta.bounds.tandem_window import Tandems
from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic
from ddsrta.models.system import System
from ddsrta.policies.relation import AHEAD
from ddsrta_kernel.problem import EXPLICIT, MAXIMUM, PERIODIC, SUM, Problem

NOT_SPACED = Spacing(0, 0, 1)


def compile_system(
    system: System,
    refinements: Refinements | None = None,
    added: Mapping[str, int] | None = None,
    skips: Skips | None = None,
    mispaired: Mapping[str, str] | None = None,
) -> Compiled:
    """The problem of a system that is valid; `added` is what the curves of synchronizers allow for
    beside their inputs (lemma set-curves), `skips` the timers that may leave releases out (lemma
    timer-skips), `mispaired` the threads that may take messages of different numbers together
    (lemma backlog-bound). What stages wait for is added by `waiting`.

    >>> from ddsrta.examples import two_threads
    >>> len(compile_system(two_threads()).problem)
    4
    """
    refinements = (refinements or Refinements.all()).of(system)
    stages = unfold(system, refinements)
    for one in stages:
        if one.synchronizer is not None and one.key[1] in (added or {}):
            one.by_number = False
        if one.key[0] == "job" and one.key[1] in (skips or {}):
            one.arrival = (skips or {})[one.key[1]].arrival
        if one.key[0] == "job" and one.key[1] in (mispaired or {}):
            one.mispaired, one.anew = True, one.anew or one.synchronizer is None
    streams = follow(system, stages, refinements.offsets)
    placement = place(system, stages)
    unit_of = [0] * len(stages)
    for unit, stage in enumerate(placement.stage_of):
        if stage is not None:
            unit_of[stage] = unit
    numbers = {stage.key: number for number, stage in enumerate(stages)}
    tandems = Tandems(stages, placement, unit_of, refinements.tandem)
    ready = streams, placement, unit_of, numbers, Problem(), tandems, refinements.accounts
    compiled = Compiled(system, stages, *ready, {}, skips or {}, mispaired or {})
    _supplies(compiled)
    first_entry = _nodes(compiled)
    _units(compiled)
    _relations(compiled)
    _edges(compiled, first_entry, added or {})
    _users(compiled)
    _later(compiled, refinements.program_order)
    successors = completions(stages, streams, refinements.effects)
    add_effects(compiled.problem, placement, unit_of, successors if refinements.effects else None)
    if refinements.chain_windows:
        compiled.problem.in_step = refinements.in_step
        compiled.coupling = couple(stages, streams, placement, unit_of, refinements.in_step)
        compiled.ways = Ways(stages, placement, unit_of, compiled.coupling)
        if compiled.coupling.levels:
            parts = stages, streams, placement, unit_of, compiled.coupling, compiled.ways
            add_groups(compiled.problem, *parts)
            add_successors(compiled.problem, placement, successors)
    return compiled


def _supplies(compiled: Compiled) -> None:
    p = compiled.problem
    for supply in compiled.placement.supplies:
        reservation = supply.reservation
        p.supply_first.append(supply.first)
        p.supply_last.append(supply.last)
        whole = reservation is None or reservation.budget == reservation.period
        p.supply_budget.append(0 if whole or reservation is None else reservation.budget)
        p.supply_period.append(0 if whole or reservation is None else reservation.period)
        p.supply_threads.append(supply.threads)


def _nodes(compiled: Compiled) -> list[int]:
    """The nodes; returns the number of the first entry of each."""
    p = compiled.problem
    first_entry = []
    for number, node in enumerate(compiled.streams.nodes):
        first_entry.append(len(p.entry_node))
        if node.arrival is not None:
            _source(p, node.arrival)
        else:
            _junction(p, node, number)
    for reservation in compiled.placement.load_of.values():
        _source(p, Periodic(reservation.period, jitter=reservation.period))
    return first_entry


def _node(p: Problem, kind: int, a: int, b: int, c: int, d: int) -> None:
    p.node_kind.append(kind)
    p.node_a.append(a)
    p.node_b.append(b)
    p.node_c.append(c)
    p.node_d.append(d)


def _source(p: Problem, arrival: Arrival) -> None:
    if isinstance(arrival, Periodic):
        _node(p, PERIODIC, arrival.period, arrival.jitter, arrival.min_distance, 0)
        return
    if isinstance(arrival, Sporadic):
        apart = arrival.min_distance if isinstance(arrival, Skipping) else 0
        _node(p, PERIODIC, arrival.distance, arrival.jitter, apart, 0)
        return
    curve = _explicit(arrival)
    _node(p, EXPLICIT, curve.period, curve.repeat, len(p.distances), len(curve.distances))
    p.distances.extend(curve.distances)


def _explicit(arrival: Burst | Curve) -> Curve:
    if isinstance(arrival, Curve):
        return arrival
    distances = tuple(i * arrival.distance for i in range(arrival.count))
    return Curve(distances, arrival.count, arrival.period)


def _junction(p: Problem, node: Node, number: int) -> None:
    kind = SUM if node.activation == "or" else MAXIMUM
    _node(p, kind, 0, 0, len(p.entry_node), len(node.entries))
    for entry in node.entries:
        p.entry_owner.append(number)
        p.entry_node.append(entry.node)
        p.entry_multiplicity.append(entry.multiplicity)
        spacing = entry.spacing or NOT_SPACED
        p.entry_spacing.append(spacing.distance)
        p.entry_slack.append(spacing.slack)
        p.entry_bunch.append(spacing.bunch)


def _units(compiled: Compiled) -> None:
    p, placement, streams = compiled.problem, compiled.placement, compiled.streams
    load_node = len(streams.nodes)
    for unit, stage in enumerate(placement.stage_of):
        copied = placement.copied(unit)
        number = copied if stage is None else stage
        if number is None:
            values = (placement.load_of[unit].budget, load_node, 1, 0, 0)
            load_node += 1
        else:
            s = streams.of[number]
            late = 0 if unit in placement.shadow_of else s.late
            values = (compiled.stages[number].cost, s.node, s.multiplicity, s.best, late)
        p.cost.append(values[0])
        p.node.append(values[1])
        p.multiplicity.append(values[2])
        p.best.append(values[3])
        p.late.append(values[4])
        p.is_load.append(stage is None)
        spaced = number is not None and unit not in placement.shadow_of
        spacing = _spacing(compiled.stages[number]) if spaced and number is not None else NOT_SPACED
        p.spacing.append(spacing.distance)
        p.slack.append(spacing.slack)
        p.bunch.append(spacing.bunch)
    if any(stage.first for stage in compiled.stages):
        found = (0 if n is None else compiled.stages[n].first for n in placement.stage_of)
        p.extra.extend(found)
    p.supply.extend(placement.supply_of)
    p.is_carried.extend(placement.carried)
    p.reach_first.extend(first for first, _ in placement.reach)
    p.reach_last.extend(last for _, last in placement.reach)


def _spacing(stage: Stage) -> Spacing:
    """How a stage of one input is spaced; where several come together, the entries say it."""
    if len(stage.inputs) == 1 and stage.inputs[0].spacing:
        return stage.inputs[0].spacing
    return NOT_SPACED


def _relations(compiled: Compiled) -> None:
    p = compiled.problem
    for relations in compiled.placement.relations:
        p.relation_start.append(len(p.relation_kind))
        for relation in relations:
            p.relation_kind.append(relation.kind)
            p.relation_first.append(relation.first)
            p.relation_last.append(relation.last)
            p.relation_shift.append(relation.shift)
            p.relation_weight.append(relation.weight)
            p.relation_own.append(relation.own)
    p.relation_start.append(len(p.relation_kind))


def _edges(compiled: Compiled, first_entry: list[int], added: Mapping[str, int]) -> None:
    """Edges, sorted by the unit that they leave."""
    p, streams, unit_of = compiled.problem, compiled.streams, compiled.unit_of
    edges = []
    mirrors: dict[int, list[int]] = {}
    for unit, number in compiled.placement.mirror_of.items():
        mirrors.setdefault(number, []).append(unit)
    for number, stage in enumerate(compiled.stages):
        stream = streams.of[number]
        more = 0 if stage.synchronizer is None else added.get(stage.key[1], 0)
        for edge, entry in zip(stage.inputs, stream.entries, strict=True):
            if entry == UNCOUNTED:
                continue
            target = unit_of[number] if entry is None else -1
            into = -1 if entry is None else first_entry[stream.node] + entry
            best = best_arrival(streams, edge)
            edges.append((unit_of[edge.source], target, into, edge.worst + more, best))
            for unit in mirrors.get(number, ()) if target >= 0 else ():
                edges.append((unit_of[edge.source], unit, -1, edge.worst + more, best))
    for unit, number in compiled.placement.shadow_of.items():  # begun: so long before it is done
        best = streams.of[number].best
        edges.append((unit_of[number], unit, -1, -compiled.stages[number].cost, best))
    edges.sort()
    p.edge_start = _starts([edge[0] for edge in edges], len(p))
    for column, name in enumerate(("edge_unit", "edge_entry", "edge_worst", "edge_best"), 1):
        getattr(p, name).extend(edge[column] for edge in edges)


def _users(compiled: Compiled) -> None:
    """Which units stand on each node, and which entries build on it."""
    p = compiled.problem
    users = sorted(range(len(p)), key=lambda unit: p.node[unit])
    p.user_start = _starts([p.node[unit] for unit in users], len(p.node_kind))
    p.user_unit.extend(users)
    dependents = sorted(range(len(p.entry_node)), key=lambda entry: p.entry_node[entry])
    p.dependent_start = _starts([p.entry_node[entry] for entry in dependents], len(p.node_kind))
    p.dependent_entry.extend(dependents)


def _later(compiled: Compiled, ordered: bool) -> None:
    """Samples of one job that wait in one queue: those published later come after."""
    p, stages = compiled.problem, compiled.stages
    for unit, number in enumerate(compiled.placement.stage_of):
        p.later_start.append(len(p.later_unit))
        if not ordered or number is None or stages[number].key[0] != "sample":
            continue
        source = stages[number].inputs[0].source
        if stages[source].overlaps:
            continue  # a later job may be the first to publish
        jobs = compiled.streams.of[source].multiplicity
        for relation in compiled.placement.relations[unit]:
            if relation.kind != AHEAD:
                continue
            for other in range(relation.first, relation.last):
                stage = compiled.placement.stage_of[other]
                if stage is None or stage <= number or stages[stage].inputs[0].source != source:
                    continue
                p.later_unit.append(other)
                p.later_jobs.append(jobs)
                p.later_bunch.append(stages[stage].inputs[0].multiplicity)
    p.later_start.append(len(p.later_unit))


def _starts(owners: list[int], count: int) -> array[int]:
    """Where the run of each owner starts in a sorted list of owners."""
    sizes = [0] * (count + 1)
    for owner in owners:
        sizes[owner + 1] += 1
    return array("q", accumulate(sizes))
