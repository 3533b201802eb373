"""The figures of a system's result that a study can ask for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import ceil

from ddsrta.bounds.deadlines import is_unbounded
from ddsrta.bounds.figures import ARROW
from ddsrta.bounds.present import FIGURES
from ddsrta.bounds.result import Result
from ddsrta.exploration.evaluation import Measure
from ddsrta.exploration.study.shapes import WHOLE

OF_LOADS = ("utilization", "imbalance", "cores")


def loads_of(utilization: Mapping[str, float]) -> dict[str, int]:
    """Loads in millionths, rounded up; they are no bounds, and sums of fractions.

    >>> loads_of({"c": 0.25, "d": 0.2000000004})
    {'c': 250000, 'd': 200001}
    """
    return {core: ceil(load * WHOLE - 1e-4) for core, load in utilization.items()}


def due(figure: str, name: str, result: Result) -> tuple[str, int]:
    """Of the slack of a chain: the figure that is constrained, and the deadline."""
    if figure != "slack":
        return "", 0
    chain = result.chains[name]
    return chain.constraint, chain.deadline or 0


def names(figure: str, base: Result) -> Collection[str]:
    """What has a figure."""
    if figure == "slack":
        return [name for name, chain in base.chains.items() if chain.deadline is not None]
    if figure in FIGURES:
        return [
            name
            for name, chain in base.chains.items()
            if getattr(chain, figure) is not None or is_unbounded(chain, figure)
        ]
    if figure == "ddl":
        return [ARROW.join((m.publisher, m.topic, m.subscriber)) for m in base.messages]
    if figure == "wcrt":
        return [*base.threads, *base.callbacks]
    if figure == "backlog":
        return base.queues
    return base.cores if figure in OF_LOADS else ()


def measured(result: Result, measure: Measure) -> int | None:
    """A measure as a result has it; what is not there is a LookupError."""
    kind, name = measure.kind, measure.name
    if kind in FIGURES:
        figure: int | None = getattr(result.chains[name], kind)
        return figure
    if kind == "wcrt":
        return (result.threads.get(name) or result.callbacks[name]).wcrt
    if kind == "backlog":  # in a queue that nothing uses any more nothing waits
        return result.queues[name].backlog if name in result.queues else 0
    if kind == "verdict":
        return int(result.verdict == name)
    return {ARROW.join((m.publisher, m.topic, m.subscriber)): m.ddl for m in result.messages}[name]
