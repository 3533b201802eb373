"""A timeline as Chrome trace events, which Perfetto and chrome://tracing read.

A process per core shows what runs there and when its reservations have no budget; a process per
machine has a track per thread, with messages as flows between them. Times are microseconds with
exact decimals. A viewer ties a flow to the slice around it, and where two slices touch it may take
the wrong one: so a flow that leaves at the very end of a slice is written 1 ns before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json import dumps
from typing import TextIO

from ddsrta.simulation.timeline import (
    NONE,
    Closed,
    Flow,
    Span,
    Stop,
    Timeline,
    label,
    message_stages,
    priority_of,
    server_of,
    server_on,
)
from ddsrta_simulator import Program
from ddsrta_simulator.orders import POOL


def write(timeline: Timeline | Iterable[Timeline], stream: TextIO) -> None:
    """Write a timeline, or its pieces one by one. Whatever stops it, what is there is valid JSON.

    >>> import io
    >>> from ddsrta.simulation.timelines import timeline
    >>> out = io.StringIO()
    >>> write(timeline(Program(), []), out)
    >>> out.getvalue()
    '{"displayTimeUnit":"ns","traceEvents":[\\n\\n]}\\n'
    """
    pieces = [timeline] if isinstance(timeline, Timeline) else timeline
    writer: _Writer | None = None
    separator = ""
    stream.write('{"displayTimeUnit":"ns","traceEvents":[\n')
    try:
        for piece in pieces:
            events = []
            if writer is None:
                writer = _Writer(piece.program)
                events += list(writer.names())
            events += writer.events(piece)
            if events:
                stream.write(separator + ",\n".join(events))
                separator = ",\n"
    finally:
        stream.write("\n]}\n")


def microseconds(nanoseconds: int) -> str:
    """The same time, exactly.

    >>> microseconds(1_234_567), microseconds(5)
    ('1234.567', '0.005')
    """
    whole, rest = divmod(nanoseconds, 1000)
    return f"{whole}.{rest:03d}"


class _Writer:
    """Events of pieces of one program. Tracks are numbered: cores, supplies, then threads."""

    def __init__(self, program: Program) -> None:
        self.program = p = program
        machines = list(dict.fromkeys(_machine(core) for core in p.cores))
        self.machines = {machine: len(p.cores) + 1 + i for i, machine in enumerate(machines)}
        self.first_supply = len(p.cores) + 1
        first_server = self.first_supply + len(p.supplies)
        self.tracks = [
            f'"pid":{self._process(server)},"tid":{first_server + server}'
            for server in range(len(p.servers))
        ]
        self.first_server = first_server
        self.stages = [self._stage(stage) for stage in range(len(p.stages))]
        self.flows = 0

    def _process(self, server: int) -> int:
        p = self.program
        return self.machines[_machine(p.cores[p.supply_core[p.server_supply[server]]])]

    def _stage(self, stage: int) -> tuple[str, str, str, str]:
        """Of a stage: the track, the name around the number, the arguments that do not change."""
        p = self.program
        kind, *names = p.stages[stage]
        before, after = label(p, stage, 0).split(" #0")
        server = p.stage_server[stage]
        what = {
            "kind": kind,
            "thread": server_of(p, stage),
            "priority": priority_of(p, server),
        }
        if kind in ("sample", "transfer", "message"):
            what["topic"] = names[1]
        return self.tracks[server], dumps(before)[:-1], dumps(after)[1:], dumps(what)[1:-1]

    # Names of processes and tracks

    def names(self) -> Iterator[str]:
        """The names of all tracks, in the order in which they should be shown."""
        p = self.program
        for number, core in enumerate(p.cores):
            yield _meta("process_name", number + 1, None, name=f"core {core}")
            yield _meta("process_sort_index", number + 1, None, sort_index=number + 1)
            yield _meta("thread_name", number + 1, number + 1, name="runs")
            for supply in range(p.core_supply[number], p.core_supply[number + 1]):
                if p.supply_budget[supply]:
                    track = self.first_supply + supply
                    yield _meta("thread_name", number + 1, track, name=self._supply(supply))
        for machine, process in self.machines.items():
            yield _meta("process_name", process, None, name=f"threads of {machine}")
            yield _meta("process_sort_index", process, None, sort_index=process)
        for server, name in enumerate(p.servers):
            process, track = self._process(server), self.first_server + server
            yield _meta("thread_name", process, track, name=name)
            yield _meta("thread_sort_index", process, track, sort_index=server)

    def _supply(self, supply: int) -> str:
        _, kind, name = self.program.supplies[supply]
        return f"budget of {kind} {name}" if name else "budget"

    # What happened

    def events(self, piece: Timeline) -> Iterator[str]:
        """The events of a piece."""
        for span in piece.spans:
            yield from self._span(span)
        for closed in piece.closed:
            yield self._closed(closed)
        for flow in piece.flows:
            yield from self._flow(flow)

    def _span(self, span: Span) -> Iterator[str]:
        track, before, after, what = self.stages[span.stage]
        first = self.program.stage_server[span.stage]
        if self.program.server_order[first] == POOL:
            track = self.tracks[server_on(self.program, span.stage, span.core)]
        if span.since < span.begin:
            yield _slice(track, span.since, span.begin, '"waits"', "waits", "")
        name = f"{before} #{span.number}{after}"
        arguments = f'{what},"instance":{span.number},"arrival_ns":{span.arrival}'
        if span.done:
            arguments += f',"response_ns":{span.response}'
        core = f'"pid":{span.core + 1},"tid":{span.core + 1}'
        yield _slice(track, span.begin, span.end, name, "runs", arguments)
        if span.begin < span.end:
            yield _slice(core, span.begin, span.end, name, "runs", arguments)

    def _closed(self, closed: Closed) -> str:
        track = f'"pid":{closed.core + 1},"tid":{self.first_supply + closed.supply}'
        return _slice(track, closed.begin, closed.end, '"no budget"', "supply", "")

    def _flow(self, flow: Flow) -> Iterator[str]:
        """Its stops: the first one starts it, the last one ends it."""
        p = self.program
        self.flows += 1
        topic = p.hops[flow.hop][1] or "complete"
        category = "message" if p.hops[flow.hop][1] else "follows"
        what: dict[str, object] = {"topic": topic, "instance": flow.number}
        if flow.stream != NONE:
            listener = next(s for s in flow.stops if s.stage >= message_stages(p))
            what["latency_ns"] = listener.time - flow.stops[0].time
        common = f'"id":{self.flows},"cat":"{category}","name":{dumps(topic)},"args":{dumps(what)}'
        time, last = 0, len(flow.stops) - 1
        for place, stop in enumerate(flow.stops):
            time = max(time, _within(stop))
            phase = '"s"' if place == 0 else '"f","bp":"e"' if place == last else '"t"'
            track = self.tracks[p.stage_server[stop.stage]]
            yield f'{{"ph":{phase},{track},"ts":{microseconds(time)},{common}}}'


def _machine(core: str) -> str:
    return core.split("/", 1)[0]


def _within(stop: Stop) -> int:
    """A time at which no other slice of the track can be meant."""
    return max(stop.begin, min(stop.time, stop.end - 1))


def _slice(track: str, begin: int, end: int, name: str, category: str, arguments: str) -> str:
    whole, rest = divmod(begin, 1000)
    length, part = divmod(end - begin, 1000)
    return (
        f'{{"ph":"X",{track},"ts":{whole}.{rest:03d},"dur":{length}.{part:03d},"name":{name},'
        f'"cat":"{category}","args":{{{arguments}}}}}'
    )


def _meta(kind: str, process: int, track: int | None, **arguments: object) -> str:
    event: dict[str, object] = {"ph": "M", "name": kind, "pid": process}
    if track is not None:
        event["tid"] = track
    return dumps({**event, "args": arguments}, separators=(",", ":"))
