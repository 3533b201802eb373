"""Safe-to-process offsets: the least ones that make no message tardy, and why they are so large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.offsets.links import Link, Network
from ddsrta.lf.bounds.offsets.maxplus import Edge, Solution, solve
from ddsrta.lf.bounds.offsets.repairs import repairs
from ddsrta.lf.bounds.unbounded import AFTER_TOO_SHORT


@dataclass(frozen=True, slots=True)
class Circle:
    """Federates that wait for each other: `links` form a circle of positive weight."""

    members: tuple[str, ...]
    links: tuple[Link, ...]
    weight: int


@dataclass(frozen=True, slots=True)
class Offset:
    """The offset of a federate, None if there is none (`because` says why); `path` makes it."""

    federate: str
    value: int | None
    path: tuple[Link, ...]
    because: Because | None
    physical: bool


@dataclass(frozen=True)
class Offsets:
    """All offsets, a circle of each component that has none, and the `after` that breaks them all.

    `repairs` are by the index of a connection; `repaired`: they were found to suffice.
    """

    network: Network
    offsets: Mapping[str, Offset]
    circles: tuple[Circle, ...]
    repairs: Mapping[int, int]
    repaired: bool

    def slack(self, link: Link) -> int | None:
        """How much larger a connection's X could be before an offset grows."""
        source = self.offsets[link.connection.source].value
        target = self.offsets[link.connection.target].value
        weight = link.weight
        if source is None or target is None or weight is None:
            return None
        return target - source - weight


def offsets(network: Network, more: Mapping[int, int] | None = None) -> Offsets:
    """The least offsets of a federation, with the `after` of some connections raised.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.links import network
    >>> offsets(network(two_federates())).offsets["sink"].value
    1650000
    """
    edges = network.edges(more)
    solution = solve(len(network.numbers), edges)
    names = list(network.numbers)
    more_after, repaired = repairs(network) if solution.circles else ({}, True)
    found = {}
    for number, name in enumerate(names):
        path = tuple(network.links[index] for index in solution.path(number, edges))
        value = solution.values[number]
        federate = network.federation.federates[name]
        physical = any(action.is_physical for action in federate.actions.values())
        because = None if value is not None else reason(network, solution, edges, number)
        found[name] = Offset(name, value, path if value is not None else (), because, physical)
    circles = tuple(_circle(network, edges, circle) for circle in solution.circles)
    return Offsets(network, found, circles, more_after, repaired)


def reason(network: Network, solution: Solution, edges: list[Edge], node: int) -> Because:
    """Why a node has no value: a term that is not known, a circle, or what comes before it."""
    names = list(network.numbers)
    found = solution.why(node, edges, names, lambda index: network.links[index].unknown)
    return found or AFTER_TOO_SHORT.of(others="federates")


def _circle(network: Network, edges: list[Edge], indices: list[int]) -> Circle:
    links = tuple(network.links[index] for index in indices)
    weight = sum(edges[index].weight or 0 for index in indices)
    return Circle(tuple(link.connection.source for link in links), links, weight)
