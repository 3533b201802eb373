"""A small model of an RTI and its federates, written from what is known of them, not from the bound.

One timer or none and one reaction for each federate, one clock. With DNET federates keep back their
next tag as long as they may: unless they are asked, or have sent a message and no DNET has come
since.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from functools import partial

from ddsrta.lf.program.federation import Federation

Tag = tuple[int, int]
NEVER: Tag = (1 << 60, 0)
HEAD: Tag = (-(1 << 60), 0)


def plus(tag: Tag, delay: Tag) -> Tag:
    return (tag[0] + delay[0], delay[1]) if delay[0] else (tag[0], tag[1] + delay[1])


def silent_to(done: Tag, delay: Tag) -> Tag:
    """Up to which tag nothing comes from who is done: not to the same time, if a time is added."""
    time, microstep = plus(done, delay)
    return (time - 1, 1 << 60) if delay[0] else (time, microstep)


class Run:
    """Runs at once; `late` is the longest time from a tag to its completion, by federate."""

    def __init__(self, system: Federation, seed: int, until: int) -> None:
        self.chance, self.until, self.system = random.Random(seed), until, system
        self.now, self.count = -10_000_000, 0  # the start is agreed on before it comes
        self.events: list[tuple[int, int, Callable[[], None]]] = []
        names = list(system.federates)
        self.out = {n: [c for c in system.connections if c.source == n] for n in names}
        self.direct: dict[str, dict[str, Tag]] = {n: {} for n in names}
        for c in system.connections:
            delay = (c.shift.time, c.shift.microsteps)
            known = self.direct[c.target].get(c.source, NEVER)
            self.direct[c.target][c.source] = min(delay, known)
        self.far = {n: dict(row) for n, row in self.direct.items()}
        for via in names:
            for row in self.far.values():
                if via in row:
                    for start, delay in self.far[via].items():
                        row[start] = min(row.get(start, NEVER), plus(delay, row[via]))
        self.queue: dict[str, set[Tag]] = {n: set() for n in names}
        self.busy = dict.fromkeys(names, False)
        self.granted: dict[str, tuple[Tag, int]] = dict.fromkeys(names, (HEAD, 0))
        self.told = dict.fromkeys(names, HEAD)
        self.arrival: dict[tuple[str, bool], int] = {}
        self.wanted: dict[str, dict[str, Tag]] = {n: {} for n in names}
        # What the RTI knows.
        self.net, self.ltc = dict.fromkeys(names, HEAD), dict.fromkeys(names, HEAD)
        self.transit: dict[str, list[Tag]] = {n: [] for n in names}
        self.given: dict[str, tuple[Tag, int]] = dict.fromkeys(names, (HEAD, 0))
        self.asked: dict[tuple[str, str], Tag] = {}
        self.late = dict.fromkeys(names, 0)
        self.silent: set[str] = set()  # those of whom the RTI has heard nothing: it grants nothing
        for name, federate in system.federates.items():
            for timer in federate.timers.values():
                ticks = range(timer.offset, until, timer.period or until)
                self.queue[name].update((tick, 0) for tick in ticks)
        self.begin()
        while self.events:
            self.now, _, act = heapq.heappop(self.events)
            act()

    def begin(self) -> None:
        """Each has told its first tag, and may have it granted, before it comes."""
        for name in self.system.federates:
            self.tell(name)
            self.wake(name)

    def at(self, time: int, act: Callable[[], None]) -> None:
        self.count += 1
        heapq.heappush(self.events, (time, self.count, act))

    def send(self, name: str, up: bool, act: Callable[[], None]) -> None:
        """One way, in order; the RTI's service comes on top of the way to it."""
        federate, rti = self.system.federates[name], self.system.rti
        hop = federate.rti_hop or rti.hop
        assert hop is not None
        way = hop.worst if self.chance.random() < 0.7 else self.chance.randint(0, hop.worst)
        arrival = max(self.arrival.get((name, up), self.now), self.now + way)
        self.arrival[name, up] = arrival
        self.at(arrival + (rti.service or 0 if up else 0), act)

    # Federates

    def next(self, name: str) -> Tag:
        return min(self.queue[name], default=NEVER)

    def tell(self, name: str) -> None:
        tag = self.told[name] = self.next(name)
        self.send(name, True, partial(self.hear_net, name, tag))

    def wake(self, name: str) -> None:
        tag = self.next(name)
        if self.busy[name] or tag == NEVER:
            return
        if self.direct[name] and (tag, 1) > self.granted[name]:
            return
        if tag[0] > self.now:
            self.at(tag[0], partial(self.wake, name))
            return
        self.busy[name] = True
        self.at(self.now + self.work(name, tag), partial(self.end, name, tag))

    def work(self, name: str, tag: Tag) -> int:
        return sum(r.wcet or 0 for r in self.system.federates[name].reactions.values())

    def end(self, name: str, tag: Tag) -> None:
        self.late[name] = max(self.late[name], self.now - tag[0])
        self.queue[name].discard(tag)
        self.busy[name] = False
        sent = []
        sure = all(r.always for r in self.system.federates[name].reactions.values())
        writes = sure or self.chance.random() < 0.6
        for c in self.out[name] if writes and not self.is_empty(name, tag) else ():
            delay = (c.shift.time, c.shift.microsteps)
            sent.append(plus(tag, delay))
            self.send(name, True, partial(self.hear_message, c.target, sent[-1]))
        if self.direct[name] and not self.is_empty(name, tag):
            self.send(name, True, partial(self.hear_ltc, name, tag))
        tag = self.next(name)
        own = bool(self.direct[name]) and (tag, 1) > self.granted[name]
        wanted = self.is_wanted(name, tag)
        # A DNET that was on its way when it sent may let it keep its next tag back after all.
        news = bool(sent) and tag > min(sent) and self.chance.random() < 0.5
        if own or wanted or not self.system.rti.dnet or news:
            self.tell(name)
        self.wake(name)

    def is_empty(self, name: str, tag: Tag) -> bool:
        """Whether nothing is at a tag that it has all the same."""
        return False

    def take(self, name: str, tag: Tag) -> None:
        self.queue[name].add(tag)
        self.wake(name)

    def grant(self, name: str, limit: tuple[Tag, int]) -> None:
        self.granted[name] = max(self.granted[name], limit)
        self.wake(name)

    def answer(self, name: str, other: str, tag: Tag) -> None:
        """Asked for the first tag from which on `other` gets nothing up to `tag` any more."""
        self.wanted[name][other] = tag
        if not self.busy[name] and self.is_wanted(name, self.next(name)):
            self.tell(name)

    def is_wanted(self, name: str, tag: Tag) -> bool:
        """Whether anyone has asked for it: then it is told once."""
        asking = [o for o, t in self.wanted[name].items() if plus(tag, self.far[o][name]) > t]
        for other in asking:
            del self.wanted[name][other]
        return bool(asking)

    # The RTI

    def hear_net(self, name: str, tag: Tag) -> None:
        self.net[name] = tag
        self.silent.discard(name)
        self.decide()

    def hear_ltc(self, name: str, tag: Tag) -> None:
        self.ltc[name] = max(self.ltc[name], tag)
        self.transit[name] = [other for other in self.transit[name] if other > tag]
        self.decide()

    def hear_message(self, name: str, tag: Tag) -> None:
        self.transit[name].append(tag)
        self.send(name, False, partial(self.take, name, tag))
        self.decide()

    def head(self, name: str) -> Tag:
        return min([self.net[name], *self.transit[name]])

    def decide(self) -> None:
        for name, near in self.direct.items():
            tag = self.head(name)
            if not near or tag == NEVER or name in self.silent:
                continue
            others = {k: plus(self.head(k), d) for k, d in self.far[name].items() if k != name}
            limit = (HEAD, 0)
            if min(silent_to(self.ltc[k], d) for k, d in near.items()) >= tag:
                limit = (tag, 1)
            if min(others.values()) > tag:
                limit = max(limit, (min(others.values()), 0))
            if limit > self.given[name]:
                self.given[name] = limit
                self.send(name, False, partial(self.grant, name, limit))
            if self.system.rti.dnet and (tag, 1) > self.given[name]:
                for k, first in others.items():
                    if first <= tag and self.asked.get((name, k)) != tag:
                        self.asked[name, k] = tag
                        self.send(k, False, partial(self.answer, k, name, tag))
