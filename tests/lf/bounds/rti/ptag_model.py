"""A small model of zero-delay cycles: provisional grants, and ports that are known one by one.

Written from reactor-c (rti_common.c, rti_remote.c, federate.c at 282c75d), not from the bound. One
worker for each federate, one clock, no DNET. Reactions are named r0, r1, … in an order that no
connection goes against; each federate runs its own in this order, and waits for unknown ports.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from functools import partial

from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.tags import SAME
from tests.lf.bounds.rti.rti_model import HEAD, NEVER, Tag, plus


class Run:
    """Runs at once; `late` is the longest time from a tag to its completion, by federate."""

    def __init__(self, system: Federation, seed: int, until: int) -> None:
        self.chance, self.system = random.Random(seed), system
        self.lazy = self.chance.random() < 0.3  # hops and executions shorter than the longest
        self.now, self.count = -10_000_000, 0
        self.events: list[tuple[int, int, Callable[[], None]]] = []
        self.names = list(system.federates)
        self.near: dict[str, dict[str, Tag]] = {n: {} for n in self.names}
        for c in system.connections:
            delay = (c.shift.time, c.shift.microsteps)
            self.near[c.target][c.source] = min(delay, self.near[c.target].get(c.source, NEVER))
        self.far = {n: dict(row) for n, row in self.near.items()}
        for via in self.names:
            for row in self.far.values():
                if via in row:
                    for start, delay in self.far[via].items():
                        row[start] = min(row.get(start, NEVER), plus(delay, row[via]))
        self.cyclic = {n for n in self.names if self.far[n].get(n) == (0, 0)}
        self.net, self.ltc = dict.fromkeys(self.names, HEAD), dict.fromkeys(self.names, HEAD)
        self.transit: dict[str, list[Tag]] = {n: [] for n in self.names}
        self.tagged, self.provisional = dict(self.net), dict(self.net)  # by the RTI
        # Federates: events, leave, what they do, which ports are known.
        self.queue: dict[str, set[Tag]] = {n: set() for n in self.names}
        self.leave, self.perhaps = dict(self.net), dict(self.net)
        self.working: dict[str, Tag | None] = dict.fromkeys(self.names, None)
        self.todo: dict[str, list[str]] = {n: [] for n in self.names}
        self.running = dict.fromkeys(self.names, False)
        self.ports: dict[tuple[str, str, Tag], bool] = {}
        self.written: dict[tuple[str, str], bool] = {}
        self.arrival: dict[tuple[str, bool], int] = {}
        self.late, self.provisionals = dict.fromkeys(self.names, 0), 0
        for name, federate in system.federates.items():
            for timer in federate.timers.values():
                ticks = range(timer.offset, until, timer.period or until)
                self.queue[name].update((tick, 0) for tick in ticks)
            self.tell(name)
            self.wake(name)
        while self.events:
            self.now, _, act = heapq.heappop(self.events)
            act()

    def at(self, time: int, act: Callable[[], None]) -> None:
        self.count += 1
        heapq.heappush(self.events, (time, self.count, act))

    def most(self, longest: int) -> int:
        return self.chance.randint(0, longest) if self.lazy else longest

    def send(self, name: str, up: bool, act: Callable[[], None]) -> None:
        rti = self.system.rti
        assert rti.hop is not None
        way = self.most(rti.hop.worst) + (self.most(rti.service or 0) if up else 0)
        arrival = max(self.arrival.get((name, up), self.now), self.now + way)
        self.arrival[name, up] = arrival
        self.at(arrival, act)

    # Federates

    def tell(self, name: str) -> None:
        self.send(name, True, partial(self.hear_net, name, min(self.queue[name], default=NEVER)))

    def wake(self, name: str) -> None:
        tag = min(self.queue[name], default=NEVER)
        if self.working[name] is not None or tag == NEVER:
            return
        if self.near[name] and tag > max(self.leave[name], self.perhaps[name]):
            return
        if tag[0] > self.now:
            self.at(tag[0], partial(self.wake, name))
            return
        self.working[name] = tag
        self.todo[name] = sorted(self.system.federates[name].reactions)
        self.written = {key: on for key, on in self.written.items() if key[0] != name}
        self.go_on(name)

    def known(self, name: str, port: str, tag: Tag) -> bool:
        return (name, port, tag) in self.ports or self.leave[name] >= tag

    def go_on(self, name: str) -> None:
        tag = self.working[name]
        if tag is None or self.running[name]:
            return
        federate = self.system.federates[name]
        while self.todo[name]:
            reaction = federate.reactions[self.todo[name][0]]
            ports = [port for port in reaction.triggers if port in federate.inputs]
            cyclic = [
                c.input for c in self.system.connections
                if c.target == name and c.shift == SAME and c.source in self.cyclic
            ]  # fmt: skip
            if any(not self.known(name, p, tag) for p in ports if p in cyclic):
                return
            here = [self.ports.get((name, port, tag), False) for port in ports]
            here += [
                tag[1] == 0 and tag[0] >= t.offset and (tag[0] - t.offset) % (t.period or 1) == 0
                for key, t in federate.timers.items() if key in reaction.triggers
            ]  # fmt: skip
            if any(here):
                self.running[name] = True
                self.at(self.now + self.most(reaction.wcet or 0), partial(self.ran, name, tag))
                return
            self.resolved(name, tag, False)
        self.finish(name, tag)

    def ran(self, name: str, tag: Tag) -> None:
        self.running[name] = False
        reaction = self.system.federates[name].reactions[self.todo[name][0]]
        self.resolved(name, tag, reaction.always or self.chance.random() < 0.6)
        self.go_on(name)

    def resolved(self, name: str, tag: Tag, writes: bool) -> None:
        """A reaction is done with, or will not run: what it writes is known."""
        reaction = self.system.federates[name].reactions[self.todo[name].pop(0)]
        for c in self.system.connections:
            if c.source == name and c.output in reaction.effects:
                delay = (c.shift.time, c.shift.microsteps)
                there = plus(tag, delay)
                if writes:
                    self.send(name, True, partial(self.hear_message, c.target, c.input, there))
                elif c.shift == SAME:
                    act = partial(self.pass_on, c.target, c.input, there, False)
                    self.send(name, True, act)

    def finish(self, name: str, tag: Tag) -> None:
        self.working[name] = None
        self.late[name] = max(self.late[name], self.now - tag[0])
        self.queue[name].discard(tag)
        if self.near[name]:
            self.send(name, True, partial(self.hear_ltc, name, tag))
        self.tell(name)
        self.wake(name)

    def take(self, name: str, port: str, tag: Tag, present: bool) -> None:
        self.ports[name, port, tag] = present
        if present and self.working[name] != tag:
            self.queue[name].add(tag)
            self.wake(name)
        self.go_on(name)

    def grant(self, name: str, tag: Tag, provisional: bool) -> None:
        if provisional:
            self.provisionals += 1
            self.perhaps[name] = max(self.perhaps[name], tag)
            self.queue[name].add(tag)  # an event of its own, so that it gets there
        else:
            self.leave[name] = max(self.leave[name], tag)
        self.wake(name)
        self.go_on(name)

    # The RTI

    def hear_net(self, name: str, tag: Tag) -> None:
        self.net[name] = tag
        self.decide()

    def hear_ltc(self, name: str, tag: Tag) -> None:
        self.ltc[name] = max(self.ltc[name], tag)
        self.transit[name] = [other for other in self.transit[name] if other > tag]
        self.decide()

    def hear_message(self, name: str, port: str, tag: Tag) -> None:
        self.transit[name].append(tag)
        self.pass_on(name, port, tag, True)
        self.decide()

    def pass_on(self, name: str, port: str, tag: Tag, present: bool) -> None:
        self.send(name, False, partial(self.take, name, port, tag, present))

    def head(self, name: str) -> Tag:
        return min([self.net[name], *self.transit[name]])

    def earliest(self, name: str) -> Tag:
        return min((plus(self.head(k), d) for k, d in self.far[name].items()), default=NEVER)

    def strict(self, name: str) -> Tag:
        return min(
            (
                plus(min(self.head(k), self.earliest(k)), d)
                for k, d in self.near[name].items()
                if k not in self.cyclic
            ),
            default=NEVER,
        )

    def decide(self) -> None:
        for name, near in self.near.items():
            tag = self.head(name)
            if not near or tag == NEVER:
                continue
            first = self.earliest(name)
            if min(plus(self.ltc[k], d) for k, d in near.items()) >= tag or first > tag:
                self.give(name, tag, False)
            elif first == tag and name in self.cyclic and self.strict(name) > tag:
                self.give(name, tag, True)

    def give(self, name: str, tag: Tag, provisional: bool) -> None:
        if tag <= self.tagged[name] or (provisional and tag <= self.provisional[name]):
            return
        (self.provisional if provisional else self.tagged)[name] = tag
        self.send(name, False, partial(self.grant, name, tag, provisional))
        if provisional:
            for other in self.near[name]:
                first = self.earliest(other)
                if self.near[other] and first > tag:
                    self.give(other, tag, False)
                elif first == tag and self.strict(other) > tag:
                    self.give(other, tag, True)
