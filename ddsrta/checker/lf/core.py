"""One run of the threads of a core: each job comes, and takes its longest (lemmas one-run and
deadline-threads)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.calendar import Job, Span
from ddsrta.checker.lf.starts import Shown, Taken

Key = tuple[str, str]  # environment, reaction


class Thread(NamedTuple):
    """`rank`: of two that are ready, the smaller goes first. `dated`: by the release of its job,
    so long after it; else by the rank alone, and by who is ready first."""

    name: str
    jobs: Sequence[Job]
    rank: int
    dated: bool = False
    last: bool = False


class Run:
    """What can be seen of it."""

    def __init__(self, threads: Sequence[Thread], seen: Span, budget: Budget) -> None:
        self.threads, self.seen, self.budget = threads, seen, budget
        self.starts: dict[Key, int] = {}
        self._tags: dict[Key, list[int]] = {}  # at which they are so late
        self.late: set[str] = set()
        self.busy: list[tuple[int, int]] = []
        self._who: list[int] = []
        self.orders: list[tuple[str, ...]] = []
        self._at = [0] * len(threads)
        self._done = [0] * len(threads)
        self._turn = 0
        self._slept = list(range(-len(threads), 0))
        self._ready: list[tuple[tuple[int, ...], int]] = []
        self._run()

    def _run(self) -> None:
        releases = sorted(
            {job.release for thread in self.threads for job in thread.jobs}
            | {self.seen.first + self.seen.period, self.seen.end}
        )
        for now, until in zip(releases, [*releases[1:], None], strict=True):
            if now in (self.seen.first + self.seen.period, self.seen.end):
                self.orders.append(self._order())
            self._wake(now)
            self._work(now, until)

    def _order(self) -> tuple[str, ...]:
        """In which order threads would come, if all woke now; those that are ready come last."""
        ready = {index: rank for rank, index in self._ready}
        asleep = [index for index in range(len(self.threads)) if index not in ready]
        asleep.sort(key=self._slept.__getitem__)
        return tuple(self.threads[i].name for i in (*asleep, *sorted(ready, key=ready.__getitem__)))

    def _wake(self, now: int) -> None:
        awake = {index for _, index in self._ready}
        due = [
            index
            for index, thread in enumerate(self.threads)
            if index not in awake
            and self._at[index] < len(thread.jobs)
            and thread.jobs[self._at[index]].release <= now
        ]
        self.budget.curve(1 + len(self.threads))
        for index in sorted(due, key=self._slept.__getitem__):
            self._enter(index)

    def _enter(self, index: int) -> None:
        self._turn += 1
        thread = self.threads[index]
        release = thread.jobs[self._at[index]].release
        rank = (release + thread.rank, int(thread.last)) if thread.dated else (thread.rank, 0)
        heappush(self._ready, ((*rank, self._turn), index))

    def _work(self, now: int, until: int | None) -> None:
        while self._ready and (until is None or now < until):
            self.budget.curve()
            index = self._ready[0][1]
            job = self.threads[index].jobs[self._at[index]]
            done = self._done[index]
            left = job.work - done
            spent = left if until is None else min(left, until - now)
            for name, before in job.starts.items():
                if done <= before < done + spent or (not left and before == job.work):
                    lag = now + before - done - job.release
                    key = (self.threads[index].name, name)
                    if lag > self.starts.get(key, -1):
                        self.starts[key], self._tags[key] = lag, []
                    if lag == self.starts[key]:
                        self._tags[key].append(job.release)
            if left:
                self.busy.append((now, now + spent))
                self._who.append(index)
                self._done[index] += spent
                now += spent
            else:
                self._finish(index, now)

    def _finish(self, index: int, now: int) -> None:
        thread = self.threads[index]
        self._at[index] += 1
        self._done[index] = 0
        self._turn += 1
        self._slept[index] = self._turn
        more = self._at[index] < len(thread.jobs)
        if more and thread.jobs[self._at[index]].release <= now:
            self.late.add(thread.name)  # goes on, and keeps its place
            if thread.dated:
                heappop(self._ready)
                self._enter(index)
            return
        heappop(self._ready)

    def executed(self, window: int) -> int:
        """What the core works at most in so much time."""
        first, period = self.seen
        ends = [0]
        for begin, end in self.busy:
            ends.append(ends[-1] + end - begin)
        begins = [begin for begin, _ in self.busy]

        def until(time: int) -> int:
            """All that is done before a time."""
            index = bisect_left(begins, time)
            if not index:
                return 0
            begin, end = self.busy[index - 1]
            return ends[index - 1] + min(end, time) - begin

        whole, rest = divmod(window, period)
        again = until(first + 2 * period) - until(first + period)
        most = max((until(at + rest) - until(at) for at in begins), default=0)
        # What comes but once may still be worked off in the first period.
        once = max(until(first), until(first + period) - again)
        return whole * again + once + most

    def taken(self, key: Key, tag: int | None) -> list[dict[str, int]]:
        """Who has the core from a tag's time until the latest start of a reaction."""
        if key not in self.starts:
            return [{}] if tag is None else []
        # A tag that recurs may be named by its time in an earlier period.
        period = self.seen.period
        tags = (at for at in self._tags[key] if tag is not None and at >= tag)
        tag = next((at for at in tags if not (at - (tag or 0)) % period), None)
        if tag is None:
            return []
        end = tag + self.starts[key]
        found: dict[str, int] = {}
        for number in range(
            bisect_right(self.busy, tag, key=lambda piece: piece[1]), len(self.busy)
        ):
            begin, until = self.busy[number]
            if begin >= end:
                break
            name = self.threads[self._who[number]].name
            found[name] = found.get(name, 0) + min(until, end) - max(begin, tag)
        return [found]


def least_of(runs: Sequence[Mapping[Key, int]], key: Key) -> int:
    """How late a reaction starts in the latest of some runs."""
    return max((run.get(key, 0) for run in runs), default=0)


def shown_by(runs: Sequence[Run], key: Key, worst: int | None) -> Shown:
    """What is seen in those runs in which a reaction starts the latest."""

    def shown(tag: int | None) -> Sequence[Taken]:
        late = [run for run in runs if run.starts.get(key, 0) == worst]
        return [taken for run in late for taken in run.taken(key, tag)]

    return shown
