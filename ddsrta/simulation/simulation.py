"""What a simulation says: what was observed, beside what was bounded.

The attributes are the keys of the JSON document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ddsrta.base.shown import Shown
from ddsrta.base.units import Duration
from ddsrta.bounds.result import Result
from ddsrta.models.system import Constraint, Mode
from ddsrta.simulation.plan import MOST_EVENTS


@dataclass(frozen=True, slots=True)
class Observation:
    """All values of one thing that is measured. Times are in ns; what is pending is a number.

    `max` is None where nothing was seen; `seed` showed it first. Percentiles are upper edges of
    buckets, at most one part in 16 too large. `histogram`: the least value of a bucket, and how
    many values are in it. `bound` is None where there is none.
    """

    max: int | None
    seed: int | None
    count: int
    p50: int | None
    p99: int | None
    p999: int | None
    bound: int | None
    histogram: tuple[tuple[int, int], ...] = ()

    @property
    def violated(self) -> bool:
        """Whether something was observed that the bound excludes."""
        return self.max is not None and self.bound is not None and self.max > self.bound


@dataclass(frozen=True, slots=True)
class ThreadSeen:
    """Response times of a thread's or a callback's jobs."""

    response: Observation


@dataclass(frozen=True, slots=True)
class MessageSeen:
    """Delivery latencies of one topic from one publisher to one subscriber, and their parts."""

    publisher: str
    topic: str
    subscriber: str
    mode: Mode
    ddl: Observation
    flow_controller: Observation | None
    listener: Observation


@dataclass(frozen=True, slots=True)
class ChainSeen:
    """The figures of one path; None where the path has no such figure."""

    path: tuple[str, ...]
    latency: Observation | None
    trigger_latency: Observation | None
    data_age: Observation | None
    reaction_time: Observation | None
    constraint: Constraint
    deadline: Duration | None


@dataclass(frozen=True, slots=True)
class QueueSeen:
    """How much was pending, whenever that changed; the same for each stream inside."""

    backlog: Observation
    capacity: int | None
    streams: Mapping[str, Observation]


@dataclass(frozen=True, slots=True)
class SetsSeen:
    """The sets of a synchronizer: how far the stamps of one are apart, how long the messages of
    each topic wait for it, and the time from one set to the next."""

    disparity: Observation
    waits: Mapping[str, Observation]
    gap: Observation


class Violation(NamedTuple):
    """An observation above its bound, and the seed of a run that shows it."""

    what: str
    observed: int
    bound: int
    seed: int


@dataclass(frozen=True)
class Simulation(Shown):
    """Everything that was observed in the runs of some seeds.

    `delivered` messages, `events` and `simulated` time are those of all seeds together; `finished`
    seeds came to the horizon, `limited` ones stopped before it at `most_events`.
    """

    system: str
    profile: str
    choices: str
    seed: int
    seeds: int
    finished: int
    horizon: Duration
    simulated: Duration
    events: int
    delivered: int
    threads: Mapping[str, ThreadSeen]
    callbacks: Mapping[str, ThreadSeen]
    messages: tuple[MessageSeen, ...]
    chains: Mapping[str, ChainSeen]
    queues: Mapping[str, QueueSeen]
    violations: tuple[Violation, ...]
    analysis: Result
    synchronizers: Mapping[str, SetsSeen] = field(default_factory=dict)
    limited: int = 0
    most_events: int = MOST_EVENTS

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped it before its end."""
        return self.finished + self.limited < self.seeds


FIGURES = ("latency", "trigger_latency", "data_age", "reaction_time")


def named_observations(
    threads: Mapping[str, ThreadSeen],
    callbacks: Mapping[str, ThreadSeen],
    messages: tuple[MessageSeen, ...],
    chains: Mapping[str, ChainSeen],
    queues: Mapping[str, QueueSeen],
    synchronizers: Mapping[str, SetsSeen] | None = None,
) -> Iterator[tuple[str, Observation]]:
    """All observations, and what they are of, as a person would say it."""
    for name, chain in chains.items():
        for figure in FIGURES:
            seen: Observation | None = getattr(chain, figure)
            if seen is not None:
                yield f"{figure.replace('_', ' ')} of chain {name}", seen
    for m in messages:
        stream = f"{m.publisher} → {m.topic} → {m.subscriber}"
        yield f"delivery latency of {stream}", m.ddl
        if m.flow_controller is not None:
            yield f"flow controller's time for {m.publisher} → {m.topic}", m.flow_controller
        yield f"listener's time for {stream}", m.listener
    for name, thread in threads.items():
        yield f"response time of thread {name}", thread.response
    for name, callback in callbacks.items():
        yield f"response time of callback {name}", callback.response
    for name, queue in queues.items():
        yield f"backlog of {name}", queue.backlog
        for stream, part in queue.streams.items():
            yield f"backlog of {stream} in {name}", part
    for name, sets in (synchronizers or {}).items():
        yield f"disparity of the sets of {name}", sets.disparity
        yield f"time from one set of {name} to the next", sets.gap
        for topic, wait in sets.waits.items():
            yield f"wait of {topic} at {name}", wait
