"""A walk along a path, stage by stage; walks that begin alike share what they found."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.checker.stages import Key
from ddsrta.checker.ways import Way

if TYPE_CHECKING:
    from ddsrta.checker.points import Points

# The latency to a stage, and how paths that are known go on from there.
Known = dict[Key, "tuple[int | None, Known]"]
MOST_ORIGINS = 4  # that are followed beside the last one
NOTHING: tuple[int | None, Known] = (None, {})


class Effort(IntEnum):
    """How far the latency along a path is looked for."""

    CLAIMS = 0  # what is claimed of its stages
    WAY = 1  # stage by stage
    WHOLE = 2  # with windows of whole stretches
    LEAST = 3  # whatever is known, and wherever a stretch may begin


Asked = tuple[bool, bool, Effort]  # with waits, and with renewals


class Step(NamedTuple):
    """A stage of a path: its stretch, and the latest arrival at it after the origin's."""

    key: Key
    origin: Key
    carried: int
    arrival: int | None  # None where what comes before is unbounded

    def until(self, since: int | None) -> int | None:
        """From the start of the path, if it takes so long from the arrival on."""
        ends = self.arrival is not None and since is not None
        return self.carried + (self.arrival or 0) + (since or 0) if ends else None


class Walk:
    """A path as far as one stage."""

    __slots__ = (
        "after", "anew", "begun", "count", "due", "every", "has_points", "is_least", "of_path",
        "others", "plain", "start", "steps", "total", "way",
    )  # fmt: skip

    def __init__(self, steps: list[Step], count: int, way: Way, plain: bool) -> None:
        self.steps = steps  # of this walk and perhaps of one that goes on: `count` are of this one
        self.count = count
        self.way = way
        self.plain = plain  # no junction was met
        self.has_points = False  # of the window of its last stage
        self.start = 0  # where the path last waited
        self.begun: int | None = 0  # and when it came there
        self.total: int | None = None
        self.of_path = False  # whether that says nothing of other units of its origin
        self.anew = False  # whether some bound, maybe not the least, says nothing of them
        self.every: int | None = None  # where it does not: the least that says something of them
        self.others: list[Walk] = []  # with origins before, by what is known of all their units
        self.is_least = False  # whether all bounds of it were looked at
        self.due: int | None = None  # its event, at the pace of its base (lemma paced-path)
        self.after: dict[Key, Walk] = {}

    @property
    def last(self) -> Step:
        """The stage at which it stands."""
        return self.steps[self.count - 1]

    def is_before(self, points: Points) -> bool:
        """Whether the window of its last stage has been looked at since."""
        return not self.has_points and self.last.key in points

    def on(self, step: Step, way: Way, plain: bool) -> Walk:
        """The walk with another step."""
        steps = self.steps if len(self.steps) == self.count else self.steps[: self.count]
        steps.append(step)
        found = Walk(steps, self.count + 1, way, plain)
        found.start, found.begun = self.start, self.begun
        return found

    def beginning(self, anywhere: bool) -> list[Walk]:
        """The same by what holds for all units of an origin, where that is more than its total:
        further bounds may be less so than in the stretch that begins there. Where the least holds
        for all of them, with a stretch that begins there nevertheless, if one does by the rest, and
        it may begin anywhere."""
        if self.of_path and self.every is not None:
            found = copy(self)
            found.keep_to_all()
        elif anywhere and self.anew and not self.of_path:
            found = copy(self)
            found.begin_anew()
        else:
            return self.others
        first, last = self.others[:1], [*self.others[1:], found]  # the junction's, and the nearest
        return [*first, *last[-MOST_ORIGINS + len(first) :]]

    def beside(self, others: Iterable[Walk]) -> None:
        """With walks of the same path that have origins before."""
        for other in others:
            if other.every is not None:
                other.keep_to_all()
                self.others.append(other)

    def begin_anew(self) -> None:
        """Lets a stretch begin behind it."""
        self.every, self.of_path, self.anew = None, True, False
        self.others, self.after = [], {}

    def keep_to_all(self) -> None:
        """Forgets what says nothing of other units of its origin."""
        self.total, self.of_path, self.is_least = self.every, False, False
        self.others, self.after = [], {}


def plainly(effort: Effort) -> Asked:
    """What is asked of a path on which nothing waits."""
    return False, False, effort if effort == Effort.LEAST else Effort.WAY


def is_within(total: int | None, limit: int | None) -> bool:
    """Whether there is a total, and a limit that it keeps."""
    return total is not None and limit is not None and total <= limit


def less(time: int | None, early: int) -> int | None:
    """A time that counts from a later moment; None where it is unbounded."""
    return None if time is None else time - early
