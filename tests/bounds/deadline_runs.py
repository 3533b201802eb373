"""Runs of SCHED_DEADLINE by the rules of constant-bandwidth servers, one tick after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random


@dataclass
class Reserved:
    """Jobs of so much work, so far apart; of SCHED_FIFO where there is no period."""

    work: int
    apart: int
    budget: int = 0
    period: int = 0


def drawn(random: Random, room: float, longest: int) -> dict[str, Reserved]:
    """Up to three threads with so much of a core, and periods no longer than that, whose jobs come
    about as fast as their budgets."""
    threads = {}
    for name in "abc"[: random.randint(1, 3)]:
        period = random.randint(3, longest)
        budget = random.randint(1, max(1, int(period * room / 2)))
        room -= budget / period
        work = random.randint(1, 2 * budget)
        apart = work * period // budget + random.randint(1, 9)
        threads[name] = Reserved(work, apart, budget, period)
    return threads


@dataclass
class _Server:
    given: Reserved
    releases: list[int]
    jobs: list[list[int]] = field(default_factory=list)  # released, left
    left: int = 0
    due: int = -1
    waits: bool = False
    worst: int = 0

    def wakes(self, now: int) -> None:
        keeps = self.left * self.given.period <= (self.due - now) * self.given.budget
        if not self.waits and not (self.due > now and keeps):
            self.left, self.due = self.given.budget, now + self.given.period

    def begins(self, now: int) -> None:
        """What happens to it at this moment."""
        if self.waits and now >= self.due:
            self.waits = False
            self.left, self.due = self.given.budget, self.due + self.given.period
        if self.releases and self.releases[0] == now:
            self.releases.pop(0)
            if not self.jobs and self.given.period:
                self.wakes(now)
            self.jobs.append([now, self.given.work])

    def runs(self, now: int) -> None:
        """For one tick."""
        self.jobs[0][1] -= 1
        self.left -= 1
        if not self.jobs[0][1]:
            self.worst = max(self.worst, now + 1 - self.jobs.pop(0)[0])
        if self.given.period and not self.left:  # also where the job is done just then
            self.waits = True


def worst_of(threads: dict[str, Reserved], random: Random, end: int) -> dict[str, int]:
    """The longest responses of a run with drawn releases."""
    servers = {name: _Server(one, _releases(one, random, end)) for name, one in threads.items()}
    for now in range(end):
        for server in servers.values():
            server.begins(now)
        ready = [one for one in servers.values() if one.jobs and not one.waits]
        if ready:  # SCHED_FIFO last; the order of equals is drawn
            random.shuffle(ready)
            min(ready, key=lambda one: one.due if one.given.period else 2 * end).runs(now)
    return {name: server.worst for name, server in servers.items()}


def _releases(one: Reserved, random: Random, end: int) -> list[int]:
    found, at = [], random.choice((0, 0, random.randint(0, 3 * one.apart)))
    while at < end:
        found.append(at)
        at += one.apart + random.choice((0, 0, 0, random.randint(0, one.apart)))
    return found
