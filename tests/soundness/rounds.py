"""Systems in which messages go round until a counter ends it: on threads, executors of every kind,
through flow controllers, within a process and over a network."""

from __future__ import annotations

from random import Random

import yaml

import ddsrta
from ddsrta.models.system import System
from ddsrta.ros2 import KINDS

MOST_ROUNDS = 4
BY_PRIORITY = ("fixed_priority",)  # kinds whose callbacks have priorities


def rounds_system(seed: int) -> System:
    """One with a circle of one to three threads."""
    return ddsrta.loads(yaml.safe_dump(rounds_data(seed), sort_keys=False))


def rounds_data(seed: int) -> dict[str, object]:
    """Its document."""
    return _Drawing(Random(seed)).data()


class _Drawing:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.length, self.rounds = random.randint(1, 3), random.randint(1, MOST_ROUNDS)
        self.priorities = random.sample(range(1, 60), 40)
        self.executors: dict[str, dict[str, object]] = {}
        self.cores = {"a": "ab"[: random.randint(1, 2)], "b": "c"}
        for number in range(random.randint(0, 2)):
            kind = random.choice([*KINDS])
            self.executors[f"e{number}"] = {**self.place(), "kind": kind}
            if kind == "multi_threaded":
                self.executors[f"e{number}"]["threads"] = random.randint(1, 3)
        self.threads: dict[str, dict[str, object]] = {}
        self.callbacks: dict[str, dict[str, object]] = {}

    def place(self) -> dict[str, object]:
        machine = self.random.choice("aab")
        core = self.random.choice(self.cores[machine])
        return {"core": f"{machine}/{core}", "priority": self.priorities.pop()}

    def machine(self, job: dict[str, object]) -> str:
        executor = job.get("executor")
        return str((self.executors[str(executor)] if executor else job)["core"])[0]

    def job(
        self, name: str, period: int | None, reads: str | None, sends: list[tuple[str, int]]
    ) -> None:
        random, wcet = self.random, self.random.randint(2, 12)
        job: dict[str, object] = {}
        if self.executors and random.random() < 0.6:
            job["executor"] = random.choice([*self.executors])
            if self.executors[str(job["executor"])]["kind"] in BY_PRIORITY:
                job["priority"] = self.priorities.pop()
            self.callbacks[name] = job
        else:
            job.update(self.place())
            self.threads[name] = job
        job["wcet"] = f"{wcet}ns"
        if random.random() < 0.7:
            job["bcet"] = f"{random.choice((1, wcet // 2, wcet))}ns"
        if period:
            job["timer" if "executor" in job else "period"] = f"{period}ns"
        machine = self.machine(job)
        if reads:
            delay = f"{random.randint(1, 4)}ns"
            job["subscribes"] = {"topics": [reads], "listener": f"L{machine}", "delay": delay}
        published = []
        for topic, rounds in sends:
            one: dict[str, object] = {"topic": topic, "delay": f"{random.randint(1, 4)}ns"}
            if random.random() < 0.4:
                one["flow_controller"] = f"F{machine}"
            if rounds:
                one["rounds"] = rounds
            published.append(one)
        if published:
            job["publishes"] = published

    def data(self) -> dict[str, object]:
        random, last = self.random, self.length - 1
        for number in range(random.randint(1, 2)):
            period = random.choice((150, 300, 500, 900))
            self.job(f"s{number}", period, None, [(f"t{last}", 0)])
        others = ["out"] if random.random() < 0.4 else []
        for number in range(self.length):
            rounds = self.rounds if number == last else 0
            sends = [(f"t{number}", rounds)]
            sends += [(topic, 0) for topic in others if number == 0]
            before = f"t{last}" if number == 0 else f"t{number - 1}"
            self.job(f"m{number}", None, before, sends)
        if others:
            self.job("o", None, "out", [])
        for number in range(random.randint(0, 2)):
            self.job(f"x{number}", random.choice((90, 150, 400)), None, [])
        path = ["s0", f"t{last}", "m0"]
        for number in range(1, self.length):
            path += [f"t{number - 1}", f"m{number}"]
        cores = {f"L{m}": self.cores[m][0] for m in "ab"}
        delays = {"delay": "9ns", "best": "5ns"}
        data: dict[str, object] = {
            "ddsrta": 1,
            "machines": {name: {"cores": [*cores]} for name, cores in self.cores.items()},
            "network": [{"from": a, "to": b, **delays} for a, b in ("ab", "ba")],
            "topics": {t: {"size": "1B"} for t in [*(f"t{n}" for n in range(self.length)), "out"]},
            "flow_controllers": {
                f"F{m}": {"core": f"{m}/{self.cores[m][0]}", "priority": 70, "policy": "FIFO"}
                for m in "ab"
            },
            "listeners": {
                name: {"core": f"{name[1]}/{core}", "priority": 80} for name, core in cores.items()
            },
        }
        if self.executors:
            data["executors"] = self.executors
        if self.threads:
            data["threads"] = self.threads
        if self.callbacks:
            data["callbacks"] = self.callbacks
        around = [f"t{last}", "m0", *path[3:]]
        again = path + around * random.randint(1, self.rounds)
        within = [f"m{last}", *around] if random.random() < 0.5 else again[2:]
        paths = {"way": path, "again": again, "within": within}
        return {**data, "chains": {n: {"path": p, "deadline": "1s"} for n, p in paths.items()}}
