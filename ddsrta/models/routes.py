"""How the jobs of one thread reach a subscriber, each way ending with a topic that it reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ddsrta.models.graph import Hop, inputs
from ddsrta.models.system import Order, System

MOST_ROUTES = 4096


class Route(NamedTuple):
    """Hops from the origin to the subscriber; only the subscriber may be released by time."""

    hops: tuple[Hop, ...]

    @property
    def origin(self) -> str:
        """The thread whose jobs it starts from."""
        return self.hops[0].source

    @property
    def topic(self) -> str:
        """The topic on which the subscriber gets the message."""
        return self.hops[-1].topic or ""


class Routes(NamedTuple):
    """Routes by their origins, and whether a limit left some out."""

    by_origin: dict[str, list[Route]]
    cut: bool

    def to(self, topics: Iterable[str]) -> Routes:
        """Those that end with one of these topics, of the origins that reach all of them."""
        wanted = set(topics)
        found = {
            origin: [route for route in routes if route.topic in wanted]
            for origin, routes in self.by_origin.items()
        }
        return Routes({o: f for o, f in found.items() if {r.topic for r in f} == wanted}, self.cut)


def routes_to(system: System, subscriber: str) -> Routes:
    """Every route that ends with a message to the subscriber.

    >>> from ddsrta.examples import two_threads
    >>> routes = routes_to(two_threads(), "control").by_origin
    >>> [route.topic for route in routes["sensor"]]
    ['speed']
    """
    found: dict[str, list[Route]] = {}
    number = 0
    for number, route in enumerate(_backwards(system, subscriber)):
        if number == MOST_ROUTES:
            return Routes(found, True)
        found.setdefault(route.origin, []).append(route)
    return Routes(found, False)


def _backwards(system: System, subscriber: str) -> Iterator[Route]:
    """From the last hop towards the sources; a thread released by time passes nothing on."""
    last = [hop for hop in inputs(system, system.threads[subscriber]) if hop.topic is not None]
    stack: list[tuple[Hop, ...]] = [(hop,) for hop in reversed(last)]
    while stack:
        hops = stack.pop()
        yield Route(hops)
        origin = system.threads[hops[0].source]
        if origin.arrival is None:
            stack += [(hop, *hops) for hop in reversed(inputs(system, origin))]


def forks(routes: Routes) -> dict[str, list[Route]]:
    """The origins from which routes to two topics part at once, with all their routes.

    A thread before the fork says nothing that the fork does not say; one job of the fork is one
    event whose messages a subscriber can see in several orders.
    """
    return {
        origin: found
        for origin, found in routes.by_origin.items()
        if any(
            one.topic != other.topic and one.hops[0] != other.hops[0]
            for i, one in enumerate(found)
            for other in found[:i]
        )
    }


def origins_of(system: System, order: Order) -> tuple[list[str], bool]:
    """The threads whose jobs an order is about: the one it names, or all where the ways to its
    topics part; and whether a limit may have left some out."""
    routes = routes_to(system, order.subscriber).to(order.topics)
    if order.origin is None:
        return list(forks(routes)), routes.cut
    return [origin for origin in routes.by_origin if origin == order.origin], routes.cut


def multiplicity(system: System, hops: tuple[Hop, ...], onward: bool = False) -> int:
    """How many messages at the end of some hops one job at their start brings; `onward`: how many
    jobs of the thread that they reach.

    >>> from ddsrta.examples import two_threads
    >>> multiplicity(two_threads(), (Hop("sensor", "speed", "control"),))
    1
    """
    product = 1
    for source, topic, target in hops:
        synchronizer = system.threads[target].synchronizer
        if (
            synchronizer is not None
            and not synchronizer.keeps_numbers
            and (onward or target != hops[-1].target)
        ):
            product *= 2  # none, one or several: messages are left out, or taken again
        for publication in system.threads[source].publishes:
            product *= publication.count if publication.topic == topic else 1
    return product
