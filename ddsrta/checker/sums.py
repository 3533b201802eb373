"""The two sums of work of a stage: each stage alone, or more urgent work coupled (lemma
urgent-by-roots)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.checker.added import Rates
from ddsrta.checker.common import NOTHING, Common
from ddsrta.checker.levels import Level
from ddsrta.checker.members import of_loads
from ddsrta.checker.reading import MOST
from ddsrta.checker.related import Others, Relations, Together
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.work import AllBut, Due, Earlier, Later, Sum, Term, Terms, Turn

if TYPE_CHECKING:
    from ddsrta.checker.crowds import Crowd


class RefutedError(Exception):
    """An inequality that does not hold, in a sentence."""


NO_WAITS = (0, 0, 0)


class Claim(NamedTuple):
    """What a certificate says of a stage; None is unbounded, or not claimed."""

    response: int | None
    latency: int | None
    window: int | None
    waits: tuple[int | None, int | None, int | None] = NO_WAITS  # lemma shared-datagrams
    closed: bool = False  # whether a closed window may confirm it, too
    paced: int | None = None  # the latency at the pace of its base; that of its events if not said
    pending: bool = False  # whether its window from its arrival may confirm it, too
    joint: bool = False  # whether what flow controllers send together may (lemma joint-outputs)
    fair: bool = False  # whether its share of the core may (lemma fair-share)
    path: bool = False  # whether the window of the way to it may (lemma latest-by-path)
    sharing: bool = False  # whether that of all that shares locks may (lemma sharing-window)
    taken: int | None = None  # of a message that others may go before (lemma turns-in-order)
    swaps: bool = False  # whether they may: then a path takes that, not the response

    @property
    def is_seen(self) -> bool:
        """Whether a window of `beside` may confirm it."""
        return self.joint or self.fair or self.path or self.sharing

    @property
    def at_pace(self) -> int | None:
        """The latency from when an event comes at the pace of its base (lemma bursts-once); without
        a latency nothing looks at what is claimed, and that is none, either."""
        return self.latency if self.paced is None or self.latency is None else self.paced

    @property
    def on_paths(self) -> int | None:
        """How long a message takes."""
        return self.taken if self.swaps else self.response

    def by_response(self, before: int | None) -> Claim:
        """Without a latency that follows from the response of what arrives by then (lemma
        busy-window)."""
        if self.response is None or self.latency is None or before is None:
            return self
        return self if before + self.response > self.latency else self._replace(latency=None)


class Sums:
    """Makes the sums of one stage."""

    def __init__(
        self, stage: Stage, relations: Relations, claims: Mapping[Key, Claim], common: Common
    ) -> None:
        self.stage = stage
        self.relations = relations
        self.common = common
        self.claims = claims
        self.streams = common.streams
        self.levels, self.effects = common.levels, common.effects

    def all(self) -> list[Sum]:
        """Both sums, or the one that is bounded; of the two the smaller counts."""
        found: list[Sum] = []
        endless = self._endless(self.relations.preempts)
        if endless is None:
            found.append(self._sum(None, 0, *self._alone()))
        one = self.common.coupled and self.relations.threads == 1 and self.stage.kind != LINK
        if one and (self.relations.preempts or self.relations.loads):
            level = self._more_urgent()
            same = found and not level.members.joined  # nothing of it is joined to anything
            if level.bounded and not same:
                ends = self.levels.ends(self.stage, level)
                found.append(self._sum(level, ends, level.work, level.looks, level.rates))
        if endless is not None and not found:
            raise self._unbounded(endless)
        return found

    def _endless(self, stages: Sequence[Stage], pending: bool = False) -> Stage | None:
        """The first that has no curve or, if it may be pending, no response."""
        if isinstance(stages, Together):
            return next(iter(self.common.unbounded(stages, pending)), None)
        return next((one for one in stages if not self.streams[one.key].countable), None)

    def _more_urgent(self) -> Level:
        mine = self.levels.priority(self.stage.key)
        return self.levels.level(self.stage.key, mine + 1)

    def _alone(self) -> tuple[Callable[[int], int], int, Callable[[], Rates | None]]:
        terms, loads = self._terms(self.relations.preempts, None), self.relations.loads

        def work(length: int) -> int:
            if length <= 0:
                return 0
            return of_loads(loads, length) + terms.arriving(length)

        return work, terms.looks + len(loads), lambda: None if loads else terms.rates()

    def _sum(
        self,
        level: Level | None,
        ends: int,
        preempting: Callable[[int], int],
        looks: int,
        rates: Callable[[], Rates | None],
    ) -> Sum:
        given, pieces = self.relations, level.pieces if level else NOTHING
        own = self.stage.cost + pieces[self.stage.key]
        contends = self._terms(given.contends, level)

        def above(length: int) -> int:
            return preempting(length) + contends.arriving(length)

        # Whatever has no bound of its own still takes no more than one turn for each of ours.
        in_turn = [*given.alternates, *given.precedes]
        endless = [other for other in in_turn if self._is_endless(other)]
        blocks = (o.cost - given.begun + pieces[o.key] for o in given.blocked_by)
        alternates = [other for other in given.alternates if other not in endless]
        precedes = [other for other in given.precedes if other not in endless]
        return Sum(
            own,
            own - ends,
            self.stage.first + given.wait + max(blocks, default=0),
            tuple(self._turn(other, pieces) for other in endless),
            self._terms(given.overtakes, level),
            self._ahead(given.ahead, level),
            self._terms(given.lingers, level, True),
            self._terms(alternates, level, True),
            self._terms(precedes, level, True),
            above if contends else preempting,
            looks + contends.looks,
            self._crowd(),
            rates,
            tuple(self._due(other, later, pieces) for other, later in given.due),
            self.streams[self.stage.key] if given.mixes else None,
        )

    def _terms(self, stages: Sequence[Stage], level: Level | None, pending: bool = False) -> Terms:
        if isinstance(stages, Together):
            if endless := self._endless(stages, pending):
                raise self._unbounded(endless)
            return self.common.terms(stages, level, pending)
        pieces = level.pieces if level else NOTHING
        return Terms(self._term(other, pieces, pending) for other in stages)

    def _ahead(self, stages: Sequence[Stage], level: Level | None) -> Terms | AllBut:
        """Of a queue what all of it does, without what is ours; of some not all is ahead."""
        if not isinstance(stages, Others):
            return self._terms(stages, level)
        for other in self.common.unbounded(stages.queue):
            if other.key != self.stage.key:
                raise self._unbounded(other)
        pieces = level.pieces if level else NOTHING
        behind = (
            self._term(o, pieces, False) for o in self.common.behind(stages.queue, self.stage)
        )
        late = {id(term.stream): term for term in behind if term.later}
        return AllBut(self.common.terms(stages.queue, level), stages.place, late)

    def _crowd(self) -> Crowd | None:
        given = self.relations
        if given.threads < 2:
            return None
        from ddsrta.checker.crowds import Crowd, Other

        def all_of(stages: Sequence[Stage]) -> tuple[Other, ...]:
            return tuple(
                Other(self.streams[one.key], one.cost, self.common.response(one)) for one in stages
            )

        groups = tuple(all_of(group) for group in given.groups.values())
        itself = all_of([self.stage])[0] if given.overlaps else None
        return Crowd(given.threads, groups, all_of(given.reentrant), itself)

    def _turn(self, other: Stage, pieces: Mapping[Key, int]) -> Turn:
        theirs, ours = self.relations.turns.get(other.key, (1, 1))
        more = int(other in self.relations.precedes)
        return Turn(other.cost + pieces[other.key], theirs, ours, more)

    def _due(self, other: Stage, later: int, pieces: Mapping[Key, int]) -> Due:
        stream = self.streams[other.key]
        if not stream.countable:
            raise self._unbounded(other)
        return Due(stream, other.cost + pieces[other.key], later)

    def _is_endless(self, other: Stage) -> bool:
        if not self.streams[other.key].countable:
            return True
        plain = other.key not in self.relations.turns
        earlier = self.earlier(other.key) if plain else None
        return self.claims[other.key].response is None and earlier is None

    def earlier(self, other: Key) -> Earlier | None:
        """The bound of an effect: its latency tells when those of earlier events are done."""
        latency, mine = self.claims[other].latency, self.streams[self.stage.key]
        if (
            latency is None
            or self.relations.mixes
            or not self.effects.comes_after(self.stage.key, other)
        ):
            return None
        pending = mine.base.most(latency - mine.best) - 1
        return Earlier(self.streams[other].times, max(0, pending))

    def _term(self, other: Stage, pieces: Mapping[Key, int], pending: bool) -> Term:
        stream, response = self.streams[other.key], self.common.response(other)
        takes_turns = other in self.relations.alternates or other in self.relations.precedes
        plain = takes_turns and other.key not in self.relations.turns
        earlier = self.earlier(other.key) if plain else None
        if pending and response is None and earlier is not None:
            response = MOST
        if not stream.countable or (pending and response is None):
            raise self._unbounded(other)
        later = self._later(other) if self._is_ahead(other) else None
        turn = self.relations.turns.get(other.key, (1, 1))
        return Term(
            stream, other.cost + pieces[other.key], response or 0, later, earlier, turn=turn
        )

    def _is_ahead(self, other: Stage) -> bool:
        ahead = self.relations.ahead
        return isinstance(ahead, Others) or other in ahead

    def _unbounded(self, other: Stage) -> RefutedError:
        label = self.stage.label
        return RefutedError(
            f"{label}: is delayed by {other.label}, unbounded (lemma unbounded-work)"
        )

    def _later(self, other: Stage) -> Later | None:
        """The bound of what comes after ours, for an event: always (lemma ahead-in-step), or as a
        sample that our job publishes after ours (lemma later-siblings)."""
        mine, theirs = self.stage.key, other.key
        one, two = self.streams[mine], self.streams[theirs]
        if self._is_behind(other) and two.before is not None:
            return Later(one.base, 1, two.times, two.before - one.best)
        if (mine[0], mine[:2]) != ("sample", theirs[:2]) or other.number < self.stage.number:
            return None
        if not two.bounded or self.levels.stages["job", mine[1]].reorders:
            return None
        if self.stage.anew or other.anew:  # jobs may have left either out
            return None
        job = self.streams["job", mine[1]]
        return Later(job.base, job.times, other.inputs[0].times, (two.before or 0) - one.best)

    def _is_behind(self, other: Stage) -> bool:
        """Whether what an event brings to another stage comes after what it brings to ours."""
        one, two = self.streams[self.stage.key], self.streams[other.key]
        if one.base is not two.base or one.before is None:
            return False
        return two.best > one.before or self.effects.comes_after(self.stage.key, other.key)
