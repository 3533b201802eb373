"""What lags, deadlines and chains come to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ddsrta.analysis.result import Verdict
from ddsrta.lf.chains import Latency
from ddsrta.lf.deadlines import Start


def verdict(
    lags: Iterable[int | None], started: Sequence[Start], chains: Iterable[Latency]
) -> Verdict:
    """Missed if something is late, else unbounded if something has no bound.

    >>> verdict([5, None], [], [])
    'unbounded'
    """
    wanted = [latency for latency in chains if latency.met is not None]
    if any(start.latest is not None and not start.met for start in started):
        return "missed"
    if any(latency.latency is not None and not latency.met for latency in wanted):
        return "missed"
    unknown = [
        *(value for value in lags if value is None),
        *(start for start in started if start.latest is None),
        *(latency for latency in wanted if latency.latency is None),
    ]
    return "unbounded" if unknown else "met"
