"""Stages on two threads in tandem, for which a burst is paid once (lemma tandem-window)."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from ddsrta.bounds.placement import Placement
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
        self.stages, self.placement, self.unit_of = stages, placement, unit_of
        self.supplies = [placement.supplies[placement.supply_of[unit]] for unit in unit_of]
        self.feeds: dict[Way, array[int]] = {}
        self.known: dict[int, Tandem | None] = {}
        self.plain: dict[int, bool] = {}  # by unit
        found: dict[Way, list[tuple[int, int, int, int]]] = {}
        for number, stage in enumerate(stages if used else ()):
            if len(stage.inputs) == 1:
                edge = stage.inputs[0]
                if self._apart(edge.source, number):
                    row = (unit_of[edge.source], unit_of[number], edge.multiplicity)
                    way = (stages[edge.source].server, stage.server, edge.link)
                    found.setdefault(way, []).append((*row, edge.link - edge.least))
        for way, rows in found.items():
            self.feeds[way] = array("q", (value for row in sorted(rows) for value in row))

    def _apart(self, first: int, last: int) -> bool:
        """Whether two stages run on different supplies, one thing after the other; on one, lemma
        joined-work counts them together. Nothing is known of relations with shifts and weights, nor
        of shared links."""
        here, there = self.supplies[first], self.supplies[last]
        if here is there or self.stages[first].first_only:
            return False
        if here.threads > 1 or there.threads > 1 or here.is_link or there.is_link:
            return False
        return self._is_plain(self.unit_of[first]) and self._is_plain(self.unit_of[last])

    def _is_plain(self, unit: int) -> bool:
        """Whether nothing more is said of a unit than how others delay it."""
        if unit not in self.plain:
            relations = self.placement.relations[unit]
            self.plain[unit] = False not in [one.is_plain for one in relations]
        return self.plain[unit]

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
        here, there = self._rate(edge.source), self._rate(number)
        early = edge.link - edge.worst if self.early else 0
        rates = here[0], there[0], here[1] + there[1] + self._kept(edge.source), early
        return Tandem(edge.source, number, edge.worst, edge.link, feeds, rates)

    def _rate(self, number: int) -> tuple[int, int]:
        """How long the supply of a stage takes for work in the long run, and its longest gap."""
        supply = self.supplies[number]
        if supply.reservation is None:
            return PER_RATE, 0
        budget, period = supply.reservation.budget, supply.reservation.period
        return min(PER_RATE * period // budget, MOST_RATE), period - budget

    def _kept(self, number: int) -> int:
        """How much sooner than by its deadlines a fresh budget comes (lemma fresh-budgets)."""
        supply = self.supplies[number]
        if supply.fresh is None or supply.reservation is None:
            return 0
        return supply.reservation.period - supply.reservation.budget - supply.fresh
