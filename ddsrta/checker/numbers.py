"""Paths through AND jobs that match by number: whose token may be the last (lemma last-token), and
when events of the same number are due (lemma due-at-joins)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ddsrta.checker.curves import Base
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.waits import Waits

_MOST = 256  # ways to a join

Ways = dict[tuple[Key, ...], int]  # each with how much later than the path it may begin


class Numbers:
    """What the n-th release of a path says of other events of the same number."""

    def __init__(self, stages: Mapping[Key, Stage], streams: Streams, waits: Waits) -> None:
        self.stages = stages
        self.streams = streams
        self.waits = waits
        self.known: dict[tuple[Key, Base], int | None] = {}
        self.found: dict[tuple[Key, ...], Ways] = {}

    def due(self, first: Key, late: int | None, base: Base) -> int | None:
        """When the event of a base is due at the latest, since the source `first` was released;
        that of its own base is `late` at most."""
        if (first, base) not in self.known:
            self.streams.budget.curve()
            self.known[first, base] = self._due(first, late, base)
        return self.known[first, base]

    def _due(self, first: Key, late: int | None, base: Base) -> int | None:
        mine = self.streams[first]
        if base is mine.base:
            return (late or 0) - mine.best
        if base.source:
            return self._ahead(first, base)
        latest: list[int] = []
        if not self.stages[base.key].joins or not self._matches(self.stages[base.key]):
            return None
        for given in map(self.streams.input, self.stages[base.key].inputs):
            event = self.due(first, late, given.base)
            if event is None or given.paced is None:
                return None
            latest.append(event + given.paced)
        return max(latest)

    def _ahead(self, first: Key, base: Base) -> int | None:
        """How much later than the release of a source the event of another may be due."""
        mine = self.streams[first]
        late, early = self.waits.latest_pace(base), self.waits.earliest_pace(mine.base)
        if late is None or early is None or late[0] > early[0]:
            return None
        return late[1] - early[1] - mine.best

    def _matches(self, stage: Stage) -> bool:
        """Whether its n-th unit has one unit of each input, of the n-th event of its base."""
        if stage.anew or stage.synchronizer is not None:
            return False
        edges = stage.inputs
        if len(edges) > 1 and not stage.joins:
            return False
        if any(self.streams.input(edge).times != 1 for edge in edges):
            return False
        return all(map(self.streams.in_order, edges))

    def ways(self, path: Sequence[Key]) -> Ways:
        """The ways to the end of a path by which its last token may have come, itself among them;
        none where it begins in the midst of a stream, or numbers say nothing."""
        if self.stages[path[0]].inputs:
            return {}
        place, found = 1, {tuple(path[:1]): 0}
        for join in range(1, len(path)):
            if len(self.stages[path[join]].inputs) == 1:
                continue
            name = tuple(path[: join + 1])
            if name not in self.found:
                self.found[name] = self._ways(name, _longer(found, name[place:]))
            place, found = join + 1, self.found[name]
        return _longer(found, tuple(path[place:]))

    def _ways(self, path: tuple[Key, ...], found: Ways) -> Ways:
        """The same of a path to a join, beside those that come through the last one before it."""
        for way in self._back(path[-1:], path[0]) if found else ():
            if way is None or len(found) > _MOST:
                return {}
            if way[-2] != path[-2]:
                begun = self._begun(path[0], way[0])
                if begun is None:
                    return {}
                found[way] = begun
        return found

    def _begun(self, first: Key, source: Key) -> int | None:
        if first == source:
            return 0
        mine, other = self.streams[first], self.streams[source]
        if mine.base is other.base:
            return (other.before or 0) - mine.best
        ahead = self._ahead(first, other.base)
        return None if ahead is None else ahead + (other.before or 0)

    def _back(self, way: tuple[Key, ...], first: Key) -> Iterator[tuple[Key, ...] | None]:
        self.streams.budget.curve()
        stage = self.stages[way[0]]
        if not stage.inputs or way[0] == first:
            yield way
        elif not self._matches(stage):
            yield None
        else:
            for source in {edge.source for edge in stage.inputs}:
                yield from self._back((source, *way), first)


def _longer(ways: Ways, more: tuple[Key, ...]) -> Ways:
    """The same, each with more stages behind it."""
    return {(*way, *more): begun for way, begun in ways.items()}
