"""Which stream each stage belongs to, and where streams join (definition arrival-curve, lemmas
or-junction and and-junction)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.bounds.edges import Edge, Spacing
from ddsrta.bounds.known_offsets import clocked
from ddsrta.bounds.stages import Stage
from ddsrta.models.arrivals import Arrival, Periodic
from ddsrta.models.messages import Part
from ddsrta.models.system import Activation, System

if TYPE_CHECKING:
    from ddsrta.bounds.synchronizers.counts import SetCounts

MANY_STREAMS = 1024  # from here on, streams of one base are added up with their largest shift
MOST_STREAMS = 65536


@dataclass(slots=True)
class Entry:
    """A stream that enters a junction: its base and multiplicity, and of its base's events the part
    that brings anything."""

    node: int
    multiplicity: int
    spacing: Spacing | None = None
    part: Part | None = None


@dataclass(slots=True)
class Node:
    """A base: a source's arrival, or a junction with its entries. `offset` is how much later than
    the first of its group a source with a base of its own begins (lemma known-offsets); `sets`: how
    its events are counted that are sets of a synchronizer, `cap` what of the input that these are
    counted by; `early`: how long before the start its first event may be due, as all that it brings
    comes so late."""

    arrival: Arrival | None
    activation: Activation
    entries: list[Entry] = field(default_factory=list)
    streams: int = 1
    offset: int = 0
    early: int = 0
    sets: SetCounts | None = None
    cap: Entry | None = None
    in_order: bool = True  # its jobs are served in the order of its events

    @property
    def takes_each(self) -> bool:
        """Whether each of its events takes one unit of each input, and no other does."""
        together = self.activation == "and" or len(self.entries) < 2
        return together and all(entry.multiplicity == 1 for entry in self.entries)


@dataclass(slots=True)
class Stream:
    """Where a stage stands in its stream, and where each of its inputs leads: None continues the
    stream, a number is the entry of the junction that the stage's node is. `late`: how much later
    than `best` a source that shares its base is released."""

    node: int
    multiplicity: int
    best: int
    entries: list[int | None] = field(default_factory=list)
    late: int = 0


@dataclass(slots=True)
class Streams:
    """All nodes, every one after those that it builds on, and the stream of each stage."""

    nodes: list[Node] = field(default_factory=list)
    of: list[Stream] = field(default_factory=list)
    by_offsets: bool = True  # whether known offsets are used
    stamps: list[int | None] = field(default_factory=list)  # those that were asked for

    def sets(self, stage: int) -> SetCounts | None:
        """How the sets are counted whose junction a stage is."""
        stream = self.of[stage]
        begins = bool(stream.entries) and stream.entries[0] is not None
        return self.nodes[stream.node].sets if begins else None

    def junctions(self) -> dict[int, int]:
        """The stage with which the stream of each junction begins."""
        return {
            stream.node: number
            for number, stream in enumerate(self.of)
            if stream.entries and stream.entries[0] is not None
        }

    def counted_by(self, stage: int) -> int | None:
        """The input by whose messages these are counted, if by one."""
        sets = self.sets(stage)
        return sets.counted_by if sets else None


def follow(system: System, stages: list[Stage], offsets: bool = True) -> Streams:
    """The streams of all stages, which come in an order in which causes precede effects; with
    `offsets`, sources that are known to be in step share a base."""
    streams = Streams(by_offsets=offsets)
    known = clocked(system, stages)
    shared: dict[tuple[str, int], int] = {}
    for number, stage in enumerate(stages):
        if not stage.inputs:
            source = known.get(number)
            if source and source.shares and offsets:
                assert isinstance(stage.arrival, Periodic)
                late = stage.arrival.jitter
                before = source.offset + late
                if source.group not in shared:
                    shared[source.group] = len(streams.nodes)
                    base = Node(Periodic(stage.arrival.period), "or", early=before)
                    streams.nodes.append(base)
                node = shared[source.group]
                streams.nodes[node].early = min(streams.nodes[node].early, before)
                streams.of.append(Stream(node, 1, source.offset, late=late))
                continue
            streams.nodes.append(Node(stage.arrival, "or", offset=source.offset if source else 0))
            streams.of.append(Stream(len(streams.nodes) - 1, 1, 0))
        elif _continues(streams, stage):
            streams.of.append(_continued(streams, stage))
        else:
            streams.of.append(_joined(system, streams, stages, stage))
    return streams


def best_arrival(streams: Streams, edge: Edge) -> int:
    """The least time from the base's event to the arrival behind an edge."""
    return streams.of[edge.source].best + edge.least


def multiplicity(streams: Streams, edge: Edge) -> int:
    """How many come behind an edge for each event of the base."""
    return streams.of[edge.source].multiplicity * edge.multiplicity


def sources_of(streams: Streams, stages: Sequence[Stage]) -> list[int | None]:
    """For each stage that has a stream the one released by time whose release its units have as
    their stamp (definition message-stamps); None for all that is not known to keep the order of
    stamps (lemma overtaking-jobs)."""
    found = streams.stamps
    for number in range(len(found), len(streams.of)):
        stage = stages[number]
        before = {found[edge.source] for edge in stage.inputs} or {number}
        continues = all(entry is None for entry in streams.of[number].entries)
        is_one = continues and len(before) == 1 and not stage.reorders
        found.append(before.pop() if is_one else None)
    return found


def _continues(streams: Streams, stage: Stage) -> bool:
    """One input; or all of one stream, the n-th waiting for the n-th. What may come out of order
    begins a stream of its own (lemma overtaking-jobs)."""
    if stage.anew:
        return False
    if len(stage.inputs) == 1:
        return True
    return (
        stage.activation == "and"
        and stage.by_number
        and len({(streams.of[e.source].node, multiplicity(streams, e)) for e in stage.inputs}) == 1
    )


def _continued(streams: Streams, stage: Stage) -> Stream:
    edge = stage.inputs[0]
    source = streams.of[edge.source]
    best = source.best + edge.least
    if len(stage.inputs) > 1:
        best = max([best_arrival(streams, e) for e in stage.inputs])
    entries: list[int | None] = [None] * len(stage.inputs)
    return Stream(source.node, source.multiplicity * edge.multiplicity, best, entries)


def _in_events(streams: Streams, stages: list[Stage], number: int) -> bool:
    """Whether each event of its base is a job of a stage, one after the other in their order."""
    stage = stages[number]
    is_single = streams.of[number].multiplicity == 1
    return _is_queued(stage) and not (stage.reorders or stage.by_turn) and is_single


def _is_queued(stage: Stage) -> bool:
    """Whether what comes by several inputs is served as it comes."""
    return len(stage.inputs) < 2 or stage.server[0] == "threads"


def _joined(system: System, streams: Streams, stages: list[Stage], stage: Stage) -> Stream:
    """A junction. AND takes inputs of one base together, and so does OR when it has very many."""
    sets = _sets(streams, stages, stage)
    activation = sets.activation if sets else stage.activation
    activation = activation if len(stage.inputs) > 1 else "or"
    in_order = _is_queued(stage) and not stage.mixes and stage.again is None
    node = Node(None, activation, sets=sets, in_order=in_order)
    total = sum(streams.nodes[streams.of[e.source].node].streams for e in stage.inputs)
    together = activation == "and" or total > MANY_STREAMS
    numbers: list[int | None] = []
    known: dict[int, int] = {}
    for edge in stage.inputs:
        base, times = streams.of[edge.source].node, multiplicity(streams, edge)
        if together and base in known:
            entry = node.entries[known[base]]
            if activation == "and":
                entry.multiplicity = max(entry.multiplicity, times)
            else:
                entry.multiplicity += times
            entry.spacing = entry.part = None
        else:
            known[base] = len(node.entries)
            part = edge.part if _in_events(streams, stages, edge.source) else None
            node.entries.append(Entry(base, times, edge.spacing, part))
        numbers.append(known[base] if together else len(node.entries) - 1)
    node.streams = sum(streams.nodes[entry.node].streams for entry in node.entries)
    if node.streams > MOST_STREAMS:
        where = system.where("threads", stage.key[1])
        message = f"more than {MOST_STREAMS} streams come together in thread '{stage.key[1]}'"
        raise InputError([Diagnostic(where, message, "this is not modelled")])
    if sets and sets.counted_by is not None:
        edge = stage.inputs[sets.counted_by]
        node.cap = Entry(streams.of[edge.source].node, multiplicity(streams, edge))
    streams.nodes.append(node)
    return Stream(len(streams.nodes) - 1, 1, 0, numbers)


def _sets(streams: Streams, stages: list[Stage], stage: Stage) -> SetCounts | None:
    if stage.synchronizer is None:
        return None
    from ddsrta.bounds.synchronizers.counts import counts_of

    sources = sources_of(streams, stages)
    stamps: list[Arrival | None] = []
    for edge in stage.inputs:
        source = sources[edge.source]
        is_own = source is not None and multiplicity(streams, edge) == 1
        stamps.append(stages[source].arrival if is_own and source is not None else None)
    return counts_of(stage.synchronizer, stage.by_number, stamps)
