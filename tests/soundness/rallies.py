"""Circles of which one round comes after the other, with what follows and meets them on two cores."""

from __future__ import annotations

from random import Random
from typing import Any

import yaml

import ddsrta
from ddsrta.models.system import System

MOST_ROUNDS = 5


def rallies_system(seed: int) -> System:
    """One with a circle of one to three threads, which mostly takes messages as they come."""
    return ddsrta.loads(yaml.safe_dump(_Drawing(Random(f"rallies {seed}")).data(), sort_keys=False))


class _Drawing:
    def __init__(self, random: Random) -> None:
        self.random, self.threads = random, dict[str, dict[str, Any]]()
        self.length, self.rounds = random.randint(1, 3), random.randint(1, MOST_ROUNDS)
        self.priorities = random.sample(range(1, 80), 40)

    def job(self, name: str, **said: Any) -> int:
        """Adds a thread; returns what it costs."""
        wcet = self.random.randint(2, 14)
        bcet = self.random.choice((1, wcet // 2, wcet))
        place = {"core": f"m/{self.random.choice('aab')}", "priority": self.priorities.pop()}
        self.threads[name] = {**place, "wcet": f"{wcet}ns", "bcet": f"{bcet}ns", **said}
        return wcet

    def sends(self, name: str, topic: str, wcet: int, **said: Any) -> None:
        """Lets a thread publish, as it ends or at any time."""
        one: dict[str, Any] = {"topic": topic, "delay": f"{self.random.randint(0, 2)}ns", **said}
        if self.random.random() < 0.5:
            one["earliest"] = f"{wcet}ns"
        self.threads[name]["publishes"] = [one]

    def circle(self) -> None:
        """What begins it, and its threads."""
        random, last, period = self.random, self.length - 1, self.random.choice((400, 700, 1100))
        for number in range(1 + (random.random() < 0.3)):
            wcet = self.job(f"s{number}", period=f"{(number + 1) * period}ns")
            self.sends(f"s{number}", f"t{last}", wcet)
        for number in range(self.length):
            before, delay = f"t{(number or self.length) - 1}", f"{random.randint(1, 3)}ns"
            reads = {"topics": [before], "listener": "L", "delay": delay}
            if number == 0 and random.random() < 0.9:
                reads["order"] = "arrival"
            wcet = self.job(f"m{number}", subscribes=reads)
            closes = {"rounds": self.rounds} if number == last else {}
            self.sends(f"m{number}", f"t{number}", wcet, **closes)

    def beside(self) -> None:
        """What follows its threads, or those that begin it; and what is only there, too."""
        random, before = self.random, "s0"
        for number in range(random.randint(0, 3)):
            sources = [random.choice([f"m{random.randrange(self.length)}", before, "s0"])]
            if random.random() < 0.3 and before not in sources:
                sources.append(before)
            follows: dict[str, Any] = {"threads": sources}
            if random.random() < 0.3:
                follows["delay"] = f"{random.randint(1, 9)}ns"
            before = f"f{number}"
            self.job(before, follows=follows)
        for number in range(random.randint(1, 4)):
            if number == 0 or random.random() < 0.3:
                self.job(f"x{number}", period=f"{random.choice((90, 130, 200, 350))}ns")
            else:
                self.job(f"x{number}", follows={"threads": [f"x{number - 1}"]})

    def data(self) -> dict[str, Any]:
        """The document."""
        cores: dict[str, Any] = {"a": {}, "b": {}, "c": {}}
        if self.random.random() < 0.3:
            budget = f"{self.random.choice((6, 9, 14))}ns"
            cores[self.random.choice("ab")]["reservation"] = {"budget": budget, "period": "15ns"}
        self.circle()
        self.beside()
        around = [part for n in range(self.length) for part in (f"m{n}", f"t{n}")][:-1]
        way = ["s0", f"t{self.length - 1}", *around]
        paths = {"way": way, "again": [*way, f"t{self.length - 1}", *around]}
        for name, thread in self.threads.items():
            if "follows" in thread:
                paths[f"to {name}"] = [thread["follows"]["threads"][0], name]
        listener = self.random.choice(("m/c", "m/c", "m/a"))
        return {
            "ddsrta": 1,
            "machines": {"m": {"cores": cores}},
            "topics": {f"t{number}": {"size": "1B"} for number in range(self.length)},
            "listeners": {"L": {"core": listener, "priority": 90}},
            "threads": self.threads,
            "chains": {name: {"path": path, "deadline": "1s"} for name, path in paths.items()},
        }
