"""Two threads in tandem: what both of them serve is paid once (lemma tandem-window); or on one
supply, where what comes next keeps the window open (lemma kept-open)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Stream
from ddsrta.checker.groups import least
from ddsrta.checker.members import time
from ddsrta.checker.points import Points
from ddsrta.checker.reading import MOST
from ddsrta.checker.related import Others
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import LINK, Edge, Key, Stage
from ddsrta.checker.sums import Claim
from ddsrta.checker.turns import on_circles
from ddsrta.checker.walks import less
from ddsrta.checker.windows import Origin, Window
from ddsrta.checker.work import AllBut

if TYPE_CHECKING:
    from ddsrta.checker.tandem_brought import Brought, Feeds
    from ddsrta.checker.tandem_pair import Pair


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
        self.stages = stages
        self.windows = points.windows
        self.points = points
        self.claims = claims
        self.circling = on_circles(stages)
        self.apart: dict[Key, bool] = {}
        self.both: dict[Key, list[Pair]] = {}
        self.in_order: dict[int, bool] = {}
        self.brought: dict[tuple[int, bool, tuple[int, int], tuple[int, ...]], Brought] = {}
        self.open: dict[Key, list[_Open]] = {}
        self.early: dict[tuple[Key, Origin, int], int | None] = {}
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
        if edge.source not in self.points or not arrivals.origin.bounded:
            return None
        if self.circling and not self.circling.isdisjoint((last.key, edge.source)):
            return None  # lemma circle-cut
        first = self.windows[edge.source].stage
        if last.key not in self.apart:
            self.apart[last.key] = self._are_apart(first, last)
            self.open[last.key] = self._kept_open(first, last)
        is_apart = self.apart[last.key] and last.key in self.points
        if not is_apart and not self.open[last.key]:
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
        if windows := self.open[last.key]:
            rows = [one.row(self._origin(first, start)) for one in windows]
            if limit is None:
                return self.points.spared(last.key, lambda: max(row.most() for row in rows))
            found = self.points.spared(
                last.key, lambda: max(row.above(limit, limit)[0] for row in rows)
            )
            return found if found is not None and found <= limit else None
        edge, most = last.inputs[0], least(iter((below, limit)))
        floor = max(0, later - edge.link)
        early = self._early(first, last, self._origin(last, start), floor)
        if early is None or (most is not None and early + later > most):
            return None
        if last.key not in self.both:
            both = product(self.windows[first.key].by, self.windows[last.key].by)
            self.both[last.key] = [self._pair(*each) for each in both]
        pairs = [both.row(self._origin(first, start)) for both in self.both[last.key]]
        known = early + later if limit is None else limit
        until = MOST if most is None else most
        late = self.points.spared(
            last.key, lambda: max(row.above(known, until)[0] for row in pairs)
        )
        return None if late is None or late > until else late

    def _early(self, first: Stage, last: Stage, origin: Origin, floor: int) -> int | None:
        """The most from the origin where the window of the last opened before ours came to the
        first; with what that still had to serve not there, if that can be told."""
        from ddsrta.checker.held import ROWS, Held

        feeds = self.feeds[_thread(first), _thread(last), last.inputs[0].link]
        one, other = self.windows[first.key], self.windows[last.key]
        mixed = one.relations.mixes or other.relations.mixes
        swapped = not self.points.swapping.isdisjoint((first.key, last.key))
        if mixed or swapped or other.relations.is_own or sum(map(len, feeds.values())) > ROWS:
            return self.points.late(last.key, origin, floor)
        asked = last.key, origin, floor
        if asked not in self.early:
            silent = self._silent(one, other, other.relations.ahead)
            rows = [
                Held(one, each, feeds, self.claims, floor, silent).row(origin, floor)
                for each in other.by
            ]
            self.early[asked] = self.points.spared(
                last.key, lambda: max(row.most() for row in rows)
            )
        found = self.early[asked]
        return self.points.late(last.key, origin, floor) if found is None else max(0, found)

    def _pair(self, first: Window, last: Window) -> Pair:
        """Of two windows; what is brought to one queue is found once, where all of it comes in its
        order and is ahead of whatever is in it."""
        from ddsrta.checker.tandem_brought import Brought, There
        from ddsrta.checker.tandem_pair import Pair, rates_of

        mine, edge, ahead = last.stage.key, last.stage.inputs[0], last.relations.ahead
        feeds = self.feeds[_thread(first.stage), _thread(last.stage), edge.link]
        rates = rates_of(first, last)[1]
        queues = [one.ahead for one in last.sums if isinstance(one.ahead, AllBut)]
        if isinstance(ahead, Others) and self._is_plain_queue(queues, feeds):
            wholes = [queue.whole for queue in queues]
            name = id(first), edge.link == 0, rates, tuple(map(id, wholes))
            if name not in self.brought:
                rows = zip(ahead.queue, *wholes, strict=True)
                there = [There(one, t[0].stream, tuple(x.cost for x in t)) for one, *t in rows]
                self.points.budget.curve(len(there))
                silent = self._silent(first, last, ahead.queue)
                self.brought[name] = Brought(first, feeds, there, mine, rates, silent)
            found = self.brought[name]
            return Pair(first, last, found, found.there[mine].costs)
        self.points.budget.curve(len(ahead))
        rows = zip(ahead, *(one.ahead for one in last.sums), strict=True)
        there = [There(one, t[0], tuple(x.cost for x in t)) for one, *t in rows]
        nothing = (0,) * len(last.sums)
        there.append(There(last.stage, last.stream, nothing))
        silent = self._silent(first, last, ahead)
        return Pair(first, last, Brought(first, feeds, there, mine, rates, silent), nothing)

    def _silent(self, first: Window, last: Window, ahead: Iterable[Stage]) -> frozenset[Key]:
        """Of what is ahead at the last thread, what comes from other threads of the first supply
        that do nothing while ours is there (lemma silent-senders)."""
        mine, related = first.stage, first.relations
        if last.stage.inputs[0].link or related.mixes or mine.key in self.points.swapping:
            return frozenset()
        busy = {one.key for one in (mine, *related.all())}
        some = (one for one in ahead if len(one.inputs) == 1)
        return frozenset(one.key for one in some if self._is_silent(mine, one.inputs[0], busy))

    def _is_silent(self, first: Stage, edge: Edge, busy: set[Key]) -> bool:
        """Whether what comes by an edge leaves a thread that cannot run meanwhile, and takes it
        time to the end."""
        if edge.link or not edge.takes or edge.source in busy:
            return False
        source = self.stages[edge.source]
        return _thread(source) != _thread(first) and self._are_together(source, first)

    def _is_plain_queue(self, queues: Sequence[AllBut], feeds: Feeds) -> bool:
        """Whether all that is brought comes in order, and is ahead of what is in the queue."""
        from ddsrta.checker.tandem_brought import in_order

        if any(queue.late for queue in queues):
            return False
        name = id(feeds)
        if name not in self.in_order:
            edges = (edge for some in feeds.values() for _, edge in some)
            self.in_order[name] = all(map(in_order, edges))
        return self.in_order[name]

    def _origin(self, stage: Stage, start: Stream) -> Origin:
        return Origin(start, self.windows[stage.key].stream.times // start.times)

    def _are_apart(self, first: Stage, last: Stage) -> bool:
        """Whether each is one thread, on a supply of its own."""
        return self._are_plain(first, last) and not self._are_together(first, last)

    def _are_together(self, first: Stage, last: Stage) -> bool:
        return self.neighbours.supply_name(first) == self.neighbours.supply_name(last)

    def _kept_open(self, first: Stage, last: Stage) -> list[_Open]:
        """The window of the first, which the last keeps open, if it does: both are on one supply,
        nothing lies between, and it and all that may run before it preempt the first."""
        if not self._are_plain(first, last) or not self._are_together(first, last):
            return []
        if last.inputs[0].link or self.neighbours.wait(last) is not None:
            return []
        above = {other.key for other in self.windows[first.key].relations.preempts}
        before = {other.key for other in (last, *self.neighbours.relations(last).all())}
        return [*map(_Open, self.windows[first.key].by)] if before <= above else []

    def _are_plain(self, first: Stage, last: Stage) -> bool:
        """Whether each is one thread, no link, and none has deadlines or weights."""
        if LINK in (first.kind, last.kind) or self.neighbours.wait(first) is not None:
            return False
        for stage in (first, last):
            relations = self.neighbours.relations(stage)
            if relations.due or relations.turns or relations.contends:
                return False
        return not self.neighbours.cores(first) and not self.neighbours.cores(last)


class _Open(Window):
    """A window up to the end of all that its units bring to what preempts them."""

    def __init__(self, window: Window) -> None:
        vars(self).update(vars(window))
        self.window = window

    def finish(
        self, reached: tuple[int, int], count: int, arrival: int, latest: int = MOST
    ) -> tuple[int, int]:
        """S, and when all is done behind F. What comes just then counts; but with what a unit
        brings, only what came before."""
        start, finish = self.window.finish(reached, count, arrival, latest)
        fixed = [
            one.behind(arrival, count) + one.overtaking(start, count, arrival) + one.own
            for one in self.sums
        ]
        while finish <= latest:
            self.budget.work(self.more_urgent)
            work = min(
                before + one.preempting(finish if loaded else finish + EPSILON)
                for loaded, (before, one) in enumerate(zip(fixed, self.sums, strict=True))
            )
            found = time(self.relations.own, work)
            if found <= finish:
                break
            finish = found
        return start, finish


def _thread(stage: Stage) -> Key:
    return (stage.kind, stage.runner)
