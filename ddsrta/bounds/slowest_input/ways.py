"""The slowest source behind an AND that matches by number, and by which ways the last of its tokens
may come (lemma slowest-input)."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.bounds.join_wait import (
    Pace,
    in_numbers,
    is_by_number,
    source_earliest,
    source_latest,
)
from ddsrta.bounds.slowest_input.due import Due, Slowest
from ddsrta.bounds.streams import best_arrival

if TYPE_CHECKING:
    from ddsrta.bounds.compiled import Compiled
    from ddsrta.bounds.edges import Edge
    from ddsrta.bounds.stages import Stage
    from ddsrta.bounds.streams import Node

MOST_WAYS = 64  # to one join, and as many parts of what it waits for
MOST_TOKENS = 4096  # that are looked at one by one


class Way(NamedTuple):
    """From a base to a join: the n-th event of the join needs the ⌈n / times⌉-th of the base, and
    comes no sooner than `best` after it."""

    node: int
    times: int
    best: int


def slowest_inputs(compiled: Compiled) -> dict[int, Slowest]:
    """The slowest input of each AND of which one is known, by its node."""
    joins = {
        stream.node: compiled.stages[number]
        for number, stream in enumerate(compiled.streams.of)
        if len(stream.entries) > 1 and stream.entries[0] is not None
    }
    found = {}
    for node, stage in joins.items():
        if is_by_number(compiled.stages, stage):
            slowest = _Numbers(compiled, joins).slowest(node)
            if slowest is not None:
                found[node] = slowest
    return found


class _Numbers:
    """What the numbers of a join say of those of sources."""

    def __init__(self, compiled: Compiled, joins: dict[int, Stage]) -> None:
        self.stages, self.streams, self.joins = compiled.stages, compiled.streams, joins
        self.left = MOST_WAYS
        self.known: dict[tuple[int, int], Due | None] = {}
        self.slow, self.pace = Way(-1, 1, 0), Pace(1, 0)

    def slowest(self, node: int) -> Slowest | None:
        """The slowest of the sources that any way from them to a join has."""
        ways = list(self._ways(node))
        known = [
            (pace.period / way.times, way.best, pace, way)
            for way in ways
            if (pace := source_earliest(self.streams.nodes[way.node])) is not None
        ]
        is_even = len(known) == len(ways) and len({each[0] for each in known}) == 1
        if not known or is_even or self.left < 0:  # of inputs that are alike none is the slowest
            return None
        *_, self.pace, self.slow = max(known)
        self.left = MOST_WAYS
        due = self._due(node, 1)
        return None if due is None else Slowest(*self.slow, due)

    def _ways(self, node: int) -> Iterator[Way]:
        """From all bases that no AND by number is the junction of."""
        ahead = [Way(node, 1, 0)]
        while ahead and self.left >= 0:
            way = ahead.pop()
            self.left -= 1
            if not self._is_by_number(way.node):
                yield way
            else:
                for edge in self.joins[way.node].inputs:
                    best = way.best + best_arrival(self.streams, edge)
                    ahead.append(Way(*self._behind(edge, way.times), best))

    def _is_by_number(self, node: int) -> bool:
        return node in self.joins and is_by_number(self.stages, self.joins[node])

    def _behind(self, edge: Edge, times: int) -> tuple[int, int]:
        """The base of an input, and how many tokens of its join each of its events counts for."""
        stream = self.streams.of[edge.source]
        return stream.node, times * stream.multiplicity * edge.multiplicity

    def _due(self, node: int, times: int) -> Due | None:
        """When the event of a base that so many tokens belong to is there; None: at any time."""
        key = node, times
        if key not in self.known:
            self.left -= 1
            base = self.streams.nodes[node]
            find = self._source if base.arrival is not None else self._junction
            self.known[key] = find(base, *key) if self.left >= 0 else None
        return self.known[key]

    def _source(self, base: Node, node: int, times: int) -> Due | None:
        if node == self.slow.node and times >= self.slow.times:
            return Due(0, False, (), True)
        late = source_latest(base)
        if late is None or late.period * self.slow.times > self.pace.period * times:
            return None
        apart = behind((late.period, times), (self.pace.period, self.slow.times))
        return Due(late.offset - self.pace.offset + apart, True, (), True)

    def _junction(self, base: Node, node: int, times: int) -> Due | None:
        """An AND has all of its tokens, an OR as many as any one input brings."""
        if node not in self.joins or base.sets:
            return None
        needs_all = self._is_by_number(node)
        if not needs_all and base.activation != "or":
            return None
        inputs = [
            (edge, due)
            for edge in self.joins[node].inputs
            if not edge.again  # which stands for at most, not at least so many
            and in_numbers(self.stages, edge)
            and (due := self._due(*self._behind(edge, times))) is not None
        ]
        if not inputs or (needs_all and len(inputs) < len(self.joins[node].inputs)):
            return None
        return Due(0, False, tuple(inputs), needs_all)


def behind(other: tuple[int, int], slow: tuple[int, int]) -> int:
    """The largest ⌊r / m⌋ · T − ⌊r / M⌋ · S of all r, of (T, m) and (S, M) with T / m ≤ S / M.

    >>> behind((10, 1), (30, 2))
    10
    """
    turn = lcm(other[1], slow[1])
    if turn > MOST_TOKENS:
        return slow[0]
    return max(r // other[1] * other[0] - r // slow[1] * slow[0] for r in range(turn))
