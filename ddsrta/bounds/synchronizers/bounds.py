"""What holds of sets that a synchronizer makes, from what is known of its inputs (lemmas
exact-time-sets, latest-sets, mtd-sets, approximate-time-sets)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ddsrta.base.frozen import frozen
from ddsrta.bounds.unbounded import (
    LOSING,
    LOST_STAMP,
    MEASURED_RATES,
    NO_ARRIVAL,
    NO_FIRST,
    NO_GAP,
    SYNCHRONIZER_QUEUE,
    Because,
)
from ddsrta.models.synchronization import Synchronizer

Time = int | None  # None: nothing bounds it
_PENALTY = (11, 21)  # 1.1 of 2.1: what message_filters' default age penalty of 0.1 comes to
_PAIR = 2


@frozen
class Input:
    """The messages of one topic, of strictly or weakly growing stamps, in this order.

    The first stamp is at most `first` after the start; two in succession are at least `distance`
    and at most `gap` apart, and at most `count(w)` lie in a window of length w. A message arrives
    at least `earliest` and at most `latest` after its stamp.
    """

    topic: str
    first: Time
    gap: Time
    distance: int
    earliest: int
    latest: Time
    count: Callable[[int], int]


@frozen
class Bounds:
    """Of the sets: `disparity`, the largest difference of stamps; for each input the `ages`, from
    the stamp of a member to the making of its set, the `waits`, from its arrival, and the
    `renewals`, from any stamp to the making of the first set with this message or a newer one.
    `gap` is the most time between two sets.

    Every set has a member of each input that no other set is counted by, at most `counted` after
    its stamp, and at most its `kept` (None: not known). `needed` is the queue that loses nothing.
    """

    disparity: Time = None
    ages: tuple[Time, ...] = ()
    renewals: tuple[Time, ...] = ()
    gap: Time = None
    counted: Time = None
    needed: Time = None
    because: Because | None = None
    waits: tuple[Time, ...] = ()
    earliest: tuple[int, ...] = ()  # arrivals, from the stamp
    kept: tuple[Time, ...] = ()


def plus(*times: Time) -> Time:
    """A sum, unbounded if any part is."""
    total = 0
    for time in times:
        if time is None:
            return None
        total += time
    return total


def largest(times: Iterable[Time]) -> Time:
    """The largest, unbounded if any is."""
    found = 0
    for time in times:
        if time is None:
            return None
        found = max(found, time)
    return found


def least(*times: Time) -> Time:
    """The smallest of several bounds of one thing."""
    return min((time for time in times if time is not None), default=None)


def bounds(
    synchronizer: Synchronizer,
    inputs: Sequence[Input],
    losing: str | None = None,
    equal_stamps: bool = False,
) -> Bounds:
    """The bounds of a policy; `losing` is a topic of which some messages may never come;
    `equal_stamps`: approximate_time makes sets of the n-th messages (lemma equal-stamps).

    >>> scan = Input("scan", 40, 40, 40, 1, 2, lambda window: -(-window // 40))
    >>> image = Input("image", 250, 250, 250, 5, 9, lambda window: -(-window // 250))
    >>> bounds(Synchronizer("mtd"), [scan, image]).disparity
    40
    """
    policy = {
        "exact_time": _exact,
        "approximate_time": _approximate,
        "latest": _latest,
        "mtd": _mtd,
    }
    if losing is not None:
        inputs = [replace(each, first=None, gap=None) for each in inputs]
    made = _by_number if equal_stamps else policy[synchronizer.policy]
    found = made(inputs, synchronizer.queue)
    if losing is not None:
        because, none = LOSING.of(topic=losing), (None,) * len(inputs)
        found = replace(found, renewals=none, because=because)
    waits = tuple(_wait(age, each) for age, each in zip(found.ages, inputs, strict=True))
    earliest = tuple(each.earliest for each in inputs)
    return replace(found, waits=found.waits or waits, earliest=earliest)


def by_room(found: Bounds, queue: int, inputs: Sequence[Input | None]) -> Bounds:
    """The same with this queue: a message is gone when as many newer ones have come, whatever is
    known of other topics (lemma room-age). None: an input of which no next message need come.

    >>> scan = Input("scan", 40, 40, 40, 1, 2, lambda window: -(-window // 40))
    >>> nothing = Bounds(ages=(None, None), renewals=(None, None))
    >>> by_room(nothing, 3, [scan, None]).ages
    (122, None)
    """
    kept = tuple(
        None if each is None or each.gap is None else plus(queue * each.gap, each.latest)
        for each in inputs
    )
    ages = tuple(map(least, found.ages, kept))
    before = found.waits or (None,) * len(inputs)
    waits = tuple(
        None if each is None else least(wait, _wait(age, each))
        for wait, age, each in zip(before, ages, inputs, strict=True)
    )
    earliest = tuple(each.earliest if each else 0 for each in inputs)
    return replace(found, ages=ages, waits=waits, earliest=earliest, kept=kept)


def _wait(age: Time, each: Input) -> Time:
    """It comes no earlier than its least time after the stamp."""
    return None if age is None else max(0, age - each.earliest)


def _exact(inputs: Sequence[Input], queue: int | None) -> Bounds:
    """All topics of one source. Of releases that coincide sets may be lost."""
    found = _by_number(inputs, queue)
    if found.needed is None or inputs[0].distance > 0:
        return found
    because, renewals = LOST_STAMP.of(), (None,) * len(inputs)
    return replace(found, renewals=renewals, gap=None, needed=None, because=because)


def _by_number(inputs: Sequence[Input], queue: int | None) -> Bounds:
    """The n-th of each topic, complete when the last of them arrives."""
    latest = largest(each.latest for each in inputs)
    if latest is None:
        return Bounds(0, *_nothing(inputs), because=_arrivals(inputs))
    first = max(each.earliest for each in inputs)
    soonest = min(each.earliest for each in inputs)
    needed = inputs[0].count(latest - soonest + 1)
    ages = (latest,) * len(inputs)
    if queue is not None and needed > queue:
        because = _room(queue, "a set that is not complete", needed)
        return Bounds(0, ages, (None,) * len(inputs), None, latest, needed, because)
    gap = plus(inputs[0].gap, latest - first)
    why = None if gap is not None else NO_GAP.of(topic=inputs[0].topic)
    return Bounds(0, ages, ages, gap, latest, needed, why)


def _latest(inputs: Sequence[Input], queue: int | None) -> Bounds:
    """A set at the arrival of a message, of the newest of each. Which arrivals it leaves out is
    decided by rates that it measures."""
    ages = tuple(plus(each.gap, each.latest) for each in inputs)
    disparity = largest(
        plus(age, -other.earliest)
        for age, each in zip(ages, inputs, strict=True)
        for other in inputs
        if other is not each
    )
    because = MEASURED_RATES.of()
    if disparity is None:
        because = _arrivals(inputs) or _gaps(inputs) or because
    return Bounds(disparity, ages, (None,) * len(inputs), None, None, 1, because)


def _mtd(inputs: Sequence[Input], queue: int | None) -> Bounds:
    """When both have brought a message since the last set: the older of the two newest, and the
    one of the other topic that is nearest to it."""
    if None in [each.latest for each in inputs]:
        return Bounds(because=_arrivals(inputs), ages=(None, None), renewals=(None, None))
    one, other = inputs
    reach = [_reach(one, other, queue), _reach(other, one, queue)]
    disparity = largest(distance for distance, _ in reach)
    needed = largest(count for _, count in reach)
    kept = needed is not None and (queue is None or needed <= queue)
    newest = [plus(each.gap, each.latest) for each in inputs]
    waits, ages = _kept_by_mtd(inputs)
    gap = largest(plus(newest[i], -inputs[i].earliest) for i in range(_PAIR))
    started = largest(plus(each.first, each.latest) for each in inputs)
    counted = largest((plus(gap, largest(each.latest for each in inputs)), started))
    renewals: tuple[Time, ...] = (None, None)
    if kept:
        renewals = tuple(
            plus(
                largest((inputs[i].latest, plus(largest((inputs[1 - i].gap, inputs[1 - i].first)),
                                                inputs[1 - i].latest))),
                largest((gap, started)),
            )
            for i in range(_PAIR)
        )  # fmt: skip
    because = None
    if disparity is None or gap is None:
        because = _gaps(inputs)
    elif started is None:
        because = _firsts(inputs)
    elif queue is not None and not kept:
        because = _room(queue, "the nearest message", needed)
    return Bounds(disparity, ages, renewals, gap, counted, needed, because, waits)


def _kept_by_mtd(inputs: Sequence[Input]) -> tuple[tuple[Time, ...], tuple[Time, ...]]:
    """How long a message waits, and its age. The older one of the newest was followed by none, and
    waits for no more than the next one of the other topic; the other member may be before it by
    half a gap, and by no more than one of its topic is after it."""
    alone: list[Time] = []
    behind: list[Time] = []
    for i in range(_PAIR):
        one, other = inputs[i], inputs[1 - i]
        turn = largest((plus(other.gap, other.latest, -other.earliest),
                        plus(other.first, other.latest, -one.earliest)))  # fmt: skip
        alone.append(least(plus(one.gap, one.latest, -one.earliest), turn))
        after = _wait(plus(other.gap, other.latest), one)
        if after is not None and 2 * after < one.distance:
            behind.append(0)
        else:
            behind.append(least(_half(one.gap), after))
    oldest = [
        least(plus(one.gap, one.latest), plus(one.latest, wait))
        for one, wait in zip(inputs, alone, strict=True)
    ]
    ages: list[Time] = []
    waits: list[Time] = []
    for i in range(_PAIR):
        second = plus(oldest[1 - i], behind[i])
        ages.append(largest((oldest[i], second)))
        waits.append(largest((alone[i], _wait(second, inputs[i]))))
    return tuple(waits), tuple(ages)


def _reach(old: Input, other: Input, queue: int | None) -> tuple[Time, Time]:
    """How far the nearest message of `other` can be from the newest of `old`, and how many of
    `other` must be kept: all newer ones that there may be, and one before them."""
    ahead = plus(old.gap, old.latest, -other.earliest)
    needed = None if ahead is None else other.count(max(0, ahead)) + 1
    kept = queue is None or (needed is not None and needed <= queue)
    near = largest((other.gap, other.first)) if kept else None
    if ahead is not None:
        ahead = max(0, ahead)
    return least(near, ahead), needed


def _approximate(inputs: Sequence[Input], queue: int | None) -> Bounds:
    """The algorithm of message_filters: the best set with the pivot, once it is proven to be."""
    disparity = _spread(inputs)
    decided = largest(plus(each.gap, each.latest) for each in inputs)
    age = plus(disparity, decided)
    if disparity is None or decided is None or age is None:
        because = _arrivals(inputs) or _gaps(inputs)
        return Bounds(None, *_nothing(inputs), because=because)
    started = largest(plus(each.first, each.latest) for each in inputs)
    needed = None
    if started is not None:
        held = max(decided, started) + disparity
        needed = max(each.count(held - each.earliest + 1) for each in inputs)
    if queue is not None and (needed is None or needed > queue):
        because = _firsts(inputs) or _room(queue, "messages", needed)
        return Bounds(None, *_nothing(inputs), needed=needed, because=because)
    slowest = largest(largest((each.gap, each.first)) for each in inputs)
    gap = largest(plus(each.gap, -each.earliest, decided) for each in inputs)
    renewal = plus(2 * disparity, slowest, decided)
    ages = _ages_by_pivot(inputs, disparity) if len(inputs) == _PAIR else (age,) * len(inputs)
    why = _firsts(inputs) if renewal is None else None
    return Bounds(disparity, ages, (renewal,) * len(inputs), gap, largest(ages), needed, why)


def _ages_by_pivot(inputs: Sequence[Input], disparity: int) -> tuple[Time, ...]:
    """Of two topics: a set is made when the pivot and the next message of the other topic have
    come, and its other member is that message, or the one before the pivot."""
    ages: list[Time] = []
    for one, other in (inputs, inputs[::-1]):
        near = least(disparity, _beside_pivot(one, _PAIR))
        beside = plus(other.latest, largest((other.gap, near)))
        ages.append(largest((plus(one.gap, one.latest), beside)))
    return tuple(ages)


def _spread(inputs: Sequence[Input]) -> Time:
    """The least D that each set keeps if the one before it does: the pivot is at most its gap after
    its last member, the others at least their distance, so a D that one pair can exceed grows up to
    what the search allows."""
    disparity = 0
    for pivot in inputs:
        for each in inputs:
            if each is pivot:
                continue
            near = _beside_pivot(each, len(inputs))
            if near is None:
                return None
            if pivot.first is None or pivot.gap is None or pivot.gap > each.distance:
                disparity = max(disparity, near)
            else:
                disparity = max(disparity, min(near, pivot.first))
    return disparity


def _beside_pivot(each: Input, count: int) -> Time:
    """How far the best set reaches from a pivot of another topic to messages of this one."""
    if each.gap is None:
        return None
    if count > _PAIR:
        return max(0, each.gap - 1)
    times, of = _PENALTY
    return min(max(0, each.gap - 1), times * each.gap // of + 1)


def _half(time: Time) -> Time:
    return None if time is None else time // 2


def _nothing(inputs: Sequence[Input]) -> tuple[tuple[Time, ...], tuple[Time, ...]]:
    return (None,) * len(inputs), (None,) * len(inputs)


def _room(queue: int, what: str, needed: Time) -> Because:
    assert needed is not None
    return SYNCHRONIZER_QUEUE.of(queue=queue, what=what, needed=needed)


def _arrivals(inputs: Sequence[Input]) -> Because | None:
    return next((NO_ARRIVAL.of(topic=i.topic) for i in inputs if i.latest is None), None)


def _gaps(inputs: Sequence[Input]) -> Because | None:
    return next((NO_GAP.of(topic=i.topic) for i in inputs if i.gap is None), None)


def _firsts(inputs: Sequence[Input]) -> Because | None:
    return next((NO_FIRST.of(topic=i.topic) for i in inputs if i.first is None), None)
