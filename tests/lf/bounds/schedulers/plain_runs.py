"""Runs of reactions under schedulers of Lingua Franca and of Linux, nanosecond by nanosecond.

As plain as can be, for small numbers: nothing is computed ahead, no event is skipped to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.levels import followers, levels
from ddsrta.lf.program.tags import SAME

Order = Literal["NP", "level first", "deadline first"]
FIFO, MONOTONIC, EDF = "fifo", "deadline-monotonic", "edf"


@dataclass
class Choices:
    """What a run is free to choose: how long things take, what is written, and who goes first."""

    random: Random
    longest: bool = False
    chaining: bool = True

    def takes(self, wcet: int) -> int:
        """An execution time."""
        if self.longest or self.random.random() < 0.5:
            return wcet
        return self.random.randint(0, wcet)

    def writes(self) -> bool:
        """Whether an effect that need not be written is."""
        return self.longest or self.random.random() < 0.8


@dataclass
class TagQueue:
    """The reactions of one tag that wait; each is released when what it reads has been written."""

    federate: Federate
    order: Order
    choices: Choices
    waiting: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    current: int = 0  # the level at which workers are

    def __post_init__(self) -> None:
        self.level = levels(self.federate)
        self.after = followers(self.federate)
        self.inherited: dict[str, int] = {}
        for name in sorted(self.level, key=self.level.__getitem__, reverse=True):
            own = self.federate.reactions[name].deadline
            known = [self.inherited[other] for other in self.after[name]]
            self.inherited[name] = min([*known, 1 << 60 if own is None else own])

    def take(self, running: Sequence[str]) -> str | None:
        """The next reaction for a free worker, while others run some."""
        if not self.waiting:
            return None
        if self.order == "deadline first":
            head = min((self.inherited[name], self.level[name]) for name in self.waiting)
            ready = [n for n in self.waiting if (self.inherited[n], self.level[n]) == head]
        else:
            lowest = min(self.level[name] for name in self.waiting)
            ready = [n for n in self.waiting if self.level[n] == lowest]
            if self.order == "level first":
                least = min(self.inherited[name] for name in ready)
                ready = [n for n in ready if self.inherited[n] == least]
        chosen = self.choices.random.choice(ready)
        if running and self.level[chosen] != self.current:
            return None  # others still work on another level
        self.current = self.level[chosen]
        self.waiting.remove(chosen)
        return chosen

    def end(self, name: str) -> str | None:
        """A reaction is done: what it enables waits, or is run at once (returned)."""
        self.gone.add(name)
        enabled = self._enabled(name)
        for other in enabled:
            if other not in self.waiting and other not in self.gone:
                self.waiting.append(other)
        before = [n for n, names in self.after.items() if enabled and enabled[0] in names]
        lower = all(self.level[n] < self.level[name] for n in before if n != name)
        alone = len(enabled) == 1 and lower and enabled[0] in self.waiting
        if alone and self.choices.chaining and self.choices.random.random() < 0.5:
            self.waiting.remove(enabled[0])
            return enabled[0]
        return None

    def _enabled(self, name: str) -> list[str]:
        places: list[str] = []
        for effect in self.federate.reactions[name].effects:
            if self.federate.reactions[name].always or self.choices.writes():
                places.append(effect)
        for place in places:
            inner = self.federate.connections
            places += [c.target for c in inner if c.source == place and c.shift == SAME]
        return [
            other.name
            for other in self.federate.reactions.values()
            if set(other.triggers) & set(places)
        ]


def ticks(federate: Federate, until: int) -> dict[int, list[str]]:
    """The reactions that timers trigger, by time."""
    found: dict[int, list[str]] = {}
    for name, reaction in federate.reactions.items():
        times = {
            time
            for timer in federate.timers.values()
            if timer.name in reaction.triggers
            for time in range(timer.offset, until, timer.period or until)
        }
        for time in times:
            found.setdefault(time, []).append(name)
    return dict(sorted(found.items()))


def run_workers(federate: Federate, order: Order, choices: Choices, until: int) -> dict[str, int]:
    """The largest lag of each reaction, with as many cores as workers; timers alone trigger."""
    late: dict[str, int] = {}
    now = 0
    for tag, ready in ticks(federate, until).items():
        now = max(now, tag)
        queue = TagQueue(federate, order, choices, waiting=list(ready))
        now += federate.overhead
        running: dict[str, int] = {}  # when each will be done
        while queue.waiting or running:
            for name in [n for n, end in running.items() if end <= now]:
                del running[name]
                _begin(queue, queue.end(name), running, now, tag, late)
            while len(running) < federate.workers:
                name_or_none = queue.take(list(running))
                if name_or_none is None:
                    break
                _begin(queue, name_or_none, running, now, tag, late)
            if running and not any(end <= now for end in running.values()):
                now += 1
    return late


def _begin(
    queue: TagQueue, name: str | None, running: dict[str, int], now: int, tag: int,
    late: dict[str, int],
) -> None:  # fmt: skip
    if name is None:
        return
    late[name] = max(late.get(name, 0), now - tag)
    running[name] = now + queue.choices.takes(queue.federate.reactions[name].wcet or 0)


@dataclass
class _Process:
    """A federate as a thread: asleep until a tag, then at work on its reactions one by one."""

    federate: Federate
    order: Order
    tags: dict[int, list[str]]
    deadline: int
    rank: tuple[int, ...] = ()
    asleep_since: int = 0
    tag: int | None = None
    queue: TagQueue | None = None
    current: str | None = None
    left: int = 0


def run_threads(
    federates: Sequence[Federate],
    policy: str,
    choices: Choices,
    until: int,
    orders: Sequence[Order],
    deadlines: Mapping[str, int],
    throttle: tuple[int, int] | None = None,
) -> dict[tuple[str, str], int]:
    """The largest lag of each reaction of one-worker federates on one core.

    `deadlines`: by federate, what its priority comes from. `throttle`: threads may run for the
    first so much of each period, counted from 0, and not beyond.
    """
    core = _Core(federates, policy, choices, until, orders, deadlines)
    used = now = 0
    while core.is_busy(now):
        if throttle and now % throttle[1] == 0:
            used = 0
        if throttle and used >= throttle[0]:
            core.wake(now)
            now += 1
            continue
        used += core.step(now)
        now += 1
    return core.late


class _Core:
    """Which thread runs in the next nanosecond."""

    def __init__(
        self,
        federates: Sequence[Federate],
        policy: str,
        choices: Choices,
        until: int,
        orders: Sequence[Order],
        deadlines: Mapping[str, int],
    ) -> None:
        self.policy, self.choices = policy, choices
        self.count = len(federates)
        self.late: dict[tuple[str, str], int] = {}
        self.all = [
            _Process(f, order, ticks(f, until), deadlines[f.name], asleep_since=i)
            for i, (f, order) in enumerate(zip(federates, orders, strict=True))
        ]

    def is_busy(self, now: int) -> bool:
        """Whether anything is left to do, now or later."""
        return any(process.tags or process.tag is not None for process in self.all)

    def wake(self, now: int) -> None:
        """Threads whose tag's time has come get in line, who slept longest first."""
        for process in sorted(self.all, key=lambda process: process.asleep_since):
            if process.tag is None and process.tags and min(process.tags) <= now:
                self._next(process)
                self.count += 1
                process.rank = self._rank(process)

    def _next(self, process: _Process) -> None:
        process.tag = min(process.tags)
        ready = process.tags.pop(process.tag)
        process.queue = TagQueue(process.federate, process.order, self.choices, list(ready))
        process.left, process.current = process.federate.overhead, ""

    def _rank(self, process: _Process) -> tuple[int, ...]:
        if self.policy == FIFO:
            return (self.count,)
        if self.policy == MONOTONIC:
            return (process.deadline, self.count)
        assert process.tag is not None
        return (process.tag + process.deadline, self.choices.random.randint(0, 3), self.count)

    def step(self, now: int) -> int:
        """One nanosecond: how much of it was used."""
        while True:
            self.wake(now)
            ready = [process for process in self.all if process.tag is not None]
            if not ready:
                return 0
            process = min(ready, key=lambda process: process.rank)
            if process.left:
                process.left -= 1
                return 1
            self._advance(process, now)

    def _advance(self, process: _Process, now: int) -> None:
        """The current reaction is done: on to the next, the next tag, or to sleep."""
        queue = process.queue
        assert queue is not None and process.tag is not None
        following = queue.end(process.current) if process.current else None
        following = following or queue.take([])
        process.current = following
        if following is not None:
            key = (process.federate.name, following)
            self.late[key] = max(self.late.get(key, 0), now - process.tag)
            wcet = process.federate.reactions[following].wcet or 0
            process.left = self.choices.takes(wcet)
            return
        process.tag = None
        if process.tags and min(process.tags) <= now:
            self._next(process)
            if self.policy == EDF:
                process.rank = self._rank(process)
            return
        self.count += 1
        process.asleep_since = self.count
