"""How late one event is done at each stage, in the worst order of all that it brings (lemma
event-alone)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ddsrta.checker.budget import Budget
from ddsrta.checker.visits import Visits

_ROUNDS = 4
_THREADS = 6  # in a row
_NEVER = 1 << 62


class WorstOrder:
    """`ends`: when all units of each visit are done, from the moment when the first one comes; of
    some it is known when they come at the latest."""

    def __init__(
        self, visits: Visits, first: int, latest: Sequence[int | None], budget: Budget
    ) -> None:
        self.visits, self.first, self.budget = visits, first, budget
        count = len(visits.all)
        over = visits.over[first]
        at_once = visits.not_later[first] | over | 1 << first
        self.work = [0 if over >> one & 1 else visits.all[one].cost for one in range(count)]
        self.latest = [
            0 if at_once >> one & 1 else _NEVER if known is None else max(0, known)
            for one, known in enumerate(latest)
        ]
        self.ends = [_NEVER] * count
        for _ in range(_ROUNDS):
            before = list(self.ends)
            for one in range(count):
                self._end(one)
            if before == self.ends:
                break

    def _end(self, one: int) -> None:
        came = self.visits.all[one].came
        if came:
            comes = max(self.ends[source] + edge.extra for source, edge in came)
            self.latest[one] = max(0, min(self.latest[one], comes))
        self.ends[one] = min(self.ends[one], self._until((one,), {}, 0))

    def _until(self, those: tuple[int, ...], work: dict[int, int], depth: int) -> int:
        """Until any of these visits, all to one thread, is served. The window holds its arrival; or
        that of what sends it, where that is on the same core."""
        found = self._from(those, those, work, depth)
        senders = [self.visits.sender_beside(one) for one in those]
        known = tuple(sorted({one for one in senders if one is not None}))
        if None not in senders:
            found = min(found, self._from(known, those, work, depth))
        return found

    def _from(
        self, pending: tuple[int, ...], those: tuple[int, ...], work: dict[int, int], depth: int
    ) -> int:
        visits = self.visits
        members, after = 0, -1
        for one in {*pending, *those}:
            members |= visits.together[one]
        for one in those:
            after &= visits.after[one]
        members &= ~after
        runs = {one: work.get(one, self.work[one]) for one in _bits(members)}
        limit = max(self.latest[one] for one in pending)
        by_thread: dict[object, list[int]] = {}
        for one in runs:
            if all(visits.not_later[one] >> other & 1 for other in pending):
                continue  # what is pending came no later
            handed = visits.handed[one]
            thread = (one,) if handed is None else self._thread(handed)
            by_thread.setdefault(thread, []).append(one)
        return self._longest(by_thread.values(), runs, limit, depth)

    def _longest(
        self, openers: Iterable[list[int]], runs: dict[int, int], limit: int, depth: int
    ) -> int:
        """Until all of a window has run, whichever opens it. What is no longer by itself than
        another through its thread is not looked at through its own."""
        alone = [(max(self._by_itself(one, runs, limit) for one in some), some) for some in openers]
        found = 0 if alone else _NEVER
        for end, first in sorted(alone, reverse=True):
            if end <= found:
                break
            found = max(found, self._opened_by(first, end, runs, depth))
        return found

    def _thread(self, one: int) -> tuple[str, str]:
        stage = self.visits.all[one].stage
        return stage.kind, stage.runner

    def _opened_by(self, first: list[int], end: int, runs: dict[int, int], depth: int) -> int:
        """Until all of a window has run, which one of these opens, of one thread if of any; by
        itself that has an end."""
        if self.visits.handed[first[0]] is None or depth == _THREADS:
            return end
        return min(end, self._through(first, runs, depth))

    def _by_itself(self, first: int, runs: dict[int, int], limit: int) -> int:
        """The latest end over all openings: what runs may come at it or later."""
        self.budget.curve(len(runs))
        opening = min(limit, self.latest[first])
        left = [
            (min(opening, self.latest[one]), time)
            for one, time in runs.items()
            if not self.visits.not_later[first] >> one & 1
        ]
        left.sort(reverse=True)
        end = total = 0
        for comes, time in left:
            total += time
            end = max(end, comes + total)
        return end

    def _through(self, first: list[int], runs: dict[int, int], depth: int) -> int:
        """The same with the thread that hands over what opens the window."""
        visits, common = self.visits, -1
        for one in first:
            common &= visits.not_later[one]
        sources = sorted({source for one in first if (source := visits.handed[one]) is not None})
        thread, there = self._thread(sources[0]), 0
        for one in sources:
            there |= visits.together[one] & ~visits.after[one]
        self.budget.curve(len(runs))
        apart, joined = 0, dict.fromkeys(sources, 0)
        for one, time in runs.items():
            source = visits.handed[one]
            if common >> one & 1:
                continue
            if source is None or not there >> source & 1 or self._thread(source) != thread:
                apart += time
            else:
                joined[source] = joined.get(source, 0) + time
        more = {one: max(time, self.work[one]) for one, time in joined.items()}
        both = max(min(joined[one], self.work[one]) for one in sources)
        return self._until(tuple(sources), more, depth + 1) + both + apart


def _bits(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
