"""Threads that are a little simpler than another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.system import Cost
from tests.soundness.simpler_numbers import simpler_numbers


def _simpler_costs(cost: Cost) -> Iterator[Cost]:
    if cost.best not in (1, cost.worst):
        yield Cost(cost.worst)
        yield Cost(cost.worst, cost.worst)
    for worst in simpler_numbers(cost.worst):
        yield Cost(worst, worst if cost.best == cost.worst else min(cost.best, worst))


def simpler_threads(thread):
    """A thread with less to do, fewer inputs, plainer times."""
    for i, publication in enumerate(thread.publishes):
        before, after = thread.publishes[:i], thread.publishes[i + 1 :]
        yield replace(thread, publishes=before + after)
        for change in _simpler_publication(publication):
            yield replace(thread, publishes=(*before, replace(publication, **change), *after))
    yield from _fewer_inputs(thread)
    for arrival in simpler_arrivals(thread.arrival):
        yield replace(thread, arrival=arrival)
    if thread.bcet is not None:
        yield replace(thread, bcet=None)
        yield replace(thread, bcet=thread.wcet)
    for wcet in simpler_numbers(thread.wcet):
        bcet = None if thread.bcet is None else min(thread.bcet, wcet)
        publishes = tuple(replace(p, earliest=min(p.earliest, wcet)) for p in thread.publishes)
        yield replace(thread, wcet=wcet, bcet=bcet, publishes=publishes)


def _simpler_publication(publication):
    yield from ({"count": count} for count in range(1, publication.count))
    if publication.earliest != 1:
        yield {"earliest": 1}
    if publication.cost:
        yield from ({"cost": cost} for cost in _simpler_costs(publication.cost))
    else:
        yield from ({"cost": Cost(worst)} for worst in (1, 2, 5))


def _fewer_inputs(thread):
    if subscribes := thread.subscribes:
        yield replace(thread, subscribes=None)
        for topic in subscribes.topics:
            if rest := tuple(other for other in subscribes.topics if other != topic):
                yield replace(thread, subscribes=replace(subscribes, topics=rest))
        for cost in _simpler_costs(subscribes.cost) if subscribes.cost else (Cost(1), Cost(2)):
            yield replace(thread, subscribes=replace(subscribes, cost=cost))
    if follows := thread.follows:
        yield replace(thread, follows=None)
        for name in follows.threads:
            if rest := tuple(other for other in follows.threads if other != name):
                yield replace(thread, follows=replace(follows, threads=rest))
        yield replace(thread, follows=replace(follows, delay=0, best=0))
        yield replace(thread, follows=replace(follows, best=min(follows.best, follows.delay)))
        for delay in simpler_numbers(follows.delay, 0):
            yield replace(
                thread, follows=replace(follows, delay=delay, best=min(delay, follows.best))
            )
    if thread.activation == "and":
        yield replace(thread, activation="or", synchronizer=None)
    if thread.synchronizer:
        yield replace(thread, synchronizer=None)
        if thread.synchronizer.queue:
            yield replace(thread, synchronizer=replace(thread.synchronizer, queue=None))


def simpler_arrivals(arrival):
    """Periodic where possible, then without jitter, then with rounder times."""
    if arrival is None:
        return
    if isinstance(arrival, Burst):
        for count in range(1, arrival.count):
            with suppress(ValueError):  # its gap may be too short for that
                yield replace(arrival, count=count)
    if isinstance(arrival, Burst | Curve | Sporadic):
        for period in dict.fromkeys(
            (arrival.least_distance(2), getattr(arrival, "period", 0), 10_000)
        ):
            if period:
                yield Periodic(period)
    if getattr(arrival, "gap", None) is not None:
        yield replace(arrival, gap=None)
    if getattr(arrival, "offset", None) is not None:
        yield replace(arrival, offset=None)
    for field in ("jitter", "min_distance", "offset", "period", "distance"):
        least = 0 if field in ("jitter", "min_distance", "offset") else 1
        for number in simpler_numbers(getattr(arrival, field, None), least):
            with suppress(ValueError):  # not an arrival model: a distance above the period
                yield replace(arrival, **{field: number})
