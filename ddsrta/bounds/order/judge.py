"""What becomes of the orders that a file asks for."""

from __future__ import annotations

from ddsrta.bounds.order.sets import MANY_WAYS, OrderSet, Overtaking, order_set
from ddsrta.bounds.result import OrderResult, Violation
from ddsrta.bounds.solution import Solution
from ddsrta.models.routes import origins_of
from ddsrta.models.system import Order


def order_results(solution: Solution) -> dict[str, OrderResult]:
    """Every wanted order of a solved system.

    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> order_results(solve(two_threads()))
    {}
    """
    return {name: judge(solution, order) for name, order in solution.system.orders.items()}


def judge(solution: Solution, order: Order) -> OrderResult:
    """Whether one wanted order always holds."""
    origins, cut = origins_of(solution.system, order)
    sets = [order_set(solution, order.subscriber, origin) for origin in origins]
    violations = tuple(violation for found in sets for violation in _violations(found, order))
    if cut and not sets:
        violations = (Violation("some thread", order.topics[-1], order.topics[0], 0, MANY_WAYS),)
    return OrderResult(
        order.subscriber,
        order.topics,
        order.events,
        not violations,
        {found.origin: _possible(found, order.topics) for found in sets},
        violations,
    )


def _possible(found: OrderSet, topics: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The orders of the topics that are asked about alone."""
    chosen = OrderSet(
        found.subscriber,
        found.origin,
        topics,
        tuple(o for o in found.overtakings if {o.first, o.second} <= set(topics)),
        found.together,
    )
    return chosen.orders


def _violations(found: OrderSet, order: Order) -> list[Violation]:
    wrong: list[Overtaking] = []
    for place, earlier in enumerate(order.topics):
        wrong += [found.overtaking(late, earlier) for late in order.topics[place + 1 :]]
    if order.events == "all":
        wrong += [found.overtaking(a, b, 1) for a in order.topics for b in order.topics]
    return [
        Violation(found.origin, o.first, o.second, o.later, o.because) for o in wrong if o.possible
    ]
