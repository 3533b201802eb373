"""Where a run is: what is pending and since when, and all values that its clocks may have
(definition situation-zone); and what is kept of the past for ages and reactions (lemma
explored-ages).

A reference (clock, n) is to an instant that was `clock` ago, and n periods of it where it is that
of a source. Clocks are numbered as they are in the zone: 0 is zero, then one for each source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ddsrta.exploration.exact.zone import Matrix, copy
from ddsrta_simulator import Program

Reference = tuple[int, int]
Since = Reference | None  # none: nobody asks


class Work(NamedTuple):
    """A unit of work, or a message on its way.

    `step` counts messages of a job; `left` are the copies still to be sent of a message that is
    being sent, by their readers. Clocks, 0 for none: `done` is what it has executed without what it
    sends by itself, `sending` how long it has sent the copy, `away` since when others have the
    core.
    """

    stage: int
    job: tuple[Since, ...]  # when the job behind it arrived, and its origins
    since: Since = None
    step: int = 0
    left: tuple[int, ...] = ()
    done: int = 0
    sending: int = 0
    away: int = 0


Key = tuple[object, ...]


class Situation:
    """Lists are by number of the thing: source, server (thread), queue, hop, way, core."""

    __slots__ = (
        "begun", "current", "fixed", "had", "known", "queues", "registers", "running", "tokens",
        "turn", "ways", "zone",
    )  # fmt: skip

    begun: list[int]
    current: list[Work | None]
    queues: list[tuple[Work, ...]]
    turn: list[int]
    had: list[int]
    tokens: list[tuple[tuple[Since, ...], ...]]
    ways: list[tuple[Work, ...]]
    running: list[int]
    registers: list[tuple[Since, ...]]  # by hop: of the last that came, what is asked for
    known: list[Since]  # by end of a path: of what is known there already
    fixed: int  # how many clocks sources have
    zone: Matrix

    def copy(self) -> Situation:
        """To be changed by itself."""
        new = Situation()
        new.begun, new.current, new.queues = self.begun[:], self.current[:], self.queues[:]
        new.turn, new.had, new.tokens = self.turn[:], self.had[:], self.tokens[:]
        new.fixed = self.fixed
        new.registers, new.known = self.registers[:], self.known[:]
        new.ways, new.running, new.zone = self.ways[:], self.running[:], copy(self.zone)
        return new

    def change(self, clock: Callable[[Reference], Reference]) -> None:
        """Every reference becomes another; one to a clock of work has 0 periods."""

        def since(one: Since) -> Since:
            return None if one is None else clock(one)

        def work(w: Work) -> Work:
            stage, job, since, step, left, *clocks = w
            done, sending, away = [one and clock((one, 0))[0] for one in clocks]
            origins = tuple([one and clock(one) for one in job])
            return Work(stage, origins, since and clock(since), step, left, done, sending, away)

        self.current = [None if w is None else work(w) for w in self.current]
        self.queues = [tuple(map(work, queue)) if queue else queue for queue in self.queues]
        self.ways = [tuple(map(work, way)) if way else way for way in self.ways]
        self.registers = [tuple(map(since, job)) if job else job for job in self.registers]
        self.known = [since(one) for one in self.known]
        self.tokens = [
            tuple(tuple(map(since, job)) for job in jobs) if jobs else jobs for jobs in self.tokens
        ]

    def clocks(self) -> list[int]:
        """All that anything refers to, after those of sources."""
        found = list(range(self.fixed + 1))
        works = [w for w in self.current if w is not None]
        for queue in (*self.queues, *self.ways):
            works += queue
        for _, job, since, _, _, done, sending, away in works:
            if done or sending or away:
                found += (done, sending, away)  # of which 0 is known
            for origin in job:
                if origin is not None:
                    found.append(origin[0])
            if since is not None:
                found.append(since[0])
        jobs = [*self.registers, tuple(self.known)]
        for waiting in self.tokens:
            jobs += waiting
        return found + [one[0] for job in jobs for one in job if one is not None]

    def settle_clocks(self) -> tuple[Key, list[int]]:
        """Number the clocks anew in the order in which they are found; what else makes up this
        situation, and the clocks that are left, by their numbers so far."""
        order = [*dict.fromkeys(self.clocks())]
        if order != [*range(len(order))]:  # often each has its number already
            number = {old: new for new, old in enumerate(order)}
            self.change(lambda reference: (number[reference[0]], reference[1]))
        lists = (
            self.begun, self.current, self.queues, self.turn, self.had, self.tokens, self.ways,
            self.running, self.registers, self.known,
        )  # fmt: skip
        return tuple([tuple(one) for one in lists]), order


def beginning(program: Program, fixed: int) -> Situation:
    """Nothing has happened, and no source has begun; so many of them have a clock."""
    new = Situation()
    servers = len(program.server_supply)
    new.begun = [0] * len(program.sources)
    new.current = [None] * servers
    new.queues = [()] * program.server_queue[servers]
    new.turn, new.had = [-1] * servers, [0] * servers
    new.tokens = [()] * len(program.hop_target)
    new.ways = [()] * (len(program.stream_hop) + len(program.link_hop))
    new.running = [-1] * len(program.cores)
    new.registers = [()] * len(program.hop_target)
    new.known = [None] * len(program.end_first)
    new.fixed = fixed
    new.zone = [[0] * (fixed + 1) for _ in range(fixed + 1)]
    return new
