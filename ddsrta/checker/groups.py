"""Bounds from the windows of a group: stages of one path that do one event's work (lemma
group-window)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.checker.curves import Stream
from ddsrta.checker.effects import Effects
from ddsrta.checker.group import Group, Piece, Root
from ddsrta.checker.levels import Levels
from ddsrta.checker.phases import Head
from ddsrta.checker.reading import MOST
from ddsrta.checker.stages import LINK, Key
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.ways import Way, Ways


class Groups:
    """Groups along paths, and behind single stages."""

    def __init__(self, levels: Levels, streams: Streams, hold: bool = True) -> None:
        self.hold = hold  # not where threads wait for locks (note lost-refinements)
        self.levels = levels
        self.streams = streams
        self.stages = levels.stages
        self.found: dict[tuple[object, ...], Group | None] = {}
        self.effects = Effects(self.stages if hold else {}, streams)
        self.ways = Ways(levels)

    def unconfirmed(self, key: Key, claim: Claim) -> Claim:
        """What of a claim no group confirms: that its units end in time, counted from the arrival
        at the stage, and from the event of its base (lemmas group-window and phase-window)."""
        if self._ends_at_a_glance(key, claim):
            return claim._replace(response=None, latency=None)
        stream, groups = self.streams[key], [group for group, _ in self.along(self.ways.to(key))]
        first = [self.streams[group.first] for group in groups]
        if claim.response is not None:
            since = claim.response + stream.best
            asked = [(one, 0, since - one.best) for one in first]
            if _any_ends(groups, asked):
                claim = claim._replace(response=None)
        if claim.latency is not None:
            start = Stream(stream.base, 1, 0, 0)
            asked = [(start, one.before, claim.latency) for one in first if one.before is not None]
            groups = [g for g, one in zip(groups, first, strict=True) if one.before is not None]
            if _any_ends(groups, asked):
                claim = claim._replace(latency=None)
        return claim

    def at_pace(self, key: Key, claim: Claim) -> Claim:
        """A claim, without the latency where that at the pace of its base implies it, or without
        the one at the pace where it is the other way round (lemma bursts-once)."""
        stream = self.streams[key]
        if claim.paced is None or claim.latency is None or claim.paced >= claim.latency:
            return claim._replace(paced=None)
        if not self.hold or not stream.bounded or not stream.base.pace or stream.paced is None:
            raise RefutedError(
                f"{self.stages[key].label}: its base has no pace (lemma bursts-once)"
            )
        if claim.paced + stream.base.late <= claim.latency:
            return claim._replace(latency=None)
        return claim

    def _ends_at_a_glance(self, key: Key, claim: Claim) -> bool:
        """Whether all that is as urgent as a root is done within what is claimed of it: so are its
        units, and no longer group is looked at."""
        stream = self.streams[key]
        if not stream.bounded or self.levels.joined[key] or not self._has_some(key):
            return False
        response, latency = claim.response, claim.latency
        within = MOST if response is None else response
        if latency is not None:
            within = min(within, latency - (stream.before or 0))
        if not 0 < within <= MOST:
            return False
        return self.levels.are_done(key, self.levels.priority(key), within)

    def along(self, way: Way) -> Iterator[tuple[Group, Way]]:
        """Every group that ends with the last stage of a way, and where it begins, the longest
        first."""
        if not self._has_some(way.key):
            return
        for head, priority in self.ways.heads(way):
            before = None if head.joined is None else head.joined.key
            times = way.times // head.times
            name = (head.key, way.key, times, priority, before)
            if name not in self.found:
                self.found[name] = self._find(*name)
            if group := self.found[name]:
                yield group, head

    def of_message(self, way: Way) -> Iterator[tuple[Group, Way]]:
        """The same for one message, not for its place in the queue of the first stage (lemma
        turns-in-order)."""
        for group, head in self.along(way):
            if self.stages[group.first].swaps:
                alone = group.first == way.key and isinstance(group, Piece) and group.head
                kept = alone._replace(effects=Effects({}, self.streams)) if alone else None
                anyhow = kept is None or (isinstance(group, Piece) and group.anyhow)
                yield Piece(group.first, group.level, kept, anyhow), head
            else:
                yield group, head

    def _has_some(self, key: Key) -> bool:
        """Not where threads sleep, on several cores, or on a link: there more comes first than a
        level counts (note links-alone)."""
        stage = self.stages[key]
        return self.hold and stage.kind != LINK and not self.levels.neighbours.cores(stage)

    def _find(
        self, first: Key, last: Key, times: int, priority: int, before: Key | None
    ) -> Group | None:
        level, stream = self.levels.level(last, priority), self.streams[first]
        if not level.bounded:
            return None
        ends = self.levels.ends(self.stages[last], level)
        known = last, self.effects
        if not self.levels.joined[first]:
            if not stream.countable:
                return None
            if self.stages[first].mixes:
                return Piece(first, level, None, True)
            cost = level.costs[first]
            later = cost - times * level.costs[last]
            return Root(first, level, Head(stream, level.enters - ends, cost, later, *known))
        inputs = [edge.source for edge in self.stages[first].inputs]
        sources = [before] if before is not None else inputs
        head = None
        if all(self.levels.priority(source) < priority for source in sources):
            piece = max(level.pieces[source] for source in sources) - ends
            head = Head(stream, piece, 0, 0, *known)
        anyhow = before is None and len(inputs) > 1
        return Piece(first, level, head, anyhow) if head or anyhow else None


def _any_ends(groups: list[Group], asked: list[tuple[Stream, int, int]]) -> bool:
    """Whether a group ends in time; all are looked at in passing before any is in full."""
    pairs = list(zip(groups, asked, strict=True))
    return any(group.fits(*one) for group, one in pairs) or any(
        group.ends_within(*one) for group, one in pairs
    )


def least(bounds: Iterator[int | None]) -> int | None:
    """The least of all bounds, None where there is none."""
    return min((bound for bound in bounds if bound is not None), default=None)
