"""The round-robin-aware analysis of RTSS 2021: Theorem 2.

Arrival curves are those of regular propagation (Eq. 7): what comes of a predecessor is late by its
response time (`Delayed`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.models.system import EPSILON
from ddsrta.papers.ros2.costs import marginal
from ddsrta.papers.ros2.executor import Callback, Executor, Responses
from ddsrta.papers.ros2.rounds import ahead, checked, finish, polling_points
from ddsrta.papers.ros2.search import Bound, Horizon, Search, Unbounded


def response(
    executor: Executor, names: Sequence[str], assumed: Responses, horizon: Horizon
) -> Bound:
    """From the activation of a subchain's first callback to the end of its last one.

    Valid where every assumed response time is: `settle` finds such.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Constant, Reserved, Stream, Timer
    >>> tick = Callback("tick", Timer(), Stream(Periodic(100)), Constant(1))
    >>> response(Executor((tick,), Reserved(3, 5)), ["tick"], {"tick": 5}, Horizon(1000))
    5
    """
    checked(executor, assumed)
    chain = executor.subchain(names)
    last, others = chain[-1], executor.others([chain[-1].name])
    rounds = polling_points(chain, assumed)
    search = Search(executor.supply, horizon)

    def before(window: int) -> int:
        """ε, direct interference (Def. 1) and self-interference (Def. 2)."""
        direct = sum(
            callback.cost.of(
                ahead(callback, last.kind, _arrived(callback, window, assumed), rounds)
            )
            for callback in others
        )
        return EPSILON + direct + last.cost.of(_earlier(last, window, assumed))

    start = search.least(before)
    if isinstance(start, Unbounded):
        return start
    return finish(search, start, marginal(last.cost, _earlier(last, start, assumed) + 1))


def _arrived(callback: Callback, window: int, assumed: Responses) -> int:
    """Activations that may be pending within the window: η(Δ + R - ε)."""
    return callback.arrival.events(max(0, window + assumed[callback.name] - EPSILON))


def _earlier(callback: Callback, window: int, assumed: Responses) -> int:
    """The same of the callback itself, but for the one under analysis."""
    return max(0, _arrived(callback, window, assumed) - 1)
