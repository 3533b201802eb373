"""Local search: what differs in one parameter from the best so far, and orders built from below.

`local` is a Pareto local search: it keeps what nothing is better than, and looks at the neighbours
of one of these after the other, in any order, until something is better than that. While nothing
keeps all limits, the nearest to that counts alone. Once all were looked at, it begins again from
one of the best with a few parameters by chance, or from anywhere.

`priorities` gives the least urgent place of an order to what does best there, then the next one, as
Audsley's algorithm does (1991) where bounds allow it to be exact; here it is a way to begin.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from random import Random
from typing import NamedTuple

from ddsrta.exploration.study.front import Entry, Front
from ddsrta.exploration.study.judge import Outcome, Wrong
from ddsrta.exploration.study.samplers import Points
from ddsrta.exploration.study.setup import Setup
from ddsrta.exploration.study.space import Point, Space

FEW = 200  # new starts in a row that show nothing new
INFINITE = 1 << 62


class _Found(NamedTuple):
    """A point, the less the better: what is wrong with it, and its losses."""

    wrong: Wrong
    losses: tuple[int, ...]
    point: Point


def local(setup: Setup, chance: Random) -> Points:
    """Neighbours of the best, in all parameters."""
    yield from _Local(setup, chance, range(len(setup.space.parameters))).points([setup.space.base])


def priorities(setup: Setup, chance: Random) -> Points:
    """Orders from below, then their neighbours; all else stays as it is."""
    which = [n for n, each in enumerate(setup.space.parameters) if each.is_order]
    search = _Local(setup, chance, which)
    built = yield from search.built()
    yield from search.points([setup.space.base, built])


class _Best:
    """What nothing that was put in is better than; while nothing is feasible, the nearest."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.front = Front()
        self.feasible: list[Point] = []
        self.nearest: _Found | None = None

    def add(self, found: _Found, is_feasible: bool) -> None:
        """Put one in."""
        if is_feasible:
            self.feasible.append(found.point)
            changes = self.space.changes(found.point)
            self.front.add(Entry(found.losses, changes, len(self.feasible) - 1))
        if self.nearest is None or found[:2] < self.nearest[:2]:
            self.nearest = found

    @property
    def points(self) -> list[Point]:
        """All of them."""
        best = [self.feasible[entry.number] for entry in self.front.entries]
        return best or ([self.nearest.point] if self.nearest else [])


class _Local:
    def __init__(self, setup: Setup, chance: Random, which: Sequence[int]) -> None:
        self.setup = setup
        self.space = setup.space
        self.chance = chance
        self.which = which
        self.known: dict[Point, tuple[_Found, bool] | None] = {}
        self.all = _Best(setup.space)
        self.here = _Best(setup.space)  # since the last start

    def points(self, starts: Sequence[Point]) -> Points:
        """From the starts on together, then again and again from somewhere else."""
        yield from self._descent(starts)
        idle = 0
        while idle < FEW and self.which:
            before = len(self.known)
            yield from self._descent([self._elsewhere()])
            idle = 0 if len(self.known) > before else idle + 1

    def _descent(self, starts: Sequence[Point]) -> Points:
        """From the starts to what has no better neighbour."""
        self.here = _Best(self.space)
        done: set[Point] = set()
        yield from self._asked(starts)
        while left := [point for point in self.here.points if point not in done]:
            point = self.chance.choice(left)
            done.add(point)
            near = list(self.space.near(point, self.which))
            self.chance.shuffle(near)
            for points in _parts(near, self.setup.sampler.batch):
                yield from self._asked(points)
                if point not in self.here.points:
                    break  # something is better: what is near to that comes first

    def built(self) -> Generator[list[Point], Sequence[Outcome | None], Point]:
        """The base with each of the orders built anew, the least urgent first."""
        point = self.space.base
        for number in self.which:
            order: list[int] = []
            rest = list(point[number] if isinstance(point[number], tuple) else ())  # type: ignore[arg-type]
            while len(rest) > 1:
                tried = [self._with(point, number, order, rest, each) for each in rest]
                yield from self._asked(tried)
                best = min(range(len(rest)), key=lambda n: self._rank(tried[n]))
                order.append(rest.pop(best))
            point = self._at(point, number, [*order, *rest])
        yield from self._asked([point])
        return point

    def _rank(self, point: Point) -> tuple[Wrong, tuple[int, ...]]:
        seen = self.known.get(point)
        return seen[0][:2] if seen else ((INFINITE, 0, 0), ())

    def _with(
        self, point: Point, number: int, order: list[int], rest: list[int], low: int
    ) -> Point:
        others = [each for each in rest if each != low]
        return self._at(point, number, [*order, low, *others])

    def _at(self, point: Point, number: int, by_place: Sequence[int]) -> Point:
        """The point where the members of an order, from the least urgent on, have its values in
        turn."""
        parameter = self.space.parameters[number]
        sign = -1 if parameter.places[0][0] == "topics" else 1  # of which the smallest goes first
        numbers = [sign * _number(each) for each in parameter.handed]
        values = sorted(range(len(numbers)), key=lambda n: numbers[n])
        order = [0] * len(by_place)
        for value, member in zip(values, by_place, strict=True):
            order[member] = value
        return (*point[:number], parameter.usual(order), *point[number + 1 :])

    def _asked(self, points: Sequence[Point]) -> Points:
        """Ask for those that are not known, and remember what becomes of all."""
        new = [point for point in dict.fromkeys(points) if point not in self.known]
        outcomes = (yield new) if new else ()
        for point, outcome in zip(new, outcomes, strict=True):
            self.known[point] = None
            if outcome is not None and not outcome.refused:
                found = _Found(outcome.wrong, self._losses(outcome), point)
                self.known[point] = found, outcome.is_feasible
                self.all.add(found, outcome.is_feasible)
        for point in dict.fromkeys(points):
            if (seen := self.known[point]) is not None:
                self.here.add(*seen)

    def _losses(self, outcome: Outcome) -> tuple[int, ...]:
        pairs = zip(self.setup.goals, outcome.goals, strict=True)
        return tuple(INFINITE if v is None else goal.sign * v for goal, v in pairs)

    def _elsewhere(self) -> Point:
        """One of the best with some parameters by chance, or a point that is all by chance."""
        best = self.all.points
        found = list(self.chance.choice(best) if best else self.space.base)
        some = self.chance.choice((2, 3, 4, len(self.which)))
        for number in self.chance.sample(list(self.which), min(some, len(self.which))):
            found[number] = self.space.parameters[number].any(self.chance)
        return tuple(found)


def _parts(points: Sequence[Point], size: int) -> Iterator[Sequence[Point]]:
    for begin in range(0, len(points), size):
        yield points[begin : begin + size]


def _number(text: object) -> int:
    """Priorities are numbers; what is not one comes in any order."""
    try:
        return int(str(text))
    except ValueError:
        return 0
