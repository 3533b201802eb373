"""The search: batches of points, what becomes of them, and when it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ddsrta.base.frozen import frozen
from ddsrta.exploration.study.front import Entry, Front
from ddsrta.exploration.study.judge import Outcome
from ddsrta.exploration.study.samplers import chosen, points_of
from ddsrta.exploration.study.setup import Setup
from ddsrta.exploration.study.space import Point


class Tried(NamedTuple):
    """A candidate: numbers count from 1, in the order in which they were asked for."""

    number: int
    point: Point
    outcome: Outcome


@frozen
class Heard:
    """What is told while it goes on: the goals of the best in the first of them, if any is
    feasible."""

    tried: int
    most: int
    feasible: int
    front: int
    best: tuple[int | None, ...] | None


class Kept(Protocol):
    """Where batches are kept."""

    def known(self, number: int, points: Sequence[Point]) -> list[Outcome] | None:
        """What became of a batch, if that is known."""

    def keep(self, number: int, tried: Sequence[Tried]) -> None:
        """Keep it."""


Look = Callable[[Sequence[Point]], list[Outcome]]


@frozen
class Searched:
    """All that was tried. `is_whole`: no point of the space is missing but for those that a rule
    forbids (`excluded`); else `ended` says why there is no more."""

    tried: tuple[Tried, ...]
    excluded: int
    is_whole: bool
    ended: str


def search(
    setup: Setup,
    look: Look,
    kept: Kept | None = None,
    hear: Callable[[Heard], None] = lambda heard: None,
    stop: Callable[[], bool] = lambda: False,
) -> Searched:
    """Ask the sampler for points until it has no more, or enough were tried."""
    return _Search(setup, look, kept, hear, stop).run()


class _Search:
    def __init__(
        self,
        setup: Setup,
        look: Look,
        kept: Kept | None,
        hear: Callable[[Heard], None],
        stop: Callable[[], bool],
    ) -> None:
        self.setup, self.look, self.kept, self.hear, self.stop = setup, look, kept, hear, stop
        self.tried: list[Tried] = []
        self.known: dict[Point, Outcome | None] = {}
        self.batches = 0
        self.front = Front()
        self.feasible = 0
        self.ended = ""

    def run(self) -> Searched:
        """All of it."""
        sampler = points_of(self.setup)
        points = next(sampler, None)
        while points is not None:
            self._try(points)
            if self.ended:
                break
            try:
                points = sampler.send([self.known[point] for point in points])
            except StopIteration:
                points, self.ended = None, f"'{chosen(self.setup)}' found nothing new to try"
        sampler.close()
        excluded = sum(outcome is None for outcome in self.known.values())
        is_whole = len(self.known) == self.setup.space.size
        ended = "" if is_whole else self.ended
        return Searched(tuple(self.tried), excluded, is_whole, ended)

    def _try(self, points: Sequence[Point]) -> None:
        """Look at those that are new, batch by batch."""
        for point in points:
            if point not in self.known and self.setup.rules.breaks(point):
                self.known[point] = None
        new = list(dict.fromkeys(point for point in points if point not in self.known))
        left = self.setup.sampler.candidates - len(self.tried)
        for batch in _parts(new[:left], self.setup.sampler.batch):
            if self.stop():
                self.ended = "it was interrupted"
                return
            self._batch(batch)
        if len(new) > left:
            self.ended = f"it had tried {len(self.tried)} candidates"

    def _batch(self, points: list[Point]) -> None:
        outcomes = self.kept.known(self.batches, points) if self.kept else None
        is_new = outcomes is None
        if outcomes is None:
            outcomes = self.look(points)
        numbers = range(len(self.tried) + 1, len(self.tried) + len(points) + 1)
        found = [Tried(*each) for each in zip(numbers, points, outcomes, strict=True)]
        if is_new and self.kept:
            self.kept.keep(self.batches, found)
        self.batches += 1
        self.tried += found
        for each in found:
            self.known[each.point] = each.outcome
            if each.outcome.is_feasible:
                self.feasible += 1
                self.front.add(entry(self.setup, each))
        self.hear(self._heard())

    def _heard(self) -> Heard:
        entries = self.front.entries
        best = self.tried[entries[0].number - 1].outcome.goals if entries else None
        most = min(self.setup.sampler.candidates, self.setup.space.size)
        return Heard(len(self.tried), most, self.feasible, len(entries), best)


def entry(setup: Setup, tried: Tried) -> Entry:
    """A feasible candidate as the front sees it."""
    losses = [
        goal.sign * value
        for goal, value in zip(setup.goals, tried.outcome.goals, strict=True)
        if value is not None
    ]
    return Entry(tuple(losses), setup.space.changes(tried.point), tried.number)


def nearest(tried: Sequence[Tried]) -> Tried | None:
    """The one that comes nearest to all limits, where none keeps them."""
    possible = [each for each in tried if not each.outcome.refused]
    assert not any(each.outcome.is_feasible for each in possible)
    return min(possible, key=lambda each: (each.outcome.wrong, each.number), default=None)


def _parts(points: Sequence[Point], size: int) -> Iterator[list[Point]]:
    for begin in range(0, len(points), size):
        yield list(points[begin : begin + size])
