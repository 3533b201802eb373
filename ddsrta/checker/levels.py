"""The work of one event on a supply, counted once (lemma joined-work)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from ddsrta.checker.added import Curves, Rates
from ddsrta.checker.budget import Budget
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Base
from ddsrta.checker.effects import Effects
from ddsrta.checker.in_step import InStep
from ddsrta.checker.members import Member, Members, of_loads, time
from ddsrta.checker.reading import MOST
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams

_REMEMBERED = 50_000  # lengths of a level
_STEPS = 20_000  # of the search of one fixed point
_PARTS = 64  # so much of a row is tried at first
_FEW = 8  # of a row


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


class Row(ABC):
    """What is looked at by number, from the first to the last: none leaves before, nor is done
    before, the one before it."""

    first: int
    last: int
    reached = (0, 0)  # by one that was in time: none after it is done before

    @abstractmethod
    def left(self, at: int) -> int:
        """When one leaves at the earliest."""

    @abstractmethod
    def finish(self, begin: int, end: int, latest: int) -> int:
        """When all from one to another are done; if that is after the latest, anything after it."""

    def most(self) -> int:
        """The largest time that one takes: mostly of one of the first, behind which none is done so
        much later that it could take longer."""
        first, last, found = self.first, self.last, self._takes(self.first)
        while (last := self._last(found, last)) > first:
            if last - first < _FEW:
                return max(found, *map(self._takes, range(first + 1, last + 1)))
            took = self._takes(first + (last - first) // _FEW**2)
            if took <= found:
                return self._above(found, MOST, last)[0]
            found = took
        return found

    def above(self, most: int, until: int) -> tuple[int, int]:
        """The largest time that one takes, if it is above `most`, and which one does; or the first
        that takes more than `until`."""
        if most > until or self.first > self.last:
            return most, self.first
        return self._above(most, until, self.last)

    def _takes(self, at: int) -> int:
        """The time that one takes."""
        return self.finish(at, at, MOST) - self.left(at)

    def _last(self, most: int, last: int) -> int:
        """The last that may take longer than that; less than the first if none may."""
        self.reached = 0, 0
        latest = self.finish(self.first, last, MOST) - most
        self.reached = 0, 0
        low, high = self.first - 1, last if self.left(self.first) < latest else self.first - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.left(middle) < latest else (low, middle - 1)
        return low

    def _above(self, most: int, until: int, last: int) -> tuple[int, int]:
        """The same up to one. Where some would be in time if all left with the first and ended with
        the last of them, they are."""
        at, low, last = self.first, self.first, self._last(most, last)
        width = (last - low) // _PARTS
        while low <= last and most <= until:
            high, left = min(low + width, last), self.left(low)
            if self.finish(low, high, left + most) <= left + most:
                low, width = high + 1, 4 * width + 1
            elif high > low:
                width = (high - low) // 4
            else:
                took = self._takes(low)
                if took > most:
                    most, at = took, low
                low, width = high + 1, 1
        return most, at


class Level:
    """All stages of a supply from some priority on; W of it as a whole."""

    def __init__(self, members: Members, priority: int, budget: Budget) -> None:
        self.supply = members.supply
        self.loads = members.loads
        self.members = members
        self.priority = priority
        self.budget = budget
        self.found: tuple[dict[Key, int], dict[Key, int]] | None = None
        self.enters = 0  # what is joined to the largest of the others
        if members.joined:
            costs, pieces = self.found = members.costs(priority)
            self.enters = max([pieces[key] for key, cost in costs.items() if not cost], default=0)
            self.roots = [one for one in members.roots if costs[one.key]]
            self.bounded = all(root.stream.countable for root in self.roots)
        else:
            self.roots = members.roots_from(priority)
            self.bounded = len(self.roots) <= members.countable
        self.bounded = self.bounded and members.is_sound
        self.known: dict[int, int] = {}
        self.bases: dict[Base, InStep] = {}
        self.lengths: list[int | None] = []

    def _found(self) -> tuple[dict[Key, int], dict[Key, int]]:
        if self.found is None:
            self.found = self.members.costs(self.priority)
        return self.found

    @property
    def costs(self) -> Mapping[Key, int]:
        """C of every stage of the supply, 0 outside."""
        return self._found()[0]

    @property
    def pieces(self) -> Mapping[Key, int]:
        """How much of it is of what is joined to the stage."""
        return self._found()[1]

    @cached_property
    def curves(self) -> Curves:
        """Of the roots."""
        if not self.members.joined:
            return self.members.curves_of(len(self.roots))
        costs = self.costs
        return Curves((root.stream, costs[root.key], 0) for root in self.roots)

    @property
    def looks(self) -> int:
        """How many curves are evaluated for a window."""
        return self.curves.looks + len(self.loads)

    def rates(self) -> Rates | None:
        """Of all that it does, but for what a window of any length asks for."""
        return None if self.loads else self.curves.rates()

    def of_roots(self, length: int) -> int:
        """What the roots of the level ask for in a window."""
        if length <= 0:
            return 0
        if length not in self.known:
            self.budget.curve(self.looks)
            roots = self.curves.at(length)
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            self.known[length] = of_loads(self.loads, length) + roots
        return self.known[length]

    def in_step(self, base: Base, effects: Effects) -> InStep:
        """The roots of the level that follow the events of one base."""
        if base not in self.bases:
            costs, bits, same = self.costs, effects.bits, self.by_base.get(base, ())
            self.budget.curve(len(same))
            roots = ((bits[one.key], one.stream, costs[one.key]) for one in same)
            self.bases[base] = InStep(base, roots, self._beside(same), self.budget)
        return self.bases[base]

    @cached_property
    def by_base(self) -> dict[Base, list[Member]]:
        """The roots that follow their base in bounded time."""
        found: dict[Base, list[Member]] = {}
        for one in self.roots:
            if one.stream.bounded:
                found.setdefault(one.stream.base, []).append(one)
        return found

    def _beside(self, same: Sequence[Member]) -> Callable[[int], int]:
        """The work of all roots but these: of all without theirs, which is found once for every
        base, where fewer curves are looked at then."""
        loads, budget, costs, curves = self.loads, self.budget, self.costs, self.curves
        mine = Curves((one.stream, costs[one.key], 0) for one in same)
        if curves.looks + mine.looks >= len(self.roots) - len(same):
            keys = {one.key for one in same}
            rest = [one for one in self.roots if one.key not in keys]
            curves = Curves((one.stream, costs[one.key], 0) for one in rest)
            mine = Curves(())

        def work(length: int) -> int:
            budget.curve(curves.looks + mine.looks + len(loads))
            return of_loads(loads, length) + curves.at(length) - mine.at(length)

        return work

    @cached_property
    def least(self) -> int:
        """What a window of any length asks for."""
        return self.enters + self.curves.at(EPSILON)

    def work(self, length: int) -> int:
        """W, all that the level does in a window."""
        return self.enters + self.of_roots(length)

    def is_done(self, length: int) -> bool:
        """Whether a window of such a length is enough for all that."""
        if self.curves.others and time(self.supply, self.least) > length:  # at a glance
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
        self.joining = {self.names[key] for key, is_joined in self.joined.items() if is_joined}
        self.circles = any(stage.comes_back is not None for stage in stages.values())
        self.levels: dict[tuple[Key, int], Level] = {}
        self.after: dict[Key, list[tuple[Key, Edge]]] = {}
        for key, stage in stages.items():
            for edge in stage.inputs if self.joined[key] else ():
                self.after.setdefault(edge.source, []).append((key, edge))
        self.priorities: dict[Key, int] = {}
        self.members: dict[Key, Members] = {}
        self.places = {key: number for number, key in enumerate(streams.streams)}

    def joins(self, stage: Stage) -> bool:
        """Whether anything on the supply of a stage is joined to anything."""
        return self.names[stage.key] in self.joining

    def priority(self, key: Key) -> int:
        """The priority of the thread of a stage."""
        if key not in self.priorities:
            self.priorities[key] = self.neighbours.place(self.stages[key]).priority
        return self.priorities[key]

    def members_beside(self, key: Key) -> Members:
        """All stages of the supply of a stage."""
        name = self.names[key]
        if name not in self.members:
            self.members[name] = self._members(self.neighbours.supplies[name], self.stages[key])
        return self.members[name]

    def _members(self, stages: list[Stage], one: Stage) -> Members:
        places, streams, given = self.places, self.streams.streams, self.neighbours
        found = [
            Member(
                stage.key,
                given.place(stage).priority,
                stage.cost,
                streams[stage.key],
                self.after.get(stage.key, ()),
                not self.joined.get(stage.key),
            )
            for stage in sorted(stages, key=lambda stage: -places[stage.key])
        ]
        return Members(found, *given.supply(one), given.fits(one))

    def level(self, key: Key, priority: int) -> Level:
        """The level of a priority on the supply of a stage."""
        name = self.names[key]
        if (name, priority) not in self.levels:
            members = self.members_beside(key)
            self.budget.curve(len(members.all) * (4 if members.joined else 1))
            self.levels[name, priority] = Level(members, priority, self.budget)
        return self.levels[name, priority]

    def are_done(self, key: Key, priority: int, length: int) -> bool:
        """Whether the work of a level fits into a window; where nothing is joined to anything, no
        level is made for that."""
        name, members = self.names[key], self.members_beside(key)
        if members.joined or (name, priority) in self.levels:
            level = self.level(key, priority)
            return level.bounded and level.is_done(length)
        return members.are_done(priority, length, self.budget)

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
        if stage.anew or self.neighbours.cores(stage):
            return False
        name = self.names[stage.key]
        return all(edge.is_direct and self.names[edge.source] == name for edge in stage.inputs)
