"""What an enclave does at its tags: until a reaction is done, and which barrier adds how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.launch.backlog import Load
from ddsrta.lf.bounds.launch.lags import Launch, UnknownLagError
from ddsrta.lf.bounds.logical_time.activation import Activation
from ddsrta.lf.bounds.logical_time.moments import Moment, before, can_meet
from ddsrta.lf.program.at_once import at_once
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Connection
from ddsrta.lf.program.levels import followers

NEVER = 1 << 62


@dataclass(frozen=True, slots=True)
class Parts:
    """From when a tag may start: work of earlier tags (the tag barrier), the runtime's overhead and
    the reactions, and what they take longer because level waits for level."""

    tag_barrier: int
    work: int
    level_barrier: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.tag_barrier + self.work + self.level_barrier


class Work(Launch):
    """The lags of one enclave.

    `asked` are empty tags, each with how late after its time it may be asked for; `answer` is how
    long those upstream take to say that nothing comes. `strict`: no reaction runs ahead of its
    level, and levels are the least possible ones (the runtime for C++). `own_cores`: each worker
    has one. `endless`: why it is not known for how many empty tags it may be asked, or how late.
    """

    def __init__(
        self,
        federate: Federate,
        sent: Sequence[Connection],
        receives: bool,
        found: Activation,
        answer: int,
        asked: Mapping[Moment, int],
        strict: bool,
        own_cores: bool,
        endless: Because | None = None,
    ) -> None:
        super().__init__(federate, sent, receives, found, answer)
        self._asked = asked
        self._strict = strict
        self._own_cores = own_cores
        self._endless = endless
        if strict:
            self._exact = True
            self._workers = federate.workers

    @cached_property
    def _chained(self) -> dict[str, list[str]]:
        return {} if self._strict else at_once(self.federate, self._levels)

    @cached_property
    def moments(self) -> dict[Moment, list[str]]:
        found = self._reacting()
        if not (self._between or self.federate.overhead):
            sending = self._sending()
            found = {m: names for m, names in found.items() if names or m in sending}
        for moment in self._asked:
            found.setdefault(moment, [])
        return found

    def _sending(self) -> set[Moment]:
        """The tags at which something is sent that takes time."""
        places, name = self._activation.places, self.federate.name
        outputs = [output for output, takes in self._sends.items() if takes]
        return {moment for output in outputs for moment in places.get((name, output), ())}

    def _at(self, moment: Moment, level: int) -> int:
        present = self._present(moment)
        return self.federate.overhead + self._tag(present, level)

    def _tag(self, names: Mapping[str, None], level: int) -> int:
        """The work at one tag: of a level with no more reactions than workers, the longest."""
        if not (self._strict and self._own_cores):
            return self._work(names, level)
        rows: dict[int, list[int]] = {}
        for name in names:
            if (at := self._levels[name]) <= level:
                rows.setdefault(at, []).append(self._cost(name))
        levels = sum(_level(costs, self._workers) for costs in rows.values())
        return min(levels, self._work(names, level))

    @cached_property
    def _costs(self) -> dict[Moment, int]:
        costs = self._together()
        for moment, names in self.moments.items():
            # Of moments that meet, tags take less than the sum only in the simpler bound.
            if not any(can_meet(moment, other) for other in self.moments if other != moment):
                work = self._work(names, self._top)
                costs[moment] -= work - self._tag(dict.fromkeys(names), self._top)
        return costs

    def _loads(self, moment: Moment | None) -> list[Load]:
        if self._endless is not None:
            raise UnknownLagError(self._endless)
        return super()._loads(moment)

    def _arrivals(self, moment: Moment, cost: int, nearest: int) -> list[Load]:
        late = self._asked.get(moment, 0) - nearest
        if late < 0:
            nearest -= self._asked.get(moment, 0)
        if late < 0 or moment not in self._asked:
            return super()._arrivals(moment, cost, nearest)
        period = moment.root.period
        if period is None:
            return [Load(cost, None, 0)]
        count = late // period + 1
        return [Load(cost * count, None, 0), Load(cost, period, count * period - late)]

    def demand(self) -> list[tuple[int, Moment]]:
        """What each moment brings to the processor, in all: reactions, sending and overhead."""
        sends = sum(self._sends.values()) + self.federate.overhead
        return [(sum(map(self._cost, names)) + sends, m) for m, names in self.moments.items()]

    def late(self, moment: Moment) -> int:
        """How late after its time an empty tag can be asked for; 0 of those that are none."""
        late = self._asked.get(moment, 0)
        return late + self.federate.overhead + self._between if late else 0

    def gap(self) -> int:
        """The least time between two different tags; 0 where it is not known to be more."""
        moments = list(self.moments)
        gaps = (before(one, other) for one in moments for other in moments)
        return min((gap for gap in gaps if gap is not None), default=NEVER)

    def parts(self, reaction: str | None = None) -> Parts:
        """Where the time until a reaction has ended goes (None: until a tag is done)."""
        level, moments = self._top, list(self.moments)
        if reaction is not None:
            level = self._levels[reaction] if self._exact else self._top
            moments = list(self._activation.reactions.get((self.federate.name, reaction), moments))
        sends = sum(self._sends.values())
        if not moments:
            return Parts(0, self.federate.overhead + sends, 0)
        worst = max(moments, key=lambda moment: self._left_over(moment) + self._at(moment, level))
        present = self._present(worst)
        at = self._at(worst, level)
        barrier = max(0, at - self.federate.overhead - self._without_levels(present, level))
        return Parts(self._left_over(worst), at - barrier + sends, barrier)

    def _without_levels(self, names: Mapping[str, None], level: int) -> int:
        """What the reactions would take if each waited only for those that it depends on."""
        runs = self._until(names, level)
        total = sum(map(self._cost, runs))
        after = followers(self.federate)
        longest: dict[str, int] = {}
        for name in sorted(runs, key=self._levels.__getitem__, reverse=True):
            rest = [longest[other] for other in after[name] if other in longest]
            longest[name] = self._cost(name) + max(rest, default=0)
        path = max(longest.values(), default=0)
        workers = self._workers
        return min(total, -(-(total + (workers - 1) * path) // workers))


def _level(costs: Sequence[int], workers: int) -> int:
    """How long a level takes: until its last reaction has ended, whatever their order.

    >>> _level([3, 5], 2), _level([3, 5, 4], 2), _level([3, 5, 4], 1)
    (5, 9, 12)
    """
    longest = max(costs)
    if len(costs) <= workers:
        return longest
    return -(-(sum(costs) + (workers - 1) * longest) // workers)
