"""Numbers the stages so that supplies, levels and threads are ranges; relates them (definition
delay-relations)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.base.priorities import FAIR, Priority, Rank
from ddsrta.bounds.stages import Server, Stage
from ddsrta.bounds.supply import overcommitted
from ddsrta.models.executors import Executor
from ddsrta.models.groups import group_of
from ddsrta.models.senders import Name, policy_of, senders
from ddsrta.models.system import EPSILON, Middleware, Reservation, System, Thread
from ddsrta.policies import fifo, fixed_priority
from ddsrta.policies.links.kind import Sent
from ddsrta.policies.policy import Sender
from ddsrta.policies.relation import Delay, Relation, mixed, span
from ddsrta.ros2 import kind_of
from ddsrta_kernel.problem import UNBOUNDED


class Supply(NamedTuple):
    """A range of units that compete; no reservation is a whole core. With several threads it is an
    executor on so many cores, or threads that move between so many; or it is a shared link. So long
    nothing of a reservation may come to begin with, and to all that its thread does (None: as
    much)."""

    first: int
    last: int
    reservation: Reservation | None
    threads: int = 1
    is_link: bool = False
    moves: bool = False
    late: int = 0
    fresh: int | None = None


@dataclass(slots=True)
class Placement:
    """Units in order of urgency within each supply. A unit is a stage or (None) a load: what a
    SCHED_DEADLINE thread, given by its reservation, puts on the rest of its core, or the stage of
    another supply (lemmas pool-shadows, set-shadows): the shadow of a callback on a core of its
    executor's threads, of a thread on a core of its set, and of what is pinned to such a core on
    the set; or the mirror of what is more urgent than a pool on one of its cores."""

    stage_of: list[int | None] = field(default_factory=list)
    load_of: dict[int, Reservation] = field(default_factory=dict)
    loaded_by: dict[int, Server] = field(default_factory=dict)  # which thread a load stands for
    load_node: dict[int, int] = field(default_factory=dict)  # what counts it, for the kernel
    done_by: dict[int, list[int]] = field(default_factory=dict)  # its stages, where these bound it
    supply_of: list[int] = field(default_factory=list)
    relations: list[list[Relation]] = field(default_factory=list)
    reach: list[tuple[int, int]] = field(default_factory=list)
    levels: list[tuple[int, int]] = field(default_factory=list)  # units of the same priority
    carried: list[bool] = field(default_factory=list)
    supplies: list[Supply] = field(default_factory=list)
    shadow_of: dict[int, int] = field(default_factory=dict)
    mirror_of: dict[int, int] = field(default_factory=dict)

    def copied(self, unit: int) -> int | None:
        """The stage that a load stands for; None for that of a reservation."""
        return self.shadow_of.get(unit, self.mirror_of.get(unit))

    def load_cost(self, unit: int) -> int:
        """What a load takes at a time: a budget, or 1 ns of what its stages have to do."""
        return EPSILON if unit in self.done_by else self.load_of[unit].budget

    def budgets_before(self, unit: int) -> list[Server]:
        """The SCHED_DEADLINE threads that its supply serves first."""
        supply = self.supplies[self.supply_of[unit]]
        units = range(supply.first, supply.last)
        return [self.loaded_by[unit] for unit in units if unit in self.loaded_by]


WORKERS = ("threads", "executors", "flow_controllers", "listeners")
if TYPE_CHECKING:
    from ddsrta.models.media import Medium

    Worker = Thread | Executor | Middleware | Medium  # what has a core and a priority
LINK = "media"
IN_TURN = Delay.ALTERNATES, Delay.PRECEDES, Delay.LINGERS  # what counts others by their responses
MOST_URGENT = Priority(2**31)  # above all of SCHED_FIFO
NO_SUPPLY = Reservation(1, UNBOUNDED - 1)  # too little for anything: all on it is unbounded


class _Load(NamedTuple):
    """A SCHED_DEADLINE thread, for the rest of its core."""

    server: Server
    reservation: Reservation


class _Block(NamedTuple):
    """The stages of one thread, the most urgent first; or the shadows of a pool on one core."""

    priority: Priority
    stages: list[int]
    relations: list[list[Relation]]
    peers: Delay
    shadows: bool = False
    served: bool = False  # by a budget that is enough (lemma deadline-servers)
    mixes: frozenset[int] = frozenset()  # of all stages of the system (lemma mixed-publishers)


def place(system: System, stages: list[Stage]) -> Placement:
    """The placement of all stages."""
    blocks, loads, pools, sets = _collect(system, stages)
    placement = Placement()
    broken = overcommitted(system)
    for place_key, members in blocks.items():
        reservation = _reservation(system, place_key)
        first = members[0].stages[0]
        if reservation is not None and core_of(system, stages[first]) in broken:
            reservation = NO_SUPPLY
        _place_supply(placement, reservation, members, loads.get(place_key, []))
        if place_key[0] == LINK:
            placement.supplies[-1] = placement.supplies[-1]._replace(is_link=True)
    for executor, numbers in pools:
        whole = [(core, None) for core in executor.cores]
        above = [
            b for c in whole for b in blocks[c] if _comes_before(b, executor.priority, numbers)
        ]
        reserved = [load for c in whole for load in loads.get(c, [])]
        group = {n: group_of(system.threads[stages[n].key[1]]) for n in numbers}
        numbers.sort(key=lambda number: (group[number] is None, group[number] or ""))
        goes_on = executor.priority != FAIR  # else equals of its core may have waited
        inline = [goes_on and system.threads[stages[n].key[1]].entity == "inline" for n in numbers]
        beside = executor.priority == FAIR and any(block.priority == FAIR for block in above)
        groups = ["" if beside else group[number] for number in numbers]  # one runs, of all
        mixes = [stages[number].mixes for number in numbers]
        callbacks = numbers, groups, inline, mixes
        _place_pool(placement, len(executor.places), callbacks, above, reserved)
    for cores, threads in sets.items():
        pinned = [[b for b in blocks[core, None] if not b.shadows] for core in cores]
        _place_set(placement, pinned, threads)
    _carry(placement)
    return placement


def _comes_before(block: _Block, priority: Priority, own: list[int]) -> bool:
    """Whether a thread may keep that of a pool off its core: where both are of SCHED_OTHER each
    other one may (lemma fair-pools)."""
    is_fair = block.priority == priority == FAIR
    return block.priority > priority or (is_fair and block.stages is not own)


def blocks_of(system: System, stages: list[Stage]) -> list[list[_Block]]:
    """The threads that compete for each supply, in the order of supplies."""
    blocks, *_ = _collect(system, stages)
    return list(blocks.values())


def _carry(placement: Placement) -> None:
    """Mark what any unit counts by its response: also what has no such relation of its own, as an
    inline callback, which runs often in a round."""
    steps = [0] * (len(placement.stage_of) + 1)
    for relations in placement.relations:
        for relation in relations:
            if relation.kind in IN_TURN:
                steps[relation.first] += 1
                steps[relation.last] -= 1
    for unit, times in enumerate(accumulate(steps[:-1])):
        placement.carried[unit] = placement.carried[unit] or times > 0


def core_of(system: System, stage: Stage) -> str:
    """The core that a stage runs on."""
    kind, name = stage.server
    core: str = getattr(system, kind)[name].core
    return core


def _collect(
    system: System, stages: list[Stage]
) -> tuple[
    dict[Server | tuple[str, str | None], list[_Block]],
    dict[object, list[_Load]],
    list[tuple[Executor, list[int]]],
    dict[tuple[str, ...], list[_Block]],
]:
    """The threads that compete for each supply, the reservations that run before them, the
    executors on several cores with their stages, and the threads that move between some."""
    by_server: defaultdict[Server, list[int]] = defaultdict(list)
    for number, stage in enumerate(stages):
        by_server[stage.server].append(number)
    sent = senders(system)
    blocks: dict[Server | tuple[str, str | None], list[_Block]] = {}
    loads: dict[object, list[_Load]] = {}
    pools: list[tuple[Executor, list[int]]] = []
    sets: dict[tuple[str, ...], list[_Block]] = {}
    mixes = frozenset([number for number, stage in enumerate(stages) if stage.mixes])
    for server, numbers in by_server.items():
        thread: Worker = getattr(system, server[0])[server[1]]
        if cores := getattr(thread, "cores", ()):
            none: list[list[Relation]] = [[] for _ in numbers]
            overtakes = Delay.OVERTAKES
            shadows = _Block(thread.priority, numbers, none, overtakes, shadows=True, mixes=mixes)
            for core in cores:
                blocks.setdefault((core, None), []).append(shadows)
            if isinstance(thread, Executor):
                pools.append((thread, numbers))
            else:
                sets.setdefault(tuple(sorted(cores)), []).append(shadows)
            continue
        if len(numbers) > 1:
            numbers.sort(key=lambda number: stages[number].priority)
        mine = sent.get(server[1], {}) if server[0] == "flow_controllers" else {}
        inside, peers = _inside(system, thread, [stages[number] for number in numbers], mine)
        block = _Block(thread.priority, numbers, inside, peers, mixes=mixes)
        if server[0] == LINK:
            blocks[server] = [block]
        elif stages[numbers[0]].first_only:
            block = _Block(MOST_URGENT, numbers, inside, peers, served=True)
            blocks.setdefault((thread.core, None), []).append(block)
        elif thread.reservation:
            blocks[server] = [block]
            loads.setdefault((thread.core, None), []).append(_Load(server, thread.reservation))
        else:
            blocks.setdefault((thread.core, thread.partition), []).append(block)
    return blocks, loads, pools, sets


def _inside(
    system: System, thread: Worker, stages: list[Stage], sent: Mapping[Name, Sender]
) -> tuple[list[list[Relation]], Delay]:
    """The relations among the stages of one thread, and how its peers delay them."""
    if stages[0].server[0] == LINK:
        rules = system.media[thread.name].rules
        sent_there = [Sent(stage.priority, stage.load) for stage in stages if stage.load]
        return rules.relate(sent_there), Delay.LINGERS
    if isinstance(thread, Executor):
        from ddsrta.models.turns import turn_of

        service = kind_of(thread).service(thread)
        callbacks = ((system.threads[stage.key[1]], stage.priority) for stage in stages)
        return service.relate([turn_of(system, *each) for each in callbacks]), service.peers
    if stages[0].key[0] != "sample":
        return fifo.relate(len(stages)), Delay.OVERTAKES
    policy = policy_of(system, thread.name)
    mine = [sent[stage.key[1], stage.key[2]] for stage in stages]
    return policy.relate(mine), policy.peers


def _reservation(system: System, key: tuple[str, str | None]) -> Reservation | None:
    if key[0] == LINK:
        return None
    if key[0] in WORKERS and key[1] is not None:
        thread: Worker | None = getattr(system, key[0]).get(key[1])
        if thread is not None and thread.reservation:
            return thread.reservation
    core = system.cores[key[0]]
    return core.partitions[key[1]] if key[1] is not None else core.reservation


def _place_supply(
    placement: Placement,
    reservation: Reservation | None,
    blocks: list[_Block],
    loads: list[_Load],
) -> None:
    start = len(placement.stage_of)
    end = start + len(loads) + sum(len(block.stages) for block in blocks)
    supply = len(placement.supplies)
    for server, load in loads:
        placement.load_of[len(placement.stage_of)] = load
        placement.loaded_by[len(placement.stage_of)] = server
        placement.stage_of.append(None)
        placement.relations.append([])
        placement.reach.append((start, end))
        placement.levels.append((start, start + len(loads)))
        placement.carried.append(False)
    levels: dict[Priority, list[_Block]] = {}
    for block in sorted(blocks, key=_falling):
        levels.setdefault(block.priority, []).append(block)
    for members in levels.values():
        _place_level(placement, (start, end), members)
    placement.supply_of += [supply] * (end - start)
    late = 2 * (reservation.period - reservation.budget) if reservation else 0
    placement.supplies.append(Supply(start, end, reservation, late=late))


def _place_level(placement: Placement, supply: tuple[int, int], members: list[_Block]) -> None:
    """The threads of one priority on one supply, which has these units."""
    first = len(placement.stage_of)
    last = first + sum([len(block.stages) for block in members])
    lingering = len(members) > 1 and any(block.peers == Delay.LINGERS for block in members)
    for block in members:
        base, count = len(placement.stage_of), len(block.stages)
        span = (base, base + count)
        is_fair = block.priority == FAIR
        peers = Delay.CONTENDS if is_fair else block.peers
        outside = fixed_priority.relate(supply[0], (first, last), span, peers)
        alone = block.shadows or block.served
        last_inside: list[Relation] | None = None
        every = _in_any_order(count) if is_fair else block.relations
        for own, (number, inside) in enumerate(zip(block.stages, every, strict=True)):
            if inside is not last_inside or number in block.mixes:  # else it is all the same
                last_inside = mixed(inside, own) if number in block.mixes else inside
                relations = [] if alone else outside + [one.moved(base) for one in last_inside]
                carried = lingering or any(one.kind in IN_TURN for one in last_inside)
            placement.relations.append(relations)
            placement.carried.append(carried)
        placement.reach += [(first, supply[1])] * count
        placement.levels += [(first, last)] * count
        if block.shadows:
            placement.shadow_of.update(zip(range(*span), block.stages, strict=True))
            placement.stage_of += [None] * count
        else:
            placement.stage_of += block.stages


def _in_any_order(count: int) -> list[list[Relation]]:
    """The relations among so many stages of a thread of SCHED_OTHER (lemma fair-threads)."""
    from ddsrta.ros2.one_by_one import any_of_others

    return [any_of_others(own, count) for own in range(count)]


def _place_pool(
    placement: Placement,
    threads: int,
    callbacks: tuple[list[int], list[str | None], list[bool], list[bool]],
    above: list[_Block],
    loads: list[_Load],
) -> None:
    """The callbacks of an executor on several cores, behind all that is more urgent there."""
    from ddsrta.ros2.pools import relate

    start = len(placement.stage_of)
    for server, load in loads:
        placement.load_of[len(placement.stage_of)] = load
        placement.loaded_by[len(placement.stage_of)] = server
        placement.stage_of.append(None)
    shadows = {number: True for block in above if block.shadows for number in block.stages}
    mirrors = {number: False for block in above if not block.shadows for number in block.stages}
    for number, is_shadow in (shadows | mirrors).items():
        copies = placement.shadow_of if is_shadow else placement.mirror_of
        copies[len(placement.stage_of)] = number
        placement.stage_of.append(None)
    base = len(placement.stage_of)
    numbers, groups, inline, mixes = callbacks
    placement.stage_of += numbers
    end = len(placement.stage_of)
    placement.relations += [[] for _ in range(start, base)]
    every = enumerate(relate(base - start, groups, inline), base - start)
    for (own, relations), any_order in zip(every, mixes, strict=True):
        found = mixed(relations, own) if any_order else relations
        placement.relations.append([relation.moved(start) for relation in found])
    placement.reach += [(base, end)] * (end - start)
    placement.levels += [(start, base)] * (base - start) + [(base, end)] * (end - base)
    placement.carried += [False] * (base - start) + [True] * (end - base)
    placement.supply_of += [len(placement.supplies)] * (end - start)
    placement.supplies.append(Supply(start, end, None, threads))


def _place_set(placement: Placement, pinned: list[list[_Block]], threads: list[_Block]) -> None:
    """Threads that move between some cores, behind the shadows of what is pinned to one of them:
    whatever is no less urgent shares the cores with each (lemma set-window)."""
    start = len(placement.stage_of)
    guests: list[tuple[int, list[Priority]]] = []
    for blocks in pinned:
        here = [(b.priority, n) for b in sorted(blocks, key=_falling) for n in b.stages]
        first = len(placement.stage_of)
        guests.append((first, [priority for priority, _ in here]))
        placement.shadow_of.update(enumerate((number for _, number in here), first))
        placement.stage_of += [None] * len(here)
        placement.relations += [[] for _ in here]
    base = len(placement.stage_of)
    threads.sort(key=_falling)
    for unit, own in enumerate(threads, base):
        placement.stage_of += own.stages
        itself = Delay.OVERTAKES if own.stages[0] in own.mixes else Delay.AHEAD
        relations = [Relation(itself, unit, unit + 1)]
        for first, priorities in guests:
            above = sum(priority > own.priority for priority in priorities)
            relations += span(Delay.SHARES, first, first + above)
        for other, block in enumerate(threads, base):
            if other != unit and block.priority >= own.priority:
                relations.append(Relation(Delay.SHARES, other, other + 1))
        placement.relations.append(relations)
    end = len(placement.stage_of)
    placement.reach += [(base, end)] * (end - start)
    placement.levels += [(start, base)] * (base - start) + [(base, end)] * (end - base)
    placement.carried += [False] * (base - start) + [True] * (end - base)
    placement.supply_of += [len(placement.supplies)] * (end - start)
    placement.supplies.append(Supply(start, end, None, len(pinned), moves=True))


def _falling(block: _Block) -> Rank:
    """By priority, the most urgent first."""
    return -block.priority
