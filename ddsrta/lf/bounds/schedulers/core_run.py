"""One run of the threads of a core: every job released when it is due, every time the longest.

It is the worst of all runs under the conditions of lemma one-run, which the outcome reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush, heapreplace
from typing import Literal, NamedTuple

Policy = Literal["fifo", "deadline-monotonic", "edf"]


class Job(NamedTuple):
    """The tags of one time: work, and how much of it is done before each reaction may start."""

    release: int
    work: int
    before: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Thread:
    """An environment with one worker: `deadline` of its jobs, from their release, orders them."""

    name: str
    jobs: Sequence[Job]
    deadline: int


class Slice(NamedTuple):
    """The processor was a thread's from `begin` to `end`, for its job of `release`."""

    thread: int
    release: int
    begin: int
    end: int


class Started(NamedTuple):
    """A reaction started `lag` after its tag's time."""

    lag: int
    release: int


@dataclass
class Outcome:
    """`starts`: the largest lag of each (thread, reaction); `late`: threads one of whose jobs was
    not done before its next one; `order`: threads in the order of their last jobs, at each mark."""

    starts: dict[tuple[int, str], Started] = field(default_factory=dict)
    slices: list[Slice] = field(default_factory=list)
    late: set[int] = field(default_factory=set)
    order: list[tuple[int, ...]] = field(default_factory=list)


class _Run:
    """Time goes from event to event: a release, or the end of a job."""

    def __init__(
        self, threads: Sequence[Thread], policy: Policy, last: int | None, marks: Sequence[int]
    ) -> None:
        self.threads, self.policy, self.last = threads, policy, last
        self.marks = list(marks)
        self.at = [0] * len(threads)  # the next or current job
        self.done = [0] * len(threads)
        self.awake: list[tuple[tuple[int, ...], int]] = []  # a heap, by rank
        self.asleep: list[tuple[int, int, int]] = []  # a heap: next release, since when, thread
        self.slept = list(range(len(threads)))  # in which order they went to sleep
        self.count = len(threads)
        self.found = Outcome()
        for index, thread in enumerate(threads):
            if thread.jobs:
                heappush(self.asleep, (thread.jobs[0].release, index, index))

    def run(self) -> Outcome:
        now = 0
        while True:
            self._mark(now)
            self._wake(now)
            if self.awake:
                now = self._serve(now)
            elif self.asleep:
                now = self.asleep[0][0]
            else:
                self._mark(None)
                return self.found

    def _mark(self, now: int | None) -> None:
        while self.marks and (now is None or self.marks[0] <= now):
            self.marks.pop(0)
            ready = dict(sorted((index, rank) for rank, index in self.awake))
            order = [i for i in range(len(self.threads)) if i not in ready]
            order.sort(key=self.slept.__getitem__)
            order += sorted(ready, key=ready.__getitem__)
            self.found.order.append(tuple(order))

    def _wake(self, now: int) -> None:
        while self.asleep and self.asleep[0][0] <= now:
            release, _, index = heappop(self.asleep)
            self.count += 1
            heappush(self.awake, (self._rank(index, release), index))

    def _rank(self, index: int, release: int) -> tuple[int, ...]:
        """The smaller goes first. Where deadlines are equal, `last` goes last."""
        deadline = self.threads[index].deadline
        if self.policy == "fifo":
            return (self.count,)
        if self.policy == "deadline-monotonic":
            return (deadline, self.count)
        return (release + deadline, index == self.last, self.count)

    def _serve(self, now: int) -> int:
        _, index = self.awake[0]
        job = self.threads[index].jobs[self.at[index]]
        left = job.work - self.done[index]
        until = now + left
        if self.asleep:
            until = min(until, self.asleep[0][0])  # later than now: who was due is awake
        spent = until - now
        for name, before in job.before:
            if self.done[index] <= before and (
                before < self.done[index] + spent or (not left and before == job.work)
            ):
                self._start(index, name, now + before - self.done[index], job.release)
        if spent:
            self.found.slices.append(Slice(index, job.release, now, until))
            self.done[index] += spent
        elif not left:
            self._finish(index, now)
        return until

    def _start(self, index: int, name: str, when: int, release: int) -> None:
        known = self.found.starts.get((index, name))
        if known is None or when - release > known.lag:
            self.found.starts[index, name] = Started(when - release, release)

    def _finish(self, index: int, now: int) -> None:
        self.at[index] += 1
        self.done[index] = 0
        self.count += 1
        self.slept[index] = self.count
        jobs = self.threads[index].jobs
        if self.at[index] == len(jobs):
            heappop(self.awake)
            return
        release = jobs[self.at[index]].release
        if release > now:
            heappop(self.awake)
            heappush(self.asleep, (release, self.count, index))
            return
        self.found.late.add(index)  # it goes on without having slept
        if self.policy == "edf":
            heapreplace(self.awake, (self._rank(index, release), index))


def run_core(
    threads: Sequence[Thread],
    policy: Policy,
    last: int | None = None,
    marks: Sequence[int] = (),
) -> Outcome:
    """Run until all jobs are done.

    >>> jobs = [Job(0, 3, (("r", 2),))]
    >>> run_core([Thread("a", jobs, 9), Thread("b", jobs, 5)], "fifo").starts[1, "r"]
    Started(lag=5, release=0)
    """
    return _Run(threads, policy, last, marks).run()
