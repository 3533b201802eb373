"""Consistency against availability: how offsets shrink as all connections take older values.

With the same `after` c added to each connection, an offset is the largest of lines W - k·c over
the paths of k connections that lead to it: convex, falling, made of straight pieces. Points where
pieces meet are found by intersecting lines. Lags are taken as they are without c.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ddsrta.lf.bounds.offsets.links import Network
from ddsrta.lf.bounds.offsets.maxplus import Solution, solve

_MOST_POINTS = 64
_MOST_CURVES = 8


@dataclass(frozen=True, slots=True)
class Curve:
    """The offset of a federate by the `after` that is added to all connections."""

    federate: str
    points: tuple[tuple[int, int], ...]

    def at(self, inconsistency: int) -> int:
        """The offset, or a little more: the line between two points lies above a convex curve.

        >>> Curve("f", ((0, 10), (5, 0))).at(2)
        6
        """
        before = [point for point in self.points if point[0] <= inconsistency]
        after = [point for point in self.points if point[0] > inconsistency]
        if not before or not after:
            return (before or after)[-1 if before else 0][1]
        (x, y), (x2, y2) = before[-1], after[0]
        return y - (y - y2) * (inconsistency - x) // (x2 - x)


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """Curves of the federates that wait longest; below `least` some offset does not exist."""

    least: int
    curves: tuple[Curve, ...]


def tradeoff(network: Network) -> Tradeoff:
    """The curves of a federation.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.links import network
    >>> tradeoff(network(two_federates()))
    Tradeoff(least=0, curves=(Curve(federate='sink', points=((0, 1650000), (1650000, 0))),))
    """
    search = _Search(network)
    least = 0
    while circles := search.at(least).circles:
        least += max(-(-search.weight(circle, least) // len(circle)) for circle in circles)
    most = max([least, *(link.weight for link in network.links if link.weight is not None)])
    values = search.at(least).values
    names = list(network.numbers)
    waiting = [(value, -number) for number, value in enumerate(values) if value]
    chosen = [-number for _, number in sorted(waiting, reverse=True)[:_MOST_CURVES]]
    return Tradeoff(
        least, tuple(Curve(names[number], search.curve(number, least, most)) for number in chosen)
    )


class _Search:
    """Solutions by what is added, each found once."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.solutions: dict[int, Solution] = {}
        self.edges = network.edges()

    def at(self, added: int) -> Solution:
        if added not in self.solutions:
            edges = self.network.edges({link.index: added for link in self.network.links})
            self.solutions[added] = solve(len(self.network.numbers), edges)
        return self.solutions[added]

    def weight(self, circle: Sequence[int], added: int) -> int:
        return sum((self.edges[index].weight or 0) - added for index in circle)

    def curve(self, node: int, least: int, most: int) -> tuple[tuple[int, int], ...]:
        """The points where the curve of a node bends, and its ends."""
        points = {added: self._value(node, added) for added in (least, most)}
        queue = [(least, most)]
        while queue and len(points) < _MOST_POINTS:
            low, high = queue.pop()
            (start, steep), (end, flat) = self._line(node, low), self._line(node, high)
            straight = (
                points[high] == start - steep * high or points[low] == end - flat * low
            )  # a convex curve that meets one of its tangents twice is straight in between
            if straight or high - low < 2:
                continue
            meet = min(high - 1, max(low + 1, (start - end) // (steep - flat)))
            points[meet] = self._value(node, meet)
            queue += [(low, meet), (meet, high)]
        return _bends(points)

    def _value(self, node: int, added: int) -> int:
        return self.at(added).values[node] or 0

    def _line(self, node: int, added: int) -> tuple[int, int]:
        """W and k of the path that makes the value."""
        path = self.at(added).path(node, self.edges)
        return sum(self.edges[index].weight or 0 for index in path), len(path)


def _bends(points: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    """Without points on a straight line between their neighbours."""
    kept: list[tuple[int, int]] = []
    for x, y in sorted(points.items()):
        while len(kept) > 1:
            (x0, y0), (x1, y1) = kept[-2:]
            if (y1 - y0) * (x - x1) != (y - y1) * (x1 - x0):
                break
            kept.pop()
        kept.append((x, y))
    return tuple(kept)
