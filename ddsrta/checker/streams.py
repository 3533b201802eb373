"""Arrival curves of all stages from claimed latencies (definition arrival-curve, lemmas
or-junction and and-junction)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.checker.arrivals import Source
from ddsrta.checker.budget import Budget
from ddsrta.checker.circles import Return
from ddsrta.checker.clocks import Clocks, Group
from ddsrta.checker.curves import Base, Feed, Input, Limit, SetRule, Stream
from ddsrta.checker.reading import MOST, CertificateError
from ddsrta.checker.stages import Edge, Key, Stage

if TYPE_CHECKING:
    from ddsrta.checker.turns import Turn


class Counting(NamedTuple):
    """By which input the sets of a synchronizer are counted, if by one, and how much later than it
    comes a message of it may be in a set; None: nothing bounds that (lemma set-curves). Or that
    all stamps are equal (lemma equal-stamps)."""

    edge: Edge | None
    allowed: int | None
    equal_stamps: bool = False


class Streams:
    """The streams of all stages, by key, and the inputs of each."""

    def __init__(
        self,
        stages: Mapping[Key, Stage],
        latencies: Mapping[Key, int | None],
        budget: Budget,
        counting: Mapping[Key, Counting] | None = None,
        paced: Mapping[Key, int | None] | None = None,
        returns: Mapping[Key, Return] | None = None,
    ) -> None:
        self.returns = returns or {}
        self.paced = paced or {}  # at the pace of bases; none where numbers say nothing
        self.stages = stages
        self.budget = budget
        self.counting = counting or {}
        self.latencies = latencies
        self.clocks = Clocks(stages.values())
        self.shared: dict[Group, Base] = {}
        self.streams: dict[Key, Stream] = {}
        self.sources: dict[Key, Key | None] = {}  # whose releases are stamps
        for key in _in_order(stages):
            self.streams[key] = self._stream(stages[key])
            self.sources[key] = self._source(stages[key])
        self.turns: Mapping[Key, Turn] = {}
        if self.returns:
            from ddsrta.checker.turns import turns

            self.turns = turns(stages, self.streams)

    def __getitem__(self, key: Key) -> Stream:
        return self.streams[key]

    def input(self, edge: Edge) -> Input:
        """What comes along an edge."""
        stream, latency = self.streams[edge.source], self.latencies[edge.source]
        if latency is None or not stream.bounded:
            arrival = paced = None
        else:
            arrival = latency + edge.extra
            paced = min(latency, self.paced.get(edge.source) or latency) + edge.extra
        best = stream.best + edge.least
        part = edge.part if self._in_events(edge.source) else None
        return Input(stream.base, stream.times * edge.times, arrival, best, paced, part)

    def _coming(self, stage: Stage, edge: Edge) -> Input:
        """The same, or all that comes back because of it (lemma bounded-rounds)."""
        found = self.input(edge)
        if not edge.again:
            return found
        back = self.returns[stage.key]
        best = found.best + back.earliest
        if found.arrival is None or back.latest is None:
            return found._replace(arrival=None, best=best, paced=None)
        paced = None if found.paced is None else found.paced + back.latest
        return found._replace(arrival=found.arrival + back.latest, best=best, paced=paced)

    def _in_events(self, key: Key) -> bool:
        """Whether each event of its base is a job of a stage, in the order of the events."""
        stage = self.stages[key]
        queued = len(stage.inputs) < 2 or stage.kind == "thread"
        return queued and not (stage.reorders or stage.swaps) and self.streams[key].times == 1

    def in_order(self, edge: Edge) -> bool:
        """Whether what comes by an edge keeps the numbers and the order of its events."""
        return not (edge.loose or edge.part or self.stages[edge.source].reorders)

    def keeps_turns(self, stage: Stage, edge: Edge) -> bool:
        """The same where each job also takes one of each input, and no other does."""
        return self.streams[stage.key].base.takes_each and self.in_order(edge)

    def continues(self, stage: Stage) -> bool:
        """Whether a stage continues the stream of its inputs."""
        if stage.anew:
            return False
        if len(stage.inputs) == 1:
            return True
        kinds = {(id(i.base), i.times) for i in map(self.input, stage.inputs)}
        return stage.joins and self.by_number(stage) and len(kinds) == 1

    def by_number(self, stage: Stage) -> bool:
        """Whether the n-th job has the n-th of each input, also where a synchronizer matches."""
        if stage.synchronizer is None:
            return True
        counted = self.counting.get(stage.key)
        if stage.synchronizer.policy == "approximate_time":
            return counted is not None and counted.equal_stamps
        return stage.synchronizer.policy == "exact_time" and not (counted and counted.edge)

    def _stream(self, stage: Stage) -> Stream:
        if stage.arrival:
            return self._released(stage.key, stage.arrival)
        inputs = [self._coming(stage, edge) for edge in stage.inputs]
        arrivals = [i.arrival for i in inputs if i.arrival is not None]
        bounded = len(arrivals) == len(inputs)
        if self.continues(stage):
            before = max(arrivals) if bounded else None
            edge = stage.inputs[0] if len(stage.inputs) == 1 else None
            best = max(i.best for i in inputs)
            paced = max(i.paced for i in inputs if i.paced is not None) if bounded else None
            return Stream(inputs[0].base, inputs[0].times, before, best, edge, paced)
        if stage.synchronizer is not None:
            return self._synchronized(stage, inputs)
        joins = stage.joins and len(inputs) > 1
        feeds = tuple(_feeds(inputs, stage, joins))
        if not joins or stage.anew:
            return self._junction(stage, feeds, joins)
        from ddsrta.checker.slowest import limits

        return self._junction(stage, feeds, joins, limits=limits(self, stage, inputs))

    def _junction(
        self,
        stage: Stage,
        feeds: tuple[Feed, ...],
        joins: bool,
        limits: tuple[Limit, ...] = (),
    ) -> Stream:
        bounded = all(feed.countable for feed in feeds)
        queued = joins or len(feeds) == 1 or stage.kind == "thread"
        in_order = bounded and queued and bool(self.paced) and not stage.mixes
        in_order = in_order and stage.comes_back is None
        base = Base(stage.key, None, feeds, joins, bounded, self.budget, in_order, limits)
        return Stream(base, 1, 0, 0)

    def _synchronized(self, stage: Stage, inputs: list[Input]) -> Stream:
        """The sets of a synchronizer: as many as its messages make (lemma set-counts), and as
        messages of one input, kept for a while (lemma set-curves); else there is no curve."""
        rule, counted = self.set_rule(stage), self.counting.get(stage.key)
        feeds = tuple(each._replace(paced=None) for each in _feeds(inputs, stage, not rule.any_of))
        limits: tuple[Limit, ...] = ()
        if counted is not None and counted.edge is not None and counted.allowed is not None:
            one = self.input(counted.edge)
            if one.arrival is not None:
                shift = one.arrival + counted.allowed - one.best
                limits = (Limit(one.base, one.times, shift),)
        known = rule.most([0 if feed.countable else MOST for feed in feeds]) < MOST
        bounded = bool(limits) or known
        joins = not rule.any_of
        base = Base(stage.key, None, feeds, joins, bounded, self.budget, limits=limits, rule=rule)
        return Stream(base, 1, 0, 0)

    def set_rule(self, stage: Stage) -> SetRule:
        """How many sets one makes; where the n-th of each belong together, nothing is known."""
        assert stage.synchronizer is not None
        policy, room = stage.synchronizer
        if self.by_number(stage):
            return SetRule(own=True, above=None)
        if policy == "latest":  # one at each arrival
            return SetRule(own=False, any_of=True)
        if policy == "mtd":  # after the first, each has a new one of both
            return SetRule(own=True, kept=1)
        apart = self._stamps_apart(stage)
        if policy == "exact_time":  # the topic that completes the first has none left of before
            return SetRule(True, apart is None, 0, room)
        ahead = len(stage.inputs) - 1  # of some topic one set for each other has one that was kept
        return SetRule(True, False, ahead if apart else None, room)

    def _stamps_apart(self, stage: Stage) -> int | None:
        """How far apart the stamps of each of its topics are at least; None where some has none."""
        least: list[int] = []
        for edge in stage.inputs:
            source = self.sources[edge.source]
            given = None if source is None else self.stages[source].arrival
            if given is None or self.input(edge).times > 1:
                return None
            least.append(given.least(2))
        return min(least)

    def _source(self, stage: Stage) -> Key | None:
        """The job released by time whose release is the stamp of its units; jobs that may run at
        the same time give none (lemma overtaking-jobs)."""
        if not stage.inputs or stage.reorders:
            return None if stage.reorders else stage.key
        before = {self.sources[edge.source] for edge in stage.inputs}
        return before.pop() if len(before) == 1 and self.continues(stage) else None

    def _released(self, key: Key, source: Source) -> Stream:
        """The stream of a source, alone or with others of its clock."""
        group = self.clocks.shared(key)
        if group is None:
            return Stream(Base(key, source, (), False, True, self.budget), 1, 0, 0)
        if group not in self.shared:
            beat = Source("periodic", source.period)
            self.shared[group] = Base(key, beat, (), False, True, self.budget)
        best = self.clocks.after[key]
        return Stream(self.shared[group], 1, best + source.jitter, best)


def _feeds(inputs: list[Input], stage: Stage, joins: bool) -> list[Feed]:
    feeds = [
        Feed(i.base, i.times, _since(i.arrival, i.best), edge, _since(i.paced, i.best), i.part)
        for i, edge in zip(inputs, stage.inputs, strict=True)
    ]
    if not joins:
        return feeds
    together: dict[int, Feed] = {}  # so that no base counts twice
    for feed in feeds:
        if same := together.get(id(feed.base)):
            times = max(feed.times, same.times)
            shift, paced = _later(feed.shift, same.shift), _later(feed.paced, same.paced)
            together[id(feed.base)] = Feed(feed.base, times, shift, None, paced)
        else:
            together[id(feed.base)] = feed
    return list(together.values())


def _since(time: int | None, best: int) -> int | None:
    return None if time is None else time - best


def _later(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)


def _in_order(stages: Mapping[Key, Stage]) -> list[Key]:
    """Every stage after its inputs; threads that release each other in a circle have no order."""
    waiting = {key: len(stage.inputs) for key, stage in stages.items()}
    after: dict[Key, list[Key]] = {}
    for key, stage in stages.items():
        for edge in stage.inputs:
            after.setdefault(edge.source, []).append(key)
    order = [key for key, count in waiting.items() if not count]
    for key in order:
        for other in after.get(key, ()):
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    if len(order) < len(stages):
        raise CertificateError("system: threads release each other in a circle")
    return order
