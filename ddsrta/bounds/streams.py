"""Which stream each stage belongs to, and where streams join (definition arrival-curve, lemmas
or-junction and and-junction)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.bounds.known_offsets import clocked
from ddsrta.bounds.stages import Edge, Spacing, Stage
from ddsrta.models.arrivals import Arrival, Periodic
from ddsrta.models.messages import Part
from ddsrta.models.system import Activation, System

MANY_STREAMS = 1024  # from here on, streams of one base are added up with their largest shift
MOST_STREAMS = 65536
UNCOUNTED = -1


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
    the first of its group a source with a base of its own begins (lemma known-offsets); `sets`: its
    events are sets of a synchronizer."""

    arrival: Arrival | None
    activation: Activation
    entries: list[Entry] = field(default_factory=list)
    streams: int = 1
    offset: int = 0
    sets: bool = False


@dataclass(slots=True)
class Stream:
    """Where a stage stands in its stream, and where each of its inputs leads: None continues the
    stream, a number is the entry of the junction that the stage's node is, and UNCOUNTED is that of
    a synchronizer whose sets are counted by another input. `late`: how much later than `best` a
    source that shares its base is released."""

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
                if source.group not in shared:
                    shared[source.group] = len(streams.nodes)
                    streams.nodes.append(Node(Periodic(stage.arrival.period), "or"))
                node, late = shared[source.group], stage.arrival.jitter
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


def _multiplicity(streams: Streams, edge: Edge) -> int:
    return streams.of[edge.source].multiplicity * edge.multiplicity


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
        and len({(streams.of[e.source].node, _multiplicity(streams, e)) for e in stage.inputs}) == 1
    )


def _continued(streams: Streams, stage: Stage) -> Stream:
    edge = stage.inputs[0]
    return Stream(
        streams.of[edge.source].node,
        _multiplicity(streams, edge),
        max(best_arrival(streams, e) for e in stage.inputs),
        [None] * len(stage.inputs),
    )


def _counting(stage: Stage) -> Activation:
    """A synchronizer of the newest messages may run at each arrival, as OR does."""
    if len(stage.inputs) == 1:
        return "or"
    if stage.synchronizer is not None and stage.synchronizer.policy == "latest":
        return "or"
    return stage.activation


def _counted_by(streams: Streams, stages: list[Stage], stage: Stage) -> int | None:
    """The input by whose messages a synchronizer's sets are counted, if each set has its own one of
    every topic: that of the slowest source. Which inputs have a source is known, how long a message
    is kept is not yet. None where another way of counting is better, or the only one."""
    if stage.synchronizer is None or stage.synchronizer.policy == "latest":
        return None
    if stage.by_number or (stage.mispaired and stage.synchronizer.policy == "mtd"):
        return None
    from ddsrta.bounds.synchronizers.paces import mean_distance

    paces = []
    for number, edge in enumerate(stage.inputs):
        arrival = streams.nodes[streams.of[edge.source].node].arrival
        unordered = stages[edge.source].overlaps  # without a stamp (lemma overtaking-jobs)
        if arrival is None or unordered or _multiplicity(streams, edge) > 1:
            paces.append((Fraction(-1), number))
        elif stage.synchronizer.policy == "mtd" and not isinstance(arrival, Periodic):
            return None
        else:
            paces.append((mean_distance(arrival), number))
    if stage.synchronizer.policy == "mtd" and min(paces)[0] < 0:
        return None
    return max(paces, key=lambda pace: (pace[0], -pace[1]))[1]


def _counted(streams: Streams, stage: Stage, slowest: int) -> Stream:
    edge = stage.inputs[slowest]
    base = streams.of[edge.source].node
    node = Node(None, "and", [Entry(base, _multiplicity(streams, edge))], sets=True)
    node.streams = streams.nodes[base].streams
    streams.nodes.append(node)
    numbers: list[int | None] = [UNCOUNTED] * len(stage.inputs)
    numbers[slowest] = 0
    return Stream(len(streams.nodes) - 1, 1, 0, numbers)


def _in_events(streams: Streams, stages: list[Stage], number: int) -> bool:
    """Whether each event of its base is a job of a stage, one after the other in their order."""
    stage = stages[number]
    in_order = len(stage.inputs) < 2 or stage.server[0] == "threads"
    return in_order and not stage.overlaps and streams.of[number].multiplicity == 1


def _joined(system: System, streams: Streams, stages: list[Stage], stage: Stage) -> Stream:
    """A junction. AND takes inputs of one base together, and so does OR when it has very many."""
    if (slowest := _counted_by(streams, stages, stage)) is not None:
        return _counted(streams, stage, slowest)
    activation = _counting(stage)
    node = Node(None, activation, sets=stage.synchronizer is not None)
    total = sum(streams.nodes[streams.of[e.source].node].streams for e in stage.inputs)
    together = activation == "and" or total > MANY_STREAMS
    numbers: list[int | None] = []
    known: dict[int, int] = {}
    for edge in stage.inputs:
        base, multiplicity = streams.of[edge.source].node, _multiplicity(streams, edge)
        if together and base in known:
            entry = node.entries[known[base]]
            if activation == "and":
                entry.multiplicity = max(entry.multiplicity, multiplicity)
            else:
                entry.multiplicity += multiplicity
            entry.spacing = entry.part = None
        else:
            known[base] = len(node.entries)
            part = edge.part if _in_events(streams, stages, edge.source) else None
            node.entries.append(Entry(base, multiplicity, edge.spacing, part))
        numbers.append(known[base] if together else len(node.entries) - 1)
    node.streams = sum(streams.nodes[entry.node].streams for entry in node.entries)
    if node.streams > MOST_STREAMS:
        where = system.where("threads", stage.key[1])
        message = f"more than {MOST_STREAMS} streams come together in thread '{stage.key[1]}'"
        raise InputError([Diagnostic(where, message, "this is not modelled")])
    streams.nodes.append(node)
    return Stream(len(streams.nodes) - 1, 1, 0, numbers)
