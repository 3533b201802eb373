"""Random systems about what comes behind pools: every policy of the flow controller, callbacks that
may overtake themselves, and threads that wait for messages of two topics."""

from __future__ import annotations

from random import Random

import ddsrta
from tests.soundness.pools import PoolDraw
from tests.soundness.ros2 import fitted

POLICIES = ("ROUND_ROBIN", "ROUND_ROBIN", "HIGH_PRIORITY", "FIFO")
WAYS = ("and", "and", "or", "mtd", "approximate_time", "latest")  # to take two topics together


def wide_system(seed):
    """Pools with little load, so that many of their bounds are finite and close."""
    return ddsrta.loads(fitted(_WideDraw(Random(f"wide {seed}"), f"wide {seed}")))


class _WideDraw(PoolDraw):
    """Joins stand outside of executors; what they send is read by a thread of its own."""

    def __init__(self, random, name):
        super().__init__(random, name)
        self.load = random.choice((0.05, 0.1, 0.15, 0.2, 0.3))

    def system(self):
        found = super().system()
        for controller in found.get("flow_controllers", {}).values():
            controller["policy"] = self.random.choice(POLICIES)
        for callback in found.get("callbacks", {}).values():
            if self.chance(0.35):
                callback["reentrant"] = True
                callback.pop("group", None)
        single = [t for t in found.get("topics", {}) if self.traffic[t][1] == 1]
        for number in range(self.random.choice((0, 1, 1, 2)) if len(single) > 1 else 0):
            self.join(found, self.random.sample(single, 2), number)
        return found

    def join(self, found, topics, number):
        name, output = f"join{number}", f"J{number}"
        drawn = {**self.place(), "wcet": self.ns(self.random.randint(1, 9))}
        if self.chance(0.5):
            drawn["process"] = self.random.choice(list(found["processes"]))
        drawn["subscribes"] = self.taken(found, drawn, topics)
        found["threads"][name] = drawn
        if self.chance(0.6) and "flow_controllers" in found:
            found["topics"][output] = {"size": "1B"}
            drawn["publishes"] = [{"topic": output, "flow_controller": "F", "delay": "2ns"}]
            found["threads"][f"behind{number}"] = {
                **self.place(), "wcet": "3ns",
                "subscribes": {"topics": [output], "listener": "L0", "delay": "1ns"},
            }  # fmt: skip

    def taken(self, found, drawn, topics):
        """Two topics, together in one of all ways or each by itself."""
        way = self.random.choice(WAYS)
        listener = self.random.choice(list(found["listeners"]))
        if "process" in drawn:
            listener = found["processes"][drawn["process"]]["listener"]
        taken = {"topics": topics, "listener": listener, "delay": "2ns"}
        if way != "or":
            taken["activation"] = "and"
        return taken if way in ("and", "or") else {**taken, "synchronize": way}
