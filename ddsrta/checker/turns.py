"""Rounds of one message, one after the other (lemma rounds-in-turn)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Stream
from ddsrta.checker.stages import Edge, Key, Stage


class Turn(NamedTuple):
    """Of a stage on a circle: how often a message comes back there, the first job of the circle,
    how long a round takes at least, and what is done of a unit before it goes on round."""

    rounds: int
    first: Key
    around: int
    leaves: int


def turns(stages: Mapping[Key, Stage], streams: Mapping[Key, Stream]) -> dict[Key, Turn]:
    """By stage, of all circles whose units bring one each, and of all that come to the first."""
    found = {}
    for first in stages.values():
        if first.comes_back is None:
            continue
        way = list(_backwards(stages, first, first.comes_back))
        behind = next(at for at, edge in enumerate(way) if edge.source[0] == "job")
        base = streams[first.key].base
        alike = all(streams[edge.source].base is base for edge in way[behind:])
        if not alike or any(edge.times > 1 for edge in way):
            continue
        once, again = (
            min(e.times for e in first.inputs if e.again is back) for back in (False, True)
        )
        around = sum(edge.least for edge in way)
        for edge in way:
            leaves = _leaves(stages[edge.source], edge)
            found[edge.source] = Turn(again // once, first.key, around, leaves)
    return found


def on_circles(stages: Mapping[Key, Stage]) -> frozenset[Key]:
    """All stages that circles go through."""
    return frozenset(
        edge.source
        for first in stages.values()
        if first.comes_back is not None
        for edge in _backwards(stages, first, first.comes_back)
    )


def _backwards(stages: Mapping[Key, Stage], first: Stage, edge: Edge) -> Iterator[Edge]:
    """From the edge that closes a circle to the one that leaves its first job."""
    yield edge
    while edge.source != first.key:
        (edge,) = stages[edge.source].inputs
        yield edge


def _leaves(stage: Stage, edge: Edge) -> int:
    """All of it, but of a job, and of a sample of several copies."""
    if stage.key[0] != "job" and stage.copies == 1:
        return stage.cost
    return min(stage.cost, max(EPSILON, edge.least - edge.link))
