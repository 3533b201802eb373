"""What both analyses of RTSS 2021 share: polling points, and how often others get ahead.

Blaß, Casini, Bozhko, Brandenburg: A ROS 2 Response-Time Analysis Exploiting Starvation Freedom and
Execution-Time Variance, RTSS 2021. A polled callback runs at most once between two polling points,
so it can delay another one at most once for each polling point, and once more where it goes first.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.models.system import EPSILON
from ddsrta.papers.ros2.executor import Callback, Executor, Kind, Polled, Responses, may_precede
from ddsrta.papers.ros2.search import Search


def polling_points(chain: Sequence[Callback], responses: Responses) -> int:
    """Def. 3: at most as many as activations of each callback of the chain in its response time.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Constant, Stream
    >>> scan = Callback("scan", Polled(), Stream(Periodic(100)), Constant(10))
    >>> polling_points([scan], {"scan": 101})
    2
    """
    return sum(callback.arrival.events(responses[callback.name]) for callback in chain)


def ahead(callback: Callback, of: Kind, arrived: int, rounds: int) -> int:
    """Of `arrived` activations those that delay a callback: of a polled one, one in each round.

    One more where it is not known to come later in the order of a round.
    """
    match callback.kind:
        case Polled() as kind:
            first = not isinstance(of, Polled) or may_precede(kind, of)
            return min(arrived, rounds + first)
        case _:
            return arrived


def finish(search: Search, start: int, cost: int) -> int:
    """Step 2 of Theorems 2 and 3: no preemption, so only its own cost Ω follows the start S*."""
    served = search.supply.provided(start)
    return search.supply.time(max(0, served - EPSILON) + cost)


def checked(executor: Executor, responses: Responses) -> None:
    """Every callback needs an assumed response time."""
    for callback in executor.callbacks:
        if callback.name not in responses:
            raise ValueError(f"no response time is assumed for callback {callback.name!r}")
        if responses[callback.name] < 0:
            raise ValueError(f"the response time of {callback.name!r} must not be negative")
