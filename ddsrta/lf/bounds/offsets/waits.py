"""How long each federate really waits, with the maxwait that the file gives or the least one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.logical_time.certain import sparse_at
from ddsrta.lf.bounds.offsets.least import reason
from ddsrta.lf.bounds.offsets.links import Link, Network, with_short
from ddsrta.lf.bounds.offsets.maxplus import Edge, Solution, solve
from ddsrta.lf.bounds.offsets.short import short_inputs
from ddsrta.lf.bounds.unbounded import WAITS_FOREVER
from ddsrta.lf.program.shapes import FOREVER


class Known(Protocol):
    """How long after its time a tag of each federate may start at the latest, whoever says so."""

    @property
    def values(self) -> Mapping[str, int | None]:
        """Of each federate; None where there is no bound."""

    @property
    def because(self) -> Mapping[str, Because]:
        """Why there is none."""


@dataclass(frozen=True)
class Waits:
    """The wait of each federate, None where it has no bound; `because` says why then."""

    network: Network
    solution: Solution
    values: Mapping[str, int | None]
    because: Mapping[str, Because]

    def path(self, federate: str) -> tuple[Link, ...]:
        """The links that make a wait that was not given, or is longer than given; first to last."""
        links = self.network.links
        indices = self.solution.path(self.network.numbers[federate], _edges(self.network))
        return tuple(links[index] for index in indices if index < len(links))


def waits(network: Network) -> Waits:
    """A federate waits at least as long as is given, and it starts a tag later where a message of
    the tag comes later: that one is tardy only if another tag comes in between.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.links import network
    >>> waits(network(two_federates())).values["sink"]
    1650000
    """
    fixed: dict[int, int | None] = {len(network.numbers): 0}
    because: dict[str, Because] = {}
    because |= network.endless
    for name, federate in network.federation.federates.items():
        if federate.maxwait == FOREVER and (sparse := sparse_input(network, name)) is not None:
            because.setdefault(name, sparse)
    fixed.update({network.numbers[name]: None for name in because})
    solution = solve(len(network.numbers) + 1, _edges(network), fixed)
    values = {name: solution.values[number] for name, number in network.numbers.items()}
    for name, value in values.items():
        if value is None and name not in because:
            because[name] = _because(network, solution, name, because)
    return Waits(network, solution, values, because)


def settled(links: Network) -> tuple[Network, Waits]:
    """The same with the runtime's longer waits, and the network that has them."""
    while True:
        found = waits(links)
        short = links.short | _short(links, found)
        if short == links.short:
            return links, found
        links = with_short(links, short)


def _short(links: Network, found: Waits) -> frozenset[int]:
    """By the waits that are given, else by those that are found."""
    known = dict(found.values)
    for name, federate in links.federation.federates.items():
        if federate.maxwait is not None:
            known[name] = federate.maxwait if isinstance(federate.maxwait, int) else None
    return short_inputs(links, known)


def _edges(network: Network) -> list[Edge]:
    """The links, and after them an edge for each maxwait that is given, from a node that is 0."""
    numbers = network.numbers
    links = [
        edge._replace(weight=-(1 << 62)) if link.index in network.late else edge
        for link, edge in zip(network.links, network.edges(), strict=True)
    ]
    given = [
        Edge(len(numbers), numbers[name], federate.maxwait)
        for name, federate in network.federation.federates.items()
        if isinstance(federate.maxwait, int) and name not in network.alone
    ]
    return [*links, *given]


def required_offsets(network: Network, found: Known) -> dict[str, int | None]:
    """The least maxwait of each federate, while the others wait as long as they do."""
    required: dict[str, int | None] = dict.fromkeys(network.numbers, 0)
    for link in network.links:
        name = link.connection.target
        start, weight, known = found.values[link.connection.source], link.weight, required[name]
        if start is None or weight is None or known is None:
            required[name] = None
        else:
            required[name] = max(known, start + weight)
    return required


def _because(
    network: Network, solution: Solution, name: str, known: Mapping[str, Because]
) -> Because:
    edges = _edges(network)
    node = network.numbers[name]
    names = list(network.numbers)
    seen: set[int] = set()
    while (index := solution.because[node]) is not None and node not in seen:
        seen.add(node)
        if network.links[index].unknown is not None:
            break
        node = edges[index].source
    if names[node] in known:
        return known[names[node]]
    return reason(network, solution, edges, network.numbers[name])


def sparse_input(network: Network, name: str) -> Because | None:
    """Why a federate with maxwait forever may wait without end; None if it never does.

    It does not if at each of its tags each of its inputs certainly gets a message, nor if the
    messages of one connection make all its tags.
    """
    if name in network.alone:
        return None
    for connection in network.federation.connections:
        if connection.physical and connection.target == name:
            why = f"nothing is ever known of {connection.name} in advance"
            return WAITS_FOREVER.of(name=name, why=why)
    for link in network.inputs[name]:
        place = sparse_at(network.found, network.federation, link.connection)
        if place == "":
            return WAITS_FOREVER.of(name=name, why="its tags cannot be followed")
        if place is not None:
            why = f"at tags of '{place}' nothing need come over {link.connection.name}"
            return WAITS_FOREVER.of(name=name, why=why)
    return None
