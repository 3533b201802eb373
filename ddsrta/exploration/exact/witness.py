"""A run as a list of what happens in it, for an independent checker to play.

The trace of the engine has all but when a job begins to send, and when news of AND inputs come.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ddsrta.simulation.attack import Found
from ddsrta_simulator import Choices, Program
from ddsrta_simulator.decisions import Decisions
from ddsrta_simulator.program import (
    ALL,
    ARRIVED,
    COMPLETED,
    DELIVERED,
    PREEMPTED,
    PUBLISHED,
    RECEIVED,
    RUNS,
    SENT,
    TIMED,
    TRACE,
)

LONG = 1 << 40  # after so long a job that sends by itself is left as it is
LAST = 1 << 62  # behind all else of its instant
Event = tuple[int, int, list[str]]  # when, in which place at that time, what
Job = tuple[int, int]


class _Copy(NamedTuple):
    """A copy that a job has sent by itself, when it had executed for so long."""

    executed: int
    publication: int
    begins: bool  # the first of its message
    handed: int  # when it had handed over what it published before


class _Ran:
    """When a job had its core, and what it sent."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []
        self.since = -1
        self.copies: list[_Copy] = []
        self.streams: set[int] = set()  # of the message in progress
        self.handed = 0  # what it had executed when it last gave a message to a flow controller
        self.ended = False

    def executed(self, now: int) -> int:
        """Until now."""
        done = sum(end - begin for begin, end in self.spans)
        return done + (now - self.since if self.since >= 0 else 0)

    def stop(self, now: int) -> None:
        """It loses its core."""
        if self.since >= 0:
            self.spans.append((self.since, now))
        self.since = -1

    def when(self, executed: int) -> int:
        """The first moment at which it had executed for so long."""
        for begin, end in self.spans:
            if executed <= end - begin:
                return begin + executed
            executed -= end - begin
        return self.since + executed


class _Decided(Decisions):
    """What a run decided, asked again."""

    def __init__(self, choices: Choices) -> None:
        self.c = choices
        self.noting = False


class _Reader:
    """Of the rows of one trace."""

    def __init__(self, program: Program, choices: Choices) -> None:
        self.p = program
        self.decided = _Decided(choices)
        self.last: list[tuple[int, int]] = [(0, 0)] * len(program.link_hop)  # how many, until when
        self.threads = len(program.thread_worst)
        self.ran: dict[Job, _Ran] = {}
        self.events: list[Event] = []
        self.news: list[list[int]] = [[] for _ in program.link_hop]  # ends of jobs
        self.link_of = {hop: link for link, hop in enumerate(program.link_hop)}
        starts = program.publication_stream
        self.publication_of = [
            one for one in range(len(starts) - 1) for _ in range(starts[one], starts[one + 1])
        ]

    def read(self, rows: Any) -> None:
        """All of them."""
        columns = (rows[i::TRACE] for i in range(TRACE))
        for place, (now, kind, what, number, other) in enumerate(zip(*columns, strict=True)):
            job = (what, number)
            is_job = kind in (RUNS, PREEMPTED, COMPLETED) and what < self.threads
            if kind == ARRIVED and what < self.threads:
                self.arrived(now, place, what, other)
            elif kind == PUBLISHED:
                self.handed(now, place, what, other)
            elif kind == SENT:
                self.sent(now, place, what, (self.writer(what), other))
            elif kind == RECEIVED and self.p.net_worst[what]:
                self.say(now, place, "receive", *self.p.streams[what])
            elif kind == DELIVERED:
                self.say(now, place, "read", *self.p.streams[what])
            elif kind == RUNS and is_job:
                self.ran.setdefault(job, _Ran()).since = now
            elif is_job:
                self.ran.setdefault(job, _Ran()).stop(now)
                if kind == COMPLETED:
                    self.ended(now, place, job)

    def say(self, now: int, place: int, *what: str) -> None:
        """One more event."""
        self.events.append((now, place, list(what)))

    def writer(self, stream: int) -> int:
        """The thread whose messages they are."""
        return self.p.publication_thread[self.publication_of[stream]]

    def handed(self, now: int, place: int, sample: int, job: int) -> None:
        """A job gives a message to its flow controller: what it sends after that begins later."""
        _, writer, topic = self.p.stages[sample]
        ran = self.ran[self.p.stages.index(("job", writer)), job]
        ran.handed = ran.executed(now)
        self.say(now, place, "hand", writer, topic)

    def sent(self, now: int, place: int, stream: int, job: Job) -> None:
        """A copy leaves its flow controller, or its job."""
        publication = self.publication_of[stream]
        if self.p.publication_stage[publication] < 0:
            ran = self.ran[job]
            last = ran.copies[-1].publication if ran.copies else -1
            begins = last != publication or stream in ran.streams
            ran.streams = {stream} if begins else ran.streams | {stream}
            ran.copies.append(_Copy(ran.executed(now), publication, begins, ran.handed))
        self.say(now, place, "send", *self.p.streams[stream])

    def arrived(self, now: int, place: int, thread: int, hop: int) -> None:
        """A job: by time, or by the last of what it waits for."""
        p = self.p
        if hop < 0:
            self.say(now, place, "release", p.stages[thread][1])
            return
        hops = (
            range(*p.thread_hop[thread : thread + 2])
            if p.thread_activation[thread] == ALL
            else (hop,)
        )
        for one in hops:
            link = self.link_of.get(one, -1)
            if link >= 0 and p.link_worst[link]:
                self.hears(link, self.news[link].pop(0), now, place)

    def hears(self, link: int, ended: int, until: int, place: int) -> None:
        """News come as late as they may."""
        late = ended + self.p.link_worst[link]
        source, _, target = self.p.hops[self.p.link_hop[link]]
        self.say(min(late, until), place if late >= until else -1, "receive", source, "", target)

    def ended(self, now: int, place: int, job: Job) -> None:
        """A job is complete."""
        self.ran[job].ended = True
        self.say(now, place, "end", self.p.stages[job[0]][1])
        for link in range(*self.p.thread_link[job[0] : job[0] + 2]):
            if self.p.thread_activation[self.p.hop_target[self.p.link_hop[link]]] == TIMED:
                self.kept(link, now)
            else:
                self.news[link].append(now)

    def kept(self, link: int, now: int) -> None:
        """News that are kept until somebody looks come when the run decided."""
        p, (told, until) = self.p, self.last[link]
        best, worst = p.link_best[link], p.link_worst[link]
        at = now + self.decided.amount(p.link_decision[link], told, now, best, worst)
        at = at if p.link_loose[link] else max(at, until)
        self.last[link] = told + 1, at
        if worst:
            source, _, target = p.hops[p.link_hop[link]]
            self.say(at, LAST - 1, "receive", source, "", target)

    def is_sending(self, until: int) -> bool:
        """Whether a job may have begun to send a copy by then of which nothing is known yet."""
        return any(
            not ran.ended
            and (ran.spans[0][0] if ran.spans else ran.since) <= until
            and any(
                self.p.publication_stage[one] < 0
                for one in self.p.step_publication[slice(*self.p.thread_step[thread : thread + 2])]
            )
            for (thread, _), ran in self.ran.items()
        )

    def finish(self, until: int) -> list[list[Any]]:
        """All events in their order."""
        for link, ends in enumerate(self.news):
            for ended in ends if self.p.link_worst[link] else ():
                if ended + self.p.link_worst[link] <= until:
                    self.hears(link, ended, until + 1, 0)
        for (thread, _), ran in self.ran.items():
            for publication, executed in self.begun(thread, ran):
                topic = self.p.streams[self.p.publication_stream[publication]][1]
                self.say(ran.when(executed), LAST, "begin", self.p.stages[thread][1], topic)
        self.events.sort(key=lambda event: event[:2])
        return [[now, *what] for now, _, what in self.events if now <= until]

    def begun(self, thread: int, ran: _Ran) -> Iterator[tuple[int, int]]:
        """What a job had executed when it began to send each message: copies take their most, as
        far as the job has executed as much as it must besides, and handed over what goes before."""
        p, before, costs = self.p, 0, []
        for copy in ran.copies:
            most = copy.executed - max(before, copy.handed)
            if copy.begins:
                free = copy.executed - p.publication_earliest[copy.publication]
                most = min(most, free, p.publication_worst[copy.publication])
            costs.append(most)
            before = copy.executed
        missing = 0
        if ran.ended:
            missing = p.thread_best[thread] - (ran.executed(0) - sum(costs))
        for place in range(len(costs) - 1, -1, -1):
            copy = ran.copies[place]
            if copy.begins and missing > 0:
                less = min(missing, costs[place] - p.publication_best[copy.publication])
                costs[place] -= less
                missing -= less
        for copy, cost in zip(ran.copies, costs, strict=True):
            if copy.begins:
                yield copy.publication, copy.executed - cost


def witness(found: Found) -> list[list[Any]]:
    """All that happens until the worst instance is over."""
    until, more = found.horizon, 1
    run = found.replay()
    reader = _Reader(found.program, found.choices)
    reader.read(run.take_trace())
    while more < LONG and reader.is_sending(found.end):
        until, more = until + more, 2 * more
        run.advance(until)
        reader.read(run.take_trace())
    return reader.finish(found.end)
