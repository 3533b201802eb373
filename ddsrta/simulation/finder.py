"""Finds the instance of a measure that had a value: which units of work carried it, and when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ddsrta.simulation.timeline import NONE, Cause, Span, Timeline, message_stages
from ddsrta.simulation.timelines import timelines
from ddsrta_simulator import Program
from ddsrta_simulator.program import EXACT

Unit = tuple[int, int]  # stage and number
SETS = ("disparity", "gap", "wait")


@dataclass(frozen=True)
class Trail:
    """An instance: from `begin` to `end`, carried by units of work.

    `causes`: how each job of a chain heard of the one before it.
    """

    begin: int
    end: int
    units: tuple[Unit, ...]
    causes: tuple[Cause, ...] = ()

    @property
    def value(self) -> int:
        """How long it took."""
        return self.end - self.begin


def find(
    program: Program, buffers: Iterable[Sequence[int]], measure: int, value: int | None = None
) -> Trail | None:
    """The first instance of a measure with this value, or with the largest.

    None where there is none. What was pending at one time has no instance, nor have sets: a
    ValueError.
    """
    kind = program.measures[measure].kind
    if kind in SETS:
        raise ValueError("of the sets of a synchronizer no instance is kept")
    if kind not in _FINDERS:
        raise ValueError("what is pending at one time is not an instance that begins and ends")
    finder = _FINDERS[kind](program, measure, value)
    for piece in timelines(program, buffers):
        finder.read(piece)
        if finder.found is not None and value is not None:
            break
    return finder.found


class _Finder(ABC):
    """Keeps the best instance so far."""

    def __init__(self, program: Program, measure: int, value: int | None) -> None:
        self.program = program
        self.of = program.measures[measure].of
        self.kind = program.measures[measure].kind
        self.value = value
        self.found: Trail | None = None

    @abstractmethod
    def read(self, piece: Timeline) -> None:
        """Look through a piece of the timeline."""

    def wants(self, begin: int, end: int) -> bool:
        """Whether an instance from begin to end is better than what is known."""
        if self.value is not None:
            return self.found is None and end - begin == self.value
        return self.found is None or end - begin > self.found.value


class _Since:
    """When the response of a stage begins to count: its arrival; of a callback of several topics,
    the arrival of the last message."""

    def __init__(self, program: Program, stage: int) -> None:
        threads = len(program.thread_inline)
        self.is_inline = stage < threads and bool(program.thread_inline[stage])
        self.is_set = self.is_inline and program.thread_activation[stage] >= EXACT
        self.source = {}
        if self.is_inline:
            first, last = program.thread_hop[stage : stage + 2]
            names = [hop.source for hop in program.hops[first:last]]
            stages = (program.stages.index(("job", name)) for name in names)
            self.source = dict(zip(range(first, last), stages, strict=True))
        self.came: dict[Unit, int] = {}  # when the messages of subscriptions came
        self.turns: dict[int, int] = {}  # the same, by when they were served
        self.asked: dict[int, int] = {}  # by number of the job

    def read(self, piece: Timeline) -> None:
        """When messages came to the subscriptions."""
        own = frozenset(self.source.values())
        if self.is_set:
            ends = (span for span in piece.spans if span.stage in own and span.done)
            self.turns.update((span.end, span.arrival) for span in ends)
        if not self.is_inline or self.is_set:
            return
        for arrival in piece.arrivals:
            if arrival.stage in own:
                self.came[arrival.stage, arrival.number] = arrival.time
        for cause in piece.causes:
            if cause.hop in self.source:
                came = self.came.pop((self.source[cause.hop], cause.source))
                self.asked[cause.number] = max(came, self.asked.get(cause.number, came))

    def begin(self, number: int, arrival: int) -> int:
        """Of a unit that arrived then."""
        if not self.is_inline:
            return arrival
        if self.is_set:
            return self.turns[arrival]
        _forget(self.asked, number)
        return self.asked[number]


class _Response(_Finder):
    """A unit of one stage; of a callback of several topics, from the last message."""

    def __init__(self, program: Program, measure: int, value: int | None) -> None:
        super().__init__(program, measure, value)
        self.stage = program.stages.index(self.of)
        self.since = _Since(program, self.stage)

    def read(self, piece: Timeline) -> None:
        """Complete units."""
        self.since.read(piece)
        for span in piece.spans:
            if span.stage == self.stage and span.done:
                begin = self.since.begin(span.number, span.arrival)
                if self.wants(begin, span.end):
                    self.found = Trail(begin, span.end, ((self.stage, span.number),))


class _Delivery(_Finder):
    """A message: since the sample was handed over, or since its job was released."""

    def __init__(self, program: Program, measure: int, value: int | None) -> None:
        super().__init__(program, measure, value)
        self.stream = program.streams.index(self.of)
        self.stage = message_stages(program) + self.stream
        self.sample = program.publication_stage[_publication(program, self.stream)]
        self.thread = program.stages.index(("job", self.of[0]))
        self.counts = _Since(program, self.thread)
        self.in_order = _in_order(program, self.thread)
        self.released: dict[int, int] = {}
        self.since: dict[int, tuple[int, Unit]] = {}

    def read(self, piece: Timeline) -> None:
        """Publications, then deliveries."""
        self.counts.read(piece)
        for arrival in piece.arrivals:
            if arrival.stage == self.thread and self.sample == NONE:
                self.released[arrival.number] = arrival.time
        for p in piece.publications:
            if p.stage == self.sample != NONE:
                self.since[p.number] = p.time, (p.stage, p.number)
            elif p.stream == self.stream:
                begin = self.counts.begin(p.job, self.released[p.job])
                self.since[p.number] = begin, (self.thread, p.job)
                if self.in_order:
                    _forget(self.released, p.job)
        for span in piece.spans:
            if span.stage == self.stage and span.done:
                begin, unit = self.since.pop(span.number)
                if self.wants(begin, span.end):
                    self.found = Trail(begin, span.end, (unit, (self.stage, span.number)))


class _Path(_Finder):
    """A job at the end of a path, with what it heard of by all the hops."""

    def __init__(self, program: Program, measure: int, value: int | None) -> None:
        super().__init__(program, measure, value)
        self.hops = hops_of(program, self.of)
        first = program.stages.index(("job", self.of[0]))
        self.threads = [first, *(program.hop_target[hop] for hop in self.hops)]
        # for each thread of the path, by the number of the job: number and release of the first
        # job, and the causes so far
        self.heard: list[dict[int, tuple[int, int, tuple[Cause, ...]]]] = [{} for _ in self.threads]
        self.in_order = [_in_order(program, thread) for thread in self.threads]
        self.known = (0, NONE)
        self.first_release = NONE

    def read(self, piece: Timeline) -> None:
        """Releases, then what was heard, then completions."""
        for arrival in piece.arrivals:
            if arrival.stage == self.threads[0]:
                self.heard[0][arrival.number] = arrival.number, arrival.time, ()
                if self.first_release == NONE:
                    self.first_release = arrival.time
        for cause in piece.causes:
            for place, hop in enumerate(self.hops):
                if cause.hop == hop:
                    self._hear(place, cause)
        for span in piece.spans:
            if span.done and span.stage == self.threads[-1]:
                heard = self.heard[-1].pop(span.number, None)
                if heard is not None:
                    self._end(span, *heard)

    def _hear(self, place: int, cause: Cause) -> None:
        before = self.heard[place].get(cause.source)
        if before is not None:
            number, release, causes = before
            self.heard[place + 1][cause.number] = number, release, (*causes, cause)
        if all(self.in_order[: place + 1]):
            _forget(self.heard[place], cause.source)

    def _end(self, span: Span, first: int, release: int, causes: tuple[Cause, ...]) -> None:
        begin = release
        if self.kind == "reaction_time":
            known, known_release = self.known
            if first <= known:
                return
            begin = self.first_release if known == 0 else known_release
            self.known = first, release
        if self.wants(begin, span.end):
            self.found = Trail(begin, span.end, self._units(first, causes), causes)

    def _units(self, first: int, causes: Sequence[Cause]) -> tuple[Unit, ...]:
        p = self.program
        units = [(self.threads[0], first)]
        for cause in causes:
            stream = next((s for s, hop in enumerate(p.stream_hop) if hop == cause.hop), NONE)
            if stream != NONE:
                sample = p.publication_stage[_publication(p, stream)]
                if sample != NONE:
                    units.append((sample, cause.message))
                units.append((message_stages(p) + stream, cause.message))
            units.append((cause.thread, cause.number))
        return tuple(units)


_FINDERS: dict[str, type[_Finder]] = {
    "response": _Response,
    "ddl": _Delivery,
    **dict.fromkeys(("latency", "trigger_latency", "data_age", "reaction_time"), _Path),
}


def _forget(numbered: dict[int, Any], number: int) -> None:
    """What is heard of in order: those before this number are never asked for again."""
    while numbered and (first := next(iter(numbered))) < number:
        del numbered[first]


def _in_order(program: Program, thread: int) -> bool:
    """Whether the jobs of a thread are served in their order: they wait in one queue, and none goes
    before those of other publishers (lemma mixed-publishers)."""
    if any(program.net_loose) or any(program.link_loose) or program.thread_taken[thread] >= 0:
        return False
    hops = slice(*program.thread_hop[thread : thread + 2])
    return len(set(program.hop_queue[hops])) < 2


def _publication(program: Program, stream: int) -> int:
    starts = program.publication_stream
    return next(i for i in range(len(starts) - 1) if starts[i] <= stream < starts[i + 1])


def hops_of(program: Program, path: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the hops of a path, which names threads and the topics between them."""
    found = _hops_from(program, tuple(path))
    if found is None:
        raise ValueError("the program has no such path")
    return found


def _hops_from(program: Program, path: tuple[str, ...]) -> tuple[int, ...] | None:
    if len(path) < 2:
        return ()
    ways: list[tuple[Any, tuple[str, ...]]] = [((path[0], None, path[1]), path[1:])]
    if len(path) > 2:
        ways.insert(0, ((path[0], path[1], path[2]), path[2:]))
    for hop, rest in ways:
        if hop in program.hops:
            tail = _hops_from(program, rest)
            if tail is not None:
                return (program.hops.index(hop), *tail)
    return None
