"""Whom each core serves, once all of an instant has happened."""

from __future__ import annotations

from ddsrta.exploration.exact.situation import Situation, Work
from ddsrta.exploration.exact.zone import Matrix, fresh, less, limit
from ddsrta_simulator import Program
from ddsrta_simulator.orders import ANY, ARRIVAL, ROUNDS, TURNS, URGENCY
from ddsrta_simulator.program import TIMED


class Cores:
    """Threads by their cores, the most urgent first."""

    def __init__(self, program: Program) -> None:
        self.p = program
        cores = range(len(program.cores))
        of = [program.supply_core[supply] for supply in program.server_supply]
        urgency = program.server_priority
        self.on_core = [
            sorted((v for v, core in enumerate(of) if core == c), key=lambda v: -urgency[v])
            for c in cores
        ]
        self.is_executor = [ROUNDS <= order <= ANY for order in program.server_order]
        self.threads = len(program.thread_worst)
        self.publication_of = {
            stage: publication
            for publication, stage in enumerate(program.publication_stage)
            if stage >= 0
        }
        self.stream_of = {stage: stream for stream, stage in enumerate(program.stream_stage)}
        callers = program.thread_caller
        self.timers = {thread for thread, caller in enumerate(callers) if caller >= 0}

    def settle(self, s: Situation) -> list[Situation]:
        """Each core goes to the most urgent thread that has work, which takes any that it may.
        First all that loses its core says what it has not done: what gets one back is known by
        less."""
        tops = [self.most_urgent(s, core) for core in range(len(self.p.cores))]
        if not all(self.loses(s, core, top) for core, top in enumerate(tops)):
            return []
        found = [s]
        for core, top in enumerate(tops):
            found = [new for one in found for new in self.gets(one, core, top)]
        return [one for one in found if self.is_called(one)]

    def is_called(self, s: Situation) -> bool:
        """Whether of no timer two wait: what is due as the one before is called is none then."""
        return all(
            sum(work.stage == timer for work in s.queues[self.p.stage_queue[timer]]) < 2
            for timer in self.timers
        )

    def most_urgent(self, s: Situation, core: int) -> int:
        """The thread with work that a core goes to; none: -1."""
        ready = (
            server for server in self.on_core[core] if s.current[server] or self.waits(s, server)
        )
        return next(ready, -1)

    def loses(self, s: Situation, core: int, top: int) -> bool:
        """Who has a core loses it to another; whether it can."""
        before = s.running[core]
        if before in (-1, top):
            return True
        work = s.current[before]
        assert work is not None
        clock, zero, most = self.most(work)
        if not limit(s.zone, clock, zero, most - 1):  # what took its most has taken its step
            return False
        s.current[before] = work._replace(away=fresh(s.zone))
        return True

    def gets(self, s: Situation, core: int, top: int) -> list[Situation]:
        """A thread has a core, from now on or as before."""
        s.running[core] = top
        if top < 0:
            return [s]
        work = s.current[top]
        if work is None:
            return self.start(s, top)
        if work.away:
            s.current[top] = self.resume(s.zone, work)
        return [s]

    def most(self, work: Work) -> tuple[int, int, int]:
        """Which clock is at most what until its next step."""
        if work.left:
            return work.sending, 0, self.p.publication_worst[self.publication(work)]
        if work.stage < self.threads:
            return work.done, 0, self.p.thread_worst[work.stage]
        return work.done, 0, self.p.read_worst[self.stream_of[work.stage]]

    def publication(self, work: Work) -> int:
        """Which it is sending, or comes to next."""
        if work.stage < self.threads:
            return self.p.step_publication[self.p.thread_step[work.stage] + work.step]
        return self.publication_of[work.stage]

    def resume(self, zone: Matrix, work: Work) -> Work:
        """What it has done does not count the time that others had."""
        done = less(zone, work.done, work.away) if work.done else 0
        sending = 0
        if work.sending:
            sending = less(zone, work.sending, work.away)
            if done:  # both have missed the same
                limit(zone, done, sending, zone[work.done][work.sending])
                limit(zone, sending, done, zone[work.sending][work.done])
        return work._replace(done=done, sending=sending, away=0)

    def waits(self, s: Situation, server: int) -> bool:
        """Whether anything does for it."""
        return any(s.queues[slice(*self.p.server_queue[server : server + 2])])

    def start(self, s: Situation, server: int) -> list[Situation]:
        """It takes the next unit; of an order that is not modelled any queue's first one."""
        p = self.p
        first, last = p.server_queue[server : server + 2]
        waiting = [queue for queue in range(first, last) if s.queues[queue]]
        order = p.server_order[server]
        if order in (ARRIVAL, URGENCY):
            waiting = waiting[:1]
        elif order == TURNS:
            waiting = [min(waiting, key=lambda queue: (queue < s.turn[server], queue))]
        elif waiting[0] == first and self.is_executor[server]:
            waiting = waiting[:1]
        elif order == ANY:
            turn = min(p.queue_turn[queue] for queue in waiting)
            waiting = [queue for queue in waiting if p.queue_turn[queue] == turn]
        found = []
        for queue in waiting:
            new = s.copy() if len(waiting) > 1 else s
            work, *rest = new.queues[queue]
            new.queues[queue] = tuple(rest)
            if order == TURNS:
                self.take_turn(new, server, queue)
            self.begins(new, server, work)
            found.append(new)
        return found

    def begins(self, s: Situation, server: int, work: Work) -> None:
        """A unit begins; a job that time releases reads the last that came of everything."""
        p, thread = self.p, work.stage
        if thread < len(p.thread_worst) and p.thread_activation[thread] == TIMED:
            job = list(work.job)
            for hop in range(*p.thread_hop[thread : thread + 2]):
                if register := s.registers[hop]:
                    for copy in range(*p.hop_copy[hop : hop + 2]):
                        job[p.copy_to[copy] + 1] = register[p.copy_from[copy] + 1]
            work = work._replace(job=tuple(job))
        clock = fresh(s.zone)
        s.current[server] = work._replace(sending=clock) if work.left else work._replace(done=clock)

    def take_turn(self, s: Situation, server: int, queue: int) -> None:
        """One more unit of the turn of a queue."""
        first, last = self.p.server_queue[server : server + 2]
        had = s.had[server] + 1 if s.turn[server] == queue else 1
        s.turn[server] = queue
        if had >= self.p.queue_weight[queue]:
            had = 0
            s.turn[server] = queue + 1 if queue + 1 < last else first
        s.had[server] = had
