"""Random systems of executors, callbacks, services and processes, as files from a seed."""

import dataclasses
import json
import random

from ddsrta.base.diagnostics import InputError
from ddsrta.models.paths import is_reachable
from ddsrta.models.reader import loads
from ddsrta.models.system import Chain
from ddsrta.ros2 import KINDS

DRAWN = ("single_threaded", *KINDS)
CORES = ("m/a", "m/b")


def executor_system(seed, load=1):
    """The first valid system of a seed, with chains between all that reach each other."""
    for attempt in range(100):
        rnd = random.Random(1000 * seed + attempt)
        try:
            system = loads(json.dumps(_Drawing(rnd, load).document()), f"{seed}.yaml")
        except InputError:  # a message that comes in both ways, or nothing that releases it
            continue
        return _with_chains(system)
    raise AssertionError(f"no valid system from seed {seed}")


def _with_chains(system):
    chains = {}
    for a in system.threads:
        for b in system.threads:
            if len(chains) < 12 and a != b and is_reachable(system, a, b):
                chains[f"{a} to {b}"] = Chain(f"{a} to {b}", ends=(a, b), limit=4)
    return dataclasses.replace(system, chains=chains)


class _Drawing:
    def __init__(self, rnd, load):
        self.rnd, self.load = rnd, load
        self.topics, self.services, self.callbacks, self.threads = {}, {}, {}, {}

    def time(self, least, most):
        return f"{self.load * self.rnd.randint(least, most)}ns"

    def cost(self, more=0):
        if self.rnd.random() < 0.5:
            return self.time(1 + more, 4 + more)
        return {"worst": self.time(3 + more, 5 + more), "best": self.time(1 + more, 3 + more)}

    def document(self):
        rnd = self.rnd
        executors = {f"e{i}": self.executor() for i in range(rnd.randint(1, 2))}
        if rnd.random() < 0.5:
            self.threads["t0"] = self.thread()
        for i in range(rnd.randint(3, 6)):
            self.callback(f"k{i}", rnd.choice(sorted(executors)), executors)
        if rnd.random() < 0.5:
            self.threads["t1"] = self.reader()
        found = {
            "ddsrta": 1,
            "machines": {"m": {"cores": ["a", "b", "c"]}},
            "delays": {name: {"1B": self.cost(), "9B": self.cost(4)} for name in self.tables()},
            "topics": self.topics,
            "services": self.services,
            "flow_controllers": {"F": {"core": rnd.choice(CORES), "priority": rnd.randint(1, 6)}},
            "listeners": {
                name: {"core": rnd.choice((*CORES, "m/c")), "priority": rnd.randint(1, 6)}
                for name in ("L", "P", "Q")
            },
            "processes": {
                "p": {"listener": "P", "intra_process": rnd.choice((True, True, False))},
                "q": {"listener": "Q", "intra_process": rnd.choice((True, False))},
            },
            "executors": executors,
            "callbacks": self.callbacks,
            "threads": self.threads,
        }
        return {key: value for key, value in found.items() if value}

    def tables(self):
        names = ["flow_controller", "listener", "publisher"]
        return [*names, "take"] if self.rnd.random() < 0.7 else names

    def placed(self):
        found = {"core": self.rnd.choice(CORES), "priority": self.rnd.randint(1, 6)}
        if self.rnd.random() < 0.1:
            del found["priority"]
            found["reservation"] = {"budget": "8ns", "period": "20ns"}
        return found

    def executor(self):
        rnd = self.rnd
        found = {**self.placed(), "kind": rnd.choice(DRAWN), "process": rnd.choice("ppq")}
        found["order"] = rnd.choice(("unknown", "registered"))
        if rnd.random() < 0.6:
            found["release"] = rnd.choice(KINDS[found["kind"]].releases)
        if rnd.random() < 0.3 and not KINDS[found["kind"]].by_priority:
            found["background"] = {"wcet": self.time(1, 3), "period": "400ns"}
        return found

    def thread(self):
        period = {"period": self.rnd.choice(("150ns", "300ns"))}
        return {**self.placed(), "wcet": self.time(1, 8), **period, **self.publishes("t0")}

    def reader(self):
        """Of several topics, perhaps of one job that are all direct."""
        found = {**self.placed(), "wcet": self.time(2, 6), **self.released("L")}
        if "subscribes" in found and self.rnd.random() < 0.7:
            del found["subscribes"]["listener"]
            found["process"] = "p"
            found["subscribes"]["activation"] = self.rnd.choice(("or", "and"))
        return found

    def publishes(self, name):
        found = []
        for number in range(self.rnd.choice((0, 1, 1, 2))):
            topic = f"{name}x{number}"
            if self.topics and self.rnd.random() < 0.1:
                topic = self.rnd.choice(sorted(self.topics))
            self.topics.setdefault(topic, {"size": self.rnd.choice(("1B", "5B"))})
            one = {"topic": topic}
            if self.rnd.random() < 0.4:
                one |= {"mode": "async", "flow_controller": "F"}
            if self.rnd.random() < 0.2:
                one["count"] = 2
            found.append(one)
        return {"publishes": found} if found else {}

    def released(self, listener=None):
        rnd = self.rnd
        if not self.topics:
            return {"period": "200ns"} if listener else {"timer": "200ns"}
        chosen = rnd.sample(sorted(self.topics), min(len(self.topics), rnd.choice((1, 1, 2, 3))))
        found = {"topics": chosen}
        if len(chosen) > 1:
            found["activation"] = "and"
        if listener:
            found["listener"] = listener
        if rnd.random() < 0.2:
            found["take"] = self.cost()
        return {"subscribes": found}

    def callback(self, name, executor, executors):
        rnd, draw = self.rnd, self.rnd.random()
        found = {"executor": executor, "wcet": self.time(1, 8)}
        if rnd.random() < 0.5:
            found["bcet"] = "1ns"
        if KINDS[executors[executor]["kind"]].by_priority:
            found["priority"] = rnd.randint(1, 3)
        if not self.callbacks or draw < 0.25:
            found["timer"] = rnd.choice(("200ns", "300ns", "400ns"))
            if rnd.random() < 0.3 and self.topics:
                found["subscribes"] = {"topics": rnd.sample(sorted(self.topics), 1)}
        elif draw < 0.35:
            found["arrival"] = {"sporadic": {"distance": "300ns", "jitter": "40ns"}}
        elif draw < 0.5:
            others = sorted({*self.callbacks, *self.threads})
            chosen = rnd.sample(others, min(len(others), rnd.choice((1, 1, 2))))
            found["follows"] = {"threads": chosen, "activation": rnd.choice(("or", "and"))}
        elif draw < 0.6 and any("timer" in other for other in self.callbacks.values()):
            timers = [key for key, other in self.callbacks.items() if "timer" in other]
            caller = self.callbacks[rnd.choice(timers)]
            service = f"s{len(self.services)}"
            self.services[service] = {"request": "1B", "reply": "9B"}
            caller.setdefault("calls", []).append({"service": service})
            found["serves"] = {"service": service}
            receiver = {"wcet": self.time(1, 4), "receives": {"service": service}}
            self.callbacks[f"{name}r"] = {**receiver, "executor": caller["executor"]}
            if "priority" in caller:
                self.callbacks[f"{name}r"]["priority"] = 2
        else:
            found |= self.released()
        self.callbacks[name] = {**found, **self.publishes(name)}
