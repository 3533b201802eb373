"""What may happen at an instant, and what each leads to; of what is settled, when time goes on.

Instants are at least 1 ns apart. Whatever happens at one may come in any order; then each core goes
to its most urgent thread (lemma explored-runs).
"""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.exploration.exact.cores import Cores
from ddsrta.exploration.exact.situation import Since, Situation, Work
from ddsrta.exploration.exact.zone import Matrix, elapse, fresh, less, limit, shift
from ddsrta_simulator import Program
from ddsrta_simulator.program import ALL, ASYNC, EACH


class Moves(Cores):
    """Of a program; `worst` has for each measure the most that was possible when it was seen, and
    `wanted` which measures are looked for."""

    def __init__(self, program: Program, wanted: set[int]) -> None:
        super().__init__(program)
        self.wanted = wanted
        self.worst = [-1] * len(program.measures)
        self.threads = len(program.thread_worst)
        self.streams = len(program.stream_hop)
        self.publication_of = {
            stage: publication
            for publication, stage in enumerate(program.publication_stage)
            if stage >= 0
        }
        self.stream_of = {stage: stream for stream, stage in enumerate(program.stream_stage)}
        self.keeps = self._kept()
        self.asked = {thread for thread, kept in enumerate(self.keeps) if kept[0]}
        self.clocks = self.asked.difference(program.source_thread)

    def _kept(self) -> list[list[bool]]:
        """Of each thread, which of its job and its origins lead to something wanted."""
        p = self.p
        keeps = [[False] * (1 + count) for count in p.thread_origins]
        for thread in range(self.threads):
            for end in range(*p.thread_end[thread : thread + 2]):
                if p.end_latency[end] in self.wanted:
                    keeps[thread][p.end_origin[end] + 1] = True
            for publication in p.step_publication[slice(*p.thread_step[thread : thread + 2])]:
                streams = range(*p.publication_stream[publication : publication + 2])
                if p.publication_mode[publication] != ASYNC:
                    keeps[thread][0] |= any(p.stream_ddl[s] in self.wanted for s in streams)
        found = True
        while found:
            found = False
            for hop, target in enumerate(p.hop_target):
                source = p.stages.index(("job", p.hops[hop][0]))
                for copy in range(*p.hop_copy[hop : hop + 2]):
                    at = p.copy_from[copy] + 1
                    if keeps[target][p.copy_to[copy] + 1] and not keeps[source][at]:
                        keeps[source][at] = found = True
        return keeps

    def see(self, measure: int, since: Since, zone: Matrix) -> None:
        """Something ends now."""
        if measure in self.wanted and since is not None:
            clock, periods = since
            most = zone[clock][0]
            if periods:
                most += periods * self.p.source_period[clock - 1]
            self.worst[measure] = max(self.worst[measure], most)

    def needs_clocks(self) -> bool:
        """Whether anything is timed by more than the clocks of the sources."""
        samples = range(len(self.p.publication_mode))
        return bool(self.clocks) or any(self.is_timed(one) for one in samples)

    # Time goes on

    def pass_time(self, s: Situation) -> bool:
        """As long as nothing has to happen; whether it can."""
        p, zone = self.p, s.zone
        elapse(zone)
        for source, begun in enumerate(s.begun):
            if not begun:  # its clock stays 0 till then
                zone[source + 1] = zone[0][:]
                for row in zone:
                    row[source + 1] = row[0]
            elif not limit(zone, source + 1, 0, p.source_period[source]):
                return False
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
                if p.source_leader[source] in (-1, source):
                    yield self.begin(s.copy(), source)
                continue
            period = p.source_period[source]
            if s.zone[source + 1][0] >= period:
                new = s.copy()
                if limit(new.zone, 0, source + 1, -period):
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
            sharing = [i for i, one in enumerate(p.source_leader) if one == source]
        for one in sharing:
            s.begun[one] = 1
            shift(s.zone, one + 1, p.source_period[one] - p.source_offset[one])
        return s

    def release(self, s: Situation, source: int) -> Iterator[Situation]:
        """By time; but no timer while it waits to be called."""
        shift(s.zone, source + 1, -self.p.source_period[source])
        clock = source + 1
        s.change(lambda ref: (clock, ref[1] + 1) if ref[0] == clock else ref)
        thread = self.p.source_thread[source]
        queue = self.p.stage_queue[thread]
        if self.p.thread_caller[thread] < 0 or all(w.stage != thread for w in s.queues[queue]):
            own = (clock, 0) if thread in self.asked else None
            job = (own, *[None] * self.p.thread_origins[thread])
            s.queues[queue] += (Work(thread, job, own),)
        yield s

    def arrived(self, s: Situation, way: int, work: Work) -> None:
        """At a listener, or at a follower."""
        if way >= self.streams:
            self.inform(s, self.p.link_hop[way - self.streams], work.job)
            return
        s.queues[self.p.stage_queue[work.stage]] += (work._replace(done=0),)

    def travel(self, s: Situation, way: int, work: Work) -> None:
        """Something sets out."""
        if self.way_takes(way)[1] == 0:
            self.arrived(s, way, work)
        else:
            s.ways[way] += (work._replace(done=fresh(s.zone)),)

    def inform(self, s: Situation, hop: int, source: tuple[Since, ...]) -> None:
        """An input of a thread has something new."""
        p, thread = self.p, self.p.hop_target[hop]
        if p.thread_activation[thread] == EACH:
            self.arrive(s, thread, [(hop, source)])
        elif p.thread_activation[thread] == ALL:
            s.tokens[hop] += (source,)
            inputs = range(*p.thread_hop[thread : thread + 2])
            if all(s.tokens[each] for each in inputs):
                behind = [(each, s.tokens[each][0]) for each in inputs]
                for each in inputs:
                    s.tokens[each] = s.tokens[each][1:]
                self.arrive(s, thread, behind)

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
            if (stage := p.publication_stage[publication]) >= 0:
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
            self.see(p.end_latency[end], work.job[p.end_origin[end] + 1], s.zone)
        self.see(p.stage_response[work.stage], work.job[0], s.zone)
        self.leave_core(s, core, server)
        for link in range(*p.thread_link[work.stage : work.stage + 2]):
            self.travel(s, self.streams + link, Work(-1, work.job))

    def leave_core(self, s: Situation, core: int, server: int) -> None:
        """A unit of work is done."""
        s.current[server] = None
        s.running[core] = -1
