"""Synchronizers by themselves, without the rest of a system: what sets they make of stamps.

The state machines, and how message_filters chooses among the sets that `latest` can make. They know
nothing of the analysis.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ddsrta.models.synchronization import Synchronizer
from ddsrta.simulation.build_synchronizers import ACTIVATION
from tests.simulation import state_machines

Set = tuple[int, ...]  # the stamps of the members, by topic


class Machine(Protocol):
    """Takes messages in the order in which they arrive."""

    def add(self, topic: int, stamp: int, now: int) -> list[Set]:
        """A message arrives; the sets that it makes."""


def machine(synchronizer: Synchronizer, topics: int) -> Machine:
    """The state machine of a policy.

    >>> mtd = machine(Synchronizer("mtd"), 2)
    >>> mtd.add(0, 10, 11), mtd.add(0, 20, 21), mtd.add(1, 13, 22)
    ([], [], [(10, 13)])
    """
    return _Stamps(synchronizer, topics)


class _Stamp(NamedTuple):
    """All that a message has here."""

    stamp: int


class _Stamps:
    """The state machine of a policy, for stamps alone."""

    def __init__(self, synchronizer: Synchronizer, topics: int) -> None:
        activation, room = ACTIVATION[synchronizer.policy], synchronizer.queue or 0
        self.machine: state_machines.Machine[_Stamp] = state_machines.machine_of(
            activation, topics, room
        )

    def add(self, topic: int, stamp: int, now: int) -> list[Set]:
        """A message arrives."""
        found = self.machine.add(topic, _Stamp(stamp))
        return [tuple(message.stamp for message in members) for members in found]


@dataclass
class _Rate:
    """A smoothed rate and its mean error, which begin anew where the rate jumps."""

    seen: int
    rate: float = 0.0
    error: float = 0.0
    has_rate: bool = False
    has_error: bool = False

    def update(self, now: int) -> bool:
        """A message arrives; whether time has passed since the last one."""
        period = (now - self.seen) / 1e9
        if period <= 0:
            return False
        if self.has_rate and self.has_error and abs(self.rate - 1 / period) > 10 * self.error:
            self.has_rate = self.has_error = False
        if not self.has_rate:
            self.rate, self.has_rate = 1 / period, True
        else:
            off = abs(self.rate - 1 / period)
            self.error = 0.3 * off + 0.7 * self.error if self.has_error else off
            self.has_error = True
            self.rate = 0.9 / period + (1 - 0.9) * self.rate
        self.seen = now
        return True


@dataclass
class LatestTime:
    """The newest messages, when one of the fastest topic arrives that is not late: message_filters'
    choice among the sets of `latest`, with its default smoothing.

    It keeps a rate for each topic that has come, in the order of their first messages, and looks
    there for that of the first topic, of the second, …: what one began with may be another's.
    """

    topics: int
    newest: dict[int, int] = field(default_factory=dict)
    rates: list[_Rate] = field(default_factory=list)

    def add(self, topic: int, stamp: int, now: int) -> list[Set]:
        """A message arrives."""
        known = topic in self.newest
        self.newest[topic] = stamp
        if not known:
            self.rates.append(_Rate(now))
            return []
        if topic >= len(self.rates):  # message_filters reads beyond them
            return []
        fires = self.rates[topic].update(now) and self.pivot(now) == topic
        if not fires or len(self.newest) < self.topics:
            return []
        return [tuple(self.newest[i] for i in range(self.topics))]

    def pivot(self, now: int) -> int | None:
        """The fastest topic that is not late."""
        for topic, rate in sorted(enumerate(self.rates), key=lambda each: -each[1].rate):
            period = (now - rate.seen) / 1e9
            late = period > 0 and rate.has_error and rate.rate - 1 / period > 10 * rate.error
            if rate.rate > 0 and not late:
                return topic
        return None
