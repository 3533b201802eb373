"""A window of the last of two threads in tandem that opened before ours came to the first: of what
the first serves after ours nothing is there (lemma held-back), nor of what less urgent threads
of its core send (lemma silent-senders)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Stream
from ddsrta.checker.reading import MOST
from ddsrta.checker.stages import Edge, Key
from ddsrta.checker.sums import Claim
from ddsrta.checker.tandem_brought import Feeds, in_order
from ddsrta.checker.windows import Window
from ddsrta.checker.work import Term

ROWS = 64  # of what feeds the last thread, up to which this is looked for


class _Feed(NamedTuple):
    """What the first thread brings to a queue of the last."""

    stream: Stream
    terms: tuple[Term, ...]  # by sum
    passing: int  # so many units come while ours is at the first thread
    blocker: tuple[Key, int] | None  # or of one unit of this stage alone, so many


class Held(Window):
    """Of a thread behind another one; ours left its origin `floor` or more after the opening, and
    that less came to the first thread since."""

    def __init__(
        self,
        first: Window,
        last: Window,
        feeds: Feeds,
        claims: Mapping[Key, Claim],
        floor: int,
        silent: frozenset[Key],
    ) -> None:
        vars(self).update(vars(last))
        self.floor = floor
        self.first = first
        self.claims = claims
        edge = last.stage.inputs[0]
        self.late = edge.extra - edge.link
        self.mine = self._passing(first.stage.key, edge, is_own=True)
        fed = {
            stage.key: (source, way)
            for source, some in feeds.items()
            for stage, way in some
            if stage.key != last.stage.key
        }
        rows = zip(last.relations.ahead, *(one.ahead for one in last.sums), strict=True)
        self.feeds = []
        for one, *terms in rows:
            if one.key in silent:
                self.feeds.append(_Feed(terms[0].stream, tuple(terms), 0, None))
            elif one.key in fed:
                self.feeds.append(self._feed(*fed[one.key], terms))

    def _feed(self, source: Key, edge: Edge, terms: list[Term]) -> _Feed:
        blocking = {other.key for other in self.first.relations.blocked_by}
        alone = source in blocking and self._kinds(source) == 1 and in_order(edge)
        blocker = (source, edge.times) if alone else None
        passing = 0 if alone else self._passing(source, edge)
        return _Feed(terms[0].stream, tuple(terms), passing, blocker)

    def _kinds(self, key: Key) -> int:
        """In how many relations to ours a stage of the first thread stands."""
        given = self.first.relations
        some = (given.ahead, given.overtakes, given.alternates, given.precedes, given.blocked_by)
        return sum(any(other.key == key for other in each) for each in some)

    def _passing(self, source: Key, edge: Edge, is_own: bool = False) -> int:
        """How many units may come to the last thread from when ours comes to the first until it
        comes to the last: of what was not done then."""
        given, mine = self.first.relations, self.first.stage.key
        pending, waits = self.claims[source].response, self.claims[mine].response
        if pending is None or waits is None:
            return MOST
        stream = self.first.streams.streams[source]
        if source == mine and (is_own or in_order(edge)):
            return edge.times * stream.most(pending)
        named = [
            any(other.key == source for other in each)
            for each in (given.ahead, given.overtakes, (*given.alternates, *given.precedes))
        ]
        if not in_order(edge) or self._kinds(source) != 1 or not any(named):
            later = self.late + max(0, edge.link - edge.least)
            return edge.times * stream.most(pending + waits + later)
        is_ahead, _, in_turn = named
        count = stream.most(pending + (0 if is_ahead else waits))
        if in_turn:
            count = min(count, self.first.stream.most(waits) + 1)
        return edge.times * count

    def finish(
        self, reached: tuple[int, int], count: int, arrival: int, latest: int = MOST
    ) -> tuple[int, int]:
        """S and F; of what comes up to the arrival, some came before ours was at the first thread,
        and of the rest no more than that thread may have let by."""
        since = max(0, arrival - self.floor) + EPSILON
        self.budget.curve(self.ahead + 2 * len(self.feeds))
        if self.mine < MOST:
            count = min(count, self.stream.most(since) + self.mine)
        behind = [one.behind(arrival, count) for one in self.sums]
        for number in range(len(self.sums)):
            behind[number] -= self._less(number, since, arrival + EPSILON)
        return self.done(behind, reached, count, arrival, latest)

    def _less(self, number: int, since: int, length: int) -> int:
        """The work of one sum that is not there."""
        less = blocked = 0
        ones: dict[Key, int] = {}
        for feed in self.feeds:
            term = feed.terms[number]
            more = max(0, term.most(length) - feed.stream.most(since) - feed.passing) * term.cost
            if feed.blocker is None:
                less += more
            else:
                source, times = feed.blocker
                blocked += more
                ones[source] = ones.get(source, 0) + times * term.cost
        return less + max(0, blocked - max(ones.values(), default=0))
