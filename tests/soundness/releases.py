"""Sequences of release times that an arrival model allows."""

from __future__ import annotations

from ddsrta.models.arrivals import Periodic, Sporadic


def dense(arrival, start, horizon):
    """The first release at `start`, all later ones as early as the model allows."""
    if isinstance(arrival, Periodic | Sporadic):
        late_first = [arrival.jitter]
        return _anchored(arrival, start - arrival.jitter, late_first, horizon)
    return _greedy(arrival, start, horizon)


def aligned(arrival, burst, horizon, uniform):
    """As late as possible up to a release at `burst`, then dense; what is before only prepares."""
    if isinstance(arrival, Periodic | Sporadic):
        before = max(0, burst - arrival.jitter) // _period(arrival)
        first = burst - arrival.jitter - before * _period(arrival)
        return _anchored(arrival, first, [arrival.jitter] * (before + 1), horizon)
    before = [time for time in wild(arrival, 0, horizon, uniform) if time < burst]
    while any(
        burst - t < arrival.least_distance(len(before) - i + 1) for i, t in enumerate(before)
    ):
        before.pop()
    return _greedy(arrival, burst, horizon, before=before)


def wild(arrival, start, horizon, uniform):
    """Any sequence of the model: random jitters, and pauses where nothing forbids them."""
    most_pause = 0
    if arrival.largest_gap is None and uniform(2):
        most_pause = arrival.least_distance(5) // 2 + 1

    def pause():
        return uniform(most_pause) if most_pause and uniform(3) == 0 else 0

    if isinstance(arrival, Periodic | Sporadic):
        extreme = uniform(2)
        jitters = [
            arrival.jitter * uniform(2) if extreme else uniform(arrival.jitter + 1)
            for _ in range(horizon // _period(arrival) + 1)
        ]
        return _anchored(arrival, start, jitters, horizon, pause)
    return _greedy(arrival, start, horizon, pause)


def _period(arrival):
    return arrival.period if isinstance(arrival, Periodic) else arrival.distance


def _anchored(arrival, nominal, jitters, horizon, pause=lambda: 0):
    """Nominal times a period and a pause apart, each up to a jitter late, in order."""
    least = arrival.min_distance if isinstance(arrival, Periodic) else 0
    times = []
    while nominal < horizon:
        jitter = jitters[len(times)] if len(times) < len(jitters) else 0
        times.append(max(nominal + jitter, times[-1] + least if times else nominal))
        nominal += _period(arrival) + pause()
    return [time for time in times if 0 <= time < horizon]


def _greedy(arrival, start, horizon, pause=lambda: 0, before=()):
    """Each release as early as its distances to all earlier ones allow, plus a pause."""
    times = [*before, start]
    distances = [0, 0]
    while times[-1] < horizon:
        count = len(times)
        while len(distances) <= count + 1:
            distances.append(arrival.least_distance(len(distances)))
        earliest = max(times[i] + distances[count - i + 1] for i in range(count))
        times.append(earliest + pause())
    return [time for time in times if 0 <= time < horizon]
