"""The analysis of RTSS 2021 that is aware of rounds and of busy windows: Theorem 3.

Arrival curves are those of Definition 4 (propagation within a busy window), not those that `rr`
takes: with other curves the bound means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.models.system import EPSILON
from ddsrta.papers.ros2.arrivals import rising
from ddsrta.papers.ros2.costs import marginal
from ddsrta.papers.ros2.executor import Executor, Polled, Responses
from ddsrta.papers.ros2.rounds import ahead, checked, finish, polling_points
from ddsrta.papers.ros2.search import Bound, Horizon, Search, Unbounded


def response(
    executor: Executor, names: Sequence[str], assumed: Responses, horizon: Horizon
) -> Bound:
    """From the activation of a subchain's first callback to the end of its last one.

    Valid where every assumed response time is: `settle` finds such.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Callback, Constant, Reserved, Stream, Timer
    >>> tick = Callback("tick", Timer(), Stream(Periodic(100)), Constant(1))
    >>> response(Executor((tick,), Reserved(3, 5)), ["tick"], {"tick": 5}, Horizon(1000))
    5
    """
    checked(executor, assumed)
    chain = executor.subchain(names)
    last, others = chain[-1], executor.others([chain[-1].name])
    rounds = polling_points(chain, assumed)
    search = Search(executor.supply, horizon)

    def interference(window: int, activation: int) -> int:
        """Def. 5: polled callbacks run once a round, and as often as they came before t_a."""
        return sum(
            callback.cost.of(
                ahead(
                    callback,
                    last.kind,
                    callback.arrival.events(window),
                    callback.arrival.events(activation) + rounds,
                )
            )
            for callback in others
        )

    def at(activation: int) -> Bound:
        """Theorem 3 for an activation of the last callback at t_a."""
        earlier = max(0, last.arrival.events(activation + EPSILON) - 1)
        own = last.cost.of(earlier)
        start = search.least(lambda window: EPSILON + interference(window, activation) + own)
        if isinstance(start, Unbounded):
            return start
        end = finish(search, start, marginal(last.cost, earlier + 1))
        # Only of a single callback is it known when its chain was activated: at t_a.
        return max(0, end - activation) if len(chain) == 1 else end

    latest = search.least(  # Lemma 18
        lambda time: EPSILON + interference(time, time) + last.cost.of(last.arrival.events(time))
    )
    if isinstance(latest, Unbounded):
        return latest
    return search.largest(_activations(executor, last.name, latest), at)


def _activations(executor: Executor, last: str, latest: int) -> Iterator[int]:
    """Lemma 19: offsets t_a < latest at which the bound may grow."""

    def of_last() -> Iterator[int]:
        own = executor.callback(last).arrival
        return (window - EPSILON for window in own.windows(latest))

    polled = (
        callback.arrival.windows(latest - EPSILON)
        for callback in executor.others([last])
        if isinstance(callback.kind, Polled)
    )
    return rising([of_last(), *polled])
