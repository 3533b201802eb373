"""Wanted orders that no message could break, because they ask for what does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic, did_you_mean, shown
from ddsrta.models.graph import Hop
from ddsrta.models.routes import origins_of, routes_to
from ddsrta.models.system import Order, System


def order_problems(system: System) -> Iterator[Diagnostic]:
    """What is wrong with the wanted orders of a system that is otherwise right.

    >>> from ddsrta.examples import two_threads
    >>> list(order_problems(two_threads()))
    []
    """
    for order in system.orders.values():
        path = ("orders", order.name)
        for key, message, advice in _problems(system, order):
            yield Diagnostic(system.where(*path, key), message, advice)


def _problems(system: System, order: Order) -> Iterator[tuple[str, str, str]]:
    """The key, what is wrong with it, and what to do."""
    reader = system.threads.get(order.subscriber)
    if reader is None:
        advice = did_you_mean(order.subscriber, system.threads)
        yield "subscriber", f"there is no thread {shown(order.subscriber)}", advice
        return
    if len(set(order.topics)) < max(2, len(order.topics)):
        yield "topics", "an order is one of two or more different topics", ""
        return
    read = reader.subscribes.topics if reader.subscribes else ()
    for topic in order.topics:
        if topic not in read:
            yield "topics", f"'{order.subscriber}' does not subscribe to '{topic}'", ""
            return
    if any(_is_unlike(system, hop) for hop in _hops(system, order)):
        message = "orders are not modelled where callbacks or direct messages are on the way"
        yield "topics", message, "remove the order, or model each callback as a thread"
        return
    yield from _no_origin(system, order)


def _hops(system: System, order: Order) -> Iterator[Hop]:
    for routes in routes_to(system, order.subscriber).by_origin.values():
        for route in routes:
            yield from route.hops


def _is_unlike(system: System, hop: Hop) -> bool:
    """What the arguments about orders do not speak of."""
    source, target = system.threads[hop.source], system.threads[hop.target]
    direct = hop.topic is not None and not system.is_heard(source, target)
    return direct or source.executor is not None or target.executor is not None


def _no_origin(system: System, order: Order) -> Iterator[tuple[str, str, str]]:
    origins, cut = origins_of(system, order)
    if origins or cut:
        return
    if order.origin is None:
        message = "there is no thread whose jobs bring messages on all of these topics"
        yield "topics", message, "an order is one of messages that stem from the same job"
        return
    found = routes_to(system, order.subscriber).by_origin.get(order.origin, [])
    reached = {route.topic for route in found}
    missing = next(topic for topic in order.topics if topic not in reached)
    message = f"jobs of '{order.origin}' bring '{order.subscriber}' no message on '{missing}'"
    yield "from", message, "a thread with a period passes nothing on: it samples its inputs"
