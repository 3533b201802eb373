"""Situations: what a run is at, but for times (definition situation-zone), and what is kept of the
past (lemma explored-ages)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ddsrta.checker.exact.model import Key, Model
from ddsrta.checker.exact.needed import Needed
from ddsrta.checker.exact.ways import ways_of
from ddsrta.checker.exact.zones import Rows, Zone

Since = tuple[int, int]  # a clock, and how many periods before it was 0
Tags = tuple[tuple[tuple[int, int], Since], ...]  # of which figure and place in it, since when
Name = tuple[object, ...]


class Unit(NamedTuple):
    """A job, sample or message; on its way `done` is for how long. Clocks, 0 for none: executed but
    for its own sending, sending a copy, without its core."""

    stage: Key
    tags: Tags = ()
    step: int = 0
    left: tuple[str, ...] = ()
    done: int = 0
    sending: int = 0
    away: int = 0


class State:
    """By number of source, server (and queue), hop of an AND, way, core; `registers` by way,
    `known` by figure: of what a reaction is known there already. Clocks since the common start of
    sources that have to begin are in `beginning`."""

    __slots__ = (
        "beginning", "begun", "flying", "known", "registers", "running", "serving", "tokens",
        "turns", "waiting", "zone",
    )  # fmt: skip

    def __init__(self, layout: Layout) -> None:
        servers = layout.model.servers
        self.begun = [0] * len(layout.sources)
        self.beginning = [0] * len(layout.sources)
        self.registers: list[Tags] = [()] * len(layout.ways)
        self.known: list[Since | None] = [None] * len(layout.model.figures)
        self.serving: list[Unit | None] = [None] * len(servers)
        self.waiting: list[tuple[tuple[Unit, ...], ...]] = [((),) * len(s.queues) for s in servers]
        self.turns = [(0, 0)] * len(servers)
        self.tokens: list[tuple[Tags, ...]] = [()] * len(layout.joins)
        self.flying: list[tuple[Unit, ...]] = [()] * len(layout.ways)
        self.running = [-1] * len(layout.cores)
        self.zone = Zone([[0]])

    def copy(self) -> State:
        """To be changed."""
        new = object.__new__(State)
        new.begun, new.serving, new.waiting = self.begun[:], self.serving[:], self.waiting[:]
        new.turns, new.tokens, new.flying = self.turns[:], self.tokens[:], self.flying[:]
        new.running, new.zone = self.running[:], self.zone.copy()
        new.beginning, new.registers = self.beginning[:], self.registers[:]
        new.known = self.known[:]
        return new

    def units(self) -> Iterator[Unit]:
        """All that waits."""
        for queues in self.waiting:
            for queue in queues:
                yield from queue

    def push(self, server: int, queue: int, unit: Unit) -> None:
        """One more waits."""
        queues = self.waiting[server]
        more = (*queues[queue], unit)
        self.waiting[server] = (*queues[:queue], more, *queues[queue + 1 :])

    def rename(self, clock: Callable[[int], int], since: Callable[[Since], Since]) -> None:
        """Other clocks for all."""

        def tags(old: Tags) -> Tags:
            return tuple([(what, since(when)) for what, when in old])

        def unit(u: Unit) -> Unit:
            done, sending, away = (one and clock(one) for one in u[4:])
            return Unit(u.stage, tags(u.tags), u.step, u.left, done, sending, away)

        self.begun = [one and clock(one) for one in self.begun]
        self.beginning = [one and clock(one) for one in self.beginning]
        self.registers = [tags(one) for one in self.registers]
        self.known = [one and since(one) for one in self.known]
        self.serving = [None if one is None else unit(one) for one in self.serving]
        self.waiting = [
            tuple([tuple(map(unit, queue)) for queue in queues]) for queues in self.waiting
        ]
        self.tokens = [tuple(map(tags, queue)) for queue in self.tokens]
        self.flying = [tuple(map(unit, way)) for way in self.flying]

    def settled(self) -> tuple[Name, Rows]:
        """Its name, and the zone of what it has: clocks have numbers as they are met."""
        order = [0]
        number = {0: 0}

        def clock(old: int) -> int:
            if old not in number:
                number[old] = len(order)
                order.append(old)
            return number[old]

        self.rename(clock, lambda when: (clock(when[0]), when[1]))
        rows = self.zone.only(order)
        self.zone = Zone(rows)
        lists = (
            self.begun, self.serving, self.waiting, self.turns, self.tokens, self.flying,
            self.running, self.beginning, self.registers, self.known,
        )  # fmt: skip
        return tuple([tuple(one) for one in lists]), rows


class Layout:
    """What the numbers of a situation are of."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.needed = Needed(model)
        self.sources = list(model.sources)
        self.cores = list(model.cores)
        threads = model.system.threads
        self.ways = ways_of(model)
        self.joins = [way for way in self.ways if threads[way[2]].joins]
        self.way_number = {way: i for i, way in enumerate(self.ways)}
        self.join_number = {way: i for i, way in enumerate(self.joins)}
        self.inputs: dict[str, list[int]] = {}
        self.reads: dict[str, list[int]] = {}  # the registers of a thread that time releases
        for i, way in enumerate(self.ways):
            if threads[way[2]].arrival:
                self.reads.setdefault(way[2], []).append(i)
        for i, way in enumerate(self.joins):
            self.inputs.setdefault(way[2], []).append(i)


def plain(value: Any) -> Any:
    """Lists for tuples: the form of a certificate."""
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    return value
