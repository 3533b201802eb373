"""A single-threaded executor as the published analyses see it: callbacks and a supply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ddsrta.papers.ros2.arrivals import ArrivalCurve
from ddsrta.papers.ros2.costs import Cost
from ddsrta.papers.ros2.demand import Demand
from ddsrta.papers.ros2.supplies import Supply


@dataclass(frozen=True, slots=True)
class Timer:
    """A timer; a smaller number is looked at first, None is not known."""

    priority: int | None = None


@dataclass(frozen=True, slots=True)
class EventSource:
    """Whatever else runs in the executor's supply and does not wait for polling points."""


@dataclass(frozen=True, slots=True)
class Polled:
    """A subscription, service, client or waitable; a smaller number goes first, None is unknown."""

    priority: int | None = None


Kind = Timer | EventSource | Polled


def may_precede(one: Timer | Polled, other: Timer | Polled) -> bool:
    """Whether `one` may be taken before `other` of its kind: unless it is known to come later.

    >>> may_precede(Polled(1), Polled(2)), may_precede(Polled(2), Polled(1))
    (True, False)
    >>> may_precede(Polled(), Polled(1))
    True
    """
    if one.priority is None or other.priority is None:
        return True
    return one.priority < other.priority


@dataclass(frozen=True, slots=True)
class Callback:
    """One callback. What its arrival curve must hold depends on the analysis: see there."""

    name: str
    kind: Kind
    arrival: ArrivalCurve
    cost: Cost

    @property
    def demand(self) -> Demand:
        """Its request-bound function."""
        return Demand(self.arrival, self.cost)


@dataclass(frozen=True, slots=True)
class Executor:
    """All callbacks that one thread serves, and what that thread is given.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Constant, Dedicated, Stream
    >>> scan = Callback("scan", Polled(), Stream(Periodic(100)), Constant(10))
    >>> Executor((scan,), Dedicated()).callback("scan").cost.of(2)
    20
    """

    callbacks: tuple[Callback, ...]
    supply: Supply

    def __post_init__(self) -> None:
        names = [callback.name for callback in self.callbacks]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"callbacks of one executor need names of their own: {twice[0]!r}")

    def callback(self, name: str) -> Callback:
        """The callback of that name."""
        for callback in self.callbacks:
            if callback.name == name:
                return callback
        raise ValueError(f"the executor has no callback {name!r}")

    def subchain(self, names: Sequence[str]) -> tuple[Callback, ...]:
        """Callbacks that activate each other in this order, each at most once."""
        if not names:
            raise ValueError("a chain has at least one callback")
        if len(set(names)) < len(names):
            raise ValueError("a callback occurs at most once in a chain")
        return tuple(self.callback(name) for name in names)

    def others(self, names: Sequence[str]) -> tuple[Callback, ...]:
        """All callbacks but these."""
        return tuple(callback for callback in self.callbacks if callback.name not in names)


Responses = Mapping[str, int]  # assumed response-time bounds of all callbacks, by name
