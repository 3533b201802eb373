"""The orders in which a run delivers the messages of one job, for the orders of the analysis."""

from __future__ import annotations

from collections import Counter

from ddsrta.simulation import program_of, random_choices
from ddsrta.simulation.deliveries import flow, positions


def flow_of(system, seed, horizon):
    """One run of a system, as a seed decides."""
    program = program_of(system)
    return flow(program, random_choices(program, seed, horizon), horizon)


def positions_of(log, found):
    """For each job of the origin, where in the log its messages on each topic are delivered."""
    return positions(log, found.subscriber, found.origin, found.topics)


def first_orders(log, found):
    """How often each order of the first messages of one job on each topic was seen."""
    orders = Counter()
    for places in positions_of(log, found).values():
        if len(places) == len(found.topics):
            orders[tuple(sorted(places, key=lambda topic: places[topic][0]))] += 1
    return orders


def sequences(log, found):
    """How often each sequence of the first messages of two successive jobs was seen."""
    places = positions_of(log, found)
    seen = Counter()
    for index in places:
        pair = {
            (topic, event): places[index + event][topic][0]
            for event in (0, 1)
            if index + event in places
            for topic in places[index + event]
        }
        if len(pair) == 2 * len(found.topics):
            seen[tuple(sorted(pair, key=pair.get))] += 1
    return seen


def seen_overtakings(log, found):
    """Every (first, second, later) such that a message on `first` came before one on `second`."""
    places = positions_of(log, found)
    shown = set()
    for index, by_topic in places.items():
        for later in (0, 1):
            for first, fast in places.get(index + later, {}).items():
                for second, slow in by_topic.items():
                    if (first != second or later) and min(fast) < max(slow):
                        shown.add((first, second, later))
    return shown
