"""Runs of a pool, nanosecond by nanosecond, written from what rclcpp's multi-threaded executor does
and without the simulator: threads, the mutex under which one of them looks for work, groups.

Who releases, takes, hands on and takes how long does so against one callback, or as it is drawn.
"""

from __future__ import annotations

import json
from random import Random
from typing import NamedTuple

from ddsrta.models.reader import loads


class Source(NamedTuple):
    """What is released each period, up to `jitter` late; behind another, once for each end."""

    name: str
    cost: int
    period: int = 0
    jitter: int = 0
    group: str | None = None
    after: str | None = None
    core: int = -1  # of a more urgent thread


class Pool(NamedTuple):
    """A system of this kind."""

    cores: int
    callbacks: list[Source]
    urgent: list[Source]

    def system(self):
        """The same as a model."""
        names = [f"m/c{i}" for i in range(self.cores)]
        callbacks, threads = {}, {}
        for one in self.callbacks:
            callbacks[one.name] = {"executor": "e", **_released(one)}
            callbacks[one.name] |= {"group": one.group} if one.group else {"reentrant": True}
        for one in self.urgent:
            threads[one.name] = {"core": names[one.core], "priority": 9, **_released(one)}
        return loads(json.dumps({
            "ddsrta": 1, "machines": {"m": {"cores": [f"c{i}" for i in range(self.cores)]}},
            "executors": {"e": {"cores": names, "priority": 5, "kind": "multi_threaded"}},
            "callbacks": callbacks, "threads": threads,
        }))  # fmt: skip


def _released(one):
    found = {"wcet": f"{one.cost}ns", "bcet": "0ns"}
    if one.after:
        return found | {"follows": {"threads": [one.after]}}
    return found | {"arrival": {"period": f"{one.period}ns", "jitter": f"{one.jitter}ns"}}


def drawn(seed):
    """A pool with about so much to do that it has bounds."""
    random = Random(f"pool runs {seed}")
    cores, callbacks = random.choice((2, 2, 3, 4)), []
    count = random.randint(2, 7)
    load = random.uniform(0.2, 0.5) * cores
    for i in range(count):
        group = random.choice(("g", "h", f"own{i}", None, None))
        free = [one for one in callbacks if one.name not in {other.after for other in callbacks}]
        cost = random.randint(1, 20)
        if free and random.random() < 0.3:
            callbacks.append(Source(f"k{i}", cost, group=group, after=random.choice(free).name))
            continue
        period = max(cost + 1, int(cost * count / load * random.uniform(0.7, 1.5)))
        if random.random() < 0.25:  # most of a thread
            period = cost + random.randint(1, max(1, cost // 3))
        jitter = random.choice((0, 0, period // 2, period, 2 * period))
        callbacks.append(Source(f"k{i}", cost, period, jitter, group))
    urgent = [
        Source(f"u{i}", random.randint(1, 9), random.randint(60, 160), random.choice((0, 30)), core=i % cores)
        for i in range(random.choice((0, 1, 2)))
    ]  # fmt: skip
    return Pool(cores, callbacks, urgent)


class Job:
    """One of them."""

    def __init__(self, source, arrived, cost):
        self.source, self.arrived, self.left = source, arrived, cost


class PoolRun:
    """One run against a callback: its burst comes at `moment`, as do most of the others."""

    def __init__(self, pool, random, target, length=600):
        self.pool, self.random, self.target = pool, random, target
        self.worst = {}
        self.kind = random.choice(("late", "late", "drawn"))
        self.moment = random.randint(length // 3, length // 2)
        self.releases = {}
        for one in (*pool.callbacks, *pool.urgent):
            for time in self._times(one, length) if not one.after else ():
                self.releases.setdefault(time, []).append(one)
        self.ready, self.running = [], [None] * pool.cores
        self.above = [[] for _ in range(pool.cores)]
        self.holder = random.randrange(pool.cores)
        for now in range(length):
            self._step(now)

    def _times(self, one, length):
        """Nominal releases, the ones around the moment bunched there, as far as jitter allows."""
        random = self.random
        moment = self.moment + random.choice((0, 0, 0, random.randint(-20, 20)))
        phase = random.choice((moment % one.period, random.randrange(one.period)))
        if one.jitter and random.random() < 0.7:
            phase = (moment - one.jitter) % one.period
        last = 0
        for nominal in range(phase - 3 * one.period, length, one.period):
            late = min(max(moment - nominal, 0), one.jitter)
            if random.random() < 0.1:
                late = random.randint(0, one.jitter)
            last = max(last, nominal + late)
            if nominal + late >= 0:
                yield nominal + late

    def _cost(self, one):
        return one.cost if self.random.random() < 0.85 else self.random.randint(0, one.cost)

    def _step(self, now):
        for one in self.releases.get(now, ()):
            job = Job(one, now, self._cost(one))
            (self.ready if one.core < 0 else self.above[one.core]).append(job)
        while self._end(now) or self._take():
            pass
        for core in range(self.pool.cores):
            job = self.above[core][0] if self.above[core] else self.running[core]
            if job is not None:
                job.left -= 1

    def _end(self, now):
        """What is done; what follows it is ready, and its thread looks for work or waits for the
        mutex."""
        for core in range(self.pool.cores):
            while self.above[core] and self.above[core][0].left == 0:
                self.above[core].pop(0)
            job = self.running[core]
            if job is not None and job.left == 0 and not self.above[core]:
                self.worst[job.source.name] = max(
                    self.worst.get(job.source.name, 0), now - job.arrived
                )
                self.running[core] = None
                self.ready += [
                    Job(one, now, self._cost(one))
                    for one in self.pool.callbacks if one.after == job.source.name
                ]  # fmt: skip
                if self.holder < 0:
                    self.holder = core
                return True
        return False

    def _take(self):
        """The thread that has the mutex takes one of what it may, if it has its core, and hands the
        mutex on."""
        if self.holder < 0 or self.above[self.holder]:
            return False
        busy = {job.source.group for job in self.running if job is not None} - {None}
        first = {}
        for job in self.ready:
            if job.source.group not in busy:
                first.setdefault(job.source.name, job)
        if not first:
            return False
        choice = list(first.values())
        others = [job for job in choice if job.source.name != self.target]
        if self.kind == "late" and others:
            choice = others
        job = self.random.choice(choice)
        self.ready.remove(job)
        self.running[self.holder] = job
        idle = [core for core in range(self.pool.cores) if self.running[core] is None]
        kept_off = [core for core in idle if self.above[core]]
        self.holder = self.random.choice(kept_off or idle or [-1])
        return True
