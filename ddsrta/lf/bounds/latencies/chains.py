"""Latencies of chains: from the time of an event's tag to the end of the last reaction."""

from __future__ import annotations

from dataclasses import dataclass

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.latencies.routes import Routes, routes
from ddsrta.lf.bounds.launch.lags import known
from ddsrta.lf.bounds.offsets.links import Network
from ddsrta.lf.bounds.offsets.waits import Known
from ddsrta.lf.program.federation import Chain


@dataclass(frozen=True, slots=True)
class Latency:
    """latency = delay (added to the tag) + wait + lag (to the end of the last reaction).

    What is not known is None; `because` says why.
    """

    chain: Chain
    routes: Routes
    delay: int | None
    wait: int | None
    lag: int | None
    because: Because | None = None

    @property
    def latency(self) -> int | None:
        """The bound, if there is one."""
        if self.delay is None or self.wait is None or self.lag is None:
            return None
        return self.delay + self.wait + self.lag

    @property
    def met(self) -> bool | None:
        """Whether the wanted latency is kept; None if none is wanted."""
        if self.chain.latency is None:
            return None
        return self.latency is not None and self.latency <= self.chain.latency


def chain_latency(network: Network, found: Known, chain: Chain) -> Latency:
    """The latency of a chain.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.links import network
    >>> from ddsrta.lf.bounds.offsets.waits import waits
    >>> all = network(two_federates())
    >>> chain_latency(all, waits(all), all.federation.chains["control"]).latency
    1850000
    """
    target, reaction = chain.target
    ways = routes(network.federation, chain)
    because = ways.because
    wait = found.values[target]
    if wait is None:
        because = because or found.because[target]
    else:
        wait += network.absent[target]
    lag, unknown = known(lambda: network.launches[target].to_end(reaction))
    return Latency(chain, ways, ways.delay, wait, lag, because or unknown)
