"""More `after` for connections, until federates wait for each other in no circle too long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ddsrta.lf.bounds.logical_time.certain import shares_tag
from ddsrta.lf.bounds.offsets.links import Network
from ddsrta.lf.bounds.offsets.maxplus import solve
from ddsrta.lf.bounds.offsets.short import least_network
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.tags import Shift

_MOST_CIRCLES = 200
_MOST_ROUNDS = 8


def with_after(federation: Federation, more: Mapping[int, int]) -> Federation:
    """The federation with the `after` of some connections (by index) raised.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> with_after(two_federates(), {0: 5}).connections[0].shift
    Shift(time=5, microsteps=0)
    """
    connections = tuple(
        replace(connection, shift=Shift.of(connection.shift.time + more[index]))
        if index in more
        else connection
        for index, connection in enumerate(federation.connections)
    )
    return replace(federation, connections=connections)


def repairs(found: Network) -> tuple[dict[int, int], bool]:
    """By connection, how much more `after` leaves no positive circle; whether that came to an end.

    Other `after` make other tags meet, and so change the lags: these are worked out anew. None by
    which messages get the same tag is an end: they are tardy.
    """
    more: dict[int, int] = {}
    current = found
    for _ in range(_MOST_ROUNDS):
        raised, ended = _break(current)
        for index, amount in raised.items():
            more[index] = more.get(index, 0) + amount
        if not raised or not ended:
            return more, ended and not merges(found, current)
        current = least_network(with_after(found.federation, more))
    return more, False


def merges(before: Network, after: Network) -> bool:
    """Whether more `after` gives several messages of a connection one tag, which had one each."""
    return any(
        shares_tag(after.found, link.connection)
        and not shares_tag(before.found, before.links[number].connection)
        for number, link in enumerate(after.links)
    )


def _break(found: Network) -> tuple[dict[int, int], bool]:
    """What breaks all circles with the lags as they are.

    Each time, the connection of the circle that has the most `after` already gets what is missing:
    one whose tags are changed anyway. None whose messages get the same tag by that.
    """
    raised: dict[int, int] = {}
    free = {
        link.index
        for link in found.links
        if not shares_tag(found.found, replace(link.connection, shift=Shift.of(1)))
    }
    for _ in range(_MOST_CIRCLES):
        edges = found.edges(raised)
        circles = solve(len(found.numbers), edges).circles
        if not circles:
            return raised, True
        for circle in circles:
            links = [found.links[position] for position in circle]
            links = [link for link in links if link.index in free]
            if not links:
                return raised, False
            link = max(links, key=lambda link: link.delay + raised.get(link.index, 0))
            weight = sum(edges[position].weight or 0 for position in circle)
            raised[link.index] = raised.get(link.index, 0) + weight
    return raised, False
