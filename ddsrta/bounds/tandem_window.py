"""Stages on two threads in tandem, for which a burst is paid once (lemma tandem-window)."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from ddsrta.bounds.placement import Placement, Supply
from ddsrta.bounds.stages import Server, Stage
from ddsrta_kernel.problem import FEED, PER_RATE

MOST_RATE = 1 << 40
Way = tuple[Server, Server, int]  # two threads, and what the way between them takes at most


class Tandem(NamedTuple):
    """A stage and the one that it feeds: the extra delay between them, and the way's part of it.
    `feeds` is as the kernel reads it: four numbers for each stage that the same two threads serve.
    `rates`: how long the supply of each takes for work in the long run, how much later both may
    come, and how much sooner a unit leaves the first thread than it is done.
    """

    first: int
    last: int
    worst: int
    link: int
    feeds: array[int]
    rates: tuple[int, int, int, int]


class Rate(NamedTuple):
    """How long a supply takes for work in the long run, its longest gap, and how much sooner than
    by its deadlines a fresh budget comes (lemma fresh-budgets)."""

    time: int
    gap: int
    kept: int


WHOLE = Rate(PER_RATE, 0, 0)


class Tandems:
    """All pairs of threads of which one feeds the other; empty where they are not to be used."""

    def __init__(
        self,
        stages: list[Stage],
        placement: Placement,
        unit_of: list[int],
        used: bool = True,
        early: bool = True,
    ) -> None:
        self.early = early  # whether units that leave early count so (lemma early-in-tandem)
        self.stages = stages
        self.supply_of = [placement.supply_of[unit] for unit in unit_of]
        self.rates = [*map(_rate, placement.supplies)]
        self.feeds: dict[Way, array[int]] = {}
        self.known: dict[int, Tandem | None] = {}
        fed = [number for number, one in enumerate(stages) if one.inputs and len(one.inputs) == 1]
        fits = _fitting(placement, unit_of) if fed and used else [False] * len(stages)
        found: dict[Way, list[tuple[int, int, int, int]]] = {}
        for number in fed:
            stage, edge = stages[number], stages[number].inputs[0]
            source = edge.source
            is_apart = self.supply_of[source] != self.supply_of[number]  # else joined-work counts
            if is_apart and fits[number] and fits[source] and not stages[source].first_only:
                row = unit_of[source], unit_of[number], edge.multiplicity, edge.link - edge.least
                found.setdefault((stages[source].server, stage.server, edge.link), []).append(row)
        for way, rows in found.items():
            self.feeds[way] = array("q", [value for row in sorted(rows) for value in row])

    def flat(self) -> tuple[array[int], dict[int, tuple[int, int]]]:
        """All that feeds any of them in one array; by what feeds them, where its rows are there."""
        found, rows = array("q"), {}
        for feeds in self.feeds.values():
            first = len(found) // FEED
            found.extend(feeds)
            rows[id(feeds)] = first, len(found) // FEED
        return found or array("q", [0]), rows

    def before(self, number: int) -> Tandem | None:
        """The tandem that ends with a stage, if there is one."""
        if number not in self.known:
            self.known[number] = self._before(number)
        return self.known[number]

    def _before(self, number: int) -> Tandem | None:
        stage = self.stages[number]
        if len(stage.inputs) != 1 or stage.anew:
            return None
        edge = stage.inputs[0]
        feeds = self.feeds.get((self.stages[edge.source].server, stage.server, edge.link))
        if feeds is None:
            return None
        here, there = self.rates[self.supply_of[edge.source]], self.rates[self.supply_of[number]]
        early = edge.link - edge.worst if self.early else 0
        rates = here.time, there.time, here.gap + there.gap + here.kept, early
        return Tandem(edge.source, number, edge.worst, edge.link, feeds, rates)


def _fitting(placement: Placement, unit_of: list[int]) -> list[bool]:
    """Of which stages enough is known: they run one thing after the other, and nothing is known of
    relations with shifts and weights, nor of shared links."""
    single = [supply.threads <= 1 and not supply.is_link for supply in placement.supplies]
    return [
        single[placement.supply_of[unit]]
        and False not in [one.is_plain for one in placement.relations[unit]]
        for unit in unit_of
    ]


def _rate(supply: Supply) -> Rate:
    """The rate of a supply."""
    if supply.reservation is None:
        return WHOLE
    budget, period = supply.reservation.budget, supply.reservation.period
    kept = 0 if supply.fresh is None else period - budget - supply.fresh
    return Rate(min(PER_RATE * period // budget, MOST_RATE), period - budget, kept)
