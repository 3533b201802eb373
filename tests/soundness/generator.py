"""Random systems, small numbers on purpose: the rare coincidences of large ones are common here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from ddsrta.bounds.supply import reserved_shares
from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.graph import inputs, outputs
from ddsrta.models.reservations import job_cost
from ddsrta.models.system import (
    Chain,
    Core,
    Cost,
    Delays,
    Following,
    Link,
    Middleware,
    Publication,
    Reservation,
    Subscription,
    System,
    Thread,
    Topic,
)
from ddsrta.models.topics import COPIES
from tests.soundness.costs import with_costs

POLICIES = ("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN")
PERIODS = (20, 30, 40, 50, 60, 80, 90, 100, 120, 150, 200, 250, 300, 400, 600, 1000)
MOST_PATHS = 40  # of a chain; more would make a few systems slower than all the others


@dataclass(frozen=True)
class Knobs:
    """What systems to draw; None leaves it to the seed."""

    machines: tuple[int, int] = (1, 3)
    cores: tuple[int, int] = (1, 3)
    threads: tuple[int, int] = (1, 8)
    utilisation: float | None = None  # of each supply, 0.2 … 1.0
    equal_priorities: bool | None = None
    reservations: float = 0.25  # how likely a core has any
    timed: float = 0.45  # how likely a thread has an arrival of its own
    policies: tuple[str, ...] = POLICIES
    best_cases: bool | None = None
    crowded: bool | None = None  # one controller and one listener a machine, nearly all async
    shape: str | None = None  # "chain": each thread releases the next; "shared": many readers


def random_system(seed, **knobs):
    """A valid system; the same seed and knobs draw the same one."""
    return _Draw(Random(seed), Knobs(**knobs), f"system {seed}").system()


def single_writers(system: System) -> System:
    """AND wants one writer a topic: threads that read others are released by each message."""
    threads = {
        name: replace(thread, activation="or")
        if thread.subscribes and any(len(system.writers(t)) > 1 for t in thread.subscribes.topics)
        else thread
        for name, thread in system.threads.items()
    }
    return replace(system, threads=threads)


def with_served(system, seed):
    """Some threads of SCHED_DEADLINE have a budget that is enough for each of their jobs."""
    random = Random(f"served {seed}")
    for name, thread in system.threads.items():
        apart = thread.arrival.least_distance(2) if thread.reservation and thread.arrival else 0
        if not apart or random.random() < 0.3:
            continue
        cost = job_cost(system, thread)
        period = random.choice((apart, apart, max(1, apart * 3 // 4)))
        fit = Reservation(random.choice((cost, cost, cost * 5 // 4)), period)
        if fit.budget <= period:
            changed = replace(thread, reservation=fit)
            other = replace(system, threads={**system.threads, name: changed})
            if reserved_shares(other)[thread.core] < 1:
                system = other
    return system


def with_loose(system):
    """The system with some links and delays that keep no order; no other draw changes."""
    random = Random(f"{system.name} loose")
    if random.random() > 0.3:
        return system
    links = {
        ends: replace(link, ordered=random.random() < 0.5) for ends, link in system.links.items()
    }
    threads = {
        name: replace(thread, follows=replace(thread.follows, ordered=random.random() < 0.5))
        if thread.follows
        else thread
        for name, thread in system.threads.items()
    }
    return replace(system, links=links, threads=threads)


def with_gap(arrival, name):
    """In one of three cases a largest distance, drawn so that no other draw changes."""
    random = Random(f"{name} gap")
    if isinstance(arrival, Periodic) or random.random() > 0.33:
        return arrival
    steps = max(arrival.least_distance(q + 1) - arrival.least_distance(q) for q in range(1, 12))
    least = getattr(arrival, "distance", 0) if isinstance(arrival, Sporadic) else steps
    return replace(arrival, gap=max(1, random.choice((least, least + 1, 2 * least + 5))))


class _Draw:
    def __init__(self, random, knobs, name):
        self.random = random
        self.knobs = knobs
        self.name = name
        self.equal = knobs.equal_priorities
        if self.equal is None:
            self.equal = random.random() < 0.25
        self.crowded = knobs.crowded
        if self.crowded is None:
            self.crowded = random.random() < 0.4
        self.used = {}  # the priorities on each core
        self.busy = {}  # the bandwidth of the SCHED_DEADLINE threads on each core

    def chance(self, probability):
        return self.random.random() < probability

    def system(self):
        random = self.random
        cores = self.cores()
        machines = sorted({core.machine for core in cores.values()})
        system = System(self.name, cores, self.links(machines), self.delays())
        fewest, most = {"chain": (4, 8), "shared": (1, 2)}.get(self.knobs.shape, (1, 4))
        topics = {f"T{i}": self.topic(f"T{i}") for i in range(random.randint(fewest, most))}
        system = replace(
            system,
            topics=topics,
            flow_controllers=self.middleware(system, machines, "F", 4),
            listeners=self.middleware(system, machines, "L", 3),
        )
        system = single_writers(replace(system, threads=self.threads(system)))
        system = with_costs(with_loose(system), random, self.knobs)
        system = with_served(system, system.name)
        return replace(system, chains=self.chains(system))

    # Places

    def cores(self):
        cores = {}
        for m in range(self.random.randint(*self.knobs.machines)):
            for c in range(self.random.randint(*self.knobs.cores)):
                core = Core(f"m{m}", f"c{c}")
                if self.chance(self.knobs.reservations):
                    kind = self.random.choice((0, 1, 2, 2))  # 2: threads may have reservations
                    if kind == 0:
                        core = replace(core, reservation=self.reservation(1.0))
                    elif kind == 1:
                        first = self.reservation(0.6)
                        rest = 1 - first.budget / first.period
                        core = replace(core, partitions={"A": first, "B": self.reservation(rest)})
                    self.busy[core.path] = 0.0 if kind == 2 else 1.0
                cores[core.path] = core
        return cores

    def reservation(self, most):
        """A budget of at most this part of its period."""
        period = self.random.choice((10, 12, 20, 25, 40, 50, 100))
        largest = max(1, int(most * period))
        return Reservation(self.random.randint(max(1, largest // 2), largest), period)

    def placement(self, system, path):
        """core, priority, partition and own reservation of a thread on this core."""
        core = system.cores[path]
        partition = self.random.choice(list(core.partitions)) if core.partitions else None
        busy = self.busy.get(path, 1.0)
        if busy < 0.5 and self.chance(0.5):
            reservation = self.reservation(0.3)
            self.busy[path] = busy + reservation.budget / reservation.period
            return {"core": path, "priority": 0, "reservation": reservation}
        used = self.used.setdefault(path, set())
        if self.equal:
            priority = self.random.randint(1, 3)
        else:
            priority = self.random.choice([p for p in range(1, 100) if p not in used])
        used.add(priority)
        return {"core": path, "priority": priority, "partition": partition}

    def links(self, machines):
        links = {}
        for source in machines:
            for target in machines:
                if source != target:
                    delay = self.random.choice((0, 1, 10, 50, 100))
                    links[source, target] = Link(
                        source, target, delay, self.random.choice((0, delay, delay // 2))
                    )
        return links

    def middleware(self, system, machines, prefix, most):
        found = {}
        for machine in machines:
            paths = [path for path in system.cores if path.startswith(machine + "/")]
            for i in range(1 if self.crowded else self.random.randint(1, most)):
                name = f"{prefix}{machine}{i}"
                place = self.placement(system, self.random.choice(paths))
                policy = self.random.choice(self.knobs.policies) if prefix == "F" else "FIFO"
                found[name] = Middleware(name=name, policy=policy, **place)
        return found

    # What is sent and what it costs: with_costs fits most of it to the load

    def topic(self, name):
        size, priority = self.random.choice((1, 2, 3)), self.random.choice((-10, 0, 0, 1, 2, 10))
        copies = Random(f"{self.name} {name}").choice(("unknown", *COPIES))  # draws nothing else
        return Topic(name, size, priority, copies=copies)

    def delays(self):
        def table():
            worst = sorted(self.random.randint(1, 4) for _ in range(3))
            return tuple((size, Cost(cost)) for size, cost in zip((1, 2, 3), worst, strict=True))

        return Delays(table(), table(), table())

    # Threads

    def threads(self, system):
        number = self.random.randint(*self.knobs.threads)
        threads = {}
        level = {}  # the last writer of a topic: event-driven readers come after it
        for i in range(number):
            name = f"t{i}"
            path = self.random.choice(list(system.cores))
            publishes = self.publications(system, path)
            threads[name] = Thread(
                name=name, wcet=1, publishes=publishes, **self.placement(system, path)
            )
            level.update({publication.topic: i for publication in publishes})
        drawn = {}
        for i, thread in enumerate(threads.values()):
            drawn[thread.name] = self.activated(system, thread, i, level, number)
        return drawn

    def publications(self, system, path):
        machine = system.cores[path].machine
        controllers = [
            f.name for f in system.flow_controllers.values() if system.machine_of(f.core) == machine
        ]
        topics = self.random.sample(
            list(system.topics), min(len(system.topics), self.random.choice((0, 1, 1, 2, 2, 3)))
        )
        publications = []
        for topic in topics:
            mode = "async" if self.chance(0.9 if self.crowded else 0.65) else "sync"
            controller = self.random.choice(controllers) if mode == "async" else None
            count = self.random.choice((1, 1, 1, 1, 2, 3))
            publications.append(Publication(topic, mode, controller, count))
        return tuple(publications)

    def activated(self, system, thread, i, level, number):
        """With an arrival of its own, or released by what comes earlier in the file."""
        timed = i == 0 or self.chance(self.timed())
        topics = [t for t in system.topics if t in level and (timed or level[t] < i)]
        others = [f"t{j}" for j in (range(number) if timed else range(i))]
        reads = self.sample(topics, 1.0 if self.knobs.shape == "shared" else 0.4 if timed else 0.9)
        follows = self.sample(others, 0.15 if timed or reads else 1.0)
        if self.knobs.shape == "chain" and not timed:
            reads = tuple(t for t in topics if level[t] == i - 1)[
                : self.random.choice((0, 1, 1, 2))
            ]
            follows = () if reads else (f"t{i - 1}",)
        if not timed and not reads and not follows:
            timed = True
        machine = system.machine_of(thread.core)
        listeners = [
            x.name for x in system.listeners.values() if system.machine_of(x.core) == machine
        ]
        subscription = Subscription(reads, self.random.choice(listeners)) if reads else None
        delay = self.random.choice((0, 0, 5, 30))
        following = Following(follows, delay, self.random.choice((0, delay))) if follows else None
        return replace(
            thread,
            arrival=with_gap(self.arrival(), f"{self.name} {thread.name}") if timed else None,
            subscribes=subscription,
            follows=following,
            activation="and" if not timed and self.chance(0.35) else "or",
        )

    def timed(self):
        """How likely a thread has an arrival of its own."""
        if self.knobs.shape == "chain":
            return 0.08
        return 0.7 if self.crowded else self.knobs.timed

    def sample(self, names, probability):
        if not names or not self.chance(probability):
            return ()
        return tuple(self.random.sample(names, min(len(names), self.random.choice((1, 1, 2, 3)))))

    def arrival(self):
        random = self.random
        period = random.choice(PERIODS)
        kind = random.random()
        if kind < 0.4:
            return Periodic(period)
        if kind < 0.65:
            jitter = random.choice((1, period // 2, period, 2 * period + 3))
            return Periodic(period, jitter, random.choice((0, 0, 1, period // 4)))
        if kind < 0.8:
            return Sporadic(period, random.choice((0, 0, period // 3, 2 * period)))
        if kind < 0.9:
            count = random.randint(1, 4)
            return Burst(count, random.choice((0, 1, period // count)), period * count)
        distances = [0, *sorted(random.randint(0, 2 * period) for _ in range(random.randint(0, 4)))]
        repeat = random.randint(1, len(distances))
        spread = distances[-1] - distances[-repeat]
        return Curve(tuple(distances), repeat, spread + period)

    # Chains

    def chains(self, system):
        chains = {}
        for i in range(self.random.randint(1, 5)):
            long = self.knobs.shape == "chain" and i == 0
            name = current = "t0" if long else self.random.choice(list(system.threads))
            path, visited = [name], {name}
            while hops := [
                hop for hop in outputs(system, system.threads[current]) if hop.target not in visited
            ]:
                if len(path) > 1 and not long and self.chance(0.15):
                    break
                hop = self.random.choice(hops)
                path += [hop.target] if hop.topic is None else [hop.topic, hop.target]
                current = hop.target
                visited.add(current)
            asked = ("latency", "data_age", "reaction_time")
            timed = any(system.threads[n].arrival for n in path[1:] if n in system.threads)
            asked = self.random.choice(asked[1:] if timed else asked)
            deadline = self.random.randint(1, 2000)
            chains[f"chain{i}"] = Chain(f"chain{i}", tuple(path), None, deadline, asked)
        chain = self.random.choice(list(chains.values()))
        if len(chain.path) > 1 and inputs(system, system.threads[chain.path[-1]]):
            chains["all"] = Chain("all", ends=(chain.path[0], chain.path[-1]), limit=MOST_PATHS)
        return chains
