"""What lags, deadlines and chains come to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ddsrta.bounds.result import Verdict
from ddsrta.lf.bounds.latencies.chains import Latency
from ddsrta.lf.bounds.latencies.deadlines import Start
from ddsrta.lf.bounds.latencies.rows import Unbounded


def verdict(
    unbounded: Sequence[Unbounded],
    started: Iterable[Start],
    chains: Iterable[Latency],
    *,
    tardy: bool = False,
) -> Verdict:
    """Missed if something is late, else unbounded if anything has no bound, else met.

    >>> verdict([Unbounded("federate", "e", "it has 109 % load")], [], [])
    'unbounded'
    """
    late = any(start.latest is not None and not start.met for start in started)
    long = any(chain.latency is not None and chain.met is False for chain in chains)
    if tardy or late or long:
        return "missed"
    return "unbounded" if unbounded else "met"
