"""Fits the costs of a drawn system to a load: rates first, then what each unit may take."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from fractions import Fraction
from math import ceil

from ddsrta.models.arrivals import Burst, Curve, Periodic
from ddsrta.models.graph import inputs
from ddsrta.models.system import Cost


def mean_rate(arrival):
    """Releases per nanosecond in the long run, at most."""
    if isinstance(arrival, Periodic):
        return Fraction(1, arrival.period)
    if isinstance(arrival, Burst):
        return Fraction(arrival.count, arrival.period)
    if isinstance(arrival, Curve):
        return Fraction(arrival.repeat, arrival.period)
    return Fraction(1, arrival.distance)


def rates(system):
    """Jobs per nanosecond of each thread in the long run."""
    found = {}

    def rate(name):
        if name not in found:
            thread = system.threads[name]
            if thread.arrival is not None:
                found[name] = mean_rate(thread.arrival)
            else:
                parts = []
                for hop in inputs(system, thread):
                    counts = [
                        p.count
                        for p in system.threads[hop.source].publishes
                        if p.topic == hop.topic
                    ]
                    parts.append(rate(hop.source) * (counts[0] if counts else 1))
                found[name] = min(parts) if thread.activation == "and" else sum(parts)
        return found[name]

    for name in system.threads:
        rate(name)
    return found


def slowed(arrival, factor):
    """The same pattern, this many times slower."""
    if isinstance(arrival, Curve):
        distances = tuple(distance * factor for distance in arrival.distances)
        gap = arrival.gap and arrival.gap * factor
        return Curve(distances, arrival.repeat, arrival.period * factor, gap)
    counts = ("count",)
    fields = {f.name: getattr(arrival, f.name) for f in dataclasses.fields(arrival)}
    return type(arrival)(
        **{k: v if k in counts or v is None else v * factor for k, v in fields.items()}
    )


def with_costs(system, random, knobs):
    """The system with costs such that each supply is loaded to a drawn part of its bandwidth."""
    return _Fitting(system, random, knobs).system_with_costs()


class _Fitting:
    def __init__(self, system, random, knobs):
        self.system = system
        self.random = random
        self.demands = {}  # supply: [(what, units per ns)]
        self.bests = random.random() < 0.6 if knobs.best_cases is None else knobs.best_cases
        self.load = knobs.utilisation or random.choice((0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1))

    def system_with_costs(self):
        self.demand()
        crowded = max(
            float(sum(rate for _, rate in demands)) / (self.bandwidth(supply) * self.load)
            for supply, demands in self.demands.items()
        )
        if crowded > 0.5:  # even costs of 1 would be too much
            self.slow_down(ceil(2 * crowded))
        costs = {}
        for supply, demands in self.demands.items():
            bandwidth = self.bandwidth(supply) * self.load
            weights = [self.random.random() ** 2 + 0.02 for _ in demands]
            for (what, rate), weight in zip(demands, weights, strict=True):
                costs[what] = max(1, int(bandwidth * weight / sum(weights) / float(rate)))
        return replace(
            self.system,
            threads={name: self.fitted(t, costs) for name, t in self.system.threads.items()},
        )

    def slow_down(self, factor):
        threads = {
            name: replace(thread, arrival=thread.arrival and slowed(thread.arrival, factor))
            for name, thread in self.system.threads.items()
        }
        self.system = replace(self.system, threads=threads)
        self.demand()

    def demand(self):
        self.rates = rates(self.system)
        self.demands.clear()
        for thread in self.system.threads.values():
            self.demand_of(thread)

    def demand_of(self, thread):
        system, rate = self.system, self.rates[thread.name]
        self.add(thread, ("job", thread.name), rate)
        for publication in thread.publishes:
            readers = system.readers(publication.topic)
            if not readers:
                continue
            sender = thread
            if publication.mode == "async":
                sender = system.flow_controllers[publication.flow_controller]
            messages = rate * publication.count
            self.add(sender, ("send", thread.name, publication.topic), messages * len(readers))
            for reader in readers:
                listener = system.listeners[reader.subscribes.listener]
                self.add(listener, ("listen", reader.name), messages)

    def add(self, thing, what, rate):
        """Demands of one cost on one supply, added up."""
        own = thing.name if thing.reservation else None
        demands = self.demands.setdefault((thing.core, thing.partition, own), [])
        for i, (other, known) in enumerate(demands):
            if other == what:
                demands[i] = (what, known + rate)
                return
        demands.append((what, rate))

    def bandwidth(self, supply):
        path, partition, own = supply
        core = self.system.cores[path]
        deadline = {
            t.name: t.reservation.budget / t.reservation.period
            for kind in ("threads", "flow_controllers", "listeners")
            for t in getattr(self.system, kind).values()
            if t.core == path and t.reservation
        }
        if own:
            return deadline[own]
        reservation = core.partitions[partition] if partition else core.reservation
        whole = reservation.budget / reservation.period if reservation else 1.0
        return max(0.05, whole - sum(deadline.values()))

    def cost(self, worst):
        """A cost with or without a best case, now and then 0."""
        if not self.bests or self.random.random() < 0.3:
            return Cost(worst)
        return Cost(
            worst, self.random.choice((0, worst, worst // 2, self.random.randint(0, worst)))
        )

    def fitted(self, thread, costs):
        random = self.random
        wcet = costs["job", thread.name]
        publishes = []
        for publication in thread.publishes:
            worst = costs.get(("send", thread.name, publication.topic))
            row = self.system.sending_cost(publication).worst
            cost = self.cost(worst) if worst and (worst < row or random.random() < 0.8) else None
            earliest = min(wcet, random.choice((0, 1, 1, 1, wcet // 2, wcet)))
            publishes.append(replace(publication, cost=cost, earliest=earliest))
        subscribes = thread.subscribes
        if subscribes and (worst := costs.get(("listen", thread.name))):
            row = max(self.system.listening_cost(subscribes, t).worst for t in subscribes.topics)
            cost = self.cost(worst) if worst < row or random.random() < 0.8 else None
            subscribes = replace(subscribes, cost=cost)
        bcet = None
        if self.bests and random.random() < 0.7:
            bcet = random.choice((0, wcet, wcet // 2))
        return replace(
            thread, wcet=wcet, bcet=bcet, publishes=tuple(publishes), subscribes=subscribes
        )
