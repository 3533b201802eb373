"""Turns a system into a Problem for the kernel."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate, chain

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.edges import Spacing
from ddsrta.bounds.effects.arrays import add_effects, add_successors, takes_turns
from ddsrta.bounds.joined_work.arrays import add_groups
from ddsrta.bounds.joined_work.coupling import couple
from ddsrta.bounds.joined_work.ways import Ways
from ddsrta.bounds.later import add_later
from ddsrta.bounds.placement import Placement, place
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.reserved_work import add_loads, load_edges, use_work
from ddsrta.bounds.skipped import Skipping, Skips
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.streams import Node, best_arrival
from ddsrta.bounds.structure import Structure, clocked_periods
from ddsrta.bounds.supply import deadline_servers
from ddsrta.bounds.tandem_window import Tandems
from ddsrta.models.arrivals import Arrival, Burst, Periodic, Sporadic
from ddsrta.models.system import EPSILON, Reservation, System
from ddsrta.policies.relation import mixed
from ddsrta_kernel.problem import EXPLICIT, MAXIMUM, PERIODIC, SUM, UNBOUNDED, Problem
from ddsrta_kernel.tables import integers

MOST_IN_ORDER = 400  # stages: of larger systems it is not looked what meets a path in which order

NOT_SPACED = Spacing(0, 0, 1)
NO_SETS = 0, UNBOUNDED, 0


def compile_system(
    system: System,
    refinements: Refinements | None = None,
    added: Mapping[str, int] | None = None,
    skips: Skips | None = None,
    mispaired: Mapping[str, str] | None = None,
    structure: Structure | None = None,
    is_over: Callable[[], bool] | None = None,
) -> Compiled:
    """The problem of a system that is valid; `added` is what the curves of synchronizers allow for
    beside their inputs (lemma set-curves), and what comes back (lemma bounded-rounds), `skips` the
    timers that may leave releases out (lemma timer-skips), `mispaired` the threads that may take
    messages of different numbers together (lemma room-overflow). What stages wait for is added
    by `waiting`. The `structure` is that of a system that has the same one, if it is known. Where
    time `is_over`, what a large system does not need for any bound is left out.

    >>> from ddsrta.examples import two_threads
    >>> len(compile_system(two_threads()).problem)
    4
    """
    refinements = (refinements or Refinements.all()).of(system)
    if structure is None or added or skips or mispaired:
        structure = Structure(system, refinements)
        stages = structure.stages
        _allow_for(system, stages, refinements, (added or {}, skips or {}, mispaired or {}))
    else:
        stages = structure.stages_of(system)
    streams = structure.streams
    refinements = refinements.in_time(len(stages), is_over)
    placement = _placed(system, stages, refinements)
    unit_of = [0] * len(stages)
    for unit, stage in enumerate(placement.stage_of):
        if stage is not None:
            unit_of[stage] = unit
    tandems = Tandems(stages, placement, unit_of, *refinements.of_tandems)
    ready = structure, streams, placement, unit_of, structure.number, Problem(), tandems
    closed = refinements.closes(system)
    windows = refinements.end_to_end_windows, closed, refinements.events_alone
    more = refinements.of_arrivals
    compiled = Compiled(system, stages, *ready, *windows, *more, {}, skips or {}, mispaired or {})
    _supplies(compiled)
    first_entry = _nodes(compiled, refinements)
    _units(compiled)
    _relations(compiled)
    _edges(compiled, first_entry, added or {})
    if system.closed and refinements.rounds_in_turn:
        from ddsrta.bounds.rounds import turns

        p = compiled.problem
        p.rounds, p.circle, p.around, p.leaves = turns(compiled)
    _joins(compiled, refinements)
    if refinements.clocked_counts and refinements.offsets and clocked_periods(stages) > 1:
        from ddsrta.bounds.clocked_counts import use_clocks

        use_clocks(compiled)
    _users(compiled)
    add_later(compiled, refinements.program_order)
    refinements = refinements.in_time(len(stages), is_over)
    p, in_turn = compiled.problem, refinements.effects and takes_turns(placement)
    _choose(compiled, refinements)
    compiled.closed_counts = refinements.closed_counts and closed
    compiled.counts_before = refinements.counts_before and compiled.closed_counts
    levels = refinements.chain_windows and _coupled(compiled, refinements)
    successors = structure.successors if in_turn or levels else None
    add_effects(p, placement, unit_of, successors if in_turn else None)
    if successors and levels:
        add_successors(p, placement, successors)
    return compiled


def _coupled(compiled: Compiled, refinements: Refinements) -> bool:
    """Adds what stages bring that follow each other on one supply; whether there are any, or some
    in step."""
    p, system = compiled.problem, compiled.system
    stages, streams = compiled.stages, compiled.streams
    placed = compiled.placement, compiled.unit_of
    p.in_step = refinements.in_step
    compiled.coupling = couple(stages, streams, *placed, refinements.in_step)
    compiled.ways = Ways(stages, *placed, compiled.coupling)
    joined = refinements.one_opener and any(compiled.coupling.joined)
    if joined and not (system.circles or system.closed):
        from ddsrta.bounds.joined_work.openers import add_openers

        add_openers(p, stages, *placed, compiled.coupling)
    if not compiled.coupling.levels:
        return False
    add_groups(p, stages, streams, *placed, compiled.coupling, compiled.ways)
    return True


def _choose(compiled: Compiled, refinements: Refinements) -> None:
    """Which windows count by what is refined."""
    compiled.problem.ahead_in_step = refinements.ahead_in_step
    compiled.problem.held_back = refinements.held_back
    compiled.problem.at_once = compiled.structure.at_once
    compiled.joint_outputs, compiled.room_ages = refinements.joint_outputs, refinements.room_ages
    compiled.fair_shares = refinements.fair_shares and any(
        core.tick is not None for core in compiled.system.cores.values()
    )
    compiled.closed_sets = refinements.closed_sets
    compiled.fork_overlaps = refinements.fork_overlaps
    compiled.limit_gaps = refinements.limit_gaps
    compiled.ways_apart = refinements.ways_apart
    compiled.waits_together = refinements.lock_windows
    compiled.sharing_windows = refinements.shares(compiled.system)
    if not compiled.system.fastdds:
        compiled.side_by_side = refinements.side_by_side
        compiled.done_before = refinements.done_before
        compiled.one_at_a_time = refinements.one_at_a_time
        windows = compiled.end_to_end_windows
        small = len(compiled.stages) <= MOST_IN_ORDER
        compiled.meetings_in_order = refinements.meetings_in_order and windows and small
        compiled.latest_by_paths = refinements.latest_by_paths and windows


def _placed(system: System, stages: list[Stage], refinements: Refinements) -> Placement:
    """Where they run, with what offsets and budgets say."""
    placement = place(system, stages)
    if refinements.offset_windows and clocked_periods(stages) > 1:
        from ddsrta.bounds.offset_windows import use_offsets

        use_offsets(stages, placement)
    if refinements.fresh_budgets and [one for one in placement.supplies if one.reservation]:
        from ddsrta.bounds.fresh_budgets import use_budgets

        use_budgets(system, stages, placement)
    if refinements.reserved_work and placement.load_of:
        use_work(stages, placement)
    return placement


def _allow_for(
    system: System,
    stages: list[Stage],
    refinements: Refinements,
    known: tuple[Mapping[str, int], Skips, Mapping[str, str]],
) -> None:
    """What is allowed for at stages: budgets that are enough (lemma deadline-servers), and what is
    added, skipped or mispaired."""
    added, skips, mispaired = known
    served = deadline_servers(system) if refinements.deadline_servers else {}
    for one in stages if served or added or skips or mispaired else ():
        if one.server[0] == "threads" and one.server[1] in served:
            one.first, one.first_only = served[one.server[1]], True
        if one.synchronizer is not None and one.key[1] in added:
            one.by_number = False
        if one.key[0] == "job" and one.key[1] in skips:
            one.arrival = skips[one.key[1]].arrival
        if one.key[0] == "job" and one.key[1] in mispaired:
            one.mispaired, one.anew = True, one.anew or one.synchronizer is None


def _supplies(compiled: Compiled) -> None:
    rows = (
        (each.first, each.last, *_part(each.reservation), each.threads, each.moves)
        for each in compiled.placement.supplies
    )
    p = compiled.problem
    p.rows("supply", "first last budget period threads moves", rows)
    for number, each in enumerate(compiled.placement.supplies):
        if each.reservation is not None:
            p.supply_late[number] = each.late
            p.supply_fresh[number] = -1 if each.fresh is None else each.fresh


def _part(reservation: Reservation | None) -> tuple[int, int]:
    """Budget and period; 0 where it is a whole core."""
    whole = reservation is None or reservation.budget == reservation.period
    return (0, 0) if whole or reservation is None else (reservation.budget, reservation.period)


def _nodes(compiled: Compiled, refinements: Refinements) -> list[int]:
    """The nodes; returns the number of the first entry of each, and of all."""
    p = compiled.problem
    entries: list[tuple[int, ...]] = []
    first_entry, rows = list[int](), list[tuple[int, ...]]()
    for number, node in enumerate(compiled.streams.nodes):
        first_entry.append(len(entries))
        if node.arrival is not None:
            row = _source(p, node.arrival)
            pace = row[1] if refinements.bursts_once else 0
            if row[0] != PERIODIC:
                pace = pace // row[2] if refinements.token_buckets else 0
            rows.append((*row, pace, *NO_SETS))
            continue
        kind = SUM if node.activation == "or" else MAXIMUM
        pace = 0
        if refinements.bursts_once:
            from ddsrta.bounds.paces import junction_pace

            pace = junction_pace(node, rows, refinements.token_buckets)
        sets = _sets(node, refinements.set_counts)
        rows.append((kind, 0, 0, len(entries), len(node.entries), pace, *sets))
        for one in node.entries if node.cap is None else (*node.entries, node.cap):
            thinned = one.part or (0, 0)
            spacing = one.spacing or NOT_SPACED
            entries.append((number, one.node, one.multiplicity, *spacing, *thinned))
    first_entry.append(len(entries))
    add_loads(compiled, rows, entries)
    p.rows("node", "kind a b c d pace more kept capped", rows)
    p.rows("entry", "owner node multiplicity spacing slack bunch most of", entries)
    return first_entry


def _sets(node: Node, by_counts: bool) -> tuple[int, int, int]:
    """How the sets of a node are counted: of mtd always by what both topics bring."""
    if node.sets is None:
        return NO_SETS
    more = UNBOUNDED if node.sets.more is None else node.sets.more
    kept = UNBOUNDED if node.sets.kept is None else node.sets.kept
    if node.cap is None:
        return more, kept, 0
    return (more, kept, 1) if by_counts else (UNBOUNDED, UNBOUNDED, 1)


def _joins(compiled: Compiled, refinements: Refinements) -> None:
    """Which input of each AND is the slowest."""
    p = compiled.problem
    if not refinements.slowest_inputs or MAXIMUM not in p.node_kind:
        return
    from ddsrta.bounds.slowest_input.ways import slowest_inputs

    compiled.slowest = slowest_inputs(compiled)
    compiled.slowest_releases = refinements.slowest_releases
    for node, one in compiled.slowest.items():
        p.node_slowest[node], p.node_times[node] = one.source, one.times


def _source(p: Problem, arrival: Arrival) -> tuple[int, int, int, int, int]:
    if isinstance(arrival, Periodic):
        return PERIODIC, arrival.period, arrival.jitter, arrival.min_distance, 0
    if isinstance(arrival, Sporadic):
        apart = arrival.min_distance if isinstance(arrival, Skipping) else 0
        return PERIODIC, arrival.distance, arrival.jitter, apart, 0
    curve = arrival.curve if isinstance(arrival, Burst) else arrival
    p.distances.extend(curve.distances)
    first = len(p.distances) - len(curve.distances)
    return EXPLICIT, curve.period, curve.repeat, first, len(curve.distances)


def _units(compiled: Compiled) -> None:
    placement, streams, rows = compiled.placement, compiled.streams, []
    for unit, stage in enumerate(placement.stage_of):
        number = placement.copied(unit) if stage is None else stage
        spacing = NOT_SPACED
        if number is None:
            values = (placement.load_cost(unit), placement.load_node[unit], 1, 0, 0)
        else:
            s, shadow = streams.of[number], unit in placement.shadow_of
            late = 0 if shadow else s.late
            values = (compiled.stages[number].cost, s.node, s.multiplicity, s.best, late)
            spacing = NOT_SPACED if shadow else _spacing(compiled.stages[number])
        rest = placement.supply_of[unit], placement.carried[unit], *placement.reach[unit]
        rows.append((*values, stage is None, *spacing, *rest))
    names = "cost node multiplicity best late is_load spacing slack bunch"
    compiled.problem.rows("unit", f"{names} supply is_carried reach_first reach_last", rows)
    if any(stage.first for stage in compiled.stages):
        found = (0 if n is None else compiled.stages[n].first for n in placement.stage_of)
        compiled.problem.extra.extend(found)


def _spacing(stage: Stage) -> Spacing:
    """How a stage of one input is spaced; where several come together, the entries say it."""
    if len(stage.inputs) == 1 and stage.inputs[0].spacing:
        return stage.inputs[0].spacing
    return NOT_SPACED


def _relations(compiled: Compiled) -> None:
    names = "kind first last shift weight own"
    relations = compiled.placement.relations
    p = compiled.problem
    p.runs("relation_start", "relation", names, relations)
    turns = [(n, one) for n, one in enumerate(compiled.stages) if one.by_turn]
    if apart := {compiled.unit_of[number] for number, one in turns if one.tells_apart}:
        runs = [mixed(one, unit) if unit in apart else [] for unit, one in enumerate(relations)]
        p.mixed_start = integers([*accumulate(map(len, runs), initial=p.relations)])
        p.rows("relation", names, [*chain.from_iterable(runs)])
        p.excess = array("q", bytes(8 * len(p)))


def _edges(compiled: Compiled, first_entry: list[int], added: Mapping[str, int]) -> None:
    """Edges, sorted by the unit that they leave."""
    p, streams, unit_of = compiled.problem, compiled.streams, compiled.unit_of
    edges = []
    mirrors: dict[int, list[int]] = {}
    for unit, number in compiled.placement.mirror_of.items():
        mirrors.setdefault(number, []).append(unit)
    for number, stage in enumerate(compiled.stages):
        if not stage.inputs:
            continue
        stream = streams.of[number]
        allowed = added.get(stage.key[1], 0)
        for edge, entry in zip(stage.inputs, stream.entries, strict=True):
            more = allowed if edge.again else 0
            target = unit_of[number] if entry is None else -1
            into = -1 if entry is None else first_entry[stream.node] + entry
            best = best_arrival(streams, edge)
            edges.append((unit_of[edge.source], target, into, edge.worst + more, best))
            for unit in mirrors.get(number, ()) if target >= 0 else ():
                edges.append((unit_of[edge.source], unit, -1, edge.worst + more, best))
    edges += _caps(compiled, first_entry, added)
    edges += load_edges(compiled)
    supply_of, supplies = compiled.placement.supply_of, compiled.placement.supplies
    for unit, number in compiled.placement.shadow_of.items():
        kind, name = compiled.stages[number].server
        moves = any(supplies[supply_of[one]].moves for one in (unit, unit_of[number]))
        moves = moves or getattr(getattr(compiled.system, kind)[name], "moves", False)
        # Of a pool it has begun, so long before it is done; on a set of cores it may be pending.
        last = EPSILON if moves else compiled.stages[number].cost
        edges.append((unit_of[number], unit, -1, -last, streams.of[number].best))
    edges.sort()
    p.edge_start = _starts([edge[0] for edge in edges], len(p))
    p.rows("edge", "unit entry worst best", (edge[1:] for edge in edges))


def _caps(
    compiled: Compiled, first_entry: list[int], added: Mapping[str, int]
) -> Iterator[tuple[int, int, int, int, int]]:
    """Edges to the entries that sets are counted by: a message may be kept (lemma set-curves)."""
    streams, unit_of = compiled.streams, compiled.unit_of
    for number, stage in enumerate(compiled.stages):
        counted = None if stage.synchronizer is None else streams.counted_by(number)
        if counted is not None:
            edge, into = stage.inputs[counted], first_entry[streams.of[number].node + 1] - 1
            kept = added.get(stage.key[1], 0)
            yield unit_of[edge.source], -1, into, edge.worst + kept, best_arrival(streams, edge)


def _users(compiled: Compiled) -> None:
    """Which units stand on each node, and which entries build on it."""
    p = compiled.problem
    users = sorted(range(len(p)), key=p.node.__getitem__)
    p.user_start = _starts([p.node[unit] for unit in users], len(p.node_kind))
    p.user_unit.extend(integers(users))
    dependents = sorted(range(len(p.entry_node)), key=p.entry_node.__getitem__)
    p.dependent_start = _starts([p.entry_node[entry] for entry in dependents], len(p.node_kind))
    p.dependent_entry.extend(integers(dependents))


def _starts(owners: list[int], count: int) -> array[int]:
    """Where the run of each owner starts in a sorted list of owners."""
    sizes = [0] * (count + 1)
    for owner in owners:
        sizes[owner + 1] += 1
    return integers([*accumulate(sizes)])
