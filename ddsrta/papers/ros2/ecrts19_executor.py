"""ECRTS 2019 for a described executor: which callbacks interfere with which.

Where the choice is open, the larger demand is taken: timers of unknown order are all ahead of each
other, a blocking callback takes its whole cost, and all others interfere with a polled one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.papers.ros2 import ecrts19
from ddsrta.papers.ros2.costs import Together
from ddsrta.papers.ros2.demand import Demand, Total
from ddsrta.papers.ros2.executor import (
    Callback,
    EventSource,
    Executor,
    Polled,
    Timer,
    may_precede,
)
from ddsrta.papers.ros2.search import Bound, Horizon


def response(executor: Executor, name: str, horizon: Horizon) -> Bound:
    """The response time of one callback, by the lemma of its kind.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Constant, Dedicated, Stream
    >>> tick = Callback("tick", Timer(1), Stream(Periodic(10)), Constant(2))
    >>> scan = Callback("scan", Polled(), Stream(Periodic(20)), Constant(3))
    >>> executor = Executor((tick, scan), Dedicated())
    >>> response(executor, "tick", Horizon(100)), response(executor, "scan", Horizon(100))
    (5, 5)
    """
    own, others = executor.callback(name), executor.others([name])
    sources = [c for c in executor.callbacks if isinstance(c.kind, EventSource)]
    if sources and len(executor.callbacks) > 1:
        raise ValueError(
            f"event source {sources[0].name!r} shares its executor: ECRTS 2019 gives every event "
            "source a thread and a supply of its own"
        )
    match own.kind:
        case EventSource():
            return ecrts19.event_source(executor.supply, own.demand, horizon)
        case Timer() as kind:
            ahead = [c for c in others if isinstance(c.kind, Timer) and may_precede(c.kind, kind)]
            blocking = max((c.cost.of(1) for c in others if c not in ahead), default=0)
            return ecrts19.timer(executor.supply, own.demand, _total(ahead), blocking, horizon)
        case Polled():
            return ecrts19.polled(executor.supply, own.demand, _total(others), horizon)


def chain_response(executor: Executor, names: Sequence[str], horizon: Horizon) -> Bound:
    """From the activation of a chain to the end of its last callback, all in this executor.

    Its callbacks must carry the arrival curve of the chain, and are activated by nothing else.
    """
    chain = executor.subchain(names)
    if len(chain) == 1:
        return response(executor, names[0], horizon)
    arrival, last = chain[0].arrival, chain[-1]
    for callback in chain:
        if callback.arrival != arrival:
            raise ValueError(
                f"callback {callback.name!r} has other activations than its chain: Lemma 8 counts "
                "the activations of the chain for all of its callbacks"
            )
        if callback is not chain[0] and not isinstance(callback.kind, Polled):
            raise ValueError(f"callback {callback.name!r} is not activated by a message")
    if any(isinstance(callback.kind, EventSource) for callback in executor.callbacks):
        raise ValueError("ECRTS 2019 gives every event source a thread and a supply of its own")
    prefix = Demand(arrival, Together(tuple(callback.cost for callback in chain[:-1])))
    full = Demand(arrival, Together(tuple(callback.cost for callback in chain)))
    others = _total(executor.others(names))
    return ecrts19.chain(executor.supply, last.demand, prefix, full, others, horizon)


def _total(callbacks: Sequence[Callback]) -> Total:
    return Total(tuple(callback.demand for callback in callbacks))
