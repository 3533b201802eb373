"""Who reads in a scene: a thread or a callback, and what stands beside it in its executor."""

from __future__ import annotations

from typing import Any

from ddsrta.ros2 import KINDS
from tests.soundness.pipeline.registry import BY_JOBS, BY_SERVICES, NONE, POOL

Raw = dict[str, Any]
RATIOS = (1, 1, 2, 3, 4, 5, 6, 7.5, 10)  # of periods: harmonic ones, and others
ORDERS = (None, "arrival", "any")


class Readers:
    """R, its executor X, and the callbacks of that."""

    def reading(self, topics: list[str], listener: str) -> Raw:
        read: Raw = {"topics": topics, "listener": listener}
        if self.chance(0.6):
            read["delay"] = self.cost(4)
        if self.chance(0.3):
            read["take"] = self.cost(3)
        return read

    def reader(self) -> None:
        row, random = self.row, self.random
        if self.is_callback:
            self.executor()
        drawn: Raw = {**self.work(15), **self.released()}
        blocked = self.has_locks and row["executor"] == "multi_threaded"
        if not blocked and self.chance(0.8):
            by_f = self.there == "m" and not self.is_sync and not self.has_locks
            drawn["publishes"] = [self.sending("C", mine=by_f and self.chance(0.5))]
        if not self.is_callback:
            of = {"process": self.reader_process} if self.reader_process else {}
            self.data["threads"]["R"] = {**self.reader_place("R"), **drawn, **of}
            return
        self.callback("R", drawn)
        ticks = random.choice((1, 1, 2))
        for i in range(ticks):
            tick: Raw = {**self.work(8), **self.timer(random.choice(RATIOS))}
            self.callback(f"tick{i}", tick)
        if self.chance(0.35):  # timers are called late, and skip
            part = random.choice((0.6, 1.3, 2.4, 4.5)) * 3**-self.calm
            long: Raw = {"wcet": f"{int(part * self.base)}ns"}
            self.callback("slow", {**long, "timer": self.time(12)})
        if self.chance(0.5) and self.row["activation"] not in ("time", "register"):
            self.callback("also", {**self.work(8), "subscribes": self.reading(["A"], "LR")})
        if self.chance(0.5):
            found = self.data["callbacks"]
            self.data["callbacks"] = dict(reversed(found.items()))

    def released(self) -> Raw:
        """What releases R."""
        row, random = self.row, self.random
        kind = row["activation"]
        second = ["S2"] if self.has_second else []
        if kind in BY_SERVICES:
            return {}  # see ask
        if kind in ("time", "register"):
            timed = self.timer if self.is_callback else self.periodic
            drawn = timed(random.choice(RATIOS))
            if kind == "register":
                drawn["subscribes"] = self.reading(["A"], "LR")
                if self.chance(0.2):
                    drawn["follows"] = self.following(["S"])
            return drawn
        if kind in BY_JOBS:
            names = ["S", *second] if kind.endswith("and") or self.chance(0.5) else ["S"]
            follows = {**self.following(names), "activation": kind.split()[1]}
            if kind.endswith("or") and (order := self.dice("order").choice(ORDERS)):
                follows["order"] = order
            return {"follows": follows}
        if kind == "subscribes or":
            topics = ["A"] if self.is_callback or self.chance(0.6) else ["A", "B"]
            read = self.reading(topics, "LR")
            if self.chance(0.4):
                read["order"] = random.choice(("arrival", "any"))
            return {"subscribes": read}
        read = {**self.reading(["A", "B"], "LR"), "activation": "and"}
        if row["synchronizer"] != NONE:
            read["synchronize"] = row["synchronizer"]
        if row["room"] == "few":
            read["queue"] = random.choice((1, 2, 3, 5))
        drawn = {"subscribes": read}
        if row["synchronizer"] == NONE and not self.is_callback and self.chance(0.15):
            drawn["follows"] = {**self.following(["S"]), "activation": "and"}
        return drawn

    def following(self, names: list[str]) -> Raw:
        random = self.random
        delay = random.choice((0, 5, 30))
        found: Raw = {"threads": names, "delay": f"{delay}ns"}
        found["best"] = f"{random.choice((0, delay, delay // 2))}ns"
        if self.row["network"] == "unordered" and self.row["synchronizer"] == NONE:
            found["ordered"] = False
        return found

    def executor(self) -> None:
        row, random = self.row, self.random
        kind = row["executor"]
        drawn: Raw = {"kind": "multi_threaded" if kind == POOL else kind}
        if kind == POOL:
            drawn |= self.pool_place("X")
        else:
            drawn |= self.reader_place("X")
        if kind in KINDS and KINDS[kind].several_threads:
            drawn["threads"] = random.choice((2, 3))
        drawn["order"] = row["turns"]
        if row["release"] != "any":
            drawn["release"] = row["release"]
        if row["background"] != NONE:
            drawn["background"] = {"wcet": f"{random.randint(1, 5)}ns", "period": self.time(4)}
            if row["background"] == "several":
                drawn["background"]["services"] = 2
        if self.reader_process:
            drawn["process"] = self.reader_process
        self.data["executors"]["X"] = drawn

    def callback(self, name: str, drawn: Raw, executor: str = "X") -> None:
        """A callback, with the group of the row where it may matter."""
        kind = self.row["executor"] if executor == "X" else "single_threaded"
        drawn = {"executor": executor, **drawn}
        if kind in KINDS and KINDS[kind].by_priority:
            drawn["priority"] = self.random.randint(1, 4)
        if self.row["group"] == "reentrant" and (name == "R" or self.chance(0.3)):
            drawn["reentrant"] = True
        elif self.row["group"] == "named":
            drawn["group"] = "g" if name == "R" else self.random.choice("gh")
        self.data["callbacks"][name] = drawn
