"""Confirms what is claimed of wanted orders: nothing that can be seen is left out (lemma
message-order)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ddsrta.checker.orders.arriving import Arrivals
from ddsrta.checker.orders.claims import OrderClaim, Sight, Violation
from ddsrta.checker.orders.routes import Route, keeps_events, parts, routes_to
from ddsrta.checker.orders.together import reads_together
from ddsrta.checker.reading import shown
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import Order, System
from ddsrta.checker.totals import Totals

MOST = 1000  # orders of one origin that are listed; so many are taken for a part of more
_Ways = dict[str, list[Route]]


def check_order(system: System, totals: Totals, name: str, claim: OrderClaim) -> int:
    """Confirms what is said of one wanted order; how much that is."""
    order, label = system.orders[name], f"order {shown(name)}"
    budget = totals.streams.budget
    arrivals = Arrivals(system, totals)
    origins = _origins(order, routes_to(system, order.subscriber, order.topics, budget))
    if not origins:
        raise RefutedError(f"{label}: no jobs bring messages on all of its topics")
    for origin in claim.possible:
        if origin not in origins:
            raise RefutedError(f"{label}: {shown(origin)} does not bring all of its messages")
    count = 1
    for origin, ways in origins.items():
        if origin not in claim.possible:
            raise RefutedError(f"{label}: what jobs of {shown(origin)} bring is not claimed")
        known = all(keeps_events(totals.stages, way) for found in ways.values() for way in found)
        together = known and reads_together(system, order.subscriber, ways)
        seen = _Seen(arrivals, ways, together)
        _check_violations(label, order, origin, claim, seen)
        sights = claim.possible[origin]
        _check_sights(f"{label}: of jobs of {shown(origin)}", order, sights, seen)
        count += len(sights)
    if claim.met and claim.violations:
        raise RefutedError(f"{label}: is claimed to be met, and to be violated")
    return count + len(claim.violations)


def _origins(order: Order, found: dict[str, _Ways]) -> dict[str, _Ways]:
    """The threads whose jobs an order is about: the one it names, or all where ways part."""
    if order.origin is not None:
        return {origin: ways for origin, ways in found.items() if origin == order.origin}
    return {origin: ways for origin, ways in found.items() if parts(ways)}


class _Seen:
    """What the subscriber can see of the jobs of one origin."""

    def __init__(self, arrivals: Arrivals, ways: _Ways, together: bool) -> None:
        self.arrivals = arrivals
        self.ways = ways
        self.together = together
        self.known: dict[tuple[str, str, bool], bool] = {}

    def can_precede(self, first: str, second: str, later: bool = False) -> bool:
        """Whether a message on one topic may be seen before one on another, which is of the same
        job, or of an earlier one."""
        key = first, second, later
        if key not in self.known:
            self.known[key] = not self.together and not all(
                self.arrivals.before(one, other, later)
                for one in self.ways[second]
                for other in self.ways[first]
            )
        return self.known[key]

    def sights(self, topics: Sight) -> Iterator[Sight]:
        """All orders in which each topic can precede all that come after it."""
        if not topics:
            yield ()
        for place, first in enumerate(topics):
            self.arrivals.totals.streams.budget.curve()
            rest = (*topics[:place], *topics[place + 1 :])
            if all(self.can_precede(first, other) for other in rest):
                for tail in self.sights(rest):
                    yield (first, *tail)


def _check_violations(
    label: str, order: Order, origin: str, claim: OrderClaim, seen: _Seen
) -> None:
    """Each that cannot be excluded is claimed."""
    wrong = [(late, early, 0) for place, early in enumerate(order.topics)
             for late in order.topics[place + 1 :]]  # fmt: skip
    if order.events == "all":
        wrong += [(first, second, 1) for first in order.topics for second in order.topics]
    for first, second, later in wrong:
        violation = Violation(origin, first, second, later)
        if violation in claim.violations or not seen.can_precede(first, second, bool(later)):
            continue
        of = "of a later job" if later else "of one job"
        what = f"{shown(first)} can be seen before {shown(second)}, {of} of {shown(origin)}"
        raise RefutedError(f"{label}: {what}, which is not said (lemma message-order)")


def _check_sights(label: str, order: Order, claimed: frozenset[Sight], seen: _Seen) -> None:
    """Each order that cannot be excluded is among those that are claimed."""
    if len(claimed) >= MOST:
        return
    for sight in seen.sights(order.topics):
        if sight not in claimed:
            words = ", ".join(map(shown, sight))
            raise RefutedError(
                f"{label} {words} can be seen, which is not said (lemma message-order)"
            )


def check_orders(system: System, totals: Totals, claims: Mapping[str, OrderClaim]) -> int:
    """Confirms what is said of all of them; how much that is."""
    return sum(check_order(system, totals, name, claim) for name, claim in claims.items())
