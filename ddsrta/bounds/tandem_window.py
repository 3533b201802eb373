"""Stages on two threads in tandem, for which a burst is paid once (lemmas tandem-window and
copies-in-tandem), or on one supply, where what comes next keeps the window open (lemma
kept-open)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from ddsrta.bounds.placement import Placement, Supply
from ddsrta.bounds.stages import Server, Stage, on_circles
from ddsrta.policies.relation import Delay, Relation
from ddsrta_kernel.problem import FEED, HELD, PER_RATE
from ddsrta_kernel.tables import integers

MOST_RATE = 1 << 40
Way = tuple[Server, Server, int]  # two threads, and what the way between them takes at most
Rows = tuple[int, int]  # the first, and the one behind the last
Found = dict[Way, dict[int, list[int]]]  # what each stage of the first thread brings to the last
Sent = dict[tuple[int, Server], list[tuple[Server, int, int]]]


class Tandem(NamedTuple):
    """A stage and the one that it feeds: the extra delay between them, and the way's part of it.
    `feeds` is as the kernel reads it: five numbers for each stage that the same two threads serve,
    or that another thread of the first core brings to the last (lemma silent-senders); `rows` says
    where they are among those of all tandems. `rates`: how long the supply of each takes for work
    in the long run, how much later both may come, and how much sooner a unit leaves the first
    thread than it is done; `OPEN` where both are on one supply.
    """

    first: int
    last: int
    worst: int
    link: int
    rows: Rows
    feeds: array[int]
    rates: tuple[int, int, int, int]

    @property
    def keeps_open(self) -> bool:
        """Whether the stage keeps open the window of the one before it (lemma kept-open)."""
        return self.rates == OPEN


class Rate(NamedTuple):
    """How long a supply takes for work in the long run, its longest gap, and how much sooner than
    by its deadlines a fresh budget comes (lemma fresh-budgets)."""

    time: int
    gap: int
    kept: int


WHOLE = Rate(PER_RATE, 0, 0)
OPEN = (0, 0, 0, -1)


class Tandems:
    """All pairs of threads of which one feeds the other; empty where they are not to be used."""

    def __init__(
        self,
        stages: list[Stage],
        placement: Placement,
        unit_of: list[int],
        used: bool = True,
        early: bool = True,
        kept_open: bool = True,
        silent: bool = True,
    ) -> None:
        self.early = early  # whether units that leave early count so (lemma early-in-tandem)
        self.stages = stages
        self.supply_of = [placement.supply_of[unit] for unit in unit_of]
        self.rates = [*map(_rate, placement.supplies)]
        self.feeds: dict[Way, Rows] = {}
        self.known: dict[int, Tandem | None] = {}
        self.parts: dict[Rows, array[int]] = {}
        self.circling = on_circles(stages)
        fed = [number for number, one in enumerate(stages) if one.inputs and len(one.inputs) == 1]
        asked = fed and (used or kept_open)
        fits = _fitting(placement, unit_of) if asked else [False] * len(stages)
        self.open: dict[int, Rows] = {}  # of what keeps open the window of that before it
        opened: dict[int, tuple[int, ...]] = {}
        found: Found = {}
        for number in fed:
            stage, edge = stages[number], stages[number].inputs[0]
            source = edge.source
            if not fits[number] or not fits[source] or stages[source].first_only:
                continue
            if self.supply_of[source] == self.supply_of[number]:
                if kept_open and not edge.link and not stage.first_only:
                    pair = unit_of[source], unit_of[number]
                    of_source, of_this = (placement.relations[unit] for unit in pair)
                    if is_above(of_source, unit_of[number], of_this):
                        opened[number] = *pair, edge.multiplicity, 0, 0
            elif used:
                way = stages[source].server, stage.server, edge.link
                found.setdefault(way, {}).setdefault(source, []).append(number)
        every: list[tuple[int, ...]] = []
        sent = self._sent(found) if silent else {}
        for way, some in found.items():
            rows: list[tuple[int, ...]] = []
            for source, fed in some.items():
                is_whole = self.rates[self.supply_of[source]] is WHOLE
                rows += _rows(stages, unit_of, fed, is_whole)
            for source, number in self._silent(way, next(iter(some)), sent):
                rows.append((unit_of[source], unit_of[number], 0, -1, 0))
            rows.sort()
            self.feeds[way] = len(every), len(every) + len(rows)
            every += rows
        for number, row in opened.items():
            self.open[number] = len(every), len(every) + 1
            every.append(row)
        self.fed = integers([*chain.from_iterable(every)] or [0])  # what feeds any of them

    def _sent(self, found: Found) -> Sent:
        """What each core sends to a thread at once: who, which stage, and what that brings; where
        that is not too much to look at."""
        sent: Sent = {}
        for (first, last, link), some in found.items():
            for source, fed in some.items() if not link else ():
                core = self.supply_of[source]
                sent.setdefault((core, last), []).extend((first, source, one) for one in fed)
        return {way: rows for way, rows in sent.items() if len(rows) <= HELD}

    def _silent(self, way: Way, source: int, sent: Sent) -> Iterator[tuple[int, int]]:
        """What other threads of the core of a stage bring to the last thread, too, with a last step
        that takes time."""
        first, last, link = way
        for other, *pair in sent.get((self.supply_of[source], last), ()) if not link else ():
            if other != first and self.stages[pair[1]].inputs[0].takes:
                yield pair[0], pair[1]

    def before(self, number: int) -> Tandem | None:
        """The tandem that ends with a stage, if there is one."""
        if number not in self.known:
            self.known[number] = None
            if rows := self._rows_of(number):
                edge, rates = self.stages[number].inputs[0], self._rates(number)
                one = edge.source, number, edge.worst, edge.link
                self.known[number] = Tandem(*one, rows, self.of(rows), rates)
        return self.known[number]

    def of(self, rows: Rows) -> array[int]:
        """Some rows of what feeds any of them, which all tandems of the same two threads share."""
        if rows not in self.parts:
            self.parts[rows] = self.fed[FEED * rows[0] : FEED * rows[1]]
        return self.parts[rows]

    def table(self) -> list[tuple[int, ...]]:
        """The one that ends with each stage, as the kernel reads it."""
        table: list[tuple[int, ...]] = []
        for number, stage in enumerate(self.stages):
            if rows := self._rows_of(number):
                edge = stage.inputs[0]
                table.append((edge.worst, edge.link, *rows, *self._rates(number)))
            else:
                table.append((0,) * 8)
        return table

    def _rows_of(self, number: int) -> Rows | None:
        """The rows of what feeds the tandem that ends with a stage, if there is one."""
        stage = self.stages[number]
        if len(stage.inputs) != 1 or stage.anew:
            return None
        if number in self.circling or stage.inputs[0].source in self.circling:
            return None
        if number in self.open:
            return self.open[number]
        edge = stage.inputs[0]
        return self.feeds.get((self.stages[edge.source].server, stage.server, edge.link))

    def _rates(self, number: int) -> tuple[int, int, int, int]:
        if number in self.open:
            return OPEN
        edge = self.stages[number].inputs[0]
        here, there = self.rates[self.supply_of[edge.source]], self.rates[self.supply_of[number]]
        early = edge.link - edge.worst if self.early else -1
        return here.time, there.time, here.gap + there.gap + here.kept, early


def _fitting(placement: Placement, unit_of: list[int]) -> list[bool]:
    """Of which stages enough is known: they run one thing after the other, and nothing is known of
    relations with shifts and weights, nor of shared links."""
    single = [supply.threads <= 1 and not supply.is_link for supply in placement.supplies]
    every = enumerate(placement.relations)
    odd = {unit for unit, relations in every for one in relations if not one.is_plain}
    return [single[placement.supply_of[unit]] and unit not in odd for unit in unit_of]


def is_above(first: Sequence[Relation], last: int, of_last: Sequence[Relation]) -> bool:
    """Whether a unit, with these relations, preempts another one, and all that may run before that
    is done.

    >>> first = [Relation(Delay.PREEMPTS, 3, 9)]
    >>> [is_above(first, 5, [Relation(Delay.AHEAD, 4, end)]) for end in (9, 10)]
    [True, False]
    """
    preempted = sorted((one.first, one.last) for one in first if one.kind == Delay.PREEMPTS)
    before = ((one.first, one.last) for one in of_last)
    return all(_is_covered(*one, preempted) for one in ((last, last + 1), *before))


def _is_covered(first: int, end: int, ranges: list[tuple[int, int]]) -> bool:
    """Whether sorted ranges hold all of another one: they may be as long as there are units."""
    for begin, stop in ranges:
        if begin <= first < stop:
            first = stop
    return first >= end


def _rate(supply: Supply) -> Rate:
    """The rate of a supply."""
    if supply.reservation is None:
        return WHOLE
    budget, period = supply.reservation.budget, supply.reservation.period
    kept = 0 if supply.fresh is None else period - budget - supply.fresh
    return Rate(min(PER_RATE * period // budget, MOST_RATE), period - budget, kept)


def _rows(
    stages: list[Stage], unit_of: list[int], fed: list[int], is_whole: bool
) -> Iterator[tuple[int, ...]]:
    """What the kernel is told of all that one stage feeds, on a whole core or not."""
    is_one = len(fed) == 1 and stages[fed[0]].inputs[0].multiplicity == 1
    spared = one_by_one([stages[number] for number in fed]) if is_whole and not is_one else 0
    for number in fed:
        (edge,) = stages[number].inputs
        units = unit_of[edge.source], unit_of[number]
        yield *units, edge.multiplicity, edge.link - edge.least, spared


def one_by_one(fed: list[Stage]) -> int:
    """How much of a unit that two threads serve is not paid on both, as its copies leave one by one
    (lemma copies-in-tandem): the least, wherever the first of them that the last thread has not
    served by the time when it is busy with ours stands. `fed`: what it feeds, as it is sent."""
    messages: list[tuple[int, int, int, list[int]]] = []  # copies: so often, so many, each so long
    for _, group in groupby(fed, lambda stage: stage.key[:3]):
        stages = list(group)
        (edge,) = stages[0].inputs
        if edge.copies is None:
            return 0
        messages.append((edge.multiplicity, *edge.copies, sorted(one.cost for one in stages)))
    before, after = 0, sum(times * copies * each for times, copies, each, _ in messages)
    least = after
    for times, copies, each, costs in messages:  # those that go elsewhere come first
        for more in (0, times - 1):
            done = before + more * sum(costs)
            for place, cost in enumerate(costs, copies - len(costs) + 1):
                left = after - each * (more * copies + place)
                least = min(least, done + left)
                done += cost
        before += times * sum(costs)
        after -= times * copies * each
    return least
