"""One window for a whole path: what runs on a core meanwhile counts once (lemma
end-to-end-window)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.curves import Stream
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.members import of_load
from ddsrta.checker.pools import SHADOW
from ddsrta.checker.precedence import Precedence
from ddsrta.checker.reading import MOST
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim

if TYPE_CHECKING:
    from ddsrta.checker.meetings import Meetings, Row

_MOST_STAGES = 400  # of a system: beyond, it is not looked what meets a path in which order
_MOST_MET = 12_000  # stages that may meet a path, times its length: beyond, it is not looked how
_REMEMBERED = 500  # lengths of a count


class EndToEnd:
    """Bounds of paths from the claims about stages."""

    def __init__(
        self,
        order: Precedence,
        stages: Mapping[Key, Stage],
        claims: Mapping[Key, Claim],
        budget: Budget,
        hold: bool = True,
        by_turn: bool = False,
    ) -> None:
        self.by_turn = by_turn  # not how long a message takes, but its place in the queue
        self.hold = hold  # not where threads wait for locks (note lost-refinements)
        self.order, self.neighbours = order, order.neighbours
        self.stages = stages
        self.streams = order.streams
        self.claims = claims
        self.budget = budget
        self.known: dict[Key, _Visit] = {}
        self.windows: dict[tuple[Key, ...], _Window | None] = {}
        self.met: dict[tuple[Key, ...], _Met | None] = {}
        self.bounds: dict[tuple[Key, ...], int | None] = {}
        self.counts = _Counts(order.streams, claims, budget)

    def bound(self, path: Sequence[Key]) -> int | None:
        """From the arrival at the first stage to the completion of the last; None where the path
        comes to no supply twice."""
        name = tuple(path)
        if name not in self.bounds:
            window = self._window(name)
            self.bounds[name] = None
            if window is not None:
                self.bounds[name] = least_fixed(partial(self._time, window), 1, self.budget)
        return self.bounds[name]

    def is_within(self, path: Sequence[Key], limit: int) -> bool:
        """Whether that is no more than a limit: in that time, all that counts is done."""
        window = self._window(tuple(path))
        if window is None or not 0 < limit <= MOST:
            return False
        return window.in_any_order(limit) <= limit or self._time(window, limit) <= limit

    def _window(self, path: tuple[Key, ...]) -> _Window | None:
        if path not in self.windows:
            self.windows[path] = self._opened(path)
        return self.windows[path]

    def _opened(self, path: tuple[Key, ...]) -> _Window | None:
        if not self.hold or any(not self.streams[key].bounded for key in path):
            return None
        self.budget.curve(len(path))
        ways, early = 0, []
        for key, after in pairwise(path):
            edge = self.stages[after].entered_from(key)
            ways += edge.link
            early.append(edge.link - edge.extra)
        places: dict[Key, list[int]] = {}
        for place, key in enumerate(path):
            places.setdefault(self.neighbours.supply_name(self.stages[key]), []).append(place)
        if len(places) == len(path):  # nothing of it comes back
            return None
        stays = [_Stay(self, path, some, [*early, 0]) for some in places.values()]
        return _Window(path, ways, stays)

    def _time(self, window: _Window, length: int) -> int:
        """How long a path takes at most if it is on its way so long, by the order in which it meets
        others: to find that takes longer than all else here."""
        if window.path not in self.met:
            self.met[window.path] = self._meetings(window.path, window.stays)
        total, met = window.in_any_order(length), self.met[window.path]
        return min(total, window.ways + met.time(length)) if met else total

    @cached_property
    def meetings(self) -> Meetings:
        """What meets paths in order."""
        from ddsrta.checker.meetings import Meetings

        return Meetings(self.stages, self.order, self.claims)

    def _meetings(self, path: tuple[Key, ...], stays: list[_Stay]) -> _Met | None:
        """What meets a path where the work of supplies counts."""
        if any(self.stages[key].swaps for key in path):  # which of a row comes first may change
            return None
        if len(self.stages) > _MOST_STAGES or not any(stay.whole for stay in stays):
            return None
        counted = {key: cost for stay in stays if stay.whole for key, cost in stay.costs.items()}
        if len(counted) * len(path) > _MOST_MET:
            return None
        visits = [self.stages[key] for key in path if key in counted]
        rows = self.meetings.of(visits, counted)
        if not rows:
            return None
        stages = {one.stage.key for row in rows for one in row.members}
        rest = [(cost, key) for key, cost in counted.items() if key not in stages]
        return _Met(self.counts, stays, rows, rest, path[0])

    def visit(self, key: Key) -> _Visit:
        """What a path meets at a stage."""
        if key not in self.known:
            self.budget.curve(self.neighbours.peers(self.stages[key]))
            self.known[key] = self._visit(self.stages[key])
        return self.known[key]

    def _visit(self, stage: Stage) -> _Visit:
        given, claim = self.neighbours.relations(stage), self.claims[stage.key]
        response = claim.response if self.by_turn else claim.on_paths
        others = stage, *given.before(), *given.served
        costs = {other.key: other.cost for other in others}
        # Shadows of a pool arrive only when they begin (lemma pool-shadows).
        whole = given.supply is None and given.threads == 1 and stage.kind != LINK
        whole = whole and not any(key[0] == SHADOW for key in costs)
        return _Visit(given.blocks, costs, whole, response)


class _Counts:
    """How many units of stages run while paths are on their way."""

    def __init__(self, streams: Streams, claims: Mapping[Key, Claim], budget: Budget) -> None:
        self.streams, self.claims, self.budget = streams, claims, budget
        self.known: dict[tuple[Key, Key], _Count] = {}

    def of(self, key: Key, first: Key) -> _Count:
        """Of one stage, and paths from another."""
        if (key, first) not in self.known:
            self.known[key, first] = self._count(key, first)
        return self.known[key, first]

    def _count(self, key: Key, first: Key) -> _Count:
        stream, origin, claim = self.streams[key], self.streams[first], self.claims[key]
        response = claim.response if stream.countable else None
        if claim.latency is None or not stream.bounded:
            return _Count(stream, response, None, 0, 0)
        if stream.base is not origin.base:
            return _Count(stream, response, claim.latency - stream.best, 0, 0)
        events = stream.base.most(claim.latency - origin.best)
        return _Count(stream, response, (origin.before or 0) - stream.best, events, 1)


class _Count:
    """The units of a stage, by its response, and by the events of its base."""

    __slots__ = ("events", "known", "later", "less", "response", "stream")

    def __init__(
        self, stream: Stream, response: int | None, later: int | None, events: int, less: int
    ) -> None:
        self.stream = stream
        self.response = response
        self.later = later  # how much longer than the path events may come that count
        self.events = events  # that count anyway
        self.less = less  # of those that come
        self.known: dict[int, int] = {}

    def most(self, length: int) -> int:
        """How many there are while a path takes so long."""
        found = self.known.get(length)
        if found is None:
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            found = self.known[length] = self._most(length)
        return found

    def _most(self, length: int) -> int:
        stream = self.stream
        found = MOST if self.response is None else stream.most(length + self.response)
        if self.later is None:
            return found
        events = self.events + max(0, stream.base.most(length + self.later) - self.less)
        return min(found, stream.times * events)


class _Visit(NamedTuple):
    """What a path meets at a stage: what blocks there, what else runs, and whether that is all."""

    blocks: int
    costs: dict[Key, int]
    whole: bool
    response: int | None


class _Window(NamedTuple):
    """All that a path spends its time with: on ways, and on its supplies."""

    path: tuple[Key, ...]
    ways: int
    stays: list[_Stay]

    def in_any_order(self, length: int) -> int:
        """How long it takes at most if it is on its way so long, whatever it meets first."""
        return self.ways + sum(stay.time(length) for stay in self.stays)


class _Met(NamedTuple):
    """What meets a path in order (lemma meetings-in-order), and all else that it meets there."""

    counts: _Counts
    stays: list[_Stay]
    rows: list[Row]
    rest: list[tuple[int, Key]]
    first: Key

    def time(self, length: int) -> int:
        """What a path that is on its way so long spends at most, but for its ways."""
        count, first = self.counts.of, self.counts.streams[self.first]
        total = sum(stay.fixed(length) for stay in self.stays)
        total += sum(cost * count(key, self.first).most(length) for cost, key in self.rest)
        for row in self.rows:
            self.counts.budget.curve(2 * len(row.members))
            members = (one.stage for one in row.members)
            each = sum(one.cost * count(one.key, self.first).most(length) for one in members)
            total += min(each, row.work(length, first))
        return total


class _Stay:
    """All visits of a path to one supply."""

    def __init__(
        self, windows: EndToEnd, path: Sequence[Key], places: list[int], early: list[int]
    ) -> None:
        self.counts, self.first = windows.counts, path[0]
        self.counted: list[tuple[int, _Count]] | None = None
        self.loads = windows.neighbours.supply(windows.stages[path[places[0]]])[1]
        visits = [windows.visit(path[place]) for place in places]
        self.blocks = sum([one.blocks for one in visits]) - early[places[-1]]
        self.whole = all(one.whole for one in visits)
        self.costs: dict[Key, int] = {}
        self.responses = 0
        for place, one in zip(places, visits, strict=True):
            self.costs |= one.costs
            self.responses += MOST if one.response is None else one.response - early[place]

    def time(self, length: int) -> int:
        """What a path that is on its way so long spends here at most."""
        if not self.whole:
            return self.responses
        self.counts.budget.curve(len(self.costs) + len(self.loads))
        if self.counted is None:
            of = self.counts.of
            self.counted = [(cost, of(key, self.first)) for key, cost in self.costs.items()]
        work = sum([cost * count.most(length) for cost, count in self.counted])
        return min(work + self.fixed(length), self.responses)

    def fixed(self, length: int) -> int:
        """That without the work of stages, where that counts."""
        if not self.whole:
            return self.responses
        late = sum(of_load(one, length, one.period) for one in self.loads)
        return self.blocks + late
