"""Random sources of messages, and what a synchronizer makes of them beside what is promised."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ddsrta.bounds.synchronizers.bounds import Bounds, Input
from ddsrta.bounds.synchronizers.paces import events
from ddsrta.models.arrivals import Periodic
from tests.simulation.synchronizers import Machine


@dataclass(frozen=True)
class Source:
    """A periodic source and the way of its messages."""

    arrival: Periodic
    earliest: int
    latest: int

    def known(self, topic: str) -> Input:
        """What an analysis knows of it."""
        arrival = self.arrival
        gap = arrival.largest_gap
        return Input(
            topic,
            gap,
            gap,
            arrival.least_distance(2),
            self.earliest,
            self.latest,
            lambda window: events(arrival, window),
        )


@dataclass(frozen=True)
class Message:
    """One of a run."""

    arrives: int
    topic: int
    stamp: int


def draw_source(draw: random.Random) -> Source:
    """Short periods, so that much happens; often extreme."""
    period = draw.choice((draw.randint(2, 12), draw.randint(2, 60)))
    jitter = draw.choice((0, 0, draw.randint(0, period), draw.randint(0, 2 * period)))
    earliest = draw.choice((0, draw.randint(0, 20)))
    latest = earliest + draw.choice((0, draw.randint(0, 5), draw.randint(0, 80)))
    return Source(Periodic(period, jitter), earliest, latest)


def one_of(draw: random.Random, least: int, most: int) -> int:
    """Often one of the extremes."""
    return draw.choice((least, most, draw.randint(least, most)))


def stamps_of(draw: random.Random, source: Source, end: int) -> list[int]:
    """Releases of a source that fires within its first period."""
    period, jitter = source.arrival.period, source.arrival.jitter
    phase = one_of(draw, 0, period)
    return sorted(
        phase + k * period + one_of(draw, 0, jitter) for k in range((end - phase) // period)
    )


class Way(Protocol):
    """How long messages take."""

    @property
    def earliest(self) -> int: ...
    @property
    def latest(self) -> int: ...


def ways_of(draw: random.Random, topic: int, source: Way, stamps: Sequence[int]) -> list[Message]:
    """The arrivals of these stamps, in their order."""
    found: list[Message] = []
    for stamp in stamps:
        arrives = stamp + one_of(draw, source.earliest, source.latest)
        if found:
            arrives = max(arrives, found[-1].arrives)
        found.append(Message(arrives, topic, stamp))
    return found


def merged(draw: random.Random, ways: Sequence[list[Message]]) -> list[Message]:
    """All arrivals; those of one moment in any order that keeps each topic's."""
    order = list(range(len(ways)))
    draw.shuffle(order)
    return sorted((m for way in ways for m in way), key=lambda m: (m.arrives, order[m.topic]))


def sets_of(machine: Machine, messages: Sequence[Message]) -> list[tuple[int, tuple[int, ...]]]:
    """The sets that are made, and when."""
    return [
        (message.arrives, found)
        for message in messages
        for found in machine.add(message.topic, message.stamp, message.arrives)
    ]


def violations(
    found: Sequence[tuple[int, tuple[int, ...]]],
    messages: Sequence[Message],
    inputs: Sequence[Input],
    bounds: Bounds,
    end: int,
) -> list[str]:
    """Everything that is beyond a bound."""
    wrong = []
    # of several with one stamp the last; a set may have another one, which is not looked at
    came = {(message.topic, message.stamp): message.arrives for message in messages}
    for now, members in found:
        for i, wait in enumerate(bounds.waits):
            if wait is not None and now - came[i, members[i]] > wait:
                wrong.append(f"wait of {i}: {members} at {now}")
        if bounds.disparity is not None and max(members) - min(members) > bounds.disparity:
            wrong.append(f"disparity {members} at {now}")
        for i, age in enumerate(bounds.ages):
            if age is not None and now - members[i] > age:
                wrong.append(f"age of {i}: {members} at {now}")
    times = [now for now, _ in found]
    if bounds.gap is not None:
        wrong += [
            f"gap {one} … {two}"
            for one, two in zip(times, [*times[1:], end], strict=True)
            if two - one > bounds.gap
        ]
    if bounds.counted is not None:
        for i, each in enumerate(inputs):
            for n in range(2, 12):
                for one, two in zip(times, times[n - 1 :], strict=False):
                    if each.count(two - one + 1 + bounds.counted - each.earliest) < n:
                        wrong.append(f"{n} sets in {two - one + 1} by {i}")
    for message in messages:
        renewal = bounds.renewals[message.topic]
        if renewal is not None and message.stamp + renewal < end:
            wrong += renewed(found, message, renewal)
    return wrong


def renewed(
    found: Sequence[tuple[int, tuple[int, ...]]], message: Message, renewal: int
) -> list[str]:
    """Whether some set has the message, or a newer one of its topic, in time."""
    for now, members in found:
        if members[message.topic] >= message.stamp:
            return [] if now <= message.stamp + renewal else [f"{message} renewed at {now}"]
    return [f"{message} never"]
