"""The work of one event on a supply, counted once (lemma joined-work)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ddsrta.checker.budget import Budget
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Base, Curves, Stream
from ddsrta.checker.in_step import InStep
from ddsrta.checker.reading import MOST
from ddsrta.checker.relations import Neighbours, time
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.things import Reservation

_REMEMBERED = 50_000  # lengths of a level
_STEPS = 20_000  # of the search of one fixed point


def least_fixed(work: Callable[[int], int | None], start: int, budget: Budget) -> int | None:
    """The least length from `start` on in which the work is done, None if none is found."""
    length = max(start, 1)
    for _ in range(_STEPS):
        needed = work(length)
        if needed is None or needed > MOST:
            return None
        if needed <= length:
            return length
        length = needed
    budget.cut_short("a fixed point of many steps")
    return None


class Level:
    """All stages of a supply from some priority on; W of it as a whole."""

    def __init__(
        self,
        supply: Reservation | None,
        loads: tuple[Reservation, ...],
        costs: Mapping[Key, int],
        pieces: Mapping[Key, int],
        roots: list[tuple[Stream, int]],
        keys: list[Key],
        budget: Budget,
    ) -> None:
        self.supply = supply
        self.loads = loads
        self.costs = costs  # C of every stage of the supply, 0 outside
        self.pieces = pieces
        self.enters = max((pieces[key] for key, cost in costs.items() if not cost), default=0)
        self.roots = roots
        self.keys = keys  # of the roots
        self.curves: Curves | None = None  # of the roots
        self.bounded = all(stream.countable for stream, _ in roots)
        self.budget = budget
        self.least = self.enters + sum([s.most(EPSILON) * cost for s, cost in roots if s.countable])
        self.known: dict[int, int] = {}
        self.bases: dict[Base, InStep] = {}
        self.lengths: list[int | None] = []

    def of_roots(self, length: int) -> int:
        """What the roots of the level ask for in a window."""
        if length <= 0:
            return 0
        if length not in self.known:
            self.budget.curve(len(self.roots) + len(self.loads))
            if self.curves is None:
                self.curves = Curves((stream, cost, 0) for stream, cost in self.roots)
            roots = self.curves.at(length)
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            self.known[length] = self._of_loads(length) + roots
        return self.known[length]

    def in_step(self, base: Base) -> InStep:
        """The roots of the level that follow the events of one base."""
        if base not in self.bases:
            roots = [(k, s, cost) for k, (s, cost) in zip(self.keys, self.roots, strict=True)]
            same = [one for one in roots if one[1].bounded and one[1].base is base]
            keys = {key for key, _, _ in same}
            others = Curves((s, cost, 0) for key, s, cost in roots if key not in keys)

            def work(length: int) -> int:
                self.budget.curve(len(roots) - len(same) + len(self.loads))
                return self._of_loads(length) + others.at(length)

            self.bases[base] = InStep(base, same, work, self.budget)
        return self.bases[base]

    def _of_loads(self, length: int) -> int:
        return sum([
            -(-(length + load.period) // load.period) * load.budget for load in self.loads
        ])  # fmt: skip

    def work(self, length: int) -> int:
        """W, all that the level does in a window."""
        return self.enters + self.of_roots(length)

    def is_done(self, length: int) -> bool:
        """Whether a window of such a length is enough for all that."""
        if time(self.supply, self.least) > length:  # at a glance
            return False
        return time(self.supply, self.work(length)) <= length

    def window(self) -> int | None:
        """L of the level, None where there is none."""
        if not self.lengths:
            found = None
            if self.bounded:
                found = least_fixed(
                    lambda length: time(self.supply, self.work(length)), 1, self.budget
                )
            self.lengths.append(found)
        return self.lengths[0]


_Member = tuple[Key, int, int, Sequence[tuple[Key, Edge]], bool]  # priority, cost, after, root


class Levels:
    """The levels of all supplies; each is made when it is asked for."""

    def __init__(
        self, stages: Mapping[Key, Stage], neighbours: Neighbours, streams: Streams, budget: Budget
    ) -> None:
        self.stages = stages
        self.neighbours = neighbours
        self.streams = streams
        self.budget = budget
        self.names = {key: neighbours.supply_name(stage) for key, stage in stages.items()}
        self.joined = {key: self._is_joined(stage) for key, stage in stages.items()}
        self.levels: dict[tuple[Key, int], Level] = {}
        self.after: dict[Key, list[tuple[Key, Edge]]] = {}
        for key, stage in stages.items():
            for edge in stage.inputs if self.joined[key] else ():
                self.after.setdefault(edge.source, []).append((key, edge))
        self.priorities: dict[Key, int] = {}
        self.members: dict[Key, list[_Member]] = {}
        self.places = {key: number for number, key in enumerate(streams.streams)}

    def priority(self, key: Key) -> int:
        """The priority of the thread of a stage."""
        if key not in self.priorities:
            self.priorities[key] = self.neighbours.place(self.stages[key]).priority
        return self.priorities[key]

    def _members(self, name: Key) -> list[_Member]:
        """The stages of a supply, effects before their causes."""
        if name not in self.members:
            members = self.neighbours.supplies[name]
            self.members[name] = [
                (
                    one.key,
                    self.neighbours.place(one).priority,
                    one.cost,
                    self.after.get(one.key, ()),
                    not self.joined.get(one.key),
                )
                for one in sorted(members, key=lambda one: -self.places[one.key])
            ]
        return self.members[name]

    def level(self, key: Key, priority: int) -> Level:
        """The level of a priority on the supply of a stage."""
        name = self.names[key]
        if (name, priority) not in self.levels:
            self.levels[name, priority] = self._level(key, priority)
        return self.levels[name, priority]

    def ends(self, stage: Stage, level: Level) -> int:
        """What a unit releases only by completing, `end` of lemma urgent-by-roots."""
        if stage.key[0] == "job":
            return sum(
                edge.times * level.costs[key]
                for key, edge in self.after.get(stage.key, ())
                if key[0] == "job" and not edge.within
            )
        alone = stage.key[0] == "message" or stage.copies == 1
        return level.pieces[stage.key] if alone else 0

    def _is_joined(self, stage: Stage) -> bool:
        if not stage.inputs or (stage.joins and len(stage.inputs) > 1):
            return False
        if stage.anew or self.neighbours.is_pool(stage):
            return False
        name = self.names[stage.key]
        return all(edge.is_direct and self.names[edge.source] == name for edge in stage.inputs)

    def _level(self, key: Key, priority: int) -> Level:
        stage = self.stages[key]
        members = self._members(self.names[key])
        self.budget.curve(4 * len(members))
        costs, pieces = _costs(members, priority)
        keys = [other for other, *_, is_root in members if is_root and costs[other]]
        roots = [(self.streams[other], costs[other]) for other in keys]
        supply, loads = self.neighbours.supply(stage)
        level = Level(supply, loads, costs, pieces, roots, keys, self.budget)
        level.bounded = level.bounded and self.neighbours.fits(stage)
        return level


def _costs(members: list[_Member], priority: int) -> tuple[dict[Key, int], dict[Key, int]]:
    """C of every stage, 0 below the priority, and how much of it is of what is joined to it."""
    costs: dict[Key, int] = {}
    pieces: dict[Key, int] = {}
    if not any(joined for *_, joined, _ in members):
        costs = {key: own if urgency >= priority else 0 for key, urgency, own, *_ in members}
        return costs, dict.fromkeys(costs, 0)
    for key, urgency, own, joined, _ in members:
        piece = sum([edge.times * costs[then] for then, edge in joined]) if joined else 0
        pieces[key], costs[key] = piece, own + piece if urgency >= priority else 0
    return costs, pieces
