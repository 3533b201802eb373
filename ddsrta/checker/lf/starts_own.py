"""Latest starts where each worker has a core to itself (lemmas reactions-before and
tags-in-order)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.ahead import Ahead, ahead
from ddsrta.checker.lf.calendar import Classes, Span, classes, moments, span
from ddsrta.checker.lf.environments import Environment, crowded
from ddsrta.checker.lf.lags import Lags
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.received import Received
from ddsrta.checker.lf.starts import Latest, Taken, nobody
from ddsrta.checker.lf.tags import START, Tags, meet
from ddsrta.checker.lf.things import Federation
from ddsrta.checker.lf.times import Times

_Key = tuple[str, str]
EARLIER = "earlier tags"
_NAMES: Mapping[str, str] = {"np": "NP", "gedf-np": "GEDF_NP"}


class OfEnvironment(Lags):
    """What an environment's tags may find of earlier ones; no tags but its own."""

    def __init__(self, program: Ahead, times: Times, budget: Budget, found: Classes) -> None:
        super().__init__(program, times, budget)
        self.ahead = program
        names: dict[Tags, set[str]] = {tags: set(some) for tags, (_, some) in found.items()}
        first = any(t.root is None and not t.at and not t.step for t in names)
        if program.federate.overhead and not first:
            names[START] = set()
        self.__dict__["present"] = names

    def latest(self, reaction: str) -> int:
        """The latest start of a reaction, by what may be left over (lemma leftover-work)."""
        most = 0
        for tag in self.times.of((self.name, f"reaction {reaction}")):
            names = {n for other, some in self.present.items() if meet(tag, other) for n in some}
            most = max(most, self.left_over(tag) + self.ahead.starting(names, reaction))
        return most


class OwnStarts:
    """Under a scheduler of Lingua Franca; with `scheduler` None under those of the file."""

    def __init__(
        self,
        federation: Federation,
        times: Times,
        members: Mapping[str, Environment],
        scheduler: str,
        throttle: tuple[int, int],
        budget: Budget,
    ) -> None:
        self.federation, self.times, self.members = federation, times, members
        self.scheduler, self.throttle, self.budget = _NAMES.get(scheduler), throttle, budget
        self._known: dict[str, dict[str, Latest]] = {}

    def latest(self, key: _Key) -> Latest:
        """Of a reaction of an environment."""
        member = self.members[key[0]]
        if member.obstacle:
            raise NoBoundError(member.obstacle)
        if self.scheduler and crowded(self.federation, self.members, member.part.host):
            raise NoBoundError("its host has more workers than cores")
        if member.receives:
            return Latest(self._received.latest(key))
        if key[0] not in self._known:
            self._known[key[0]] = self._replayed(member)
        if key[1] in self._known[key[0]]:
            return self._known[key[0]][key[1]]
        program = ahead(self.federation, member, self.scheduler)
        found = classes(self.times, member, empty=bool(member.part.overhead))
        return Latest(OfEnvironment(program, self.times, self.budget, found).latest(key[1]))

    @cached_property
    def _received(self) -> Received:
        assert self.scheduler
        return Received(self.federation, self.times, self.members, self.scheduler, self.budget)

    def _replayed(self, member: Environment) -> dict[str, Latest]:
        """From one tag to the next; nothing where they cannot be followed."""
        program = ahead(self.federation, member, self.scheduler)
        found = classes(self.times, member, empty=bool(member.part.overhead))
        seen = span([found])
        if seen is None:
            return {}
        real = program.federate.workers == 1 and not program.sending and program.known
        real = real and member.federate not in self.times.loose and not program.jumps
        late = self._late(program, found, seen)
        wanted = (n for n, r in member.part.reactions.items() if r.deadline is not None)
        return {n: _latest(program, n, late.get(n), seen.period, real=real) for n in wanted}

    def _late(self, program: Ahead, found: Classes, seen: Span) -> dict[str, _Late]:
        late: dict[str, _Late] = {}
        took: dict[frozenset[str], int] = {}
        begins: dict[tuple[frozenset[str], str], int] = {}
        now = again = 0
        wanted = {n for n, r in program.federate.reactions.items() if r.deadline is not None}
        for at, steps in moments(found, seen.end, self.budget):
            now = max(now, at)
            for names in steps:
                for name in names & wanted:
                    if (names, name) not in begins:
                        self.budget.curve(1 + len(names))
                        begins[names, name] = program.starting(names, name)
                    lag = now + begins[names, name] - at
                    if name not in late or lag > late[name].lag:
                        late[name] = _Late(lag, [])
                    if lag == late[name].lag:
                        late[name].at.append((at, now - at, names))
                if names not in took:
                    took[names] = program.taking(names)
                now += took[names]
                if seen.first <= at < seen.first + seen.period:
                    again += took[names]
        if again > seen.period and any(tags.period for tags in found):
            raise NoBoundError("its tags take more time than there is")
        return late


class _Late(NamedTuple):
    """The latest start, and where it is: a tag, what is left over then, and the reactions."""

    lag: int
    at: list[tuple[int, int, frozenset[str]]]


def _latest(program: Ahead, name: str, late: _Late | None, period: int, *, real: bool) -> Latest:
    if late is None:
        return Latest(0, 0 if real else None)

    def shown(tag: int | None) -> Sequence[Taken]:
        found = []
        for at, left, names in late.at:
            # A tag that recurs may be named by its time in an earlier period.
            if tag is not None and at >= tag and not (at - tag) % period:
                rest = {EARLIER: left} if left else {}
                found += [
                    {other: program.cost(other) for other in some if program.cost(other)} | rest
                    for some in program.blockers(names, name)
                ]
        return found

    return Latest(late.lag, late.lag if real else None, False, shown, nobody)
