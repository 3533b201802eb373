"""What would bring a chain's latency down to a wanted one: more `after`, or shorter waits.

A wait at a chain is long because of other federates whose messages it waits for, or because of the
chain's own. Only the first can be traded: their connections get more `after`, so that older values
are taken; or the federates of the chain wait less, and messages over these connections may be
tardy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.latencies.chains import Latency, chain_latency
from ddsrta.lf.bounds.offsets.links import Network
from ddsrta.lf.bounds.offsets.maxplus import Edge, solve
from ddsrta.lf.bounds.offsets.repairs import merges, with_after
from ddsrta.lf.bounds.offsets.short import least_network
from ddsrta.lf.bounds.offsets.waits import waits
from ddsrta.lf.program.federation import Chain, Federation

_MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class WhatIf:
    """How a wanted latency can be kept: `after` holds what connections (by index) need more.

    `waits`: the maxwait of the federates of the chain that goes with it. `floor` is what the
    chain takes on its own: None if even that has no bound. `reached` is the latency with `after`.
    """

    chain: Chain
    wanted: int
    floor: int | None
    more: Mapping[int, int]
    waits: Mapping[str, int]
    reached: int | None
    because: Because | None = None

    @property
    def possible(self) -> bool:
        """Whether a change was found that keeps it."""
        return self.reached is not None and self.reached <= self.wanted


def what_if(federation: Federation, chain: Chain, wanted: int) -> WhatIf:
    """The least more `after`, outside the chain's own connections, for a wanted latency.

    Other `after` change which tags meet, and so the lags: each answer is checked by working out
    the changed federation anew. One by which messages get the same tag is none: they are tardy.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> system = two_federates()
    >>> what_if(system, system.chains["control"], 10_000_000).possible
    True
    """
    free = _without_maxwait(federation)
    more: dict[int, int] = {}
    before = least_network(free)
    answer = WhatIf(chain, wanted, None, {}, {}, None)
    for _ in range(_MOST_ROUNDS):
        all_links = least_network(with_after(free, more))
        latency = chain_latency(all_links, waits(all_links), chain)
        floor, budgets = _budgets(all_links, latency, wanted)
        reached = None if merges(before, all_links) else latency.latency
        answer = WhatIf(chain, wanted, floor, dict(more), budgets, reached, latency.because)
        if floor is None or floor > wanted or answer.possible:
            return answer
        raised = _increments(all_links, latency, budgets)
        if not raised:
            return answer
        for index, amount in raised.items():
            more[index] = more.get(index, 0) + amount
    return answer


def _without_maxwait(federation: Federation) -> Federation:
    federates = {
        name: replace(federate, maxwait=None) for name, federate in federation.federates.items()
    }
    return replace(federation, federates=federates)


def _budgets(
    all_links: Network, latency: Latency, wanted: int
) -> tuple[int | None, dict[str, int]]:
    """The latency of the chain on its own, and how long each of its federates may wait."""
    if latency.delay is None or latency.lag is None:
        return None, {}
    own = [link for link in all_links.links if link.index in latency.routes.connections]
    names = list(all_links.numbers)
    end = latency.chain.target[0]
    edges = [
        Edge(
            all_links.numbers[link.connection.source],
            all_links.numbers[link.connection.target],
            link.weight,
        )
        for link in own
    ]
    alone = solve(len(names), edges).values[all_links.numbers[end]]
    absent = all_links.absent[end]
    rest = latency.delay + latency.lag + absent
    if alone is None:
        return None, {}
    # From the end backwards: what comes before a federate is shorter by what lies between.
    reverse = [Edge(edge.target, edge.source, edge.weight) for edge in edges]
    least = {all_links.numbers[end]: -(wanted - rest)}
    distances = solve(len(names), reverse, least, floor=-(1 << 62)).values
    budgets = {
        name: -distance
        for name in names
        if (distance := distances[all_links.numbers[name]]) is not None and distance > -(1 << 61)
    }
    return alone + rest, budgets


def _increments(all_links: Network, latency: Latency, budgets: Mapping[str, int]) -> dict[int, int]:
    """By how much the connections that enter the chain exceed what its federates may wait."""
    own = latency.routes.connections
    edges = [
        edge._replace(cap=budgets[target])
        if link.index not in own and (target := link.connection.target) in budgets
        else edge
        for link, edge in zip(all_links.links, all_links.edges(), strict=True)
    ]
    values = solve(len(all_links.numbers), edges).values
    found = {}
    for link, edge in zip(all_links.links, edges, strict=True):
        start = values[edge.source]
        if edge.cap is None or start is None or edge.weight is None:
            continue
        if start + edge.weight > max(0, edge.cap):
            found[link.index] = start + edge.weight - max(0, edge.cap)
    return found
