"""Random systems about timers that are called late, and about who needs each of their releases."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import ddsrta
from ddsrta.ros2 import KINDS
from tests.soundness.ros2 import Draw, fitted

SHORT = (20, 30, 40, 50, 60, 80)  # beside the other callbacks, which are rare and long


def timers_system(seed):
    """Executors with timers, registers behind them, and joins by number with something else."""
    return ddsrta.loads(fitted(_TimersDraw(Random(f"late timers {seed}"), f"late timers {seed}")))


class _TimersDraw(Draw):
    """Every timer publishes; what others do takes about its period, or several of them."""

    def __init__(self, random, name):
        super().__init__(random, name)
        self.load = random.choice((0.2, 0.4, 0.5, 0.6, 0.75))

    def system(self):
        found = super().system()
        for number, (name, topic) in enumerate(self.outputs(found)):
            reader = f"reader{number}"
            joined = [t for t in found["topics"] if t != topic and self.traffic[t][1] == 1]
            if self.chance(0.6) or not joined:
                self.register(found, name, topic, reader)
            else:
                self.join(found, name, topic, reader, self.random.choice(joined))
        return found

    def outputs(self, found):
        """Each timer with a topic of its own."""
        for name, drawn in found["callbacks"].items():
            for publication in drawn.get("publishes", ()) if "timer" in drawn else ():
                if self.traffic[publication["topic"]][1] == 1:
                    yield name, publication["topic"]

    def register(self, found, name, topic, reader):
        period = self.random.choice((7, 20, 60, 100, 300))
        found["threads"][reader] = {
            **self.place(), "wcet": "1ns", "period": self.ns(period),
            "subscribes": self.inputs([topic]),
        }  # fmt: skip
        for asked in ("data_age", "reaction_time"):
            path = [name, topic, reader]
            found.setdefault("chains", {})[f"{reader} {asked}"] = {
                "path": path,
                "constraint": asked,
            }

    def join(self, found, name, topic, reader, other):
        found["threads"][reader] = {
            **self.place(), "wcet": "1ns",
            "subscribes": {**self.inputs([topic, other]), "activation": "and"},
        }  # fmt: skip
        found.setdefault("chains", {})[reader] = {"path": [name, topic, reader]}
        for kind in ("threads", "callbacks"):
            for writer, drawn in found.get(kind, {}).items():
                if other in [publication["topic"] for publication in drawn.get("publishes", ())]:
                    path = [writer, other, reader]
                    found["chains"][f"{reader} with {other}"] = {"path": path}

    def inputs(self, topics):
        return {"topics": topics, "delay": "1ns", "listener": next(iter(self.data["listeners"]))}

    def executor(self, focus):
        return super().executor(focus, "events" if self.chance(0.25) else None)

    def callback(self, name, executor):
        super().callback(name, executor)
        drawn = self.data["callbacks"][name]
        if KINDS[self.data["executors"][executor]["kind"]].by_priority:
            drawn.setdefault("priority", 1)

    def timer(self, drawn, topics, *_):
        period = self.random.choice(SHORT)
        drawn["timer"] = self.ns(period)
        if self.chance(0.25):
            late = self.random.choice((1, period // 2, period, 2 * period))
            drawn["arrival"] = {"jitter": self.ns(late)}
        return Fraction(1, period)
