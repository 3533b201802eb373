"""Random systems about one core: whatever feeds it is alone elsewhere, so all attention is on it.

The bounds of such systems are tight, and a mistake in one relation between its threads shows.
"""

from __future__ import annotations

from random import Random

from ddsrta.models.arrivals import Burst, Periodic, Sporadic
from ddsrta.models.system import (
    Chain,
    Core,
    Cost,
    Following,
    Middleware,
    Publication,
    Reservation,
    Subscription,
    System,
    Thread,
    Topic,
)

POLICIES = ("FIFO", "HIGH_PRIORITY", "HIGH_PRIORITY", "ROUND_ROBIN", "ROUND_ROBIN")


def focused_system(seed):
    """Sources that publish through the controllers of one core, with others on it."""
    return _Focus(Random(f"focused {seed}"), f"focused {seed}").system()


class _Focus:
    def __init__(self, random, name):
        self.random = random
        self.name = name
        self.load = random.choice((0.3, 0.5, 0.7, 0.85, 0.95))
        self.equal = random.random() < 0.4
        self.cores = {"m/focus": Core("m", "focus", self.reservation())}
        self.topics = {}
        self.threads = {}
        self.controllers = {}
        self.listeners = {}
        self.stages = random.randint(1, 3) + random.randint(1, 3)

    def reservation(self):
        period = self.random.choice((10, 20, 50))
        return Reservation(period * 7 // 10, period) if self.random.random() < 0.15 else None

    def own_core(self):
        path = f"m/c{len(self.cores)}"
        self.cores[path] = Core("m", path[2:])
        return path

    def priority(self):
        return 5 if self.equal and self.random.random() < 0.7 else self.random.randint(2, 9)

    def focus(self):
        return {"core": "m/focus", "priority": self.priority()}

    def share(self, period, count=1):
        """A cost that adds about its share to the load of the core."""
        part = self.load * self.random.choice((0.3, 0.7, 1, 1.5)) / self.stages
        return max(1, int(part * period / count))

    def arrival(self):
        random = self.random
        period = random.choice((20, 30, 40, 50, 60, 80, 100, 120, 150, 200, 400))
        kind = random.random()
        if kind < 0.5:
            return Periodic(period), period
        if kind < 0.8:
            return Periodic(period, random.choice((1, period // 2, period, 2 * period))), period
        if kind < 0.9:
            return Sporadic(period, random.choice((0, period // 2))), period
        return Burst(2, random.choice((0, 1, period // 4)), 2 * period), period

    def cost(self, worst):
        return Cost(worst, self.random.choice((1, worst, worst, worst, worst // 2)))

    def system(self):
        random = self.random
        for i in range(random.choice((1, 1, 2))):
            name = f"F{i}"
            self.controllers[name] = Middleware(
                name=name, policy=random.choice(POLICIES), **self.focus()
            )
        for i in range(self.stages):
            random.choice((self.source, self.source, self.source, self.local))(i)
        readers = self.readers()
        chains = {}
        for thread in list(self.threads.values()):
            for publication in thread.publishes:
                for reader in readers:
                    if publication.topic in reader.subscribes.topics:
                        name = f"{thread.name} {reader.name} {publication.topic}"
                        path = (thread.name, publication.topic, reader.name)
                        chains[name.replace(" ", "-")] = Chain(name.replace(" ", "-"), path)
        return System(
            self.name,
            self.cores,
            topics=self.topics,
            flow_controllers=self.controllers,
            listeners=self.listeners,
            threads=self.threads,
            chains=chains,
        )

    def source(self, i):
        """A thread alone on its core that publishes once or twice through the controllers."""
        random = self.random
        arrival, period = self.arrival()
        publishes = []
        for k in range(random.choice((1, 1, 1, 2))):
            topic = f"T{i}{k}"
            self.topics[topic] = Topic(topic, 1, random.randint(-1, 2))
            count = random.choice((1, 1, 1, 2))
            cost = self.cost(self.share(period, count))
            publishes.append(
                Publication(topic, "async", random.choice(list(self.controllers)), count, cost)
            )
        wcet = random.randint(1, 6)
        bcet = random.choice((None, wcet, wcet))
        name = f"p{i}"
        self.threads[name] = Thread(name, self.own_core(), 1, wcet, bcet, arrival, tuple(publishes))

    def local(self, i):
        """A thread on the core itself, released by time or by one that is alone elsewhere."""
        arrival, period = self.arrival()
        wcet = self.share(period)
        place = self.focus()
        if self.random.random() < 0.5:
            self.threads[f"q{i}"] = Thread(f"q{i}", wcet=wcet, arrival=arrival, **place)
            return
        self.threads[f"p{i}"] = Thread(f"p{i}", self.own_core(), 1, 2, 2, arrival)
        follows = Following((f"p{i}",), 0, 0)
        self.threads[f"q{i}"] = Thread(f"q{i}", wcet=wcet, follows=follows, **place)

    def readers(self):
        """One or two readers; their listener may be on the core, too."""
        random = self.random
        readers = []
        if not self.topics:
            return readers
        here = random.random() < 0.3
        place = self.focus() if here else {"core": self.own_core(), "priority": 2}
        self.listeners["L"] = Middleware(name="L", **place)
        topics = list(self.topics)
        for i in range(random.choice((1, 1, 2))):
            chosen = topics if i == 0 else random.sample(topics, random.randint(1, len(topics)))
            cost = Cost(random.randint(1, 3))
            place = (
                self.focus() if random.random() < 0.2 else {"core": self.own_core(), "priority": 1}
            )
            name = f"r{i}"
            reader = Thread(
                name=name, wcet=1, subscribes=Subscription(tuple(chosen), "L", cost), **place
            )
            self.threads[name] = reader
            readers.append(reader)
        return readers
