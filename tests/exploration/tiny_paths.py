"""Tiny paths of threads that follow each other, some of them released by time, and all that can ever
happen there, nanosecond by nanosecond: ages, reactions, and latencies of what comes last."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from tests.exploration.tiny import TooManyError

NONE = -1


class Task(NamedTuple):
    """`after`: whom it follows; with a period they are registers."""

    core: str
    priority: int
    cost: int
    period: int = 0
    offset: int = NONE
    after: tuple[int, ...] = ()
    both: bool = False
    delay: int = 0
    best: int = 1


class Tiny(NamedTuple):
    """The path is through these tasks."""

    tasks: tuple[Task, ...]
    path: tuple[int, ...]


def drawn(random: Random) -> Tiny:
    """Two or three on the path, a join sometimes, and one that only takes time."""
    length = random.choice((2, 2, 3))
    priorities = random.sample(range(1, 9), length + 2)
    tasks = []
    clocked = random.random() < 0.4
    for i in range(length):
        timed = i == 0 or random.random() < 0.6
        period = random.choice((4, 5, 6, 8)) if timed else 0
        offset = random.randrange(3) if clocked and timed else NONE
        cost = random.choice((1, 1, 2))
        best = random.choice((1, cost))
        after = (i - 1,) if i else ()
        delay = random.choice((0, 0, 1, 2)) if i else 0
        task = Task(
            random.choice("ab"), priorities[i], cost, period, offset, after, False, delay, best
        )
        tasks.append(task)
    if random.random() < 0.5:  # one more, which takes time or is the other input of a join
        joins = [i for i, task in enumerate(tasks) if task.after and not task.period]
        period = random.choice((4, 5, 7))
        if joins and random.random() < 0.7:
            at = random.choice(joins)
            period = tasks[0].period
            if all(not task.period for task in tasks[1:at]):
                tasks[at] = tasks[at]._replace(after=(at - 1, length), both=True)
        offset = random.randrange(3) if clocked else NONE
        tasks.append(Task(random.choice("ab"), priorities[length], 1, period, offset))
    return Tiny(tuple(tasks), tuple(range(length)))


def text(t: Tiny, constraint: str) -> str:
    """The same as system.yaml."""
    lines = ["ddsrta: 1", "machines: {m: {cores: [a, b]}}", "threads:"]
    for i, task in enumerate(t.tasks):
        said = f"core: m/{task.core}, priority: {task.priority}, wcet: {task.cost}ns"
        said += f", bcet: {task.best}ns"
        if task.period:
            offset = f", offset: {task.offset}ns" if task.offset >= 0 else ""
            said += f", arrival: {{period: {task.period}ns{offset}}}"
        if task.after:
            names = ", ".join(f"t{one}" for one in task.after)
            both = ", activation: and" if task.both else ""
            said += f", follows: {{threads: [{names}], delay: {task.delay}ns{both}}}"
        lines.append(f"  t{i}: {{{said}}}")
    path = ", ".join(f"t{i}" for i in t.path)
    lines.append(f"chains: {{c: {{path: [{path}], constraint: {constraint}}}}}")
    return "\n".join(lines) + "\n"


class Job(NamedTuple):
    """`age`: since the release at the beginning of the path; none: it is of no such."""

    age: int
    done: int = 0


class State(NamedTuple):
    """By task: when it is released next, -1 before it begins, its job, and what waits; news on their
    way (from, to, how long, age); what registers and joins have, by way; since when is known what
    is known at the end; who runs, by core; since the beginning, as long as one has to begin."""

    until: tuple[int, ...]
    job: tuple[Job | None, ...]
    waits: tuple[tuple[int, ...], ...]
    news: tuple[tuple[int, int, int, int], ...]
    register: tuple[int, ...]
    tokens: tuple[tuple[tuple[int, bool], ...], ...]  # of a join, by input: age, whether it is new
    known: int
    runs: tuple[int, ...]
    started: int


def older(age: int) -> int:
    return age if age < 0 else age + 1


class Everything:
    """The largest data age (a trigger latency, where that is asked for) and reaction time in all runs."""

    def __init__(self, tiny: Tiny, kind: str = "data_age") -> None:
        self.t = tiny.tasks
        self.kind = kind
        self.path = tiny.path
        self.age = self.reaction = NONE
        cores = sorted({task.core for task in self.t})
        self.on = [
            sorted(
                (i for i, task in enumerate(self.t) if task.core == core),
                key=lambda i: -self.t[i].priority,
            )
            for core in cores
        ]
        self.begins_in_time = self.meets()

    def meets(self) -> set[int]:
        """Who has to begin within a period, as their news meet at a join; and those of their clock;
        on a path of reactions they all do."""
        found = set()
        if self.kind == "reaction_time":
            found = {i for i in self.path if self.t[i].period}
            found = found if len(found) > 1 else set()
        for i, task in enumerate(self.t):
            if task.both and len(self.sources(i)) > 1:
                found |= self.sources(i)
        if any(self.t[i].offset >= 0 for i in found):
            found |= {i for i, task in enumerate(self.t) if task.offset >= 0}
        return found

    def sources(self, i: int) -> set[int]:
        if self.t[i].period:
            return {i}
        return {one for other in self.t[i].after for one in self.sources(other)}

    def run(self, most: int) -> None:
        """Until nothing new comes; raises TooManyError."""
        count = len(self.t)
        begin = State(
            (-1,) * count, (None,) * count, ((),) * count, (), (NONE,) * count,
            ((),) * (2 * count), NONE, (-1,) * len(self.on), 0,
        )  # fmt: skip
        known, left = {begin}, [begin]
        while left:
            for instant in self.instants(self.later(left.pop())):
                new = self.settled(instant)
                if new not in known:
                    known.add(new)
                    left.append(new)
                    if len(known) > most:
                        raise TooManyError

    def later(self, s: State) -> State:
        """1 ns passes."""
        job = [None if one is None else Job(older(one.age), one.done) for one in s.job]
        for i in s.runs:
            if i >= 0:
                job[i] = job[i]._replace(done=job[i].done + 1)
        must = any(s.until[i] < 0 for i in self.begins_in_time)
        return State(
            tuple(one if one < 0 else one - 1 for one in s.until),
            tuple(job),
            tuple(tuple(map(older, ages)) for ages in s.waits),
            tuple((a, b, time + 1, older(age)) for a, b, time, age in s.news),
            tuple(map(older, s.register)),
            tuple(tuple((older(age), False) for age, _ in all_) for all_ in s.tokens),
            older(s.known),
            s.runs,
            s.started + 1 if must else 0,
        )

    def instants(self, begin: State) -> Iterator[State]:
        """What may have happened when this instant is over."""
        known, left = {begin}, [begin]
        while left:
            s = left.pop()
            if not self.is_due(s):
                yield s
            for new in self.happens(s):
                if new not in known:
                    known.add(new)
                    left.append(new)

    def span(self, i: int) -> int:
        """So long after the common start it begins, or its clock does."""
        if self.t[i].offset < 0:
            return self.t[i].period
        mates = [task for task in self.t if task.offset >= 0]
        least = min(task.offset for task in mates)
        firsts = {
            task.period: min(m.offset for m in mates if m.period == task.period) for task in mates
        }
        return min(period - (offset - least) for period, offset in firsts.items())

    def is_due(self, s: State) -> bool:
        if 0 in s.until:
            return True
        if any(s.until[i] < 0 and s.started >= self.span(i) for i in self.begins_in_time):
            return True
        if any(i >= 0 and s.job[i] and s.job[i].done >= self.t[i].cost for i in s.runs):
            return True
        return any(time >= self.t[b].delay for _, b, time, _ in s.news)

    def happens(self, s: State) -> Iterator[State]:
        """One thing more."""
        for i, task in enumerate(self.t):
            if task.period and s.until[i] < 0:
                yield self.begins(s, i)
            if s.until[i] == 0:
                until = (*s.until[:i], task.period, *s.until[i + 1 :])
                new = s._replace(until=until)
                if i == self.path[0] and s.known < 0:
                    new = new._replace(known=0)
                yield self.arrives(new, i, 0 if i == self.path[0] else NONE)
        seen = set()
        for place, (a, b, _, age) in enumerate(s.news):
            if (a, b) not in seen:
                news = s.news[:place] + s.news[place + 1 :]
                yield self.hears(s._replace(news=news), a, b, age)
            seen.add((a, b))
        for place, i in enumerate(s.runs):
            if i >= 0 and s.job[i] is not None and s.job[i].done >= self.t[i].best:
                runs = (*s.runs[:place], -1, *s.runs[place + 1 :])
                yield self.ends(s._replace(runs=runs), i)

    def begins(self, s: State, i: int) -> State:
        until = list(s.until)
        if self.t[i].offset < 0:
            until[i] = 0
        else:
            mates = [j for j, task in enumerate(self.t) if task.offset >= 0]
            least = min(self.t[j].offset for j in mates)
            for j in mates:
                until[j] = self.t[j].offset - least
        return s._replace(until=tuple(until))

    def arrives(self, s: State, i: int, age: int) -> State:
        waits = (*s.waits[:i], (*s.waits[i], age), *s.waits[i + 1 :])
        return s._replace(waits=waits)

    def hears(self, s: State, a: int, b: int, age: int) -> State:
        """b has something new of a."""
        age = age if self.is_on(a, b) else NONE
        if self.t[b].period:
            return s._replace(register=(*s.register[:b], age, *s.register[b + 1 :]))
        if not self.t[b].both:
            return self.arrives(s, b, age)
        at = 2 * b + self.t[b].after.index(a)
        tokens = list(s.tokens)
        tokens[at] = (*tokens[at], (age, True))
        s = s._replace(tokens=tuple(tokens))
        both = tokens[2 * b : 2 * b + 2]
        if all(both):
            tokens[2 * b : 2 * b + 2] = [one[1:] for one in both]
            age, is_last = both[0][0]  # the first input is that of the path
            s = s._replace(tokens=tuple(tokens))
            return self.arrives(s, b, age if is_last or self.kind != "trigger_latency" else NONE)
        return s

    def is_on(self, a: int, b: int) -> bool:
        """Whether the path goes that way."""
        return (a, b) in zip(self.path, self.path[1:], strict=False)

    def ends(self, s: State, i: int) -> State:
        age = s.job[i].age
        s = s._replace(job=(*s.job[:i], None, *s.job[i + 1 :]))
        if i == self.path[-1] and age >= 0:
            self.age = max(self.age, age)
            if age < s.known:
                self.reaction = max(self.reaction, s.known)
                s = s._replace(known=age)
        for b, task in enumerate(self.t):
            if i in task.after:
                if task.delay == 0:
                    s = self.hears(s, i, b, age)
                else:
                    s = s._replace(news=(*s.news, (i, b, 0, age)))
        return s

    def settled(self, s: State) -> State:
        """Each core goes to the most urgent that has work; who begins reads its register."""
        runs = []
        for on in self.on:
            ready = [i for i in on if s.job[i] is not None or s.waits[i]]
            top = ready[0] if ready else -1
            runs.append(top)
            if top >= 0 and s.job[top] is None:
                age = s.waits[top][0]
                if self.t[top].period and self.t[top].after:
                    age = s.register[top]
                waits = (*s.waits[:top], s.waits[top][1:], *s.waits[top + 1 :])
                job = (*s.job[:top], Job(age), *s.job[top + 1 :])
                s = s._replace(waits=waits, job=job)
        return s._replace(runs=tuple(runs))
