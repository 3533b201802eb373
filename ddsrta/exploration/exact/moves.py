"""What may happen at an instant, and what each leads to; of what is settled, when time goes on.

Instants are at least 1 ns apart. Whatever happens at one may come in any order; then each core goes
to its most urgent thread (lemma explored-runs).
"""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.exploration.exact.cores import Cores
from ddsrta.exploration.exact.kept import Kept
from ddsrta.exploration.exact.situation import Since, Situation, Work
from ddsrta.exploration.exact.zone import Matrix, assign, elapse, fresh, less, limit, shift
from ddsrta_simulator import Program
from ddsrta_simulator.program import ALL, ASYNC, EACH, TIMED


class Moves(Cores):
    """Of a program; `worst` has for each measure the most that was possible when it was seen, and
    `wanted` which measures are looked for."""

    def __init__(self, program: Program, wanted: set[int]) -> None:
        super().__init__(program)
        self.wanted = wanted
        self.worst = [-1] * len(program.measures)
        self.streams = len(program.stream_hop)
        self.kept = Kept(program, wanted)
        self.keeps = self.kept.origins
        self.asked = {thread for thread, kept in enumerate(self.keeps) if kept[0]}
        self.clocks = self.asked.difference(program.source_thread)
        kinds = {program.measures[one].kind for one in wanted}
        self.is_trigger = "trigger_latency" in kinds
        self.reacts = [measure in wanted for measure in program.end_reaction]
        self.firsts: list[list[int]] = [[] for _ in program.sources]
        for end, first in enumerate(program.end_first):
            if self.reacts[end]:
                self.firsts[list(program.source_thread).index(first)].append(end)

    def see(self, measure: int, since: Since, zone: Matrix) -> None:
        """Something ends now."""
        if measure in self.wanted and since is not None:
            clock, periods = since
            most = zone[clock][0]
            if periods:
                most += periods * self.kept.periods[clock]
            self.worst[measure] = max(self.worst[measure], most)

    def needs_clocks(self) -> bool:
        """Whether anything is timed by more than the clocks of the sources, or is kept besides."""
        samples = range(len(self.p.publication_mode))
        usual = {self.p.measures[one].kind for one in self.wanted} <= {"latency", "ddl"}
        return not usual or bool(self.clocks) or any(self.is_timed(one) for one in samples)

    # Time goes on

    def pass_time(self, s: Situation) -> bool:
        """As long as nothing has to happen; whether it can."""
        p, zone = self.p, s.zone
        elapse(zone)
        for source, clock in enumerate(self.kept.clocks):
            begun = s.begun[source]
            if not clock:
                continue
            most = p.source_period[source] if begun else self.kept.begins[source]
            if not begun and not (most and self.kept.leads[source]):  # its clock stays 0 till then
                assign(zone, clock, 0)
            elif not limit(zone, clock, 0, most):
                return False
        if self.is_trigger:  # what waits for others is not the last
            s.tokens = [tuple((None,) * len(job) for job in jobs) for jobs in s.tokens]
        for server in s.running:
            if server >= 0:
                work = s.current[server]
                assert work is not None
                if not limit(zone, *self.most(work)):
                    return False
        for way, ahead in enumerate(s.ways):
            for work in ahead:
                if not limit(zone, work.done, 0, self.way_takes(way)[1]):
                    return False
        return True

    def way_takes(self, way: int) -> tuple[int, int, int]:
        """The least and the most, and whether what is faster comes first."""
        p = self.p
        if way < self.streams:
            return p.net_best[way], p.net_worst[way], p.net_loose[way]
        link = way - self.streams
        return p.link_best[link], p.link_worst[link], p.link_loose[link]

    # What happens

    def events(self, s: Situation) -> Iterator[Situation]:
        """Each next thing at this instant."""
        p = self.p
        for source, begun in enumerate(s.begun):
            if not begun:
                if self.kept.leads[source]:
                    yield self.begin(s.copy(), source)
                continue
            period, clock = p.source_period[source], self.kept.clocks[source]
            if s.zone[clock][0] >= period:
                new = s.copy()
                if limit(new.zone, 0, clock, -period):
                    yield from self.release(new, source)
        for way, ahead in enumerate(s.ways):
            best, _, is_loose = self.way_takes(way)
            for place in range(len(ahead) if is_loose else min(1, len(ahead))):
                new = s.copy()
                if limit(new.zone, 0, ahead[place].done, -best):
                    new.ways[way] = ahead[:place] + ahead[place + 1 :]
                    self.arrived(new, way, ahead[place])
                    yield new
        for core, server in enumerate(s.running):
            if server >= 0:
                work = s.current[server]
                assert work is not None
                yield from self.step(s, core, server, work)

    def begin(self, s: Situation, source: int) -> Situation:
        """A source begins, and those that share its clock: the first release is now, or as much
        later as the offsets say."""
        p = self.p
        sharing = [source]
        if p.source_leader[source] >= 0:
            leader = p.source_leader[source]
            sharing = [i for i, one in enumerate(p.source_leader) if one == leader]
        for one in filter(self.kept.follows.__getitem__, sharing):
            s.begun[one] = 1
            assign(s.zone, self.kept.clocks[one], p.source_period[one] - p.source_offset[one])
        return s

    def release(self, s: Situation, source: int) -> Iterator[Situation]:
        """By time. A timer that waits leaves it out, unless it is called at this instant."""
        clock = self.kept.clocks[source]
        shift(s.zone, clock, -self.p.source_period[source])
        s.change(lambda ref: (clock, ref[1] + 1) if ref[0] == clock else ref)
        thread = self.p.source_thread[source]
        queue = self.p.stage_queue[thread]
        if thread in self.timers and any(w.stage == thread for w in s.queues[queue]):
            yield s.copy()
        own = (clock, 0) if thread in self.asked else None
        job = (own, *[None] * self.p.thread_origins[thread])
        s.queues[queue] += (Work(thread, job, own),)
        for end in self.firsts[source]:
            s.known[end] = s.known[end] or (clock, 0)
        yield s

    def arrived(self, s: Situation, way: int, work: Work) -> None:
        """At a listener, or at a follower."""
        if way >= self.streams:
            self.inform(s, self.p.link_hop[way - self.streams], work.job)
            return
        s.queues[self.p.stage_queue[work.stage]] += (work._replace(done=0),)

    def travel(self, s: Situation, way: int, work: Work) -> None:
        """Something sets out; unless it is for whom nobody asks."""
        is_news = way >= self.streams
        to = self.p.hop_target[self.p.link_hop[way - self.streams]] if is_news else work.stage
        if not self.kept.has(to):
            return
        if self.way_takes(way)[1] == 0:
            self.arrived(s, way, work)
        else:
            s.ways[way] += (work._replace(done=fresh(s.zone)),)

    def inform(self, s: Situation, hop: int, source: tuple[Since, ...]) -> None:
        """An input of a thread has something new."""
        p, thread = self.p, self.p.hop_target[hop]
        if not self.kept.has(thread):
            return
        if p.thread_activation[thread] == TIMED:
            s.registers[hop] = self.brought(hop, source)
        elif p.thread_activation[thread] == EACH:
            self.arrive(s, thread, [(hop, source)])
        elif p.thread_activation[thread] == ALL:
            s.tokens[hop] += (source,)
            inputs = range(*p.thread_hop[thread : thread + 2])
            if all(s.tokens[each] for each in inputs):
                behind = [(each, s.tokens[each][0]) for each in inputs]
                for each in inputs:
                    s.tokens[each] = s.tokens[each][1:]
                self.arrive(s, thread, behind)

    def brought(self, hop: int, source: tuple[Since, ...]) -> tuple[Since, ...]:
        """Of what a job knows, that which is asked for behind a register."""
        p, keeps = self.p, self.keeps[self.p.hop_target[hop]]
        copies = range(*p.hop_copy[hop : hop + 2])
        asked = {p.copy_from[copy] + 1 for copy in copies if keeps[p.copy_to[copy] + 1]}
        known = tuple([one if i in asked else None for i, one in enumerate(source)])
        return known if any(known) else ()

    def arrive(
        self, s: Situation, thread: int, behind: list[tuple[int, tuple[Since, ...]]]
    ) -> None:
        """A job that messages release."""
        p, keeps = self.p, self.keeps[thread]
        job: list[Since] = [None] * (1 + p.thread_origins[thread])
        if thread in self.clocks:
            job[0] = fresh(s.zone), 0
        for hop, source in behind:
            for copy in range(*p.hop_copy[hop : hop + 2]):
                to = p.copy_to[copy] + 1
                if keeps[to]:
                    job[to] = source[p.copy_from[copy] + 1]
        s.queues[p.hop_queue[behind[-1][0]]] += (Work(thread, tuple(job), job[0]),)

    # Steps of what runs

    def step(self, s: Situation, core: int, server: int, work: Work) -> Iterator[Situation]:
        """The next step of the work that has the core."""
        p = self.p
        if work.left:
            yield from self.sent(s, core, server, work)
        elif work.stage >= self.threads:
            stream = self.stream_of[work.stage]
            new = s.copy()
            if limit(new.zone, 0, work.done, -p.read_best[stream]):
                self.see(p.stream_ddl[stream], work.since, new.zone)
                self.leave_core(new, core, server)
                self.inform(new, p.stream_hop[stream], work.job)
                yield new
        elif work.step < p.thread_step[work.stage + 1] - p.thread_step[work.stage]:
            yield from self.publish(s.copy(), server, work)
        else:
            new = s.copy()
            if limit(new.zone, 0, work.done, -p.thread_best[work.stage]):
                self.completed(new, core, server, work)
                yield new

    def publish(self, s: Situation, server: int, work: Work) -> Iterator[Situation]:
        """A job hands a sample over, or begins to send."""
        p, publication = self.p, self.publication(work)
        least = p.publication_earliest[publication] - self.may_have_sent(work)
        if not limit(s.zone, 0, work.done, -max(0, least)):
            return
        if p.publication_mode[publication] == ASYNC:
            for direct in range(*p.publication_direct[publication : publication + 2]):
                self.inform(s, p.direct_hop[direct], work.job)
            stage = p.publication_stage[publication]
            if stage >= 0 and self.kept.has(stage):
                since = self.handed_over(s, publication)
                sample = Work(stage, work.job, since, left=self.readers(publication))
                s.queues[p.stage_queue[stage]] += (sample,)
            s.current[server] = work._replace(step=work.step + 1)
        else:
            left = self.readers(publication)
            s.current[server] = work._replace(left=left, sending=fresh(s.zone))
        yield s

    def handed_over(self, s: Situation, publication: int) -> Since:
        """Now, if it is asked for how long its delivery takes."""
        return (fresh(s.zone), 0) if self.is_timed(publication) else None

    def is_timed(self, publication: int) -> bool:
        """Whether it is asked for how long after its hand-over a message is delivered."""
        streams = self.readers(publication)
        is_async = self.p.publication_mode[publication] == ASYNC
        return is_async and any(self.p.stream_ddl[stream] in self.wanted for stream in streams)

    def readers(self, publication: int) -> tuple[int, ...]:
        """The streams of a message's copies."""
        return tuple(range(*self.p.publication_stream[publication : publication + 2]))

    def may_have_sent(self, work: Work) -> int:
        """The most that it has sent by itself."""
        p, first = self.p, self.p.thread_step[work.stage]
        return sum(
            p.publication_worst[one] * len(self.readers(one))
            for one in p.step_publication[first : first + work.step]
            if p.publication_mode[one] != ASYNC
        )

    def sent(self, s: Situation, core: int, server: int, work: Work) -> Iterator[Situation]:
        """A copy leaves, for the next reader, or for any where their order is open."""
        p, publication = self.p, self.publication(work)
        is_open = p.publication_readers[publication] >= 0
        for stream in work.left if is_open else work.left[:1]:
            new = s.copy()
            if not limit(new.zone, 0, work.sending, -p.publication_best[publication]):
                return
            left = tuple(one for one in work.left if one != stream)
            is_job = work.stage < self.threads
            now = work
            if is_job:
                now = now._replace(done=less(new.zone, work.done, work.sending))
            message = Work(p.stream_stage[stream], work.job, work.since)
            if left:
                new.current[server] = now._replace(left=left, sending=fresh(new.zone))
            elif is_job:
                new.current[server] = now._replace(left=(), sending=0, step=work.step + 1)
            else:
                self.leave_core(new, core, server)
            self.travel(new, stream, message)
            yield new

    def completed(self, s: Situation, core: int, server: int, work: Work) -> None:
        """A job: paths end with it, and its followers hear of it."""
        p = self.p
        for end in range(*p.thread_end[work.stage : work.stage + 2]):
            since = work.job[p.end_origin[end] + 1]
            for measure in (p.end_latency[end], p.end_trigger[end], p.end_data_age[end]):
                self.see(measure, since, s.zone)
            known = s.known[end]
            if since is not None and known is not None and since[1] < known[1]:
                self.see(p.end_reaction[end], known, s.zone)  # it was missed by the one before
                s.known[end] = since
        self.see(p.stage_response[work.stage], work.job[0], s.zone)
        self.leave_core(s, core, server)
        for link in range(*p.thread_link[work.stage : work.stage + 2]):
            self.travel(s, self.streams + link, Work(-1, work.job))

    def leave_core(self, s: Situation, core: int, server: int) -> None:
        """A unit of work is done."""
        s.current[server] = None
        s.running[core] = -1
