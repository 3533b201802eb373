"""Which closed sets of stages have an event alone (lemma event-alone)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ddsrta.bounds.closed_window.closure import Closures
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.event_alone.order import Order, TooManyError
from ddsrta.bounds.event_alone.spans import Budget, Spans
from ddsrta.bounds.stages import Stage
from ddsrta_kernel import UNBOUNDED, Solver

MOST_NODES = 80  # of a set


class AloneWindow(NamedTuple):
    """From the arrival of an event's unit at one stage to the end of what it brings to another,
    which is the node `last`."""

    spans: Spans
    last: int

    @property
    def length(self) -> int:
        """The bound."""
        return int(self.spans.found[self.last].length)


def may_be_alone(compiled: Compiled, ends: Iterable[int]) -> bool:
    """Whether one of some stages may be in such a set: its closed set has one source."""
    if not compiled.events_alone:
        return False
    closures, refused = Closures(compiled), set[int | None]([None])
    for end in ends:
        sources = 0
        for held, number in enumerate(closures.of(end), 1):
            sources += number is not None and not compiled.stages[number].inputs
            if number in refused or sources > 1 or held > MOST_NODES:
                refused.add(end)
                break
        else:
            return True
    return False


class EventsAlone:
    """Sets in which each event is done before the next one, as they are asked for."""

    def __init__(self, compiled: Compiled, solver: Solver) -> None:
        self.compiled, self.solver = compiled, solver
        self.closures, self.budget = Closures(compiled), Budget()
        self.sets: dict[int, tuple[Order, Spans] | None] = {}
        self.known: dict[tuple[int, int], Spans] = {}
        self.refused: set[int] = set()  # what is in no such set, nor is any set that holds it
        self.plain: dict[int, bool] = {}  # supplies, as they are looked at

    def has(self, last: int) -> bool:
        """Whether a stage is in such a set."""
        if last not in self.sets:
            used = self.compiled.events_alone and self.compiled.system.fastdds is None
            self.sets[last] = self._set(last) if used else None
        return self.sets[last] is not None

    def along(self, path: Sequence[int]) -> AloneWindow | None:
        """The window of a path, if it and all that delays it is alone."""
        if len(path) < 2 or not self.has(path[-1]) or (found := self.sets[path[-1]]) is None:
            return None
        order, spans = found
        nodes = order.along(path)
        if nodes is None or order.nodes[nodes[0]].units != 1:
            return None
        anchor, key = nodes[0], (id(order), nodes[0])
        if anchor != spans.anchor and key not in self.known:
            best = order.nodes[anchor].best
            known = {one: max(0, time - best) for one, time in enumerate(spans.arrival)}
            try:
                self.known[key] = Spans(order, anchor, known, self.budget)
            except TooManyError:
                return None
        return AloneWindow(self.known.get(key, spans), nodes[-1])

    def _set(self, last: int) -> tuple[Order, Spans] | None:
        """The least closed set with a stage, if one source releases it and one event is done before
        the next."""
        held: list[int] = []
        for number in self.closures.of(last):
            if number is None or len(held) == MOST_NODES or not self._may_hold(number):
                self.refused.add(last)
                return None
            held.append(number)
        sources = [number for number in held if not self.compiled.stages[number].inputs]
        if len(sources) != 1:
            return None
        held.sort()
        for other in held:  # of the same stages, the same order
            if (known := self.sets.get(other)) and known[0].held == held:
                return known
        try:
            order = Order(self.compiled, held, MOST_NODES)
            spans = Spans(order, order.of[sources[0]][0], {}, self.budget)
        except TooManyError:
            return None
        most = max(span.length for span in spans.found.values())
        if most >= UNBOUNDED or self._comes_again(sources[0], int(most)):
            return None
        return order, spans

    def _comes_again(self, source: int, within: int) -> bool:
        """Whether a second event may come before so long after one."""
        return self.solver.count(self.compiled.unit_of[source], max(1, within)) > 1

    def _may_hold(self, number: int) -> bool:
        """Whether sets may hold a stage."""
        return number not in self.refused and self._follows(number)

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


def _is_plain(stage: Stage) -> bool:
    """Whether its jobs do not overlap, match by number if at all, and are not served otherwise."""
    odd = stage.anew or stage.overlaps or stage.mispaired or stage.first or stage.first_only
    return not odd and stage.by_number and stage.load is None
