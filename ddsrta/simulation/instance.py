"""The worst instance of a measure, cut out of a run with all that ran on the cores it passed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ddsrta.simulation.finder import Trail, Unit, find
from ddsrta.simulation.run import Run
from ddsrta.simulation.timeline import NONE, Closed, Flow, Span, Timeline, server_on
from ddsrta.simulation.timelines import timelines
from ddsrta_simulator import Measure, Program
from ddsrta_simulator.orders import ANY, POOL, ROUNDS
from ddsrta_simulator.program import TRACE

Rows = Sequence[int]
# What a span is to the instance. `waiting`: the instance's own work is there and does not run.
OWN, URGENT, AHEAD, BLOCKING, OTHER, WAITING = (
    "own",
    "urgent",
    "ahead",
    "blocking",
    "other",
    "waiting",
)


class Bar(NamedTuple):
    """A thread from begin to end, and what that is to the instance."""

    server: int
    stage: int
    number: int
    begin: int
    end: int
    role: str


class Arrow(NamedTuple):
    """The instance goes on from one thread to another."""

    source: int  # server
    leaves: int
    target: int  # server
    arrives: int
    what: str  # topic; of the news of a completed job, nothing


@dataclass(frozen=True)
class Instance:
    """From the release at `begin` to the completion at `end`, shown from `first` to `last`.

    `bars`: from the back to the front.
    """

    program: Program
    measure: Measure
    begin: int
    end: int
    first: int
    last: int
    units: tuple[Unit, ...]
    bars: tuple[Bar, ...]
    arrows: tuple[Arrow, ...]
    closed: tuple[Closed, ...]

    @property
    def value(self) -> int:
        """How long it took."""
        return self.end - self.begin


def buffers_of(run: Run, until: int) -> Iterator[Rows]:
    """Drain the trace of a run while it advances."""
    while run.advance(until) < until:
        yield run.take_trace()
    yield run.take_trace()


def worst_instance(
    program: Program,
    replay: Callable[[], Iterable[Rows]],
    measure: int,
    value: int | None = None,
) -> Instance | None:
    """The instance with the largest value of a measure, or with the one given; None: not found.

    `replay` gives the rows of the trace from the beginning, each time that it is called: first the
    instance is found, then it is cut out.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation import Run, program_of, worst_choices
    >>> program = program_of(two_threads())
    >>> run = lambda: Run(program, worst_choices(program), trace=1000)
    >>> kinds = [measure.kind for measure in program.measures]
    >>> replay = lambda: buffers_of(run(), 10**8)
    >>> worst_instance(program, replay, kinds.index("latency")).value
    3286000
    """
    trail = find(program, replay(), measure, value)
    if trail is None:
        return None
    margin = max(1, trail.value // 20)
    first, last = max(0, trail.begin - margin), trail.end + margin
    spans: list[Span] = []
    flows: list[Flow] = []
    closed: list[Closed] = []
    for piece in timelines(program, _up_to(replay(), last), last):
        spans += [span for span in piece.spans if span.end >= first and span.begin <= last]
        flows += [flow for flow in piece.flows if flow.stops[-1].time >= first]
        closed += [each for each in piece.closed if each.end > first]
    part = Timeline(program, first, last, tuple(spans), flows=tuple(flows), closed=tuple(closed))
    return _instance(part, program.measures[measure], trail)


def _up_to(buffers: Iterable[Rows], last: int) -> Iterator[Rows]:
    """The rows up to a time."""
    for rows in buffers:
        times = rows[0::TRACE]
        if times and times[-1] > last:
            yield rows[: TRACE * next(i for i, time in enumerate(times) if time > last)]
            return
        yield rows


def _instance(part: Timeline, measure: Measure, trail: Trail) -> Instance:
    p = part.program
    lives = _lives(part.spans, trail)
    servers = {p.stage_server[stage] for stage, _ in trail.units}
    threads = (s for s, first in enumerate(p.server_pool) if first in servers)
    cores = {p.supply_core[p.server_supply[s]] for s in threads}
    bars: list[Bar] = []
    for span in part.spans:
        if span.core in cores:
            bars += _bars(p, span, lives)
    bars += _waits(p, part.spans, lives, part.end)
    shown = [
        bar._replace(begin=max(bar.begin, part.begin), end=min(bar.end, part.end))
        for bar in bars
        if bar.end > part.begin and bar.begin < part.end
    ]
    return Instance(
        p,
        measure,
        trail.begin,
        trail.end,
        part.begin,
        part.end,
        trail.units,
        tuple(sorted(shown, key=lambda bar: (bar.role != WAITING, bar.begin, bar.server))),
        tuple(_arrows(part, trail)),
        tuple(
            each._replace(begin=max(each.begin, part.begin), end=min(each.end, part.end))
            for each in part.closed
            if each.core in cores and each.begin < part.end
        ),
    )


class _Life(NamedTuple):
    """When a unit of the instance was pending."""

    unit: Unit
    core: int
    begin: int
    end: int


def _lives(spans: Iterable[Span], trail: Trail) -> list[_Life]:
    """Units that are still pending at the end of the instance, as the first job of a message that
    it handed over early, count as long as the instance needs them.
    """
    own = set(trail.units)
    found: dict[Unit, _Life] = {}
    for span in spans:
        unit = span.stage, span.number
        if unit in own:
            found[unit] = _Life(unit, span.core, span.arrival, min(span.end, trail.end))
    return list(found.values())


def _bars(program: Program, span: Span, lives: Sequence[_Life]) -> Iterator[Bar]:
    """A span in pieces: what it is to the instance changes when work of its own comes or goes."""
    here = [life for life in lives if life.core == span.core]
    server = server_on(program, span.stage, span.core)
    unit = span.stage, span.number
    if any(life.unit == unit for life in here):
        yield Bar(server, *unit, span.begin, span.end, OWN)
        return
    changes = {t for life in here for t in (life.begin, life.end) if span.begin < t < span.end}
    ends = [span.begin, *sorted(changes), span.end]
    for begin, end in pairwise(ends):
        role = _role(program, span, begin, here)
        yield Bar(server, *unit, begin, end, role)


def _role(program: Program, span: Span, begin: int, here: Sequence[_Life]) -> str:
    """What the span is to the own work that is pending at the time, the most urgent if several."""
    waiting = [life for life in here if life.begin <= begin < life.end]
    if not waiting:
        return OTHER
    p = program
    life = max(waiting, key=lambda w: p.server_priority[p.stage_server[w.unit[0]]])
    mine, server = p.stage_server[life.unit[0]], p.stage_server[span.stage]
    if mine == server and p.server_order[mine] in (ROUNDS, ANY, POOL):
        turn, own_turn = (p.queue_turn[p.stage_queue[s]] for s in (span.stage, life.unit[0]))
        if p.server_order[mine] == ANY and turn < own_turn:
            return URGENT
        return AHEAD if span.begin > life.begin else BLOCKING
    if mine == server:
        queue, own_queue = p.stage_queue[span.stage], p.stage_queue[life.unit[0]]
        if queue < own_queue:
            return URGENT
        return AHEAD if queue == own_queue or span.arrival > life.begin else BLOCKING
    supply, own_supply = p.server_supply[server], p.server_supply[mine]
    if supply != own_supply:
        return URGENT if supply < own_supply else OTHER
    if p.server_priority[server] == p.server_priority[mine]:
        return AHEAD
    return URGENT if p.server_priority[server] > p.server_priority[mine] else OTHER


def _waits(
    program: Program, spans: Sequence[Span], lives: Sequence[_Life], last: int
) -> Iterator[Bar]:
    """Where own work is pending and does not run."""
    for life in lives:
        server = program.stage_server[life.unit[0]]
        time = life.begin
        for span in sorted((s for s in spans if (s.stage, s.number) == life.unit), key=_begin):
            if time < span.begin:
                yield Bar(server, *life.unit, time, span.begin, WAITING)
            time = span.end
        if time < min(life.end, last):
            yield Bar(server, *life.unit, time, min(life.end, last), WAITING)


def _begin(span: Span) -> int:
    return span.begin


def _arrows(part: Timeline, trail: Trail) -> Iterator[Arrow]:
    """The ways of the instance's messages, and the news of its jobs."""
    p, own = part.program, set(trail.units)
    heard = {(cause.hop, cause.message): cause for cause in trail.causes}
    for flow in part.flows:
        units = {(stop.stage, stop.number) for stop in flow.stops}
        cause = heard.pop((flow.hop, flow.number), None)
        if cause is None and not (flow.stream != NONE and _carries(flow, own, units, p)):
            continue
        yield from _legs(p, flow, cause is not None)
        if cause is not None and flow.stops[-1].stage != cause.thread:
            delivered = flow.stops[-1]
            source = p.stage_server[delivered.stage]
            yield Arrow(source, delivered.time, p.stage_server[cause.thread], cause.time, "")
    for cause in heard.values():  # time releases the follower: the news is in no flow
        source = p.stages.index(("job", p.hops[cause.hop][0]))
        ends = [
            s.end for s in part.spans if s.done and (s.stage, s.number) == (source, cause.source)
        ]
        for end in ends:
            servers = p.stage_server[source], p.stage_server[cause.thread]
            leaves = min(end, cause.time)  # of what is handed over within the job: not before
            yield Arrow(servers[0], leaves, servers[1], cause.time, p.hops[cause.hop][1] or "")


def _carries(flow: Flow, own: set[Unit], units: set[Unit], program: Program) -> bool:
    """Whether the flow's message is the instance's."""
    stage = len(program.stages) - len(program.streams) + flow.stream
    return bool(units & own) and (stage, flow.number) in own


def _legs(program: Program, flow: Flow, to_job: bool) -> Iterator[Arrow]:
    p = program
    servers = [p.stage_server[stop.stage] for stop in flow.stops]
    stops = flow.stops
    if flow.stream == NONE:
        yield Arrow(servers[0], flow.sent, servers[1], stops[1].time, p.hops[flow.hop][1] or "")
        return
    topic = p.streams[flow.stream][1]
    listener = next(i for i, s in enumerate(stops) if s.stage >= len(p.stages) - len(p.streams))
    if listener == 2:
        yield Arrow(servers[0], stops[0].time, servers[1], stops[0].time, topic)
    yield Arrow(servers[listener - 1], flow.sent, servers[listener], flow.received, topic)
    if to_job and len(stops) > listener + 1:
        yield Arrow(servers[listener], stops[listener].time, servers[-1], stops[-1].time, topic)
