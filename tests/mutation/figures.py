"""All that a result claims, as numbers of which less is better."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ddsrta.bounds.result import Result

Figures = dict[tuple[object, ...], int]
ENDLESS = 2**62
_FIGURES = ("latency", "trigger_latency", "data_age", "reaction_time")


def figures(result: Result, certificate: dict[str, Any]) -> Figures:
    """Each claim by its name; without a bound it is endless."""
    found = {}
    for key, value in (*_results(result), *_stages(certificate)):
        found[key] = ENDLESS if value is None else int(value)
    return found


def _results(result: Result) -> Iterator[tuple[tuple[object, ...], int | None]]:
    yield ("verdict",), 0 if result.verdict == "met" else 1
    yield ("assumptions",), len(result.assumptions)
    for name, job in (*result.threads.items(), *result.callbacks.items()):
        yield ("thread", name), job.wcrt
    for message in result.messages:
        stream = (message.publisher, message.topic, message.subscriber)
        for part in ("ddl", "sent", "publisher_wcrt", "flow_controller", "network", "listener"):
            yield ("message", part, *stream), getattr(message, part)
    for name, chain in result.chains.items():
        for figure in _FIGURES:
            yield ("chain", figure, name), getattr(chain, figure)
        if chain.deadline is not None:
            yield ("met", name), 0 if chain.met else 1
            yield ("slack", name), None if chain.slack is None else -chain.slack
        for at, hop in enumerate(chain.hops):
            yield ("hop", name, at), hop.latency
    for name, queue in result.queues.items():
        yield ("queue", name), queue.backlog
        for stream_name, backlog in queue.streams.items():
            yield ("queue", name, stream_name), backlog
    for name, order in result.orders.items():
        yield ("order", name), 0 if order.met else 1
        for origin, possible in order.possible.items():
            yield ("orders", name, origin), len(possible)
    for name, sets in result.synchronizers.items():
        for part in ("disparity", "gap", "needed"):
            yield ("synchronizer", part, name), getattr(sets, part)
        if sets.period is not None:
            yield ("synchronizer", "period", name), -sets.period
        for topic, wait in sets.waits.items():
            yield ("synchronizer", "wait", name, topic), wait


def _stages(certificate: dict[str, Any]) -> Iterator[tuple[tuple[object, ...], int | None]]:
    for stage in certificate["stages"]:
        for figure in ("response", "latency"):
            yield ("stage", figure, *stage["stage"]), stage[figure]


def lowered(before: Figures, after: Figures) -> list[tuple[object, ...]]:
    """What is claimed to be less than before; what is claimed no longer is not."""
    return [key for key, value in after.items() if value < before.get(key, -ENDLESS)]
