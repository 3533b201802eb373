"""The memory of a solver where it is not compiled; where it is, `memory.pxi` takes its place."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, TypeVar

from ddsrta_kernel.flows import Alone, Flow, Kin, Known, Leg, Visits
from ddsrta_kernel.problem import (
    ASKED,
    GROUPED,
    HERE,
    KNOWN,
    MOST_ALONE,
    MOST_FLIGHT,
    MOST_IN_ROW,
    MOST_LEGS,
    MOST_ROWS,
    MOST_TOKENS,
    ROW,
    SET_BITS,
    STAY,
    STEP,
    Problem,
)
from ddsrta_kernel.structs import (
    Edge,
    Group,
    GroupWindow,
    Kept,
    Level,
    Node,
    Pending,
    Place,
    Relation,
    Root,
    Share,
    State,
    System,
    Tandem,
    Unit,
    Walk,
    Window,
)

T = TypeVar("T")


class Memory:
    """The records of a system."""

    system: System
    problem: Problem
    response: array[int]
    latency: array[int]
    window: array[int]
    error: BaseException | None = None

    def take(self, problem: Problem, is_over: Callable[[], bool] | None = None) -> None:
        """All that the problem needs; who says whether it is to end is asked now and then."""
        s, units = System(), problem.units
        s.owner = is_over
        self.system, self.problem, s.problem = s, problem, problem
        if problem.stages:  # how many rows there are may change
            s.problem = held(problem)
        self.response = s.response = array("q", problem.cost)
        self.latency, self.window = integers(units), integers(units)
        s.latency, s.length = self.latency, self.window
        s.kept, s.slots = records(Kept, problem.nodes), 1
        s.met = records(Kept, units)
        s.node, s.edge = records(Node, problem.nodes), records(Edge, problem.edges)
        s.unit, s.place, s.state = (
            records(Unit, units),
            records(Place, units),
            records(State, units),
        )
        s.relation = records(Relation, problem.relations)
        s.share, s.gain = records(Share, units), integers(max(problem.supply_threads, default=1))
        s.level, s.root = records(Level, problem.levels), records(Root, problem.roots)
        s.summed, s.part = records(Kept, problem.levels), records(Kept, 2 * units)
        s.once = integers(units + 1)
        s.entered, s.kin = integers(units), integers(problem.roots)
        s.met_root, s.akin = integers(problem.nodes), integers(units)
        lay_kin(s, units)
        s.group = records(Group, problem.groups + 1)
        s.window, s.group_window = records(Window, 3), records(GroupWindow, 1)
        s.tandem, s.pending = records(Tandem, 1), records(Pending, 1)
        s.counted, s.flight = integers(units), integers(4 * MOST_FLIGHT)
        s.visits, s.passed = records(Visits, 1), integers(units)
        lay_visits(s.visits[0], problem)
        s.walk, s.known = records(Walk, 1), records(Known, KNOWN)
        s.rate, s.load = array("d", bytes(8 * problem.nodes)), array("d", bytes(8 * units + 8))
        s.dirty, s.overloaded = bytearray(units), bytearray(units)
        s.queued, s.queue = bytearray(problem.supplies), integers(problem.supplies)
        s.order, s.path, s.step = integers(units), integers(units), integers(units)
        s.entry_shift, s.entry_paced = integers(problem.entries), integers(problem.entries)

        s.flow = records(Flow, 1)
        s.flow[0].alone = records(Alone, 1)
        lay_alone(s.flow[0].alone[0])
        if problem.stages:
            lay_flow(s.flow[0], problem)

    def lent(self, values: array[int]) -> array[int]:
        """Numbers that are read until others are lent."""
        return values


def lay_kin(s: System, units: int) -> None:
    """What is known of the roots that share a node."""
    s.latest, s.marked = integers(units), integers(units)
    s.latest_first, s.latest_last = integers(units), integers(units)
    (k,) = s.lined = records(Kin, 1)
    k.root, k.late, k.best = integers(units), integers(units), integers(units)
    k.sums = integers(units + 1)


def lay_visits(v: Visits, p: Problem) -> None:
    """What is known of a path."""
    v.rows, v.in_row, v.stairs = integers(2 * p.units + 2), integers(p.units), integers(p.units)
    v.supplies, v.stays = integers(p.supplies), integers(STAY * p.supplies)


def lay_alone(a: Alone) -> None:
    """What is known of an event."""
    a.kept, a.key = integers(2 * MOST_ALONE * MOST_ROWS), integers(2 * MOST_ROWS)
    by_depth = (MOST_IN_ROW + 2) * MOST_ALONE
    a.cost, a.run = integers(by_depth), integers(by_depth)
    a.late, a.brought = integers(MOST_ALONE), integers(MOST_ALONE)
    a.reads, a.since = integers(2 * MOST_ALONE), integers(MOST_ALONE)


def lay_flow(f: Flow, p: Problem) -> None:
    """What is known of stages."""
    stages, units, nodes = p.stages, p.units, p.nodes
    f.words = stages // SET_BITS + 1
    f.bits = integers(stages * f.words)
    f.set_of, f.closed, f.held = integers(stages), integers(stages), integers(stages)
    f.sums, f.ends = integers(units + 1), integers(p.supplies)
    f.ahead = integers(p.relations + p.inputs + 2 * units + 16)
    f.origin, f.times, f.begins = integers(stages), integers(stages), integers(stages)
    f.weight, f.events, f.ways = integers(stages), integers(stages), integers(stages)
    f.starts, f.ceiling, f.pending = integers(stages), integers(stages), integers(stages)
    f.joint, f.instead, f.whole = integers(stages), integers(stages), integers(stages)
    f.rate = array("d", bytes(8 * nodes))
    f.cost, f.base = integers(stages), integers(stages)
    f.rank, f.order = integers(stages), integers(stages)
    f.behind = integers(ROW * units + 1)
    f.here = integers(HERE * units + 2 * p.inputs)
    f.barred, f.most = integers(units), integers(units)
    f.kept_pace, f.period, f.offset = integers(2 * nodes), integers(2 * nodes), integers(2 * nodes)
    f.due_kept, f.due = integers(nodes), integers(nodes)
    f.leg, f.row = records(Leg, MOST_LEGS), integers(4 * STEP * MOST_LEGS)
    f.token = integers(2 * MOST_TOKENS)
    f.asked, f.path = integers(ASKED * stages + GROUPED * p.groups), integers(STEP * stages)


class Held:
    """A problem whose counts of rows are numbers of their own."""


def held(problem: Problem) -> Any:
    """One that has the same columns."""
    found = Held()
    own = [name for name, each in vars(Problem).items() if isinstance(each, property | bool)]
    vars(found).update(vars(problem))
    vars(found).update({name: getattr(problem, name) for name in own})
    return found


def ask(s: System) -> None:
    """Asks whether it is to end."""
    s.stopped = s.stopped or (s.owner is not None and s.owner())


def records(kind: Callable[[], T], count: int) -> list[T]:
    """So many, all nil."""
    return [kind() for _ in range(count)]


def integers(count: int) -> array[int]:
    """So many, all nil."""
    return array("q", bytes(8 * count))
