"""Whether one message always reaches a subscriber before another (lemma message-order, rules 7 and
8)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ddsrta.checker.chains import whatever_is_least
from ddsrta.checker.costs import EPSILON, network, sending_cost
from ddsrta.checker.orders.leaving import Two, leaves_first
from ddsrta.checker.orders.routes import Route, brings_one, is_modelled, keeps_events, stages_of
from ddsrta.checker.stages import Edge, Key
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import Publication, System
from ddsrta.checker.totals import Totals
from ddsrta.checker.walks import Effort


class Arrivals:
    """What is known of the order of messages to one subscriber."""

    def __init__(self, system: System, totals: Totals) -> None:
        self.system = system
        self.totals = totals
        self.known: dict[tuple[Route, Route, bool], bool] = {}

    def before(self, one: Route, other: Route, later: bool) -> bool:
        """Whether every message of a job of the origin by `one` comes before every message by
        `other` of the same job, or of a later one."""
        key = (one, other, later)
        if key not in self.known:
            self.totals.streams.budget.curve(len(one) + len(other))
            self.known[key] = self._before(one, other, later)
        return self.known[key]

    def _before(self, one: Route, other: Route, later: bool) -> bool:
        if not is_modelled(self.system, one) or not is_modelled(self.system, other):
            return False
        if not all(keeps_events(self.totals.stages, route) for route in (one, other)):
            return False
        if one == other:
            return later
        if any(self.system.mixes(hop.target) for route in (one, other) for hop in route):
            return False
        shared = _shared(one, other)
        if not later and not brings_one(self.system, one[:shared], one[:shared]):
            return False
        return _Fork(self.system, self.totals, one[shared:], other[shared:], later).holds()


def _shared(one: Route, other: Route) -> int:
    """The hops before they part; at least one hop of each is left."""
    most = min(len(one), len(other)) - 1
    return next((place for place in range(most) if one[place] != other[place]), most)


class _Fork:
    """Two routes from one job of a thread, or from two jobs, one after the other."""

    def __init__(
        self, system: System, totals: Totals, one: Route, other: Route, later: bool
    ) -> None:
        self.system = system
        self.totals = totals
        self.one, self.other, self.later = one, other, later
        self.publisher = one[0].source
        self.keys = stages_of(system, one)
        self.others = self._edges(stages_of(system, other))

    def holds(self) -> bool:
        """By any of the rules."""
        return self._is_sent_first() or self._is_in_time()

    def _edges(self, keys: Sequence[Key]) -> list[list[Edge]]:
        """Those from each stage to the next."""
        stages = self.totals.stages
        return [[e for e in stages[to].inputs if e.source == at] for at, to in pairwise(keys)]

    def _sent(self, route: Route) -> Publication | None:
        """What it begins with; None where it is the end of the job."""
        topic = route[0].topic
        return None if topic is None else self.system.threads[self.publisher].publishes[topic]

    def _is_sent_first(self) -> bool:
        """It leaves first, and is not overtaken on the way (7)."""
        one, other = self._sent(self.one), self._sent(self.other)
        if len(self.one) > 1 or len(self.other) > 1 or one is None or other is None:
            return False
        if not leaves_first(Two(self.system, self.publisher, one, other, self.later)):
            return False
        way = network(self.system, self.publisher, self.one[0].target)
        return sending_cost(self.system, other).best + way.best > way.worst

    def _is_in_time(self) -> bool:
        """Its latest arrival is before the earliest one of the other (8)."""
        stages = [self.totals.stages[key] for key in self.keys[1:]]
        if any(stage.joins and len(stage.inputs) > 1 for stage in stages):
            return False
        return self._decided(self.keys[:-1], self._counted_from_release) or self._decided(
            self.keys[1:-1], self._counted_from_handing
        )

    def _decided(self, path: Sequence[Key], question: object) -> bool:
        """Asked with as much effort as it takes."""

        def check(effort: Effort) -> None:
            if not question(path, effort):  # type: ignore[operator]
                raise RefutedError

        try:
            whatever_is_least(self.totals, path, check)
        except RefutedError:
            return False
        return True

    def _latest(self, path: Sequence[Key], effort: Effort) -> int | None:
        """At the subscriber, from the arrival at the first stage of a path to all but the last."""
        last = max(e.extra for e in self._edges(self.keys)[-1])
        total = self.totals.total(path, effort, data=False)
        return None if total is None else total + last

    def _counted_from_release(self, path: Sequence[Key], effort: Effort) -> bool:
        worst = self._latest(path, effort)
        if worst is None:
            return False
        late = worst - self._least(self.others)
        if not self.later:
            return late < 0
        stream = self.totals.streams["job", self.publisher]
        return late < 0 or (stream.countable and stream.most(late + EPSILON) <= 1)

    def _counted_from_handing(self, path: Sequence[Key], effort: Effort) -> bool:
        lead = self._lead()
        if lead is None:
            return False
        worst = self._latest(path, effort) if path else 0
        if worst is None:
            return False
        way = max(e.link for e in self._edges(self.keys[:2])[0])
        if self.later:
            return way + worst < lead + self._least(self.others)
        return way + worst < lead + self._from_handing() + self._least(self.others[1:])

    def _least(self, edges: Sequence[Sequence[Edge]]) -> int:
        return sum(min(edge.least for edge in each) for each in edges)

    def _lead(self) -> int | None:
        """The least time from when `one` is handed over, or has left if the job sends it itself, to
        when `other` is, or to the end of its job; None where that may be less than nothing."""
        program = list(self.system.threads[self.publisher].publishes.values())
        one, other = self._sent(self.one), self._sent(self.other)
        here, there = (len(program) if p is None else program.index(p) for p in (one, other))
        if self.later:
            there = len(program)
        elif here > there or (here == there and one is not None and one.controller is None):
            return None
        return sum(self._best(publication) for publication in program[here + 1 : there])

    def _best(self, publication: Publication) -> int:
        """What a job needs to send something itself; a datagram may go to all readers."""
        copies = len(self.system.receivers(self.publisher, publication.topic))
        if publication.controller is not None or not copies:
            return 0
        sends = 1 if self.system.fastdds else copies
        return publication.messages * sends * sending_cost(self.system, publication).best

    def _from_handing(self) -> int:
        """The least time from when `other` is handed over to its arrival at the stage after."""
        other, target = self._sent(self.other), self.other[0].target
        if other is None:
            return self.system.threads[target].delay.best
        if other.controller is not None:
            return 0
        way = network(self.system, self.publisher, target)
        return sending_cost(self.system, other).best + way.best
