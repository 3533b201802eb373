"""Which topics the jobs of a callback published on: how often, and which never together."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import combinations

from ddsrta.formats.ros2_trace.entities import Callback, Job, Published
from ddsrta.formats.ros2_trace.observed import ObservedPublication

_LONGEST = 16  # the largest k of k of n that is looked for
_BY_CHANCE = 3  # jobs that would have published on both, were they to do so by chance


def note_published(callback: Callback, job: Job) -> None:
    """Remembers what a job published that has just ended."""
    topics = [*dict.fromkeys(job.published)]
    for topic in topics:
        seen = callback.published.setdefault(topic, Published())
        seen.jobs.append(job.number)
        seen.most = max(seen.most, job.published.count(topic))
    if len(topics) > 1:
        last = {topic: place for place, topic in enumerate(job.published)}
        for one, other in combinations(topics, 2):
            pair = min(one, other), max(one, other)
            callback.together[pair] += 1
            if last[one] < job.published.index(other):
                callback.before[one, other] += 1


def publications(callback: Callback, ranks: Sequence[int]) -> tuple[ObservedPublication, ...]:
    """What a callback published, in the order in which its jobs did."""
    groups = _alternatives(callback)
    found = []
    for topic in _ordered(callback, groups):
        seen = callback.published[topic]
        places = array("q", sorted(ranks[job] for job in seen.jobs))
        group = groups.get(topic, ())
        found.append(
            ObservedPublication(topic, len(places), seen.most, pattern(places), group, places)
        )
    return tuple(found)


def pattern(places: Sequence[int]) -> tuple[int, int] | None:
    """The least part of jobs that published, k of any n in a row, by the places of those that did
    among all; none where some published in a row all the time, or more were not seen than twice k.

    >>> pattern([1, 2, 4, 5, 7, 8, 10, 11])
    (2, 3)
    >>> pattern([1, 2, 3, 7]) is None
    True
    """
    best: tuple[int, int] | None = None
    for most in range(1, min(_LONGEST, (len(places) - 1) // 2) + 1):
        length = min(b - a for a, b in zip(places, places[most:], strict=False))
        if most < length and (best is None or most * best[1] < best[0] * length):
            best = most, length
    return best


def disordered(callback: Callback) -> Iterator[tuple[str, str]]:
    """Topics of which now one is published first, now the other, or both by turns."""
    for (one, other), jobs in callback.together.items():
        if jobs not in (callback.before[one, other], callback.before[other, one]):
            yield one, other


def _alternatives(callback: Callback) -> dict[str, tuple[str, ...]]:
    """Groups of topics that no job published two of: each job published one of all, or by chance
    some should have published two."""
    left = [topic for topic, seen in callback.published.items() if len(seen.jobs) > 1]
    jobs = len(callback.durations)
    exclude = not any(callback.together.values())
    if len(left) > 1 and exclude and jobs == sum(len(p.jobs) for p in callback.published.values()):
        return dict.fromkeys(left, tuple(left))
    found: dict[str, tuple[str, ...]] = {}
    while left:
        group = [left.pop(0)]
        for topic in left:
            if all(_apart(callback, one, topic) for one in group):
                group.append(topic)
        left = [topic for topic in left if topic not in group]
        if len(group) > 1:
            found |= dict.fromkeys(group, tuple(group))
    return found


def _apart(callback: Callback, one: str, other: str) -> bool:
    """Whether no job published on both, and that can hardly be by chance."""
    jobs = [len(callback.published[topic].jobs) for topic in (one, other)]
    together = callback.together[min(one, other), max(one, other)]
    return not together and jobs[0] * jobs[1] >= _BY_CHANCE * len(callback.durations)


def _ordered(callback: Callback, groups: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Alternatives one after the other; else what was published first in each job goes first, as
    far as there is such an order."""
    left = list(dict.fromkeys(groups.get(topic, (topic,)) for topic in callback.published))

    def follows(group: tuple[str, ...], others: Sequence[tuple[str, ...]]) -> bool:
        return any(
            callback.before[one, topic] > callback.before[topic, one]
            for other in others
            if other is not group
            for one in other
            for topic in group
        )

    while left:
        ready = next((group for group in left if not follows(group, left)), left[0])
        left.remove(ready)
        yield from ready
