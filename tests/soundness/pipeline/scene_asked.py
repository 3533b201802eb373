"""What is asked of a scene: chains; and a service, where R serves or receives."""

from __future__ import annotations

from typing import Any

from tests.soundness.pipeline.registry import BY_JOBS, BY_SERVICES

Raw = dict[str, Any]


class Asked:
    """The last things of a scene."""

    def ask(self) -> None:
        """A service for R, with the others of it in an executor of their own; and the chains."""
        kind = self.row["activation"]
        if kind not in BY_SERVICES:
            return self.chains()
        data = self.data
        machine, listener = (self.there, "LZ") if self.is_bus else self.far()
        if machine == self.there and not self.has_locks and self.chance(0.5):
            policy = self.random.choice(("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN"))
            data["flow_controllers"]["G"] = {**self.alone(self.there, "G"), "policy": policy}
        data["services"]["Z"] = {"request": "1B", "reply": "1B", "priority": 0}
        if self.chance(0.2):
            data["services"]["Z"]["history"] = self.random.choice((1, 3, 1000))
        data["executors"]["Y"] = {**self.alone(machine, "Y"), "kind": "single_threaded"}
        entity = {"service": "Z", "listener": listener, "delay": self.cost(3)}
        caller = {**self.work(4), **self.timer(3), "calls": [{"service": "Z", **self.part()}]}
        self.callback("ask", caller, "Y")
        reply = {"reply": self.part()}
        mine = {**entity, "listener": "LR"}
        if self.chance(0.3):
            mine["take"] = self.cost(3)
        if kind == "serves":
            roles = ({"serves": {**mine, **reply}}, {"receives": entity})
        else:
            roles = ({"receives": mine}, {"serves": {**entity, **reply}})
        data["callbacks"]["R"] |= roles[0]
        self.callback("other", {**self.work(5), **roles[1]}, "Y")
        self.chains()

    def part(self) -> Raw:
        """How a request or a reply is sent."""
        sent: Raw = {"delay": self.cost(3)}
        if "G" in self.data["flow_controllers"] and self.chance(0.8):
            sent["flow_controller"] = "G"
        if self.chance(0.8):
            sent["mode"] = "async" if "flow_controller" in sent else "sync"
        return {**sent, **({"earliest": "1ns"} if self.chance(0.3) else {})}

    # What is asked

    def chains(self) -> None:
        constraint, kind = self.row["constraint"], self.row["activation"]
        way = self.way()
        samples = kind in ("time", "register")
        if "T" in self.data["threads"] and way[-1] == "R":
            way = [*way, "C", "T"]
            samples = samples or bool({"period", "arrival"} & self.data["threads"]["T"].keys())
        asked = way
        if constraint.endswith("latency") and samples:
            asked = ["S", "A", "see"]
        deadline = self.time(self.random.choice((0.5, 2, 6, 20)))
        self.data["chains"]["asked"] = {
            **self.named(asked),
            "constraint": constraint,
            "deadline": deadline,
        }
        if asked != way:
            self.data["chains"]["way"] = {
                "path": way,
                "constraint": "data_age",
                "deadline": deadline,
            }

    def way(self) -> list[str]:
        kind = self.row["activation"]
        if kind in BY_JOBS:
            return ["S", "R"]
        if kind == "time":
            return ["R"]
        if kind == "serves":
            return ["ask", "Z/request", "R"]
        if kind == "receives":
            return ["ask", "Z/request", "other", "Z/reply", "R"]
        return ["S", "A", "R"]

    def named(self, path: list[str]) -> Raw:
        if self.row["chain"] == "ends" and len(path) > 1:
            return {"from": path[0], "to": path[-1]}
        return {"path": path}
