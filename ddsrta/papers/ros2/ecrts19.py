"""Response times of callbacks and chains in one executor, by demand alone.

Casini, Blaß, Lütkebohle, Brandenburg: Response-Time Analysis of ROS 2 Processing Chains under
Reservation-Based Scheduling, ECRTS 2019 (revised). The executor is that of ROS 2 Crystal: timers
are looked at before every callback, everything else only at polling points.

The bounds are as published. Tang et al. (RTSS 2020) call them both optimistic and pessimistic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from ddsrta.models.system import EPSILON
from ddsrta.papers.ros2.demand import Demand, Total
from ddsrta.papers.ros2.search import Bound, Horizon, Search, Unbounded
from ddsrta.papers.ros2.supplies import Supply


class _Rising(Protocol):
    def windows(self, longest: int) -> Iterator[int]: ...


def event_source(supply: Supply, own: Demand, horizon: Horizon) -> Bound:
    """An event source that is alone on its supply: Lemma 1.

    >>> from ddsrta.models.arrivals import Sporadic
    >>> from ddsrta.papers.ros2 import Constant, Reserved, Stream
    >>> own = Demand(Stream(Sporadic(5, jitter=2)), Constant(2))
    >>> event_source(Reserved(3, 5), own, Horizon(100))
    7
    """
    search = Search(supply, horizon)
    return _largest(
        search, own, busy=own.of, demand=lambda offset, response: own.of(offset + EPSILON)
    )


def timer(supply: Supply, own: Demand, higher: Total, blocking: int, horizon: Horizon) -> Bound:
    """A timer: Lemma 3, with timers of higher priority and blocking by one other callback.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Constant, Reserved, Stream
    >>> own = Demand(Stream(Periodic(10)), Constant(1))
    >>> higher = Total((own, Demand(Stream(Periodic(20)), Constant(3))))
    >>> timer(Reserved(3, 5), own, higher, 4, Horizon(100))
    20
    """

    def demand(offset: int, response: int) -> int:
        before = _until_start(own, offset, response)
        return own.of(offset + EPSILON) + higher.of(before) + blocking

    search = Search(supply, horizon)
    return _largest(search, own, lambda w: own.of(w) + higher.of(w) + blocking, demand)


def polled(supply: Supply, own: Demand, others: Total, horizon: Horizon) -> Bound:
    """A subscription, service or client, seen at polling points only: Eq. 6, Lemmas 4 and 5.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Constant, Reserved, Stream
    >>> own = Demand(Stream(Periodic(10)), Constant(1))
    >>> others = Total((own, Demand(Stream(Periodic(20)), Constant(3))))
    >>> polled(Reserved(3, 5), own, others, Horizon(100))
    12
    """
    return timer(supply, own, others, 0, horizon)  # the same equation with nothing that blocks


def chain(
    supply: Supply, last: Demand, prefix: Demand, full: Demand, others: Total, horizon: Horizon
) -> Bound:
    """A chain of callbacks of one executor, from its activation to the end of its last: Lemma 8.

    `prefix` is the demand of the callbacks before the last one, `full` that of the whole chain;
    all three have the activations of the chain.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Constant, Dedicated, Stream
    >>> last, prefix, full = (Demand(Stream(Periodic(25)), Constant(c)) for c in (3, 3, 6))
    >>> chain(Dedicated(), last, prefix, full, Total(()), Horizon(100))
    6
    """

    def demand(offset: int, response: int) -> int:
        before = _until_start(last, offset, response)
        return last.of(offset + EPSILON) + prefix.of(before) + others.of(before)

    return _largest(Search(supply, horizon), full, lambda w: full.of(w) + others.of(w), demand)


def _until_start(own: Demand, offset: int, response: int) -> int:
    """The window in which others can still get ahead: callbacks do not preempt each other."""
    cost = own.least(offset + response)
    return offset + max(0, response - cost) + EPSILON


def _largest(
    search: Search,
    own: _Rising,
    busy: Callable[[int], int],
    demand: Callable[[int, int], int],
) -> Bound:
    """The largest response over the offsets at which own demand rises (Lemma 7) ...

    ... within the longest busy window (Lemma 6).
    """
    longest = search.least(busy)
    if isinstance(longest, Unbounded):
        return longest
    offsets = (window - EPSILON for window in own.windows(longest + EPSILON))
    return search.largest(
        offsets,
        lambda offset: search.least(lambda response: demand(offset, response), offset),
    )
