"""Which closed sets of stages have an event alone (lemma event-alone)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ddsrta.bounds.closed_window.closure import Closures
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.event_alone.order import Order, TooManyError
from ddsrta.bounds.event_alone.spans import Spans
from ddsrta.bounds.stages import Stage
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import MOST_ALONE


class AloneWindow(NamedTuple):
    """From the arrival of an event's unit at one stage to the end of what it brings to another,
    which is the node `last`."""

    spans: Spans
    last: int

    @property
    def length(self) -> int:
        """The bound."""
        return self.spans.length(self.last)


class Orders:
    """The known orders of closed sets that one source releases, as they are asked for."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled, self.closures = compiled, Closures(compiled)
        self.used = compiled.events_alone and compiled.system.fastdds is None
        self.known: dict[int, Order | None] = {}
        self.refused: dict[int, int] = {}  # by supply: from which unit on all is in no such set
        self.plain: dict[int, bool] = {}  # supplies, as they are looked at

    def of(self, last: int) -> Order | None:
        """That of the least closed set with a stage."""
        if last not in self.known:
            self.known[last] = self._order(last) if self.used else None
        return self.known[last]

    def words(self, ends: Iterable[int]) -> array[int]:
        """Where that of each of some stages stands, and these, as the kernel reads them."""
        words = array("q", bytes(8 * len(self.compiled.stages)))
        places: dict[int, int] = {}
        for end in ends if self.used else ():
            if (order := self.of(end)) is not None:
                if id(order) not in places:
                    places[id(order)] = len(words)
                    words += order.words
                words[end] = places[id(order)]
        return words

    def _order(self, last: int) -> Order | None:
        held: list[int] = []
        sources = 0
        if not self._may_hold(last):
            self._refuse(last)
            return None
        for number in self.closures.of(last):
            if number is not None and (known := self.known.get(number)) and last in known.of:
                return known  # each is in the set of the other
            sources += number is not None and not self.compiled.stages[number].inputs
            too_many = sources > 1 or len(held) == MOST_ALONE
            if number is None or too_many or not self._may_hold(number):
                self._refuse(last)
                return None
            held.append(number)
        try:
            return Order(self.compiled, held, MOST_ALONE) if sources else None
        except TooManyError:
            return None

    def _refuse(self, number: int) -> None:
        """Sets hold all that is more urgent on the supply of a stage."""
        unit = self.compiled.unit_of[number]
        supply = self.compiled.placement.supply_of[unit]
        self.refused[supply] = min(unit, self.refused.get(supply, unit))

    def _may_hold(self, number: int) -> bool:
        """Whether sets may hold a stage."""
        unit = self.compiled.unit_of[number]
        first = self.refused.get(self.compiled.placement.supply_of[unit])
        return (first is None or unit < first) and self._follows(number)

    def _follows(self, number: int) -> bool:
        """Whether a stage has the units of one event, by number, or is the source, on a core where
        all that delays it is a stage."""
        stage, placement = self.compiled.stages[number], self.compiled.placement
        supply = placement.supply_of[self.compiled.unit_of[number]]
        if supply not in self.plain:
            self.plain[supply] = self._has_stages_only(supply)
        if not self.plain[supply] or not _is_plain(stage):
            return False
        entries = self.compiled.streams.of[number].entries
        any_order = stage.activation == "or" and stage.synchronizer is None
        return any_order or not stage.inputs or entries[0] is None

    def _has_stages_only(self, number: int) -> bool:
        """Whether a supply is one core that serves stages by their priorities, and nothing else."""
        placement = self.compiled.placement
        supply = placement.supplies[number]
        if supply.threads > 1 or supply.moves or supply.reservation:
            return False
        return None not in placement.stage_of[supply.first : supply.last]


class EventsAlone:
    """Sets in which each event is done before the next one, as they are asked for."""

    def __init__(self, compiled: Compiled, solver: Solver, orders: Orders | None = None) -> None:
        self.compiled, self.solver = compiled, solver
        self.orders = orders or Orders(compiled)
        self.known: dict[tuple[int, int], Spans | None] = {}

    def has(self, last: int) -> bool:
        """Whether a stage may be in such a set."""
        return self.orders.of(last) is not None

    def along(self, path: Sequence[int]) -> AloneWindow | None:
        """The window of a path, if it and all that delays it is alone."""
        order = self.orders.of(path[-1]) if len(path) > 1 else None
        whole = self._spans(order, order.source) if order else None
        if order is None or whole is None or self._comes_again(order, whole.longest):
            return None
        nodes = order.along(path)
        if nodes is None or order.nodes[nodes[0]].units != 1:
            return None
        spans = self._spans(order, nodes[0], whole)
        return AloneWindow(spans, nodes[-1]) if spans else None

    def _spans(self, order: Order, anchor: int, since: Spans | None = None) -> Spans | None:
        """From a node on; None where that is too much to look at."""
        key = id(order), anchor
        if key not in self.known:
            try:
                self.known[key] = Spans(order, anchor, self.solver, since)
            except TooManyError:
                self.known[key] = None
        return self.known[key]

    def _comes_again(self, order: Order, within: int) -> bool:
        """Whether a second event may come before so long after one, or there is no bound."""
        unit = self.compiled.unit_of[order.nodes[order.source].number]
        return within >= UNBOUNDED or self.solver.count(unit, max(1, within)) > 1


def _is_plain(stage: Stage) -> bool:
    """Whether its jobs do not overlap, match by number if at all, and are not served otherwise."""
    loose = stage.anew or stage.reorders or stage.by_turn or stage.mispaired
    odd = loose or stage.first or stage.first_only
    return not odd and stage.by_number and stage.load is None
