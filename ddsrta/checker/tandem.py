"""Two threads in tandem: what both of them serve is paid once (lemma tandem-window)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.checker.curves import Stream
from ddsrta.checker.groups import least
from ddsrta.checker.points import Points
from ddsrta.checker.reading import MOST
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.sums import Claim
from ddsrta.checker.walks import less
from ddsrta.checker.windows import Origin

if TYPE_CHECKING:
    from ddsrta.checker.tandem_pair import Feeds, Pair


class Arrivals(NamedTuple):
    """Where the latency counts from, and the latest arrivals at both stages after that."""

    origin: Stream
    first: int
    last: int


class Tandems:
    """Bounds from the confirmed points of two windows."""

    def __init__(
        self,
        neighbours: Neighbours,
        stages: Mapping[Key, Stage],
        points: Points,
        claims: Mapping[Key, Claim],
    ) -> None:
        self.neighbours = neighbours
        self.windows = points.windows
        self.points = points
        self.claims = claims
        self.apart: dict[Key, bool] = {}
        self.both: dict[Key, Pair] = {}
        self.found: dict[tuple[Key, Stream, int, int | None, int | None], int | None] = {}
        self.feeds: dict[tuple[Key, Key, int], Feeds] = {}
        for stage in stages.values():
            if len(stage.inputs) == 1:
                edge = stage.inputs[0]
                between = _thread(stages[edge.source]), _thread(stage), edge.link
                feeds = self.feeds.setdefault(between, {})
                feeds.setdefault(edge.source, []).append((stage, edge))

    def bound(
        self, last: Stage, arrivals: Arrivals, below: int | None, limit: int | None
    ) -> int | None:
        """The latency from the origin's arrival to the end of a stage of one input, if it is below
        one that is known; with a limit, that, if it is no more."""
        edge = last.inputs[0]
        is_known = edge.source in self.points and last.key in self.points
        if not is_known or not arrivals.origin.bounded:
            return None
        first = self.windows[edge.source].stage
        if last.key not in self.apart:
            self.apart[last.key] = self._are_apart(first, last)
        if not self.apart[last.key]:
            return None
        asked = last.key, arrivals.origin, arrivals.last - arrivals.first
        known = *asked, less(below, arrivals.first), less(limit, arrivals.first)
        if known not in self.found:
            self.found[known] = self._since(first, last, *known[1:])
        return less(self.found[known], -arrivals.first)

    def _since(
        self,
        first: Stage,
        last: Stage,
        start: Stream,
        later: int,
        below: int | None,
        limit: int | None,
    ) -> int | None:
        """The same from the arrival at the first stage; that at the last is so much later."""
        edge, most = last.inputs[0], least(iter((below, limit)))
        floor = max(0, later - edge.link)
        early = self.points.late(last.key, self._origin(last, start), floor)
        if early is None or (most is not None and early + later > most):
            return None
        if last.key not in self.both:
            between = _thread(first), _thread(last), edge.link
            windows = self.windows[first.key], self.windows[last.key]
            from ddsrta.checker.tandem_pair import Pair

            self.both[last.key] = Pair(*windows, self.feeds[between])
        row = self.both[last.key].row(self._origin(first, start))
        known = early + later if limit is None else limit
        until = MOST if most is None else most
        late = self.points.spared(last.key, lambda: row.above(known, until)[0])
        return None if late is None or late > until else late

    def _origin(self, stage: Stage, start: Stream) -> Origin:
        return Origin(start, self.windows[stage.key].stream.times // start.times)

    def _are_apart(self, first: Stage, last: Stage) -> bool:
        """Whether each is one thread, on a supply of its own, no link, and none has deadlines or
        weights."""
        if LINK in (first.kind, last.kind) or self.neighbours.wait(first) is not None:
            return False
        for stage in (first, last):
            relations = self.windows[stage.key].relations
            if relations.due or relations.turns or relations.contends:
                return False
        if self.neighbours.cores(first) or self.neighbours.cores(last):
            return False
        return self.neighbours.supply_name(first) != self.neighbours.supply_name(last)


def _thread(stage: Stage) -> Key:
    return (stage.kind, stage.runner)
