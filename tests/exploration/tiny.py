"""Tiny systems, and all that can ever happen in them, nanosecond by nanosecond."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

POLICIES = ("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN")


class Tiny(NamedTuple):
    """p sends topics 0, 1 … to r; q takes time; z follows r. Costs are [1, cost]."""

    topics: int
    sync: bool
    policy: str
    both: bool  # r waits for both
    core: dict[str, str]
    priority: dict[str, int]
    cost: dict[str, int]  # also `net`
    period: dict[str, int]  # of p, and perhaps q
    least: int  # the best case of net
    offsets: dict[str, int]  # or none
    follows: int | None  # the delay of z
    # Time may release r: it reads what t0 brought last.


def sampled(random: Random) -> Tiny:
    """The same, but that r looks from time to time."""
    tiny = drawn(random)
    period = {**tiny.period, "r": random.choice((6, 8, 9, 13))}
    shared = tiny.offsets and tiny.core["r"] != "d"  # each machine has a clock of its own
    offsets = {**tiny.offsets, "r": random.randrange(4)} if shared else {}
    return tiny._replace(both=False, follows=None, period=period, offsets=offsets)


def drawn(random: Random) -> Tiny:
    """A system of which times are a few ns."""
    names = "pqFLrz"
    few = {name: random.choice((1, 1, 2, 3)) for name in (*names, "net")}
    far = random.random() < 0.3
    topics = random.choice((1, 1, 2))
    core = {name: random.choice("ab") for name in names} | {"p": "a"}
    core |= {"L": "d", "r": "d"} if far else {"r": core["L"]} if random.random() < 0.5 else {}
    few["net"] = few["net"] if far else 0
    period = {"p": random.choice((7, 8, 9)) + 5 * topics}
    if random.random() < 0.5:
        period["q"] = random.choice((5, 6, 8))
    offsets = {"p": 0, "q": random.randrange(3)} if random.random() < 0.4 and "q" in period else {}
    return Tiny(
        topics,
        random.random() < 0.4,
        random.choice(POLICIES),
        topics > 1 and random.random() < 0.4,
        core,
        dict(zip(names, random.sample(range(1, 9), 6), strict=True)),
        few,
        period,
        random.choice((0, 1)) if far else 0,
        offsets,
        random.choice((0, 1, None, None)),
    )


def text(t: Tiny, constraint: str = "latency") -> str:
    """The same as system.yaml."""

    def at(name: str) -> str:
        machine = "n" if t.core[name] == "d" else "m"
        return f"core: {machine}/{t.core[name]}, priority: {t.priority[name]}"

    def by_time(name: str) -> str:
        offset = f", offset: {t.offsets[name]}ns" if t.offsets else ""
        arrival = f"arrival: {{period: {t.period[name]}ns{offset}}}"
        return f"{at(name)}, wcet: {t.cost[name]}ns, {arrival}"

    topics = range(t.topics)
    way = "mode: sync" if t.sync else "flow_controller: F"
    publishes = ", ".join(f"{{topic: t{i}, {way}}}" for i in topics)
    heard = f"topics: [{', '.join(f't{i}' for i in topics)}], listener: L"
    sends = "publisher" if t.sync else "flow_controller"
    lines = ["ddsrta: 1", "machines: {m: {cores: [a, b]}, n: {cores: [d]}}"]
    if t.cost["net"]:
        lines.append(f"network: [{{from: m, to: n, delay: {t.cost['net']}ns, best: {t.least}ns}}]")
    lines.append(
        f"delays: {{{sends}: {{1kB: {t.cost['F']}ns}}, listener: {{1kB: {t.cost['L']}ns}}}}"
    )
    lines.append(f"topics: {{{', '.join(f't{i}: {{size: 1kB, priority: {i}}}' for i in topics)}}}")
    if not t.sync:
        lines.append(f"flow_controllers: {{F: {{{at('F')}, policy: {t.policy}}}}}")
    lines += [f"listeners: {{L: {{{at('L')}}}}}", "threads:"]
    lines.append(f"  p: {{{by_time('p')}, publishes: [{publishes}]}}")
    both = ", activation: and" if t.both else ""
    takes = by_time("r") if "r" in t.period else f"{at('r')}, wcet: {t.cost['r']}ns"
    lines.append(f"  r: {{{takes}, subscribes: {{{heard}{both}}}}}")
    if "q" in t.period:
        lines.append(f"  q: {{{by_time('q')}}}")
    if t.follows is not None:
        after = f"follows: {{threads: [r], delay: {t.follows}ns}}"
        lines.append(f"  z: {{{at('z')}, wcet: {t.cost['z']}ns, {after}}}")
    lines.append(f"chains: {{c: {{path: [p, t0, r], constraint: {constraint}}}}}")
    return "\n".join(lines) + "\n"


class Unit(NamedTuple):
    """`job` and `sent`: how long ago its job arrived, and its delivery began."""

    topic: int
    job: int
    sent: int
    step: int = 0
    done: int = 0
    sending: int = -1  # a job that sends: how long already


class State(NamedTuple):
    """`until`: of each source, when it releases next, -1 before it begins. By server: what it is at,
    what waits. `fly`: messages and news on their ways, with how long; `tokens` of r by topic."""

    until: tuple[int, ...]
    current: tuple[Unit | None, ...]
    waiting: tuple[tuple[Unit, ...], ...]
    fly: tuple[tuple[int, Unit, int], ...]
    tokens: tuple[tuple[Unit, ...], ...]
    running: tuple[int, ...]
    turn: int
    register: int = -1  # how long ago began what r reads
    known: int = -1  # since when is known what r knew last
    started: int = 0  # since the common start, as long as p or r has to begin


class TooManyError(Exception):
    """More states than wanted."""


class Everything:
    """The largest latency of p → t0 → r, and delivery of each topic, in all runs; ages and reactions
    where r looks from time to time."""

    def __init__(self, tiny: Tiny, *, reacts: bool = False) -> None:
        self.t = tiny
        self.reacts = reacts  # p and r begin together then, each within its period
        self.names = [name for name in "pqFLrz" if self.exists(name)]
        self.number = {name: i for i, name in enumerate(self.names)}
        self.sources = [name for name in "pqr" if name in tiny.period]
        self.latency = 0
        self.age = self.reaction = -1
        self.delivery = [0] * tiny.topics
        cores = sorted({tiny.core[name] for name in self.names})
        self.on = [
            sorted(
                (i for i, name in enumerate(self.names) if tiny.core[name] == core),
                key=lambda i: -tiny.priority[self.names[i]],
            )
            for core in cores
        ]

    def exists(self, name: str) -> bool:
        t = self.t
        missing = {"q": "q" not in t.period, "F": t.sync, "z": t.follows is None}
        return not missing.get(name, False)

    def run(self, most: int) -> None:
        """Until nothing new comes; raises TooManyError."""
        none = ((),) * len(self.names)
        begin = State(
            (-1,) * len(self.sources),
            (None,) * len(self.names),
            none,
            (),
            ((),) * self.t.topics,
            (-1,) * len(self.on),
            0,
        )
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

        def older(unit: Unit) -> Unit:
            return unit._replace(job=since(unit.job), sent=unit.sent + 1)

        def since(age: int) -> int:
            return age if age < 0 else age + 1

        current = [None if unit is None else older(unit) for unit in s.current]
        for i in s.running:
            if i >= 0:
                unit = current[i]
                if unit.sending >= 0:
                    current[i] = unit._replace(sending=unit.sending + 1)
                else:
                    current[i] = unit._replace(done=unit.done + 1)
        return s._replace(
            until=tuple(time if time < 0 else time - 1 for time in s.until),
            current=tuple(current),
            waiting=tuple(tuple(map(older, units)) for units in s.waiting),
            fly=tuple((way, older(unit), time + 1) for way, unit, time in s.fly),
            tokens=tuple(tuple(map(older, units)) for units in s.tokens),
            register=since(s.register),
            known=since(s.known),
            started=s.started + 1 if self.begin_late(s, 0) else 0,
        )

    def begin_late(self, s: State, after: int) -> bool:
        """Whether p or r has not begun, so long after the common start."""
        return self.reacts and any(
            s.until[i] < 0 and s.started >= self.span(name) * after
            for i, name in enumerate(self.sources)
            if name in "pr"
        )

    def span(self, name: str) -> int:
        """So long after the common start it begins, or its clock does."""
        offsets, periods = self.t.offsets, self.t.period
        if not offsets:
            return periods[name]
        least, firsts = min(offsets.values()), dict[int, int]()
        for one, offset in offsets.items():
            firsts[periods[one]] = min(offset, firsts.get(periods[one], offset))
        return min(period - (offset - least) for period, offset in firsts.items())

    def instants(self, begin: State) -> Iterator[State]:
        """What may have happened when this instant is over, whatever came first."""
        known, left = {begin}, [begin]
        while left:
            s = left.pop()
            if not self.must_go_on(s):
                yield s
            for new in self.happens(s):
                if new not in known:
                    known.add(new)
                    left.append(new)

    def must_go_on(self, s: State) -> bool:
        """Whether something is due."""
        if 0 in s.until or self.begin_late(s, 1):
            return True
        for i in s.running:
            unit = s.current[i] if i >= 0 else None
            if unit is not None:
                at_most = self.t.cost["F"] if unit.sending >= 0 else self.t.cost[self.names[i]]
                if max(unit.done, unit.sending) >= at_most and (
                    unit.sending < 0 or unit.sending >= at_most
                ):
                    return True
        return any(time >= self.takes(way)[1] for way, _, time in s.fly)

    def takes(self, way: int) -> tuple[int, int]:
        """The best and worst of a topic's network, or (-1) of the news for z."""
        if way < 0:
            return 0, self.t.follows or 0
        return self.t.least, self.t.cost["net"]

    def happens(self, s: State) -> Iterator[State]:
        """One thing more."""
        for i, name in enumerate(self.sources):
            if s.until[i] < 0 and (i == 0 or not self.t.offsets):
                until = list(s.until)
                until[i] = 0
                if self.t.offsets:
                    until = [self.t.offsets[one] for one in self.sources]
                yield s._replace(until=tuple(until))
            if s.until[i] == 0:
                until = (*s.until[:i], self.t.period[name], *s.until[i + 1 :])
                known = 0 if name == "p" and s.known < 0 and "r" in self.t.period else s.known
                job = Unit(0, -1 if name == "r" else 0, 0)
                yield self.push(s._replace(until=until, known=known), name, job)
        ways = set()
        for place, (way, unit, time) in enumerate(s.fly):
            if way not in ways and time >= self.takes(way)[0]:
                yield self.lands(s._replace(fly=s.fly[:place] + s.fly[place + 1 :]), way, unit)
            ways.add(way)
        for place, i in enumerate(s.running):
            if i >= 0 and s.current[i] is not None:
                yield from self.step(s, place, i, s.current[i])

    def push(self, s: State, name: str, unit: Unit) -> State:
        i = self.number[name]
        return s._replace(waiting=(*s.waiting[:i], (*s.waiting[i], unit), *s.waiting[i + 1 :]))

    def put(self, s: State, i: int, unit: Unit | None) -> State:
        return s._replace(current=(*s.current[:i], unit, *s.current[i + 1 :]))

    def lands(self, s: State, way: int, unit: Unit) -> State:
        return self.push(s, "z" if way < 0 else "L", unit)

    def flies(self, s: State, way: int, unit: Unit) -> State:
        unit = unit._replace(step=0, done=0, sending=-1)
        if self.takes(way)[1] == 0:
            return self.lands(s, way, unit)
        return s._replace(fly=(*s.fly, (way, unit, 0)))

    def step(self, s: State, place: int, i: int, unit: Unit) -> Iterator[State]:
        """Of what runs."""
        t, name = self.t, self.names[i]
        if name == "p" and unit.step < t.topics:
            if unit.sending >= 0:
                if 1 <= unit.sending <= t.cost["F"]:
                    gone = self.put(s, i, unit._replace(step=unit.step + 1, sending=-1))
                    yield self.flies(gone, unit.step, Unit(unit.step, unit.job, unit.job))
            elif unit.done >= 1:
                if t.sync:
                    yield self.put(s, i, unit._replace(sending=0))
                else:
                    gone = self.put(s, i, unit._replace(step=unit.step + 1))
                    yield self.push(gone, "F", Unit(unit.step, unit.job, 0))
            return
        if unit.done < 1:
            return
        running = (*s.running[:place], -1, *s.running[place + 1 :])
        s = self.put(s, i, None)._replace(running=running)
        if name == "F":
            s = self.flies(s, unit.topic, unit)
        elif name == "L":
            self.delivery[unit.topic] = max(self.delivery[unit.topic], unit.sent)
            s = self.read(s, unit)
        elif name == "r":
            if unit.job >= 0 and "r" in t.period:
                self.age = max(self.age, unit.job)
                if unit.job < s.known:
                    self.reaction = max(self.reaction, s.known)
                    s = s._replace(known=unit.job)
            elif unit.topic == 0:
                self.latency = max(self.latency, unit.job)
            if self.exists("z"):
                s = self.flies(s, -1, unit)
        yield s

    def read(self, s: State, unit: Unit) -> State:
        """A message releases r, or one of each topic does."""
        unit = unit._replace(done=0)
        if "r" in self.t.period:
            return s._replace(register=unit.job) if unit.topic == 0 else s
        if not self.t.both:
            return self.push(s, "r", unit)
        tokens = [list(units) for units in s.tokens]
        tokens[unit.topic].append(unit)
        if all(tokens):
            s = self.push(s, "r", tokens[0][0])
            tokens = [units[1:] for units in tokens]
        return s._replace(tokens=tuple(map(tuple, tokens)))

    def settled(self, s: State) -> State:
        """Each core goes to the most urgent that has work."""
        running = []
        for on in self.on:
            ready = [i for i in on if s.current[i] is not None or s.waiting[i]]
            top = ready[0] if ready else -1
            running.append(top)
            if top >= 0 and s.current[top] is None:
                units = list(s.waiting[top])
                place = self.chosen(s, top, units)
                unit = units.pop(place)
                if self.names[top] == "F":
                    s = s._replace(turn=(unit.topic + 1) % self.t.topics)
                if self.names[top] == "r" and "r" in self.t.period:
                    unit = unit._replace(job=s.register)
                waiting = (*s.waiting[:top], tuple(units), *s.waiting[top + 1 :])
                s = self.put(s, top, unit)._replace(waiting=waiting)
        return s._replace(running=tuple(running))

    def chosen(self, s: State, i: int, units: list[Unit]) -> int:
        """Which of those that wait is next."""
        if self.names[i] != "F" or self.t.policy == "FIFO":
            return 0
        topics = [unit.topic for unit in units]
        if self.t.policy == "HIGH_PRIORITY":
            return topics.index(min(topics))
        return topics.index(min(topics, key=lambda topic: (topic < s.turn, topic)))
