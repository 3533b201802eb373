"""Events of which each is done before the next one comes (lemma event-alone)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ddsrta.checker.closed import Closed
from ddsrta.checker.pools import SHADOW
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.streams import Streams

if TYPE_CHECKING:
    from ddsrta.checker.visits import Visits
    from ddsrta.checker.worst_order import WorstOrder


class Alone:
    """What closed sets that one source releases do for one event."""

    def __init__(
        self,
        stages: Mapping[Key, Stage],
        streams: Streams,
        closed: Closed,
        hold: bool,
    ) -> None:
        self.hold = hold  # not where threads sleep (note lost-refinements)
        self.stages = stages
        self.streams = streams
        self.closed = closed
        self.neighbours, self.budget = closed.neighbours, closed.budget
        self.sets: dict[frozenset[Key], tuple[Visits, WorstOrder] | None] = {}
        self.since: dict[tuple[frozenset[Key], int], WorstOrder] = {}

    def bound(self, path: Sequence[Key]) -> int | None:
        """From the arrival at the first stage of a path to the end of its last one."""
        use = self.hold and self.closed.locks is None and len(path) > 1
        held = self.closed.held(path[-1]) if use else None
        if held is None:
            return None
        if held not in self.sets:
            self.sets[held] = self._of(held)
        found = self.sets[held]
        if found is None:
            return None
        visits, whole = found
        way = visits.along(path)
        if way is None or visits.all[way[0]].units != 1:
            return None
        first = way[0]
        if first != whole.first and (held, first) not in self.since:
            early = visits.all[first].least
            latest = [None if one is None else one - early for one in whole.latest]
            from ddsrta.checker.worst_order import WorstOrder

            self.since[held, first] = WorstOrder(visits, first, latest, self.budget)
        return self.since.get((held, first), whole).ends[way[-1]]

    def _of(self, held: frozenset[Key]) -> tuple[Visits, WorstOrder] | None:
        if not all(self._fits(self.stages[key]) for key in held):
            return None
        sources = [key for key in held if not self.stages[key].inputs]
        if len(sources) != 1:
            return None
        from ddsrta.checker.visits import MOST_VISITS, Visits
        from ddsrta.checker.worst_order import WorstOrder

        if len(held) > MOST_VISITS:
            return None
        order = [key for key in self.streams.streams if key in held]
        visits = Visits.of(order, self.stages, self.neighbours)
        if visits is None:
            return None
        first = visits.by_key[sources[0]][0]
        whole = WorstOrder(visits, first, [None] * len(visits.all), self.budget)
        self.budget.curve()
        most = max(1, *whole.ends)
        return (visits, whole) if self.streams[sources[0]].most(most) <= 1 else None

    def _fits(self, stage: Stage) -> bool:
        """Whether a stage has the units of one event by number, and all that delays it is pinned to
        its core, and served by priorities."""
        if stage.kind == LINK or stage.reorders or stage.anew or stage.swaps or stage.first:
            return False
        if stage.synchronizer is not None and not stage.joins:
            return False
        neighbours = self.neighbours
        if neighbours.supply(stage) != (None, ()) or neighbours.cores(stage):
            return False
        if neighbours.wait(stage) is not None:
            return False
        beside = neighbours.supplies[neighbours.supply_name(stage)]
        if any(other.key[0] == SHADOW for other in beside):
            return False
        return not stage.joins or not stage.inputs or self.streams.continues(stage)
