"""What the tags of an enclave take, and where the time goes (lemmas leftover-work, enclave-lags
and empty-tags)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.lags import Burst, Lags
from ddsrta.checker.lf.program import NoBoundError, Program
from ddsrta.checker.lf.tags import Tags, gap, meet
from ddsrta.checker.lf.things import Connection, Federate
from ddsrta.checker.lf.times import Times
from ddsrta.checker.reading import shown


class Parts(NamedTuple):
    """Work of earlier tags, that of a tag, and what levels add to it."""

    tag_barrier: int
    work: int
    level_barrier: int


class Part(Program):
    """The reactions of an enclave. `by_level`: levels are known, and none runs ahead."""

    def __init__(
        self, name: str, part: Federate, sent: Iterable[Connection], receives: bool, by_level: bool
    ) -> None:
        super().__init__(name, part, sent, receives)
        self.by_level = by_level
        if by_level:
            self.strict, self.workers = True, part.workers

    @cached_property
    def next(self) -> dict[str, set[str]]:
        """Nobody runs ahead where levels are strict."""
        return {} if self.by_level else self._ahead()

    def alone(self, names: Collection[str], level: int) -> int:
        """What one tag takes where each worker has a core: a level with no more reactions than
        workers takes as long as the longest."""
        costs: dict[int, list[int]] = {}
        for name in names:
            if self.levels[name] <= level:
                costs.setdefault(self.levels[name], []).append(self.cost(name))
        total, w = 0, self.workers
        for row in costs.values():
            many = len(row) > w
            total += -((sum(row) + (w - 1) * max(row)) // -w) if many else max(row)
        return min(total, self.work(names, level))

    def without_levels(self, names: Collection[str], level: int) -> int:
        """The same if each waited only for those that it depends on."""
        among = set(names)
        runs = {name for name in among if self.levels[name] <= level}
        stack = list(runs)
        while stack:
            for other in self.next.get(stack.pop(), set()) & among - runs:
                runs.add(other)
                stack.append(other)
        longest: dict[str, int] = {}
        for name in sorted(runs, key=self.levels.__getitem__):
            rest = [longest[other] for other in self.before[name] if other in longest]
            longest[name] = self.cost(name) + max(rest, default=0)
        total, w = sum(map(self.cost, runs)), self.workers
        return min(total, -((total + (w - 1) * max(longest.values(), default=0)) // -w))


class Barriers(Lags):
    """Of one enclave; `asked`: how late empty tags are asked for. `own_cores`: each worker has
    one."""

    def __init__(
        self, part: Part, times: Times, budget: Budget, answer: int, asked: Mapping[Tags, int],
        own_cores: bool,
    ) -> None:  # fmt: skip
        super().__init__(part, times, budget, answer)
        self.part, self.asked, self.own_cores = part, asked, own_cores

    @cached_property
    def present(self) -> dict[Tags, set[str]]:
        """Those that take time, empty ones included."""
        found = self._reacting()
        if not (self.between or self.federate.overhead):
            sending = [out for out, send in self.part.sends.items() if send]
            sent = {tags for out in sending for tags in self.times.of((self.name, out))}
            found = {tags: names for tags, names in found.items() if names or tags in sent}
        for tags in self.asked:
            found.setdefault(tags, set())
        return found

    def _at(self, names: Collection[str], level: int) -> int:
        if self.part.by_level and self.own_cores:
            return self.part.alone(names, level)
        return self.part.work(names, level)

    def _with(self, tag: Tags) -> set[str]:
        """The reactions of all tags that one can be."""
        self.budget.curve(len(self.present))
        return {n for other, names in self.present.items() if meet(tag, other) for n in names}

    @cached_property
    def costs(self) -> dict[Tags, int]:
        """What each brings; less is sure only of those that meet no other."""
        found = {}
        for tags, names in self.present.items():
            self.budget.curve(len(self.present))
            shared = any(meet(tags, other) for other in self.present if other != tags)
            work = self.part.work if shared else self._at
            found[tags] = self._besides(tags) + work(names, self.part.top) + self.between
        return found

    def bursts(self, tag: Tags) -> list[Burst]:
        """Work before a tag: empty tags that are asked for late come closer to it, perhaps several
        of them right before it."""
        found = []
        for tags, cost in self.costs.items():
            self.budget.curve()
            if not cost:
                continue
            if tags.period is None and not tags.once:
                raise NoBoundError(f"any number of events of {shown(tags.root)} may be waiting")
            nearest = gap(tags, tag)
            if nearest is None:
                continue
            left = nearest - self.asked.get(tags, 0)
            if left > 0 or tags not in self.asked:
                found.append(Burst(cost, tags.period, max(0, left)))
            elif tags.period is None:
                found.append(Burst(cost, None, 0))
            else:
                several = -left // tags.period + 1
                found.append(Burst(several * cost, None, 0))
                found.append(Burst(cost, tags.period, left + several * tags.period))
        return found

    def after(self, tags: Iterable[Tags], level: int) -> int:
        """From when one of these tags may start until levels up to this are done."""
        rows = (self.left_over(tag) + self._takes(tag, level) for tag in tags)
        return max(rows, default=0)

    def _takes(self, tag: Tags, level: int) -> int:
        return self.federate.overhead + self._at(self._with(tag), level)

    def split(self, reaction: str | None = None) -> list[Parts]:
        """Where the time goes until a reaction has ended (None: until a tag is done), at each of
        the tags that take longest."""
        tags, level = list(self.present), self.part.top
        if reaction is not None:
            level = self.part.levels[reaction] if self.part.strict else self.part.top
            tags = list(self.times.of((self.name, f"reaction {reaction}"))) or tags
        rows = [self._parts(tag, level) for tag in tags]
        longest = max(map(sum, rows), default=0)
        return [row for row in rows if sum(row) == longest]

    def _parts(self, tag: Tags, level: int) -> Parts:
        earlier, takes = self.left_over(tag), self._takes(tag, level)
        free = self.part.without_levels(self._with(tag), level)
        barrier = max(0, takes - self.federate.overhead - free)
        return Parts(earlier, takes - barrier + self.part.sending, barrier)

    def demand(self) -> list[tuple[int, Tags]]:
        """What each brings to cores, in all."""
        besides = self.part.sending + self.federate.overhead
        return [(besides + sum(map(self.part.cost, names)), t) for t, names in self.present.items()]

    def behind(self, tags: Tags) -> int:
        """How late after its time an empty tag begins; 0 of those that are none."""
        late = self.asked.get(tags, 0)
        return late + self.federate.overhead + self.between if late else 0

    def apart(self) -> int | None:
        """The least time between two tags; None: there are no two."""
        gaps = [gap(one, other) for one in self.present for other in self.present]
        return min((one for one in gaps if one is not None), default=None)
