"""How the units of one event visit stages, and what is known of their order (definition
known-order). Sets of visits are bits of a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Edge, Key, Stage

MOST_VISITS = 80


class Visit(NamedTuple):
    """The units that one event brings to a stage by one way: how many, and how soon at least."""

    stage: Stage
    came: tuple[tuple[int, Edge], ...]
    units: int
    least: int

    @property
    def cost(self) -> int:
        """Of all its units."""
        return self.units * self.stage.cost

    @property
    def is_at_once(self) -> bool:
        """Whether its only unit comes when the only thing that brings it hands it over."""
        return len(self.came) == 1 and self.units == 1 and self.came[0][1].link == 0


class Visits:
    """All visits, each behind those that bring it. Of each: what surely comes no later, what is
    surely over when it comes, what is surely served behind it, and what may run while it waits."""

    def __init__(self, visits: list[Visit], neighbours: Neighbours) -> None:
        self.all = visits
        self.neighbours = neighbours
        self.by_key: dict[Key, list[int]] = {}
        for one, visit in enumerate(visits):
            self.by_key.setdefault(visit.stage.key, []).append(one)
        self.not_later = [0] * len(visits)
        self.over = [0] * len(visits)
        while self._learn():
            pass
        self.after = [self._served_after(one) for one in range(len(visits))]
        self.together = [self._together(one) for one in range(len(visits))]
        self.handed = [self._handed(one) for one in range(len(visits))]

    @classmethod
    def of(
        cls, order: Sequence[Key], stages: Mapping[Key, Stage], neighbours: Neighbours
    ) -> Visits | None:
        """Those of some stages, if there are not too many."""
        visits: list[Visit] = []
        by_key: dict[Key, list[int]] = {}
        for key in order:
            stage = stages[key]
            ways: list[tuple[tuple[int, Edge], ...]]
            if stage.inputs and not stage.joins:
                ways = [((one, edge),) for edge in stage.inputs for one in by_key[edge.source]]
            elif any(len(by_key[edge.source]) != 1 for edge in stage.inputs):
                return None
            else:
                ways = [tuple((by_key[edge.source][0], edge) for edge in stage.inputs)]
            by_key[key] = list(range(len(visits), len(visits) + len(ways)))
            for way in ways:
                units = max([visits[one].units * edge.times for one, edge in way], default=1)
                least = max([visits[one].least + edge.least for one, edge in way], default=0)
                visits.append(Visit(stage, way, units, least))
            if len(visits) > MOST_VISITS:
                return None
        return cls(visits, neighbours)

    def along(self, path: Sequence[Key]) -> list[int] | None:
        """The visits of a path; None where it may begin with several."""
        if len(self.by_key.get(path[0], ())) != 1:
            return None
        way = [self.by_key[path[0]][0]]
        for key in path[1:]:
            behind = [
                one
                for one in self.by_key.get(key, ())
                if any(source == way[-1] for source, _ in self.all[one].came)
            ]
            if len(behind) != 1:
                return None
            way.append(behind[0])
        return way

    def _learn(self) -> bool:
        """All orders once more, each from those that are known: whether there are more of them."""
        known = list(self.not_later)
        for one in range(len(self.all)):
            self._come(one)
        return known != self.not_later

    def _come(self, one: int) -> None:
        visit, not_later, over = self.all[one], 0, 0
        for source, edge in visit.came:
            over |= self.over[source]
            if self.all[source].units == 1 and self._ends_first(visit, edge, source):
                over |= 1 << source
            if visit.units == 1:
                not_later |= self.not_later[source] | 1 << source
                not_later |= self._published_before(one, source, edge)
        if visit.units == 1 and len(visit.came) == 1:
            source = visit.came[0][0]
            for other, before in enumerate(self.all):
                if before.is_at_once and self._is_served_first(before.came[0][0], source):
                    not_later |= self.not_later[other] | 1 << other
        self.not_later[one] = not_later
        self.over[one] = over

    def _ends_first(self, visit: Visit, edge: Edge, source: int) -> bool:
        """Whether nothing of what brings a visit is left when it comes."""
        before = self.all[source].stage
        if before.key[0] == "job":
            return self._is_follower(visit, edge)
        return before.key[0] == "message" or before.copies == 1

    def _is_follower(self, visit: Visit, edge: Edge) -> bool:
        return edge.source[0] == "job" and visit.stage.key[0] == "job" and not edge.within

    def _published(self, visit: Visit, edge: Edge) -> int | None:
        """Where in the program of a job it is published."""
        if edge.source[0] != "job" or self._is_follower(visit, edge):
            return None
        topic = edge.within if visit.stage.key[0] == "job" else visit.stage.key[2]
        return list(self.neighbours.system.threads[edge.source[1]].publishes).index(topic)

    def _published_before(self, one: int, source: int, edge: Edge) -> int:
        """What the same job, of one visit, has handed over before, where that arrives at once."""
        visit, found = self.all[one], 0
        if edge.source[0] != "job":
            return 0
        place = self._published(visit, edge)
        for other, brought in enumerate(self.all):
            if not brought.is_at_once or brought.came[0][0] != source:
                continue
            at = self._published(brought, brought.came[0][1])
            if at is not None and (place is None or at < place):
                found |= 1 << other
        return found

    def _is_served_first(self, one: int, other: int) -> bool:
        """Whether a thread serves one unit before another that comes no sooner."""
        first, second = self.all[one].stage, self.all[other].stage
        same = (first.kind, first.runner) == (second.kind, second.runner)
        if not same or not self.not_later[other] >> one & 1:
            return False
        if first.kind == "listener":
            return True
        if first.kind != "flow_controller":
            return False
        policy = self.neighbours.system.controllers[first.runner].policy
        if policy == "HIGH_PRIORITY":
            sender = self.neighbours.system.sender
            mine, theirs = sender(*first.key[1:3]), sender(*second.key[1:3])
            return mine.urgency <= theirs.urgency
        return policy == "FIFO"

    def _served_after(self, one: int) -> int:
        found = 0
        for other in range(len(self.all)):
            if self.over[other] >> one & 1 or self._is_served_first(one, other):
                found |= 1 << other
        return found

    def _together(self, one: int) -> int:
        """All that may run while this waits, or while one of those does."""
        known = {self.all[one].stage.key}
        ahead = [self.all[one].stage]
        while ahead:
            for other in self.neighbours.relations(ahead.pop()).all():
                if other.key not in known:
                    known.add(other.key)
                    ahead.append(other)
        return sum(1 << visit for key in known for visit in self.by_key[key])

    def _handed(self, one: int) -> int | None:
        """The visit to a thread of another core that hands it over, one by one, each at once and
        only after it has taken time."""
        came = self.all[one].came
        if len(came) != 1 or came[0][1].link or came[0][1].least <= 0:
            return None
        source = came[0][0]
        if self.all[source].stage.kind not in ("flow_controller", "listener"):
            return None
        return None if self.is_on_one_core(source, one) else source

    def is_on_one_core(self, one: int, other: int) -> bool:
        """Whether two visits are to one supply."""
        name = self.neighbours.supply_name
        return name(self.all[one].stage) == name(self.all[other].stage)

    def sender_beside(self, one: int) -> int | None:
        """What brings it at once on the same core."""
        came = self.all[one].came
        if len(came) != 1 or came[0][1].link or not self.is_on_one_core(came[0][0], one):
            return None
        return came[0][0]
