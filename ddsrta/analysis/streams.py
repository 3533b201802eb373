"""Which stream each stage belongs to, and where streams join (theory 2)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ddsrta.analysis.stages import Edge, Spacing, Stage
from ddsrta.models.arrivals import Arrival
from ddsrta.models.diagnostics import Diagnostic, InputError
from ddsrta.models.system import Activation, System

MANY_STREAMS = 1024  # from here on, streams of one base are added up with their largest shift
MOST_STREAMS = 65536


@dataclass(slots=True)
class Entry:
    """A stream that enters a junction: its base and multiplicity."""

    node: int
    multiplicity: int
    spacing: Spacing | None = None


@dataclass(slots=True)
class Node:
    """A base: a source's arrival, or a junction with its entries."""

    arrival: Arrival | None
    activation: Activation
    entries: list[Entry] = field(default_factory=list)
    streams: int = 1


@dataclass(slots=True)
class Stream:
    """Where a stage stands in its stream, and where each of its inputs leads: None continues the
    stream, a number is the entry of the junction that the stage's node is."""

    node: int
    multiplicity: int
    best: int
    entries: list[int | None] = field(default_factory=list)


@dataclass(slots=True)
class Streams:
    """All nodes, every one after those that it builds on, and the stream of each stage."""

    nodes: list[Node] = field(default_factory=list)
    of: list[Stream] = field(default_factory=list)


def follow(system: System, stages: list[Stage]) -> Streams:
    """The streams of all stages, which come in an order in which causes precede effects."""
    streams = Streams()
    for stage in stages:
        if not stage.inputs:
            streams.nodes.append(Node(stage.arrival, "or"))
            streams.of.append(Stream(len(streams.nodes) - 1, 1, 0))
        elif _continues(streams, stage):
            streams.of.append(_continued(streams, stage))
        else:
            streams.of.append(_joined(system, streams, stage))
    return streams


def best_arrival(streams: Streams, edge: Edge) -> int:
    """The least time from the base's event to the arrival behind an edge."""
    return streams.of[edge.source].best + edge.least


def _multiplicity(streams: Streams, edge: Edge) -> int:
    return streams.of[edge.source].multiplicity * edge.multiplicity


def _continues(streams: Streams, stage: Stage) -> bool:
    """One input; or all of one stream, the n-th waiting for the n-th."""
    if len(stage.inputs) == 1:
        return True
    return (
        stage.activation == "and"
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


def _joined(system: System, streams: Streams, stage: Stage) -> Stream:
    """A junction. AND takes inputs of one base together, and so does OR when it has very many."""
    node = Node(None, stage.activation)
    total = sum(streams.nodes[streams.of[e.source].node].streams for e in stage.inputs)
    together = stage.activation == "and" or total > MANY_STREAMS
    numbers: list[int | None] = []
    known: dict[int, int] = {}
    for edge in stage.inputs:
        base, multiplicity = streams.of[edge.source].node, _multiplicity(streams, edge)
        if together and base in known:
            entry = node.entries[known[base]]
            if stage.activation == "and":
                entry.multiplicity = max(entry.multiplicity, multiplicity)
            else:
                entry.multiplicity += multiplicity
            entry.spacing = None
        else:
            known[base] = len(node.entries)
            node.entries.append(Entry(base, multiplicity, edge.spacing))
        numbers.append(known[base] if together else len(node.entries) - 1)
    node.streams = sum(streams.nodes[entry.node].streams for entry in node.entries)
    if node.streams > MOST_STREAMS:
        where = system.where("threads", stage.key[1])
        message = f"more than {MOST_STREAMS} streams come together in thread '{stage.key[1]}'"
        raise InputError([Diagnostic(where, message, "this is not modelled")])
    streams.nodes.append(node)
    return Stream(len(streams.nodes) - 1, 1, 0, numbers)
