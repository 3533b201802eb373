"""Reads the engine's trace row by row: what is open is remembered, what has ended is handed out."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ddsrta.simulation.kept import Kept
from ddsrta.simulation.timeline import (
    NONE,
    Arrival,
    Cause,
    Closed,
    Flow,
    Publication,
    Span,
    Stop,
    Timeline,
    message_stages,
)
from ddsrta.simulation.traced import Travel, Unit
from ddsrta_simulator import Program
from ddsrta_simulator.orders import POOL
from ddsrta_simulator.program import (
    ALL,
    ARRIVED,
    CLOSED,
    COMPLETED,
    DELIVERED,
    EACH,
    EXACT,
    HANDED,
    OPENED,
    PREEMPTED,
    PUBLISHED,
    RECEIVED,
    RUNS,
    SENT,
    TAKEN,
    TIMED,
    TRACE,
)


class Tracer:
    """`read` rows, then take what has ended."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.now = self.begun = 0
        self.first_message = message_stages(program)
        self.publication_of = {s: i for i, s in enumerate(program.publication_stage) if s >= 0}
        starts = program.publication_stream
        self.publication_by_stream = [
            i for i in range(len(starts) - 1) for _ in range(starts[i], starts[i + 1])
        ]
        self.writer_of = {
            hop: thread
            for i, thread in enumerate(program.publication_thread)
            for hop in (
                *program.direct_hop[slice(*program.publication_direct[i : i + 2])],
                *program.local_hop[slice(*program.publication_local[i : i + 2])],
            )
        }
        self.units: list[dict[int, Unit]] = [{} for _ in program.stages]
        self.pending = [0] * len(program.servers)
        self.ready = [0] * len(program.servers)  # since when a thread has work and does not run
        self.travels: list[dict[int, Travel]] = [{} for _ in program.streams]
        self.told = [0] * len(program.link_hop)
        self.tokens: list[deque[Travel]] = [deque() for _ in program.hops]
        self.kept: Kept[Travel] = Kept(len(program.hops))
        self.members: list[Travel] = []  # of the set whose job arrives next
        self.last_values: list[Travel | None] = [None] * len(program.hops)
        self.news: list[deque[tuple[int, Travel]]] = [deque() for _ in program.hops]
        budgets = zip(program.supply_budget, program.supply_serves, strict=True)
        self.is_open = [budget == 0 or bool(serves) for budget, serves in budgets]
        self.closed_since = [0] * len(program.supplies)
        self._empty()

    def _empty(self) -> None:
        self.spans: list[Span] = []
        self.arrivals: list[Arrival] = []
        self.publications: list[Publication] = []
        self.flows: list[Flow] = []
        self.causes: list[Cause] = []
        self.closed: list[Closed] = []

    def taken(self) -> Timeline:
        """What has ended since the last time."""
        piece = Timeline(
            self.program,
            self.begun,
            self.now,
            tuple(self.spans),
            tuple(self.arrivals),
            tuple(self.publications),
            tuple(self.flows),
            tuple(self.causes),
            tuple(self.closed),
        )
        self._empty()
        self.begun = self.now
        return piece

    def read(self, rows: Sequence[int]) -> None:
        """All rows of a buffer."""
        columns = (rows[i::TRACE] for i in range(TRACE))
        for time, kind, what, number, other in zip(*columns, strict=True):
            self.now = time
            if kind == ARRIVED:
                self._arrived(what, number, other)
            elif kind == RUNS:
                self._runs(what, number, other)
            elif kind in (PREEMPTED, COMPLETED):
                self._stops(what, number, other, kind == COMPLETED)
            elif kind == PUBLISHED:
                self._published(what, number, other)
            elif kind == SENT:
                self._sent(what, number, other)
            elif kind == RECEIVED:
                self.travels[what][number].received = time
            elif kind == DELIVERED:
                self._delivered(what, number)
            elif kind == HANDED:
                self._handed(what, number, other)
            elif kind == TAKEN:
                self._taken(what, number)
            else:
                assert kind in (OPENED, CLOSED)
                self._turned(what, other, kind == OPENED)

    def finish(self, until: int = 0) -> None:
        """The trace ends, at its last row or later: all that is open ends then.

        Flows that go on are left out.
        """
        p = self.program
        self.now = max(self.now, until)
        for units in self.units:
            for unit in units.values():
                if unit.runs != NONE:
                    self._close(unit, unit.core, False)
        for supply, is_open in enumerate(self.is_open):
            if not is_open:
                self._turned(supply, p.supply_core[supply], True)

    # Units of work

    def _arrived(self, stage: int, number: int, hop: int) -> None:
        self.arrivals.append(Arrival(self.now, stage, number))
        unit = self.units[stage][number] = Unit(stage, number, self.now)
        server = self.program.stage_server[stage]
        if not self.pending[server]:
            self.ready[server] = self.now
        self.pending[server] += 1
        if hop != NONE:
            self._released(unit, hop)

    def _runs(self, stage: int, number: int, core: int) -> None:
        unit = self.units[stage][number]
        unit.core = core
        if not unit.begun:
            self._begins(unit)
        unit.runs = self.now
        server = self.program.stage_server[stage]
        pooled = self.program.server_order[server] == POOL  # its other threads may be at work
        unit.since = self.now if pooled else self.ready[server]
        if unit.waiting and unit.waiting[0][2] < self.now:  # preempted before it could run
            self._stop_without_span(unit)

    def _begins(self, unit: Unit) -> None:
        """A job that time releases now reads its inputs."""
        unit.begun = True
        p, thread = self.program, unit.stage
        if thread >= len(p.thread_worst) or p.thread_activation[thread] != TIMED:
            return
        for hop in range(p.thread_hop[thread], p.thread_hop[thread + 1]):
            while self.news[hop] and self.news[hop][0][0] <= self.now:
                self.last_values[hop] = self.news[hop].popleft()[1]
            travel = self.last_values[hop]
            if travel is not None:
                self._cause(unit, travel)

    def _stops(self, stage: int, number: int, core: int, done: bool) -> None:
        server = self.program.stage_server[stage]
        units = self.units[stage]
        unit = units[number]
        if done:
            self.pending[server] -= 1
            del units[number]
            if stage < len(self.program.thread_worst):
                self._tell(unit)
        if unit.runs != NONE:
            self._close(unit, core, done)
        elif done:
            self._stop_without_span(unit)
            now = self.now
            self.spans.append(
                Span(stage, number, core, self.ready[server], now, now, unit.arrival, True)
            )
        self.ready[server] = self.now

    def _close(self, unit: Unit, core: int, done: bool) -> None:
        begin, unit.runs = unit.runs, NONE
        stage, number, now = unit.stage, unit.number, self.now
        self.spans.append(Span(stage, number, core, unit.since, begin, now, unit.arrival, done))
        if unit.waiting:
            for travel, place, time in unit.waiting:
                self._fill(travel, place, Stop(time, stage, number, begin, now))
            unit.waiting.clear()

    def _stop_without_span(self, unit: Unit) -> None:
        for travel, place, time in unit.waiting:
            self._fill(travel, place, Stop(time, unit.stage, unit.number, time, time))
        unit.waiting.clear()

    # Flows

    def _meet(self, travel: Travel, place: int, unit: Unit) -> None:
        """The flow meets the unit, whose span has not ended yet."""
        unit.waiting.append((travel, place, self.now))

    def _fill(self, travel: Travel, place: int, stop: Stop) -> None:
        travel.stops[place] = stop
        travel.missing -= 1
        if not travel.missing:
            stops = tuple(stop for stop in travel.stops if stop is not None)
            self.flows.append(
                Flow(travel.hop, travel.stream, travel.number, travel.sent, travel.received, stops)
            )

    def _set_out(self, stream: int, number: int, source: int, stops: int) -> Travel:
        """A message leaves its job; a timed reader is not released by it."""
        p = self.program
        hop = p.stream_hop[stream]
        stops -= p.thread_activation[p.hop_target[hop]] == TIMED
        travel = self.travels[stream][number] = Travel(hop, stream, number, source, stops)
        return travel

    def _publisher(self, thread: int, job: int) -> Unit:
        unit = self.units[thread][job]
        if not unit.begun:
            self._begins(unit)
        return unit

    def _published(self, stage: int, number: int, job: int) -> None:
        """A sample is handed over: a flow for each of its copies, which keep its number."""
        p, publication = self.program, self.publication_of[stage]
        thread = p.publication_thread[publication]
        self.publications.append(Publication(self.now, thread, job, stage, number, NONE))
        unit = self._publisher(thread, job)
        for stream in range(
            p.publication_stream[publication], p.publication_stream[publication + 1]
        ):
            self._meet(self._set_out(stream, number, job, 4), 0, unit)

    def _sent(self, stream: int, number: int, job: int) -> None:
        p, publication = self.program, self.publication_by_stream[stream]
        sample = p.publication_stage[publication]
        if sample != NONE:
            travel = self.travels[stream][number]
            self._meet(travel, 1, self.units[sample][number])
        else:
            thread = p.publication_thread[publication]
            self.publications.append(Publication(self.now, thread, job, NONE, number, stream))
            travel = self._set_out(stream, number, job, 3)
            self._meet(travel, 0, self._publisher(thread, job))
        travel.sent = self.now

    def _delivered(self, stream: int, number: int) -> None:
        p, travel = self.program, self.travels[stream].pop(number)
        is_async = p.publication_stage[self.publication_by_stream[stream]] != NONE
        self._meet(travel, 2 if is_async else 1, self.units[self.first_message + stream][number])
        if p.thread_activation[p.hop_target[travel.hop]] == TIMED:
            self.last_values[travel.hop] = travel
        else:
            self._keep(travel)

    def _handed(self, hop: int, number: int, job: int) -> None:
        """A reader in the same process has a message."""
        p = self.program
        unit = self._publisher(self.writer_of[hop], job)
        if p.thread_activation[p.hop_target[hop]] == TIMED:
            self.last_values[hop] = Travel(hop, NONE, number, job, 0)
            return
        travel = Travel(hop, NONE, number, job, 2)
        travel.sent = self.now
        self._meet(travel, 0, unit)
        self._keep(travel)

    def _tell(self, unit: Unit) -> None:
        """A job is complete: its followers hear of it, some time after."""
        p, thread = self.program, unit.stage
        for link in range(p.thread_link[thread], p.thread_link[thread + 1]):
            hop, number = p.link_hop[link], self.told[link]
            self.told[link] += 1
            if p.thread_activation[p.hop_target[hop]] == TIMED:
                travel = Travel(hop, NONE, number, unit.number, 0)
                # when it gets there is not in the trace: exact where the delay is fixed
                self.news[hop].append((self.now + p.link_worst[link], travel))
                continue
            travel = Travel(hop, NONE, number, unit.number, 2)
            travel.sent = self.now
            self._meet(travel, 0, unit)
            self._keep(travel)

    def _keep(self, travel: Travel) -> None:
        """It is with its reader, who waits for others, perhaps."""
        p = self.program
        if p.thread_activation[p.hop_target[travel.hop]] >= EXACT:
            self.kept.add(travel.hop, travel)
        else:
            self.tokens[travel.hop].append(travel)

    def _taken(self, hop: int, number: int) -> None:
        """It is in a set; its flow ends with the first one that it is in."""
        travel = self.kept.take(hop, number)
        if travel is None:
            return
        self.members.append(travel)
        self.kept.change(hop, number, Travel(hop, travel.stream, travel.number, travel.source, 0))

    def _released(self, unit: Unit, hop: int) -> None:
        """A job takes the first token of the hop, or of each of its hops, or a set."""
        p, thread = self.program, unit.stage
        hops: Sequence[int] = (hop,)
        if p.thread_activation[thread] >= EXACT:
            found, self.members = self.members, []
        else:
            if p.thread_activation[thread] == ALL:
                hops = range(p.thread_hop[thread], p.thread_hop[thread + 1])
            else:
                assert p.thread_activation[thread] == EACH
            found = [self.tokens[each].popleft() for each in hops]
        for travel in found:
            self._cause(unit, travel)
            if travel.stops:
                self._meet(travel, len(travel.stops) - 1, unit)

    def _cause(self, unit: Unit, travel: Travel) -> None:
        self.causes.append(
            Cause(self.now, unit.stage, unit.number, travel.hop, travel.source, travel.number)
        )

    # Supplies

    def _turned(self, supply: int, core: int, is_open: bool) -> None:
        self.is_open[supply] = is_open
        if not is_open:
            self.closed_since[supply] = self.now
        elif self.closed_since[supply] < self.now:
            self.closed.append(Closed(supply, core, self.closed_since[supply], self.now))
