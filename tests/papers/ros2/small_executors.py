"""Executors of a few callbacks, written briefly."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.models.arrivals import Periodic
from ddsrta.papers.ros2 import (
    ArrivalCurve,
    Callback,
    Constant,
    Cost,
    Dedicated,
    Executor,
    Horizon,
    Kind,
    Polled,
    Stream,
    Supply,
)

FAR = Horizon(100_000)


def polled_executor(table: Sequence[tuple[int, int | ArrivalCurve]]) -> Executor:
    """Polled callbacks c0, c1, … of unknown order from (cost, period or curve)."""
    return Executor(
        tuple(
            Callback(
                f"c{index}",
                Polled(),
                Stream(Periodic(arrival)) if isinstance(arrival, int) else arrival,
                Constant(cost),
            )
            for index, (cost, arrival) in enumerate(table)
        ),
        Dedicated(),
    )


def single(kind: Kind, arrival: ArrivalCurve, cost: Cost, supply: Supply) -> Executor:
    """One callback, `own`."""
    return Executor((Callback("own", kind, arrival, cost),), supply)
