"""Response times that the analyses of RTSS 2021 assume, found by iteration from below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ddsrta.bounds.unbounded import NOT_SETTLED
from ddsrta.papers.ros2 import bw
from ddsrta.papers.ros2.arrivals import ArrivalCurve, Delayed
from ddsrta.papers.ros2.executor import Executor, Responses
from ddsrta.papers.ros2.search import Bound, Horizon, Unbounded

Analysis = Callable[[Executor, Sequence[str], Responses, Horizon], Bound]
Follows = Mapping[str, str]  # a callback and the one of the same executor that activates it


def settle(
    executor: Executor,
    analysis: Analysis,
    horizon: Horizon,
    follows: Follows | None = None,
    sweeps: int = 1000,
) -> Responses | Unbounded:
    """The least response times that reproduce themselves; `analysis` is `rr` or `bw`'s response.

    Both analyses grow with what is assumed, so iteration from 0 ends at the least fixed point or
    beyond the horizon. Of callbacks that follow others the curves given are replaced: see `late`.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Callback, Constant, Dedicated, Polled, Stream, bw
    >>> a = Callback("a", Polled(), Stream(Periodic(100)), Constant(10))
    >>> b = Callback("b", Polled(), Stream(Periodic(200)), Constant(30))
    >>> settle(Executor((a, b), Dedicated()), bw.response, Horizon(10_000))
    {'a': 40, 'b': 40}
    """
    if follows and analysis is bw.response:
        raise ValueError("late curves are not those that the busy-window-aware analysis takes")
    assumed = {callback.name: 0 for callback in executor.callbacks}
    for _ in range(sweeps):
        before = dict(assumed)
        known = late(executor, follows or {}, assumed)
        for name, so_far in before.items():
            found = analysis(known, [name], assumed, horizon)
            if isinstance(found, Unbounded):
                return Unbounded(f"of callback {name!r} {found.reason}")
            assumed[name] = max(so_far, found)
        if assumed == before:
            return assumed
    return Unbounded(NOT_SETTLED.of(sweeps=sweeps))


def late(executor: Executor, follows: Follows, assumed: Responses) -> Executor:
    """The executor with the curves of regular propagation: η(Δ + R) of the one that activates.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Callback, Constant, Dedicated, Polled, Stream
    >>> a = Callback("a", Polled(), Stream(Periodic(100)), Constant(10))
    >>> b = Callback("b", Polled(), Stream(Periodic(1)), Constant(30))
    >>> late(Executor((a, b), Dedicated()), {"b": "a"}, {"a": 40}).callback("b").arrival.events(61)
    2
    """

    def curve(name: str) -> ArrivalCurve:
        path = [name]
        while path[-1] in follows:
            path.append(follows[path[-1]])
            if path[-1] in path[:-1]:
                raise ValueError(f"callback {name!r} follows itself")
        source: ArrivalCurve = executor.callback(path[-1]).arrival
        for predecessor in reversed(path[1:]):
            source = Delayed(source, assumed[predecessor])
        return source

    return replace(
        executor,
        callbacks=tuple(replace(c, arrival=curve(c.name)) for c in executor.callbacks),
    )
