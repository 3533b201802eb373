"""Random systems about synchronizers: sensors, what filters them, a thread or callback that waits
for sets, and what follows. Also other systems whose AND threads get synchronizers."""

from __future__ import annotations

import json
from dataclasses import replace
from math import ceil
from random import Random

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.load import utilization
from ddsrta.models.synchronization import SYNC_POLICIES, Synchronizer
from ddsrta.models.validate_synchronizers import synchronizer_problems
from ddsrta.ros2 import KINDS
from tests.soundness.ros2 import slowed

PERIODS = (40, 50, 60, 80, 100, 120, 150, 200, 300, 500)
DRAWN = ("single_threaded", *KINDS)


def synchronized_system(seed):
    """Sources, and one or two synchronizers."""
    text = json.dumps(_Draw(Random(f"synchronized {seed}"), f"synchronized {seed}").system())
    load = max(utilization(compile_system(ddsrta.loads(text))).values())
    factor = ceil(load / Random(f"load {seed}").choice((0.2, 0.3, 0.5, 0.7, 0.9)))
    return ddsrta.loads(slowed(text, factor) if factor > 1 else text)


def with_synchronizers(system, random):
    """Half of the threads that wait for messages of several topics get a synchronizer, if any of
    the policies fits."""
    threads = dict(system.threads)
    for name, thread in system.threads.items():
        if thread.activation != "and" or thread.arrival or random.random() < 0.5:
            continue
        policy = random.choice(SYNC_POLICIES)
        chosen = Synchronizer(policy, None if policy == "latest" else _queue(random))
        threads[name] = replace(thread, synchronizer=chosen)
        if next(synchronizer_problems(replace(system, threads=threads)), None):
            threads[name] = thread
    return replace(system, threads=threads)


def _queue(random):
    return random.choice((None, None, None, 1, 2, 3, 5, 8, 20))


class _Draw:
    def __init__(self, random, name):
        self.random = random
        self.data = {
            "ddsrta": 1, "name": name, "topics": {}, "listeners": {}, "flow_controllers": {},
            "threads": {}, "executors": {}, "callbacks": {}, "chains": {},
        }  # fmt: skip
        self.cores = 0
        self.shared = self.core()
        self.ways = {}  # topic: the path to it

    def core(self):
        self.cores += 1
        return f"m/c{self.cores - 1}"

    def place(self):
        """Alone on a core, or with others on one."""
        core = self.shared if self.random.random() < 0.3 else self.core()
        return {"core": core, "priority": self.random.choice((1, 2, 2, 3))}

    def ns(self, number):
        return f"{int(number)}ns"

    def cost(self, most, least=1):
        worst = self.random.randint(least, most)
        return {
            "worst": self.ns(worst),
            "best": self.ns(self.random.choice((0, worst, worst, worst // 2))),
        }

    def work(self, most):
        worst = self.random.randint(1, most)
        drawn = {"wcet": self.ns(worst)}
        if self.random.random() < 0.6:
            drawn["bcet"] = self.ns(self.random.choice((0, worst, worst, worst // 2)))
        return drawn

    def system(self):
        random, data = self.random, self.data
        for i in range(random.choice((1, 1, 2))):
            data["flow_controllers"][f"F{i}"] = {
                **self.place(), "policy": random.choice(("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN"))
            }  # fmt: skip
        for i in range(random.choice((1, 1, 2))):
            data["listeners"][f"L{i}"] = self.place()
        self.synchronizer("fuse", self.sensors(random.choice(SYNC_POLICIES)))
        if random.random() < 0.25:
            policy = random.choice(("mtd", "latest", "approximate_time"))
            self.sensor("late")
            self.synchronizer("again", (policy, ["out_fuse", "late"]))
        if random.random() < 0.3:
            data["threads"]["load"] = {
                "core": self.shared, "priority": random.choice((1, 2, 3)), **self.work(30),
                "period": self.ns(random.choice(PERIODS)),
            }  # fmt: skip
        data["machines"] = {"m": {"cores": [f"c{i}" for i in range(self.cores)]}}
        for topic in data["topics"].values():
            topic["priority"] = random.choice((0, 0, 1, 2))
        return {key: value for key, value in data.items() if value}

    # What is put together

    def sensors(self, policy):
        """The topics of a synchronizer: of sources of their own, or of one."""
        random = self.random
        count = 2 if policy == "mtd" else random.choice((2, 2, 3, 4))
        if policy == "exact_time" or random.random() < 0.15:
            self.sensor("s0")
            topics = ["s0"]
            for i in range(1, count):
                before = random.choice(topics) if random.random() < 0.3 else "s0"
                topics.append(self.filter(f"s{i}", before))
            return policy, topics
        topics = []
        for i in range(count):
            self.sensor(f"s{i}")
            topics.append(self.filter(f"f{i}", f"s{i}") if random.random() < 0.3 else f"s{i}")
        if random.random() < 0.08:  # messages of two sensors: without stamps
            self.sensor("other")
            topics[0] = self.filter("any", topics[0], "other")
        return policy, topics

    def sensor(self, topic):
        """A thread released by time that publishes to a topic."""
        self.data["threads"][f"of_{topic}"] = {
            **self.place(), **self.work(12), **self.arrival(), "publishes": [self.sending(topic)]
        }  # fmt: skip
        self.ways[topic] = [f"of_{topic}"]

    def arrival(self):
        random, period = self.random, self.random.choice(PERIODS)
        dice = random.random()
        if dice < 0.35:
            return {"period": self.ns(period)}
        if dice < 0.85:
            jitter = random.choice((1, period // 4, period // 2, period, 3 * period))
            return {"arrival": {"period": self.ns(period), "jitter": self.ns(jitter)}}
        if dice < 0.93:
            return {"arrival": {"sporadic": self.ns(period)}}
        burst = {"count": 2, "distance": self.ns(random.choice((0, 5))), "period": self.ns(2 * period)}  # fmt: skip
        return {"arrival": {"burst": burst}}

    def sending(self, topic):
        self.data["topics"][topic] = {"size": "1B"}
        drawn = {"topic": topic, "delay": self.cost(8, 0)}
        if self.random.random() < 0.5:
            drawn["flow_controller"] = self.random.choice(list(self.data["flow_controllers"]))
        if self.random.random() < 0.05:
            drawn["count"] = 2
        return drawn

    def reading(self, topics):
        listener = self.random.choice(list(self.data["listeners"]))
        return {"topics": topics, "listener": listener, "delay": self.cost(6, 0)}

    def filter(self, topic, source, *others):
        """A thread that reads a topic, or more, and publishes to another one."""
        name = f"of_{topic}"
        self.data["threads"][name] = {
            **self.place(), **self.work(random_most(self.random)),
            "subscribes": self.reading([source, *others]),
            "publishes": [self.sending(topic)],
        }  # fmt: skip
        self.ways[topic] = [*self.ways[source], source, name]
        return topic

    def synchronizer(self, name, found):
        """A thread or a callback that waits for sets, what comes after it, and chains through it."""
        policy, topics = found
        random, data = self.random, self.data
        reads = {**self.reading(topics), "activation": "and", "synchronize": policy}
        queue = _queue(random)
        if queue and policy != "latest":
            reads["queue"] = queue
        drawn = {**self.work(15), "subscribes": reads, "publishes": [self.sending(f"out_{name}")]}
        if random.random() < 0.4:
            self.callbacks(name, drawn, topics)
        else:
            data["threads"][name] = {**self.place(), **drawn}
        self.ways[f"out_{name}"] = [*self.ways[topics[0]], topics[0], name]
        after = self.reader(name)
        for topic in topics:
            path = [*self.ways[topic], topic, name]
            constraint = random.choice(("latency", "reaction_time", "data_age"))
            data["chains"][f"{topic} to {name}".replace(" ", "-")] = {"path": path}
            longer = {"path": [*path, f"out_{name}", after], "constraint": constraint}
            data["chains"][f"{topic}-to-{after}"] = longer

    def reader(self, name):
        """A thread that what a set releases goes to; it may only look at the newest."""
        after = f"after_{name}"
        drawn = {**self.place(), **self.work(10), "subscribes": self.reading([f"out_{name}"])}
        if self.random.random() < 0.25:
            drawn["period"] = self.ns(self.random.choice(PERIODS))
        self.data["threads"][after] = drawn
        return after

    def callbacks(self, name, drawn, topics):
        """An executor with this callback and others."""
        random, data = self.random, self.data
        kind, executor = random.choice(DRAWN), f"ex_{name}"
        data["executors"][executor] = {**self.place(), "kind": kind}
        if KINDS[kind].several_threads:
            data["executors"][executor]["threads"] = 2
        urgent = (lambda: {"priority": random.randint(1, 3)}) if KINDS[kind].by_priority else dict
        others = {}
        for i in range(random.choice((1, 1, 2))):
            others[f"tick{i}_{name}"] = {
                "executor": executor, **urgent(), **self.work(10),
                "timer": self.ns(random.choice(PERIODS)),
            }  # fmt: skip
        if random.random() < 0.4:
            others[f"sees_{name}"] = {
                "executor": executor, **urgent(), **self.work(10),
                "subscribes": self.reading([random.choice(topics)]),
            }  # fmt: skip
        own = {name: {"executor": executor, **urgent(), **drawn}}
        data["callbacks"] |= {**own, **others} if random.random() < 0.5 else {**others, **own}


def random_most(random):
    """How long a filter may take: some are slow."""
    return random.choice((10, 30, 80))
