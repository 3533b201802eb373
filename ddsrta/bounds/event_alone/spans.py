"""How long one event keeps each stage busy, if it is alone (lemma event-alone)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf

from ddsrta.base.frozen import frozen
from ddsrta.bounds.event_alone.order import Order, TooManyError

PASSES = 4  # each makes arrivals earlier by what the one before found
MOST_DEPTH = 6  # threads in a row that are counted together


class Budget:
    """How many terms may still be looked at, of all sets of a system."""

    def __init__(self) -> None:
        self.left = 400_000


@frozen
class Span:
    """The longest time from a moment to the end of a node's units, as a sum: its first window opens
    `begun` after that moment, when units of `opener` have come, and `parts` run from there on."""

    length: float
    begun: float
    opener: int
    parts: tuple[tuple[int, int], ...]


NOTHING = Span(-1.0, 0.0, 0, ())


class Spans:
    """The spans of all nodes from the arrival of one event's only unit at an anchor; units come no
    later than at what is `known`."""

    def __init__(
        self, order: Order, anchor: int, known: Mapping[int, float], budget: Budget
    ) -> None:
        self.order, self.anchor, self.budget = order, anchor, budget
        gone = order.done[anchor]  # when it comes, these are done
        self.cost = [0 if one in gone else node.cost for one, node in enumerate(order.nodes)]
        here = {anchor, *order.prior[anchor], *gone}
        self.arrival = [
            0.0 if one in here else known.get(one, inf) for one in range(len(order.nodes))
        ]
        self.found: dict[int, Span] = {}
        self.stale = set(range(len(order.nodes)))  # those whose span may have become shorter
        self.reader = 0  # the node whose span is looked for
        self.readers: list[set[int]] = [set() for _ in order.nodes]  # of each arrival
        for _ in range(PASSES):
            if not self._again():
                break

    def _again(self) -> bool:
        """All spans once more, with the arrivals that are known by now."""
        changed = False
        for one, node in enumerate(self.order.nodes):
            if node.inputs:
                latest = max(self.found[source].length + edge.worst for source, edge in node.inputs)
                self._comes_by(one, max(0.0, latest))
            if one not in self.stale:
                continue
            self.stale.remove(one)
            self.reader, before = one, self.found.get(one)
            span = self._span((one,), {}, 0)
            if before is None or span.length < before.length:
                self.found[one], changed = span, True
        return changed

    def _comes_by(self, one: int, latest: float) -> None:
        """A unit comes no later than that; whose span counted on more is found again."""
        if latest < self.arrival[one]:
            self.arrival[one] = latest
            self.stale |= self.readers[one]

    def _span(self, last: tuple[int, ...], weights: Mapping[int, int], depth: int) -> Span:
        """Until one of these nodes' units, all of one thread, has left: in a window that is open
        when it comes, or already when the job comes that sends it."""
        if self.budget.left < 0:
            raise TooManyError
        span = self._window(last, last, weights, depth)
        heads = {self.order.heads[one] for one in last}
        if None in heads:
            return span
        first = tuple(sorted(one for one in heads if one is not None))
        return min(span, self._window(first, last, weights, depth), key=lambda each: each.length)

    def _window(
        self, first: tuple[int, ...], last: tuple[int, ...], weights: Mapping[int, int], depth: int
    ) -> Span:
        """The longest by what may have come first in the window, alone or through a thread before
        this one."""
        order = self.order
        behind = set.intersection(*(order.behind[one] for one in last))
        beside = frozenset[int]().union(*(order.beside[one] for one in {*first, *last})) - behind
        runs = sorted(beside, key=lambda one: (-self.arrival[one], one))
        for one in (*runs, *first):
            self.readers[one].add(self.reader)
        latest = max(self.arrival[one] for one in first)
        cost = {one: weights.get(one, self.cost[one]) for one in runs}
        groups: dict[object, list[int]] = {}
        for opener in runs:
            if any(one not in order.prior[opener] for one in first):
                feeder = order.feeders[opener]
                groups.setdefault(opener if feeder is None else order.server(feeder), []).append(
                    opener
                )
        total, found = sum(cost.values()), NOTHING
        for openers in groups.values():
            if self._begun(openers, latest) + total > found.length:  # else it is no longer
                span = self._of_group(openers, runs, latest, cost, depth)
                found = max(found, span, key=lambda each: each.length)
        return found

    def _begun(self, openers: Iterable[int], latest: float) -> float:
        """The latest that a window begins which one of these opens."""
        return min(latest, max(self.arrival[one] for one in openers))

    def _of_group(
        self,
        openers: list[int],
        runs: list[int],
        latest: float,
        cost: Mapping[int, int],
        depth: int,
    ) -> Span:
        """The longest with a window that one of these opens, which come from one thread, if any."""
        total, plain = sum(cost.values()), NOTHING
        for opener in openers:
            if self._begun((opener,), latest) + total > plain.length:
                span = self._opened(opener, runs, latest, cost)
                plain = max(plain, span, key=lambda each: each.length)
        if self.order.feeders[openers[0]] is None or depth == MOST_DEPTH:
            return plain
        both = self._in_tandem(openers, runs, cost, depth)
        return min(plain, both, key=lambda each: each.length)

    def _opened(
        self, opener: int, runs: Sequence[int], latest: float, cost: Mapping[int, int]
    ) -> Span:
        """The longest with a window that one node opens: what comes no later is done by then, and
        of the rest runs what may still come."""
        prior, work = self.order.prior[opener], 0
        begun = min(self.arrival[opener], latest)
        length, at, by, most = -1.0, 0.0, opener, 0
        parts: list[tuple[int, int]] = []
        self.budget.left -= len(runs)
        for one in runs:
            if one in prior:
                continue
            arrival = min(self.arrival[one], begun)
            work += cost[one]
            parts.append((one, cost[one]))
            if arrival + work >= length:
                length, at, most = arrival + work, arrival, len(parts)
                by = one if arrival < begun else opener
        return Span(length, at, by, tuple(parts[:most]))

    def _in_tandem(
        self, openers: list[int], runs: Iterable[int], cost: Mapping[int, int], depth: int
    ) -> Span:
        """The same through the thread that hands over what opens the window: each unit is served
        there before that, or here after that, and one in both."""
        order = self.order
        first = tuple(sorted({feeder for o in openers if (feeder := order.feeders[o]) is not None}))
        thread = order.server(first[0])
        skipped = set.intersection(*(order.prior[opener] for opener in openers))
        served = {one for each in first for one in order.beside[each] - order.behind[each]}
        brought: dict[int, int] = {}
        rest = []
        for one in runs:
            feeder = order.feeders[one]
            if one in skipped:
                continue
            if feeder is not None and feeder in served and order.server(feeder) == thread:
                brought[feeder] = brought.get(feeder, 0) + cost[one]
            else:
                rest.append((one, cost[one]))
        most = {one: max(self.cost[one], work) for one, work in brought.items()}
        twice, which = max((min(self.cost[one], brought[one]), one) for one in first)
        span = self._span(first, most, depth + 1)
        length = span.length + twice + sum(time for _, time in rest)
        return Span(length, span.begun, span.opener, (*span.parts, (which, twice), *rest))
