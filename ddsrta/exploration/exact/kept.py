"""What the wanted measures need of a program: lemma left-out-of-zones.

Threads that neither lead to a measure nor have the core before one that does may do as they like.
"""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta_simulator import Program
from ddsrta_simulator.program import ALL, ASYNC, TIMED

PATHS = ("end_latency", "end_trigger", "end_data_age", "end_reaction")


class Kept:
    """`origins` has for each thread which of its job and its origins are asked for; `servers` whose
    units are followed; `begins` by when a source has begun, 0: whenever it likes."""

    def __init__(self, program: Program, wanted: set[int]) -> None:
        self.p = program
        self.threads = len(program.thread_worst)
        self.job = [program.stages.index(("job", hop[0])) for hop in program.hops]
        self.publication_of = [
            one
            for one in range(len(program.publication_mode))
            for _ in range(*program.publication_stream[one : one + 2])
        ]
        self.streams: list[list[int]] = [[] for _ in program.hops]
        for stream, hop in enumerate(program.stream_hop):
            self.streams[hop].append(stream)
        self.origins = self._origins(wanted)
        self.servers = self._servers(wanted)
        self.begins = self._begins(wanted)
        self.follows = [self.has(thread) for thread in program.source_thread]
        self.leads = [self._leads(source) for source in range(len(program.sources))]
        followed = [source for source, follows in enumerate(self.follows) if follows]
        self.clocks = [0] * len(program.sources)  # their numbers in zones
        for number, source in enumerate(followed, 1):
            self.clocks[source] = number
        self.periods = [0, *(program.source_period[source] for source in followed)]

    def _leads(self, source: int) -> bool:
        """Whether a source is the first that is followed of those that begin with it."""
        leaders = self.p.source_leader
        same = [i for i, one in enumerate(leaders) if one == leaders[source] >= 0] or [source]
        return source == next((i for i in same if self.follows[i]), -1)

    def has(self, stage: int) -> bool:
        """Whether units of a stage are followed."""
        return self.p.stage_server[stage] in self.servers

    def brings(self, hop: int) -> bool:
        """Whether a hop brings any origin that is asked for."""
        p = self.p
        target = self.origins[p.hop_target[hop]]
        return any(target[p.copy_to[copy] + 1] for copy in range(*p.hop_copy[hop : hop + 2]))

    def _origins(self, wanted: set[int]) -> list[list[bool]]:
        p = self.p
        keeps = [[False] * (1 + count) for count in p.thread_origins]
        for thread in range(self.threads):
            for end in range(*p.thread_end[thread : thread + 2]):
                if any(getattr(p, column)[end] in wanted for column in PATHS):
                    keeps[thread][p.end_origin[end] + 1] = True
            for publication in p.step_publication[slice(*p.thread_step[thread : thread + 2])]:
                streams = range(*p.publication_stream[publication : publication + 2])
                if p.publication_mode[publication] != ASYNC:
                    keeps[thread][0] |= any(p.stream_ddl[s] in wanted for s in streams)
        found = True
        while found:
            found = False
            for hop, target in enumerate(p.hop_target):
                source = self.job[hop]
                for copy in range(*p.hop_copy[hop : hop + 2]):
                    at = p.copy_from[copy] + 1
                    if keeps[target][p.copy_to[copy] + 1] and not keeps[source][at]:
                        keeps[source][at] = found = True
        return keeps

    def _servers(self, wanted: set[int]) -> set[int]:
        p = self.p
        stages = [thread for thread, its in enumerate(self.origins) if any(its)]
        for stream, measure in enumerate(p.stream_ddl):
            if measure in wanted:
                stages += [p.stream_stage[stream], *self._before(p.stream_stage[stream])]
        left = [p.stage_server[stage] for stage in stages]
        found: set[int] = set()
        while left:
            server = left.pop()
            if server not in found:
                found.add(server)
                left += self._needed(server)
        return found

    def _needed(self, server: int) -> Iterator[int]:
        """The threads that come before this one on its core, and those that send to it."""
        p = self.p
        core = p.supply_core[p.server_supply[server]]
        for other, supply in enumerate(p.server_supply):
            if (
                p.supply_core[supply] == core
                and p.server_priority[other] > p.server_priority[server]
            ):
                yield other
        for stage, by in enumerate(p.stage_server):
            if by == server:
                for before in self._before(stage):
                    yield p.stage_server[before]

    def _before(self, stage: int) -> Iterator[int]:
        """The stages whose units bring units of this one, or origins that are asked for."""
        p = self.p
        if stage < self.threads:
            for hop in range(*p.thread_hop[stage : stage + 2]):
                if p.thread_activation[stage] != TIMED or self.brings(hop):
                    yield self.job[hop]
                    yield from (p.stream_stage[stream] for stream in self.streams[hop])
        elif stage in p.stream_stage:
            publication = self.publication_of[list(p.stream_stage).index(stage)]
            yield p.publication_thread[publication]
            if (sample := p.publication_stage[publication]) >= 0:
                yield sample
        else:
            yield p.publication_thread[list(p.publication_stage).index(stage)]

    def _begins(self, wanted: set[int]) -> list[int]:
        """Of sources that meet at a join, or in a reaction: so long after the common start they
        begin."""
        p = self.p
        found = [0] * len(p.sources)
        joined = {source for thread in range(self.threads) for source in self._joined(thread)}
        for measure in wanted:
            joined |= self._reacts(measure)
        for source, leader in enumerate(p.source_leader):
            if leader < 0:
                found[source] = p.source_period[source] if source in joined else 0
            elif any(p.source_leader[one] == leader for one in joined):
                found[source] = p.source_span[source]
        return found

    def _reacts(self, measure: int) -> set[int]:
        """The sources of a path that is asked for reactions, if there are several."""
        p = self.p
        kind, path = p.measures[measure]
        if kind != "reaction_time":
            return set()
        names = {("job", name) for name in path}
        found = {i for i, thread in enumerate(p.source_thread) if p.stages[thread] in names}
        return found if len(found) > 1 else set()

    def _joined(self, thread: int) -> set[int]:
        """The sources of a join, if there are several."""
        if self.p.thread_activation[thread] != ALL or not self.has(thread):
            return set()
        found, left, seen = set[int](), [thread], {thread}
        while left:
            one = left.pop()
            if one in self.p.source_thread:
                found.add(list(self.p.source_thread).index(one))
                continue
            before = {self.job[hop] for hop in range(*self.p.thread_hop[one : one + 2])} - seen
            seen |= before
            left += before
        return found if len(found) > 1 else set()
