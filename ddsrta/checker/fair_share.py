"""The windows of threads of SCHED_OTHER that have their share of a core (lemma fair-share)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.members import of_loads
from ddsrta.checker.reading import MOST
from ddsrta.checker.related import Relations
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import FAIR, Place

SLICE = 3_000_000  # where none is said
NICE_0 = 1024
_MOST_UNITS = 1_000
_MOST_THREADS, _MOST_PARTS = 16, 100
_WEIGHTS = (  # sched_prio_to_weight, of nice values from -20 on
    *(88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904),
    *(3906, 3121, 2501, 1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110),
    *(87, 70, 56, 45, 36, 29, 23, 18, 15),
)

Thread = tuple[str, str]  # what kind of runner it is, and its name


class _Other(NamedTuple):
    """A thread that contends: its stages, its weight, and the most that it takes beside its share
    each time that it is there."""

    stages: list[Stage]
    weight: int
    most: int


class FairShares:
    """The windows of all stages, by what is known of arrivals and responses."""

    def __init__(
        self,
        neighbours: Neighbours,
        streams: Streams,
        responses: Mapping[Key, int | None],
        hold: bool,
    ) -> None:
        self.neighbours, self.streams, self.responses = neighbours, streams, responses
        self.hold = hold  # not where threads sleep (note lost-refinements)
        self.ahead: dict[tuple[int, ...], dict[tuple[int, int], int] | None] = {}  # as asked for

    def unconfirmed(self, stage: Stage, claim: Claim) -> Claim:
        """What of a claim the window does not confirm, where it says that this may."""
        if not claim.fair or not self.hold or claim.response is None:
            return claim
        if not self._holds(stage, claim.response):
            return claim
        before = self.streams[stage.key].before
        known = before is not None and claim.latency is not None
        if known and (before or 0) + claim.response <= (claim.latency or 0):
            claim = claim._replace(latency=None)
        return claim._replace(response=None)

    def _holds(self, stage: Stage, limit: int) -> bool:
        """Whether no unit takes longer than that."""
        neighbours = self.neighbours
        place = neighbours.place(stage)
        if place.priority != FAIR or neighbours.cores(stage) or not neighbours.fits(stage):
            return False
        if neighbours.wait(stage) is not None:
            return False
        tick, given = neighbours.system.cores[place.core].tick, neighbours.relations(stage)
        if tick is None or not self._is_plain(stage, given):
            return False
        others = self._others(stage, given, place, tick)
        if not others:
            return False
        weight = _WEIGHTS[place.nice + 20]
        window = _Window(stage, given, others, weight, self.streams, self.responses)
        length = window.length()
        if length is None or window.stream.most(length) > _MOST_UNITS:
            return False
        return all(
            window.takes(number) <= limit for number in range(1, window.stream.most(length) + 1)
        )

    def _is_plain(self, stage: Stage, given: Relations) -> bool:
        """Whether it is one thread on a whole core, which something contends with."""
        if given.supply or given.threads > 1 or given.moves or given.mixes or given.wait:
            return False
        if given.lingers or given.alternates or given.precedes or given.due or given.shares:
            return False
        known = [*given.preempts, *given.overtakes, *given.contends, stage]
        if given.blocked_by or given.ahead or given.served or stage.first:
            return False
        return bool(given.contends) and all(self.streams[one.key].countable for one in known)

    def _others(
        self, stage: Stage, given: Relations, mine: Place, tick: int
    ) -> list[_Other] | None:
        """Who contends; None where it is not known how far they may be ahead."""
        threads: dict[Thread, list[Stage]] = {}
        for one in given.contends:
            if self.neighbours.is_pool(one) or self.neighbours.cores(one):
                return None
            threads.setdefault((one.kind, one.runner), []).append(one)
        places = [mine, *(self.neighbours.place(some[0]) for some in threads.values())]
        slice_ = max(SLICE if one.slice is None else one.slice for one in places)
        weights = [_WEIGHTS[one.nice + 20] for one in places]
        ahead = self._ahead(weights, max(slice_, tick) + slice_)
        if ahead is None:
            return None
        found = []
        for number, some in enumerate(threads.values(), 1):
            weight = weights[number]
            most = _up(weight * ahead[0, number], NICE_0) + _up(weight * slice_, weights[0])
            found.append(_Other(some, weight, most + slice_ + tick))
        return found

    def _ahead(self, weights: Sequence[int], grain: int) -> dict[tuple[int, int], int] | None:
        asked = (*weights, grain)
        if asked not in self.ahead:
            self.ahead[asked] = _gaps(weights, grain)
        return self.ahead[asked]


def _up(number: int, parts: int) -> int:
    return -(-number // parts)


def _gaps(weights: Sequence[int], grain: int) -> dict[tuple[int, int], int] | None:
    """By how much virtual time one may be ahead of another: the least numbers that no step makes
    larger."""
    few = len(weights) < 3 or sum(weights) <= _MOST_PARTS * min(weights)
    if len(weights) > _MOST_THREADS or not few:
        return None
    pairs = list(permutations(range(len(weights)), 2))
    known = dict.fromkeys(pairs, 0)
    while True:
        new = {pair: max(known[pair], _gap(weights, grain, known, *pair)) for pair in pairs}
        if new == known:
            return known
        known = new


def _gap(
    weights: Sequence[int], grain: int, known: Mapping[tuple[int, int], int], one: int, two: int
) -> int:
    """That of one before two: as it comes while two is there, or as two comes."""
    rest = [n for n in range(len(weights)) if n not in (one, two)]
    under = [(known[n, two], weights[n]) for n in rest]
    over = [(known[one, n], weights[n]) for n in rest]
    lags = [_up(grain * NICE_0, weights[n]) for n in (one, two)]
    came = lags[0] + _largest_mean(grain * NICE_0, weights[two], under)
    found = lags[1] + _largest_mean(2 * grain * NICE_0, weights[one], over)
    return max(came, found)


def _largest_mean(total: int, weight: int, others: Iterable[tuple[int, int]]) -> int:
    """Of some work for a weight, with any of the others."""
    best = _up(total, weight)
    for part, more in sorted(others, key=lambda one: -one[0]):
        total, weight = total + part * more, weight + more
        best = max(best, _up(total, weight))
    return best


class _Window:
    """That of one stage. It opens where its thread begins to have something to do, or where, up to
    then, something more urgent has."""

    def __init__(
        self,
        stage: Stage,
        given: Relations,
        others: Sequence[_Other],
        weight: int,
        streams: Streams,
        responses: Mapping[Key, int | None],
    ) -> None:
        self.stage, self.given, self.others = stage, given, others
        self.streams, self.responses, self.budget = streams, responses, streams.budget
        self.stream, self.weight = streams[stage.key], weight

    def length(self) -> int | None:
        """That in which all is done that its thread has to do."""
        mine = [self.stage, *self.given.overtakes]
        return self._least(1, lambda length: self._come(mine, length))

    def takes(self, number: int) -> int:
        """How long the unit of that number takes from its arrival."""
        cost = self.stage.cost
        behind, start = (number - 1) * cost, 0
        if self.given.overtakes:

            def before(length: int) -> int:
                return behind + self._come(self.given.overtakes, length)

            found = self._least(1, before, EPSILON)
            if found is None:
                return MOST
            start = found - EPSILON
        own = number * cost + self._come(self.given.overtakes, start + EPSILON)
        finish = self._least(start + cost, lambda _: own)
        return MOST if finish is None else finish - self.stream.least(number)

    def _least(self, start: int, own: Callable[[int], int], more: int = 0) -> int | None:
        """In which time the thread itself does so much, and others what they may, and more."""

        def needed(length: int) -> int:
            mine = own(length)
            others = sum(self._taken(one, mine, length) for one in self.others)
            urgent = self._come(self.given.preempts, length) + of_loads(self.given.loads, length)
            return mine + others + urgent + more

        return least_fixed(needed, start, self.budget)

    def _come(self, stages: Iterable[Stage], length: int) -> int:
        """The work of what comes in a window."""
        total = 0
        for one in stages:
            self.budget.curve()
            total += self.streams[one.key].most(length) * one.cost
        return total

    def _taken(self, other: _Other, own: int, length: int) -> int:
        """What another thread takes while ours does so much: what comes, or is there; or its share
        and a constant for each time that it may have been there, or for the first, what comes."""
        share, come = _up(other.weight * own, self.weight), self._come(other.stages, length)
        times = 1 + sum(self.streams[one.key].most(length) for one in other.stages)
        there: int | None = 0
        waiting = 0
        for one in other.stages:
            response = self.responses[one.key]
            if response is None:
                there = None
                break
            number = self.streams[one.key].most(length + response)
            waiting += number
            there = (there or 0) + number * one.cost
        if there is not None:
            times = min(times, waiting)
        known = share + min(times * other.most, other.most + come)
        return known if there is None else min(known, there)
