"""The stages that delay one (definition delay-relations). What stands in the same relation to many
is listed once for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple, overload

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.members import Load, Supply
from ddsrta.checker.stages import Key, Stage


class Together(tuple[Stage, ...]):
    """Stages in one relation to several others; as something to look up, only itself."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class Others(Sequence[Stage]):
    """All of a queue but one."""

    def __init__(self, queue: Together, place: int) -> None:
        self.queue = queue
        self.place = place

    def __len__(self) -> int:
        return len(self.queue) - 1

    def __iter__(self) -> Iterator[Stage]:
        return chain(islice(self.queue, self.place), islice(self.queue, self.place + 1, None))

    @overload
    def __getitem__(self, at: int) -> Stage: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Stage]: ...
    def __getitem__(self, at: int | slice) -> Stage | Sequence[Stage]:
        return [*self][at]


class Queue(NamedTuple):
    """All that one thread serves as it comes, where each stands, and what other threads do that
    are as urgent."""

    stages: Together
    places: dict[Key, int]
    beside: Together

    @classmethod
    def of(cls, thread: tuple[str, str], equals: Iterable[Stage]) -> Queue:
        """Of all that is as urgent on its supply."""
        mine, beside = list[Stage](), list[Stage]()
        for stage in equals:
            (mine if thread == (stage.kind, stage.runner) else beside).append(stage)
        places = {stage.key: place for place, stage in enumerate(mine)}
        return cls(Together(mine), places, Together(beside))


class Relations:
    """The stages that delay one; `ahead` without the stage itself."""

    def __init__(self, supply: Supply | None, loads: tuple[Load, ...] = ()) -> None:
        self.supply = supply
        self.at_once = False  # whether something may be handed over by a unit as it begins
        self.own = supply  # to windows in which all counts that its thread does
        self.loads = loads
        self.preempts: Sequence[Stage] = []
        self.overtakes: Sequence[Stage] = []
        self.contends: list[Stage] = []  # of SCHED_OTHER, as it is
        self.ahead: Sequence[Stage] = []
        self.lingers: list[Stage] = []
        self.alternates: list[Stage] = []
        self.precedes: list[Stage] = []
        self.turns: dict[Key, tuple[int, int]] = {}  # of what alternates: its units, and ours
        self.due: list[tuple[Stage, int]] = []  # how much later than it ours is due
        self.groups: dict[tuple[str, str], list[Stage]] = {}  # others that share its threads
        self.reentrant: list[Stage] = []  # the same of those in none
        self.overlaps = False  # whether its own jobs may run at the same time
        self.mixes = False  # or are done in any order
        self.goes_on = False  # its thread is at it when it is released (lemma inline-in-pools)
        self.threads = 1
        self.moves = False  # between so many cores, which these threads share
        self.wait = 0  # for those who are served first by their deadlines
        self.served: list[Stage] = []
        self.blocked_by: list[Stage] = []

    def add(self, how: str, other: Stage) -> None:
        """Another stage that stands in a relation to it."""
        getattr(self, how).append(other)

    def mix(self) -> None:
        """Its own units are served in any order: what came before the last of them may go first,
        and what comes later, so that no budget is fresh to it (lemma fresh-budgets)."""
        self.mixes, self.own = True, self.supply
        self.overtakes, self.ahead = [*self.overtakes, *self.ahead], []

    @property
    def listed(self) -> int:
        """How many stages are listed for it alone."""
        lists = self.preempts, self.overtakes, self.ahead, self.contends, self.lingers
        alone = sum(len(some) for some in lists if not isinstance(some, Together | Others))
        more = self.alternates, self.precedes, self.shares, self.blocked_by
        return alone + len(self.due) + sum(map(len, more))

    @property
    def blocks(self) -> int:
        """The largest part of another unit that a stage may have to wait for."""
        return max((other.cost - self.begun for other in self.blocked_by), default=0)

    @property
    def begun(self) -> int:
        """What is done of a unit that was begun; in a reservation its budget may end just then, and
        what comes may be of its own."""
        return EPSILON if self.supply is None and not self.at_once else 0

    @property
    def shares(self) -> list[Stage]:
        """All that share the threads of its pool."""
        return [*self.reentrant, *(other for group in self.groups.values() for other in group)]

    def before(self) -> list[Stage]:
        """All that may run before it or while it does, but what blocks and what is shared."""
        return [
            *self.preempts, *self.overtakes, *self.contends, *self.ahead, *self.lingers,
            *self.alternates, *self.precedes, *(other for other, _ in self.due),
        ]  # fmt: skip

    def all(self) -> list[Stage]:
        """The same with what blocks."""
        return [*self.before(), *self.blocked_by]

    @property
    def is_own(self) -> bool:
        """Whether the window opens with the first of the stage's own units (lemma own-window)."""
        level = (
            self.mixes
            or self.ahead
            or self.overtakes
            or self.contends
            or self.lingers
            or self.blocked_by
            or self.due
        )
        return bool(self.alternates or self.precedes) or not (
            level or (self.threads > 1 and not self.goes_on)
        )
