"""Curves as lists of values, the events of a node at the earliest times that it allows. What others
were found to take is given; so are shifts (lemma jitter-propagation)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ddsrta_kernel import Problem, Solver
from ddsrta_kernel.problem import EXPLICIT, PERIODIC, SUM


class TooLongError(Exception):
    """A window passes the last nanosecond that is tried."""


class Curves:
    """η and δ⁻ of nodes and units, one value for each length up to the last."""

    def __init__(self, problem: Problem, solver: Solver, last: int) -> None:
        self.problem, self.solver, self.last = problem, solver, last
        self.entry_shift = [0] * problem.entries
        for unit in range(problem.units):
            for edge in range(problem.edge_start[unit], problem.edge_start[unit + 1]):
                if problem.edge_unit[edge] < 0:
                    late = solver.latency[unit] + problem.edge_worst[edge] - problem.edge_best[edge]
                    entry = problem.edge_entry[edge]
                    self.entry_shift[entry] = max(self.entry_shift[entry], late)
        self.node = cache(self._node)
        self.unit = cache(self._unit)

    def _earliest(self, node: int) -> Iterator[int]:
        """When the events of a source come at the earliest, counted from the first."""
        p, number = self.problem, 0
        while True:
            if p.node_kind[node] == PERIODIC:
                time = max(0, number * p.node_a[node] - p.node_b[node], number * p.node_c[node])
            else:
                turns = 0
                while number - turns * p.node_b[node] >= p.node_d[node]:
                    turns += 1
                first = p.distances[p.node_c[node] + number - turns * p.node_b[node]]
                time = first + turns * p.node_a[node]
            yield time
            number += 1

    def _node(self, node: int) -> list[int]:
        """η: how many events there are in a half-open window of each length."""
        p, counts = self.problem, [0] * (self.last + 1)
        if p.node_kind[node] in (PERIODIC, EXPLICIT):
            for time in self._earliest(node):
                if time >= self.last:
                    break
                counts[time + 1] += 1
            for length in range(1, self.last + 1):
                counts[length] += counts[length - 1]
            return counts
        entries = range(p.node_c[node], p.node_c[node] + p.node_d[node])
        known = [len(self.node(p.entry_node[e])) - 1 - self.entry_shift[e] for e in entries]
        counts = [0] * (max(0, min(known)) + 1)
        for entry in entries:
            source, shift = self.node(p.entry_node[entry]), self.entry_shift[entry]
            spacing = p.entry_spacing[entry], p.entry_slack[entry], p.entry_bunch[entry]
            for length in range(1, len(counts)):
                count = p.entry_multiplicity[entry] * source[length + shift]
                both = counts[length], _spaced(count, length, spacing)
                counts[length] = sum(both) if p.node_kind[node] == SUM else max(both)
        return counts

    def shift(self, unit: int) -> int:
        """By how much a unit may come later than at best."""
        p, before = self.problem, self.problem.best[unit] + self.problem.late[unit]
        for other in range(p.units):
            for edge in range(p.edge_start[other], p.edge_start[other + 1]):
                if p.edge_unit[edge] == unit:
                    before = max(before, self.solver.latency[other] + p.edge_worst[edge])
        return before - p.best[unit]

    def _unit(self, unit: int) -> list[int]:
        p, shift, source = self.problem, self.shift(unit), self.node(self.problem.node[unit])
        spacing = p.spacing[unit], p.slack[unit], p.bunch[unit]
        return [0] + [
            _spaced(p.multiplicity[unit] * source[length + shift], length, spacing)
            for length in range(1, len(source) - shift)
        ]

    def count(self, unit: int, length: int) -> int:
        """η of a unit."""
        return _at(self.unit(unit), length)

    def node_count(self, node: int, length: int) -> int:
        """η of a node."""
        return _at(self.node(node), length)

    def distance(self, unit: int, count: int) -> int:
        """δ⁻ of a unit: the longest time in which there are fewer."""
        return _first(self.unit(unit), count)

    def node_distance(self, node: int, count: int) -> int:
        """δ⁻ of a node."""
        return _first(self.node(node), count)


def _spaced(count: int, length: int, spacing: tuple[int, int, int]) -> int:
    distance, slack, bunch = spacing
    if not distance:
        return count
    bunches = 0
    while bunches * distance < length + slack:
        bunches += 1
    return min(count, bunches * bunch)


def _at(counts: Sequence[int], length: int) -> int:
    if length >= len(counts):
        raise TooLongError
    return counts[length] if length > 0 else 0


def _first(counts: Sequence[int], count: int) -> int:
    for length, found in enumerate(counts):
        if found >= count:
            return max(0, length - 1)
    raise TooLongError
