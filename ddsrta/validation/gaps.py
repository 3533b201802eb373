"""Looks into the time of late latencies in a trace of the harness: who used the CPUs, who waited.

A CPU has work of the system from the release of a job to its completion, from the return of an
asynchronous write until the sample has left, from then until its listener has finished with it, and
from there until a job that the message sets off has taken it. Where a CPU has work and no thread of
the system uses it, something else happens: what, only records of others than the system can say.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable
from typing import NamedTuple

from ddsrta.validation.allowed import Allowed
from ddsrta.validation.harness_file import HarnessEvent, HarnessFile, Head
from ddsrta.validation.late import Found, Late
from ddsrta.validation.outside import longest_of
from ddsrta.validation.usage import Usage

_MOST_EVENTS = 3_000_000
_FAR_BACK = 100_000_000  # ns: what happened longer ago does not count
_FAR_AHEAD = 1_000_000_000  # ns: who has not been seen again by then
_AT_WORK = {"start", "take", "follow", "publish", "enqueue", "receive", "callback", "send", "part"}


def look_into(
    path: str, lates: Collection[Late], woken: Collection[str], allowed: Allowed
) -> dict[Late, Found | None]:
    """What the trace shows of each. `woken`: the threads that any of their messages sets off."""
    windows = _merged((_since(late), late.end) for late in lates)
    file = HarnessFile(path)
    views: list[_View] = []
    kept = 0
    for event in file.events():
        if not views:
            if not file.head.places or event.waits < 0:
                return dict.fromkeys(lates)
            views = [_View(begin, end, file.head, woken, allowed) for begin, end in windows]
            ahead, opened = 0, []
            before: dict[int, HarnessEvent] = {}
        while ahead < len(views) and views[ahead].begin <= event.time:
            views[ahead].know(before)
            opened.append(views[ahead])
            ahead += 1
        for view in opened:
            kept += view.see(event)
        opened = [view for view in opened if not view.finished]
        before[event.who] = event
        if kept > _MOST_EVENTS:
            return dict.fromkeys(lates)
    begins = [view.begin for view in views]
    return {late: views[bisect_right(begins, _since(late)) - 1].found(late) for late in lates}


def _since(late: Late) -> int:
    return max(late.busy, late.begin - _FAR_BACK)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    windows: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if windows and begin <= windows[-1][1]:
            windows[-1] = windows[-1][0], max(end, windows[-1][1])
        else:
            windows.append((begin, end))
    return windows


class _Span(NamedTuple):
    cpu: int
    begin: int
    end: int


class _View:
    """What happens from `begin` to `end`: which CPU has work when, and who uses it."""

    def __init__(
        self, begin: int, end: int, head: Head, woken: Collection[str], allowed: Allowed
    ) -> None:
        self.allowed = allowed
        self.ended: dict[int, int] = {}  # processor time when each thread last ended something
        self.over: list[tuple[int, int, int]] = []  # time, by how much, thread
        self.begin, self.end, self.head = begin, end, head
        self.woken = {
            n for n, (kind, name) in head.who.items() if kind == "thread" and name in woken
        }
        self.known: dict[int, HarnessEvent] = {}  # the last event of each thread
        self.usage: dict[int, Usage] = {}
        self.open: dict[tuple[object, ...], tuple[int, int]] = {}  # CPU and begin
        self.work: list[_Span] = []
        self.blocked: list[tuple[int, int, int]] = []  # begin, end, for how long
        self.batches: list[tuple[int, int]] = []  # time, samples
        self.sending: dict[int, int] = {}
        self.waiting_for: set[int] | None = None

    @property
    def finished(self) -> bool:
        """Whether every thread was seen once after the end."""
        return self.waiting_for is not None and not self.waiting_for

    def know(self, before: dict[int, HarnessEvent]) -> None:
        """The last event of each thread before the begin."""
        self.known.update(before)
        ends = ("complete", "sent", "delivered")
        self.ended = {who: event.cpu for who, event in before.items() if event.kind in ends}

    def see(self, event: HarnessEvent) -> bool:
        """One more event; whether it counts."""
        if event.time > self.end:
            if self.waiting_for is None:
                self.waiting_for = set(self.usage)
            if event.time > self.end + _FAR_AHEAD:
                self.waiting_for = set()
            if event.who in self.waiting_for and event.kind != "release":
                self.usage[event.who].add(event.time, event.cpu)
                self.waiting_for.discard(event.who)
                return True
            return False
        if event.kind != "release":  # which has the planned time and the processor time of later
            self._use(event)
            self._account(event)
        self._work(event)
        return True

    def _use(self, event: HarnessEvent) -> None:
        before = self.known.get(event.who)
        usage = self.usage.get(event.who)
        if usage is None:
            usage = self.usage[event.who] = Usage()
            if before is not None:
                usage.add(before.time, before.cpu)
        usage.add(event.time, event.cpu)
        if before is not None and before.kind in _AT_WORK and event.waits > before.waits:
            idle = event.time - before.time - (event.cpu - before.cpu)
            if idle > 0:
                self.blocked.append((before.time, event.time, idle))
        self.known[event.who] = event

    def _account(self, event: HarnessEvent) -> None:
        allowed = self.allowed.of(event, self.head)
        if allowed is None:
            return
        before = self.ended.get(event.who)
        self.ended[event.who] = event.cpu
        if before is not None and event.cpu - before > allowed:
            self.over.append((event.time, event.cpu - before - allowed, event.who))

    def _work(self, event: HarnessEvent) -> None:
        kind, sample = event.kind, (event.writer, event.number)
        if kind in ("release", "start"):
            self._begin(("job", event.who, event.job), event.who, event.time)
        elif kind == "complete":
            self._finish(("job", event.who, event.job), event.time)
        elif kind == "enqueue":
            if ("left", *sample) not in self.open:
                self._begin(("queued", *sample), self.head.sends.get(event.writer), event.time)
        elif kind == "send":
            self.sending[event.who] = self.sending.get(event.who, 0) + 1
            self.batches.append((event.time, self.sending[event.who]))
        elif kind == "sent":
            self.sending[event.who] = max(0, self.sending.get(event.who, 0) - 1)
            self._finish(("queued", *sample), event.time)
            self.open["left", *sample] = 0, 0
            for reader, (_, topic) in self.head.readers.items():
                if topic == event.topic and ("done", *sample, reader) not in self.open:
                    way = ("way", *sample, reader)
                    self._begin(way, self.head.listens.get(reader), event.time)
        elif kind == "receive":
            self._begin(("way", *sample, event.reader), event.who, event.time)
        elif kind == "delivered":
            self._finish(("way", *sample, event.reader), event.time)
            self.open["done", *sample, event.reader] = 0, 0
            subscriber = self.head.readers.get(event.reader, (-1, -1))[0]
            if subscriber in self.woken:
                self._begin(("wake", *sample, subscriber), subscriber, event.time)
        elif kind == "take":
            self._finish(("wake", *sample, event.who), event.time)

    def _begin(self, key: tuple[object, ...], who: int | None, time: int) -> None:
        place = self.head.places.get(-1 if who is None else who)
        if place is not None and key not in self.open:
            self.open[key] = place[0], time

    def _finish(self, key: tuple[object, ...], time: int) -> None:
        if key in self.open:
            cpu, begin = self.open.pop(key)
            self.work.append(_Span(cpu, begin, time))

    def found(self, late: Late) -> Found:
        """What there was in the time of a latency, which lies within."""
        begin, end = _since(late), late.end
        left = [_Span(c, b, end) for k, (c, b) in self.open.items() if k[0] not in ("left", "done")]
        gaps: dict[int, int] = {}
        unused = 0
        for cpu, since, until in _united([*self.work, *left], begin, end):
            users = [u for who, u in self.usage.items() if self._cpu_of(who) == cpu]
            used = sum(user.between(since, until) for user in users)
            gaps[cpu] = gaps.get(cpu, 0) + max(0, until - since - used)
            least = sum(user.least_between(since, until) for user in users)
            unused += max(0, until - since - least)
        blocked = sum(t for b, e, t in self.blocked if begin <= b and e <= end)
        # Who waits for a lock leaves the CPU, too: that is not the machine's doing.
        gap, unused = max(0, sum(gaps.values()) - blocked), max(0, unused - blocked)
        most = max(gaps, key=lambda cpu: gaps[cpu], default=-1)
        outside, stranger = self._outside(late, left)
        batch = max((count for time, count in self.batches if begin <= time <= end), default=0)
        over: dict[int, int] = {}
        for time, excess, who in self.over:
            if begin <= time <= end:
                over[who] = over.get(who, 0) + excess
        name = self.head.who[max(over, key=lambda who: over[who])][1] if over else ""
        return Found(gap, most, blocked, batch, sum(over.values()), name, outside, stranger, unused)

    def _outside(self, late: Late, left: list[_Span]) -> tuple[int, str]:
        """For how long others ran on CPUs of the path that had work, within the very time; not
        while a thread at work waited for something else, and each instant once."""
        if not late.cpus:
            return 0, ""
        work = [span for span in (*self.work, *left) if span.cpu in late.cpus]
        found = [
            (max(since, one.begin), min(until, one.end), one.what)
            for cpu, since, until in _united(work, late.begin, late.end)
            for one in self.head.outside.within(cpu, since, until)
        ]
        waits = [(begin, end) for begin, end, _ in self.blocked]
        return longest_of(found, waits)

    def _cpu_of(self, who: int) -> int:
        return self.head.places.get(who, (-1, 0))[0]


def _united(spans: Iterable[_Span], begin: int, end: int) -> Iterable[_Span]:
    """The times at which a CPU has work, each once, as far as they lie within."""
    last: _Span | None = None
    for cpu, since, until in sorted(spans):
        span = _Span(cpu, max(since, begin), min(until, end))
        if span.end <= span.begin:
            continue
        if last is not None and last.cpu == cpu and span.begin <= last.end:
            last = last._replace(end=max(last.end, span.end))
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last
