"""Observations beside the bounds of an analysis."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.base.units import Duration, duration
from ddsrta.bounds.result import (
    CallbackResult,
    ChainResult,
    MessageResult,
    Result,
    ThreadResult,
)
from ddsrta.simulation.labels import ARROW, Label
from ddsrta.simulation.ledger import Ledger
from ddsrta.simulation.observations import percentile
from ddsrta.simulation.simulation import (
    ChainSeen,
    MessageSeen,
    Observation,
    QueueSeen,
    SetsSeen,
    Simulation,
    ThreadSeen,
    Violation,
    named_observations,
)

COUNTED = ("queue", "stream", "jobs")  # numbers, not times


def compare(ledger: Ledger, result: Result) -> Simulation:
    """What the runs have shown so far, beside the bounds of their system."""
    return _Comparison(ledger, result).simulation()


class _Comparison:
    def __init__(self, ledger: Ledger, result: Result) -> None:
        self.ledger = ledger
        self.result = result
        self.seen = ledger.total()
        self.number: dict[Label, int] = {}
        for i, label in enumerate(ledger.plan.labels):
            self.number.setdefault(label, i)

    def simulation(self) -> Simulation:
        """All of it."""
        plan, result = self.ledger.plan, self.result
        threads, callbacks = self.jobs(result.threads), self.jobs(result.callbacks)
        messages = tuple(self.message(message) for message in result.messages)
        chains = {name: self.chain(name, chain) for name, chain in result.chains.items()}
        queues = self.queues()
        sets = self.synchronizers()
        violations = [
            Violation(what, seen.max, seen.bound, seen.seed)
            for what, seen in named_observations(threads, callbacks, messages, chains, queues, sets)
            if seen.max is not None and seen.bound is not None and seen.seed is not None
            if seen.violated
        ]
        return Simulation(
            result.system,
            result.profile,
            plan.choices,
            plan.first,
            plan.count,
            len(self.ledger.done),
            Duration(plan.horizon),
            Duration(self.seen.simulated),
            self.seen.events,
            self.seen.messages,
            threads,
            callbacks,
            messages,
            chains,
            queues,
            tuple(violations),
            result,
            sets,
            limited=len(self.ledger.limited),
            most_events=plan.events,
        )

    def jobs(
        self, bounds: Mapping[str, ThreadResult] | Mapping[str, CallbackResult]
    ) -> dict[str, ThreadSeen]:
        """The response times of threads or of callbacks."""
        return {
            name: ThreadSeen(self.one("thread", name, bound.wcrt)) for name, bound in bounds.items()
        }

    def one(self, kind: str, name: str, bound: int | None) -> Observation:
        """An observation of something that is measured."""
        i = self.number[kind, name]
        histogram, largest = self.seen.histograms[i], self.seen.worst[i]
        count = sum(histogram.values())
        if largest < 0:
            return Observation(None, None, 0, None, None, None, bound)
        shares = (percentile(histogram, largest, share) for share in (500, 990, 999))
        figures = (largest, *shares)
        worst, p50, p99, p999 = figures if kind in COUNTED else map(Duration, figures)
        buckets = tuple(sorted(histogram.items()))
        return Observation(worst, self.seen.seeds[i], count, p50, p99, p999, bound, buckets)

    def message(self, m: MessageResult) -> MessageSeen:
        """A message."""
        stream = ARROW.join((m.publisher, m.topic, m.subscriber))
        controller = None
        if m.mode == "async":
            sample = ARROW.join((m.publisher, m.topic))
            controller = self.one("flow_controller", sample, m.flow_controller)
        return MessageSeen(
            m.publisher,
            m.topic,
            m.subscriber,
            m.mode,
            self.one("ddl", stream, m.ddl),
            controller,
            self.one("listener", stream, m.listener),
        )

    def chain(self, name: str, chain: ChainResult) -> ChainSeen:
        """A chain, by the name under which its path is measured."""
        return ChainSeen(
            chain.path,
            self.figure("latency", name, chain.path, chain.latency),
            self.figure("trigger_latency", name, chain.path, chain.trigger_latency),
            self.figure("data_age", name, chain.path, chain.data_age),
            self.figure("reaction_time", name, chain.path, chain.reaction_time),
            chain.constraint,
            chain.deadline,
        )

    def figure(
        self, kind: str, name: str, path: tuple[str, ...], bound: int | None
    ) -> Observation | None:
        """A figure of a path, which may be measured under the name of another chain."""
        if (kind, name) not in self.number:
            same = [n for n, other in self.result.chains.items() if other.path == path]
            name = next((n for n in same if (kind, n) in self.number), name)
        if (kind, name) not in self.number:
            return None
        return self.one(kind, name, duration(bound))

    def queues(self) -> dict[str, QueueSeen]:
        """All queues that have a bound."""
        return {
            name: QueueSeen(
                self.one("queue", name, queue.backlog),
                queue.capacity,
                {s: self.one("stream", s, bound) for s, bound in queue.streams.items()},
            )
            for name, queue in self.result.queues.items()
            if ("queue", name) in self.number
        }

    def synchronizers(self) -> dict[str, SetsSeen]:
        """The sets of all synchronizers."""
        return {
            name: SetsSeen(
                self.one("disparity", name, sets.disparity),
                {
                    topic: self.one("wait", ARROW.join((name, topic)), wait)
                    for topic, wait in sets.waits.items()
                },
                self.one("gap", name, sets.gap),
            )
            for name, sets in self.result.synchronizers.items()
        }
