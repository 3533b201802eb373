"""Random systems about threads that move between cores, beside others that are pinned there."""

from __future__ import annotations

import json
from random import Random

import ddsrta
from tests.soundness.pools import PoolDraw
from tests.soundness.ros2 import fitted

PERIODS = (40, 50, 60, 80, 100, 120)
SIZES = ("1kB", "3kB")


def set_system(seed):
    """One set or two of two or three cores, a core of its own for each, and chains of some threads
    that release each other, by messages too."""
    return ddsrta.loads(json.dumps(_Draw(Random(f"sets {seed}"), f"sets {seed}").system()))


class _Draw:
    def __init__(self, random, name):
        self.random, self.name = random, name
        self.sets = [[f"m/{a}{i}" for i in range(random.choice((2, 2, 3)))] for a in "ab"]
        if random.random() < 0.7:
            del self.sets[1]
        self.priorities = random.sample(range(1, 90), 60)
        self.shared = {i: self.priorities.pop() for i in range(len(self.sets))}
        self.load = random.choice((0.2, 0.3, 0.45, 0.6))

    def system(self):
        count = self.random.randint(2, 7)
        threads, self.topics = {}, {}
        self.middleware = {"flow_controllers": {}, "listeners": {}}
        for i in range(count):
            threads[f"t{i}"] = self.thread(f"t{i}", list(threads), count)
        cores = [core.removeprefix("m/") for one in self.sets for core in one] + ["own"]
        for drawn in threads.values():
            if "publishes" in drawn and drawn["publishes"][0]["topic"] not in self.read():
                del drawn["publishes"]
        return {
            "ddsrta": 1,
            "name": self.name,
            "machines": {"m": {"cores": cores}},
            "delays": {"flow_controller": {"1kB": "2ns", "3kB": "5ns"},
                       "listener": {"1kB": "1ns", "3kB": {"worst": "3ns", "best": "1ns"}}},
            **({"topics": self.topics, **self.middleware} if self.topics else {}),
            "threads": threads,
            "chains": {f"to {name}": {"path": self.way(threads, name)} for name in threads},
        }  # fmt: skip

    def read(self):
        return {topic for topics in self.readers.values() for topic in topics}

    def thread(self, name, before, count):
        if not before:
            self.readers = {}
        period = self.random.choice(PERIODS)
        cores = sum(map(len, self.sets))
        most = max(1, int(2 * self.load * cores / count * period))
        drawn = {**self.place(), "wcet": f"{self.random.randint(1, min(most, period))}ns"}
        if self.random.random() < 0.5:
            drawn["bcet"] = "1ns"
        drawn["publishes"] = [{"topic": f"of {name}", "flow_controller": "F"}]
        kind = self.random.random()
        if before and kind < 0.25:
            drawn["follows"] = {"threads": [self.random.choice(before)]}
        elif before and kind < 0.45:
            self.subscribe(name, drawn, self.random.choice(before))
        elif kind < 0.7:
            jitter = self.random.choice((1, period // 3, 2 * period))
            drawn["arrival"] = {"period": f"{period}ns", "jitter": f"{jitter}ns"}
        else:
            drawn["period"] = f"{period}ns"
        return drawn

    def subscribe(self, name, drawn, source):
        if not self.topics:
            self.middleware["flow_controllers"]["F"] = self.pinned()
            self.middleware["listeners"]["L"] = self.pinned()
        self.topics.setdefault(f"of {source}", {"size": self.random.choice(SIZES)})
        self.readers[name] = [f"of {source}"]
        drawn["subscribes"] = {"topics": [f"of {source}"], "listener": "L"}

    def place(self):
        which = self.random.randrange(len(self.sets))
        if self.random.random() < 0.35:
            return self.pinned()
        alike = self.random.random() < 0.2
        priority = self.shared[which] if alike else self.priorities.pop()
        cores = self.random.sample(self.sets[which], len(self.sets[which]))
        return {"cores": cores, "priority": priority}

    def pinned(self):
        cores = [core for one in self.sets for core in one] + ["m/own"]
        return {"core": self.random.choice(cores), "priority": self.priorities.pop()}

    def way(self, threads, name):
        found = [name]
        while True:
            drawn = threads[found[0]]
            if "follows" in drawn:
                found.insert(0, drawn["follows"]["threads"][0])
            elif "subscribes" in drawn:
                topic = drawn["subscribes"]["topics"][0]
                found[:0] = [topic.removeprefix("of "), topic]
            else:
                return found


def moving_pool_system(seed):
    """One executor or two whose threads move between the same two to four cores."""
    return ddsrta.loads(fitted(_MovingPools(Random(f"moving {seed}"), f"moving {seed}")))


class _MovingPools(PoolDraw):
    def executor(self, focus):
        threads = self.random.randint(2, len(self.pools))
        changes = {"cores": self.pools, "pinned": False, "threads": threads}
        return {**super().executor(focus), **changes}
