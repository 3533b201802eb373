"""What holds of the sets of a synchronizer (lemmas exact-time-sets, equal-stamps, latest-sets,
mtd-sets and approximate-time-sets)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON

UNKNOWN = 1 << 100  # larger than all numbers; so are its parts and multiples here
_KNOWN = 1 << 90
_PAIR = 2
EQUAL_STAMPS = "equal_stamps"  # approximate_time of one source
BY_STAMP = ("exact_time", EQUAL_STAMPS)


class Messages(NamedTuple):
    """Those of one topic: largest gap g, least distance δ⁻(2) and latest first stamp E of their
    source, times b and d from the stamp to the arrival, and how many stamps lie in a window."""

    gap: int
    apart: int
    first: int
    best: int
    worst: int
    most: Callable[[int], int]

    @property
    def newest(self) -> int:
        """g + d: how old the newest one may be before the next one comes."""
        return self.gap + self.worst

    @property
    def next_stamp(self) -> int:
        """From a moment at which there is one to come, or the start, to its stamp."""
        return max(self.gap, self.first)


class Sets(NamedTuple):
    """Largest difference of stamps, ages and renewals by topic, gap between two sets, C; and
    whether none is left out that a queue should have kept. `waits`, where they are not the ages
    less what a message takes to come."""

    disparity: int
    ages: tuple[int, ...]
    renewals: tuple[int, ...]
    gap: int
    counted: int
    complete: bool = False
    waits: tuple[int, ...] = ()
    needed: int = UNKNOWN  # the queue that loses nothing
    dropped: tuple[int, ...] = ()  # by topic: how old one is when the queue lets go of it


def known(time: int) -> int | None:
    """None for what has no bound."""
    return time if time < _KNOWN else None


def nothing(topics: int) -> Sets:
    """Where nothing is claimed."""
    none = (UNKNOWN,) * topics
    return Sets(UNKNOWN, none, none, UNKNOWN, UNKNOWN)


def sets(policy: str, queue: int | None, inputs: Sequence[Messages], lossy: bool = False) -> Sets:
    """The bounds of a policy; by stamp, all of one source. Behind what may lose messages (lemma
    room-overflow) any time may pass until the next."""
    places = UNKNOWN if queue is None else queue
    if lossy:
        inputs = [one._replace(gap=UNKNOWN, first=UNKNOWN) for one in inputs]
        found = sets(policy, queue, inputs)
        return found._replace(renewals=nothing(len(inputs)).renewals, complete=False)
    if policy in BY_STAMP:
        return _by_stamp(places, inputs, apart=policy == EQUAL_STAMPS or inputs[0].apart > 0)
    if policy == "latest":
        return _latest(inputs)
    if policy == "mtd":
        return _mtd(places, inputs)
    return _approximate_time(places, inputs)


def with_room(found: Sets, places: int, inputs: Sequence[Messages | None]) -> Sets:
    """With so many places: the oldest of a topic goes when it has been followed by that many, each
    a gap after the one before (lemma room-age)."""
    dropped = tuple(
        UNKNOWN
        if one is None or max(one.gap, one.worst) >= _KNOWN
        else places * one.gap + one.worst
        for one in inputs
    )
    ages = tuple(min(pair) for pair in zip(found.ages, dropped, strict=True))
    waits = tuple(
        min(wait, age if one is None else max(0, age - one.best))
        for wait, age, one in zip(found.waits, dropped, inputs, strict=False)
    )
    return found._replace(ages=ages, dropped=dropped, waits=waits)


def _by_stamp(places: int, inputs: Sequence[Messages], apart: bool) -> Sets:
    """The n-th messages, where none of the same stamp takes the place of another."""
    worst = max(one.worst for one in inputs)
    if worst >= _KNOWN:
        return nothing(len(inputs))._replace(disparity=0)
    bests = [one.best for one in inputs]
    source, ages = inputs[0], (worst,) * len(inputs)
    needed = source.most(worst - min(bests) + EPSILON) if apart else UNKNOWN
    if needed > places or not apart:
        none = nothing(len(inputs)).renewals
        return Sets(0, ages, none, UNKNOWN, worst, needed=needed)
    gap = source.gap + worst - max(bests)
    return Sets(0, ages, ages, gap, worst, complete=True, needed=needed)


def _latest(inputs: Sequence[Messages]) -> Sets:
    disparity = max(
        one.newest - other.best for one in inputs for other in inputs if other is not one
    )
    none = nothing(len(inputs))
    ages = tuple(one.newest for one in inputs)
    return Sets(max(0, disparity), ages, none.renewals, UNKNOWN, UNKNOWN, needed=1)


def _mtd(places: int, inputs: Sequence[Messages]) -> Sets:
    pairs = [(inputs[0], inputs[1]), (inputs[1], inputs[0])]
    if max(one.worst for one in inputs) >= _KNOWN:
        return nothing(_PAIR)
    disparity, kept, needed = 0, True, 0
    for older, other in pairs:
        ahead = max(0, older.newest - other.best)
        most = other.most(ahead) + 1 if ahead < _KNOWN else UNKNOWN
        needed = max(needed, most)
        enough = places >= _KNOWN or most <= places
        kept = kept and enough
        disparity = max(disparity, min(ahead, other.next_stamp if enough else UNKNOWN))
    ages, waits = zip(*(_kept_by_mtd(one, other) for one, other in pairs), strict=True)
    gap = max(one.newest - one.best for one in inputs)
    start = max(one.first + one.worst for one in inputs)
    renewals = tuple(
        max(one.worst, other.next_stamp + other.worst) + max(gap, start) if kept else UNKNOWN
        for one, other in pairs
    )
    counted = max(gap + max(one.worst for one in inputs), start)
    return Sets(disparity, ages, renewals, gap, counted, waits=waits, needed=needed)


def _kept_by_mtd(one: Messages, other: Messages) -> tuple[int, int]:
    """Age and wait of a message of one topic: as the older of the newest, or as the other one."""
    after = max(0, other.newest - one.best)
    before = min(one.gap // 2, after) if one.apart <= 2 * after else 0
    second = _alone(other, one)[0] + before
    age, wait = _alone(one, other)
    return max(age, second), max(wait, second - one.best)


def _alone(one: Messages, other: Messages) -> tuple[int, int]:
    """Age and wait of the older of the two newest."""
    turn = max(0, other.newest - other.best, other.first + other.worst - one.best)
    wait = min(turn, one.newest - one.best)
    return min(one.newest, one.worst + wait), wait


def _approximate_time(places: int, inputs: Sequence[Messages]) -> Sets:
    spread = max(
        _near(other, len(inputs))
        if pivot.gap > other.apart
        else min(_near(other, len(inputs)), pivot.first)
        for pivot in inputs
        for other in inputs
        if other is not pivot
    )
    decided = max(one.newest for one in inputs)
    if max(spread, decided) >= _KNOWN:
        return nothing(len(inputs))
    held = max(decided, *(one.first + one.worst for one in inputs)) + spread
    needed = UNKNOWN
    if held < _KNOWN:
        needed = max(one.most(held - one.best + EPSILON) for one in inputs)
    if places < _KNOWN and needed > places:
        return nothing(len(inputs))._replace(needed=needed)
    renewal = 2 * spread + max(one.next_stamp for one in inputs) + decided
    gap = decided + max(one.gap - one.best for one in inputs)
    ages = [spread + decided] * len(inputs)
    if len(inputs) == _PAIR:  # the pivot, or what is beside it: until both topics have gone on
        for place, (one, other) in enumerate((inputs, inputs[::-1])):
            before = other.worst + min(spread, _near(one, _PAIR))
            ages[place] = max(one.newest, other.newest, before)
    renewals = (renewal,) * len(inputs)
    return Sets(spread, tuple(ages), renewals, gap, max(ages), needed=needed)


def _near(other: Messages, topics: int) -> int:
    """How far the best set reaches from a pivot to messages of another topic."""
    near = max(0, other.gap - 1)
    return min(near, 11 * other.gap // 21 + 1) if topics == _PAIR else near
