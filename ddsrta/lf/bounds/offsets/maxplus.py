"""The least solution of S_j = max(floor_j, max_i (S_i + X_ij)): longest paths, in integers.

Components of nodes that reach each other are solved one after the other, each by relaxing its
edges until nothing changes. A circle of positive weight leaves its component, and whatever
follows, without a solution. A fixed node keeps its value, whatever comes in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ddsrta.base.components import components
from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.unbounded import CIRCLE


class Edge(NamedTuple):
    """S of the target is at least S of the source + weight, but no more than `cap` for it.

    A weight of None is not known.
    """

    source: int
    target: int
    weight: int | None
    cap: int | None = None


@dataclass(slots=True)
class Solution:
    """The value of each node, None where there is none, and the edge that makes it what it is.

    `circles` are the edges of a positive circle of each component that has one.
    """

    values: list[int | None]
    because: list[int | None]
    circles: list[list[int]] = field(default_factory=list)

    def path(self, node: int, edges: Sequence[Edge]) -> list[int]:
        """The edges that lead to a node's value, first to last.

        >>> edges = [Edge(0, 1, 5), Edge(1, 2, -2)]
        >>> solve(3, edges).path(2, edges)
        [0, 1]
        """
        return [*self._back(node, edges)][::-1]

    def _back(self, node: int, edges: Sequence[Edge]) -> Iterator[int]:
        seen: set[int] = set()
        while node not in seen and (index := self.because[node]) is not None:
            seen.add(node)
            yield index
            node = edges[index].source

    def why(
        self,
        node: int,
        edges: Sequence[Edge],
        names: Sequence[str],
        known: Callable[[int], Because | None],
    ) -> Because | None:
        """Why a node has no value: what is known of an edge on the way to it, or a circle."""
        for index in self._back(node, edges):
            if (because := known(index)) is not None:
                return because
            node = edges[index].source
        for circle in self.circles:
            members = [edges[index].source for index in circle]
            if node in members:
                return CIRCLE.of(circle=around([names[member] for member in members]))
        return None


def around(names: Sequence[str]) -> str:
    """A circle as text.

    >>> around(["a", "b"])
    'a → b → a'
    """
    return " → ".join([*names, names[0]])


def solve(
    count: int,
    edges: Sequence[Edge],
    fixed: Mapping[int, int | None] | None = None,
    floor: int = 0,
) -> Solution:
    """The least solution for nodes 0 … count - 1.

    >>> solve(3, [Edge(0, 1, 5), Edge(1, 2, -2), Edge(0, 2, 1)]).values
    [0, 5, 3]
    >>> solution = solve(2, [Edge(0, 1, 5), Edge(1, 0, -4)])
    >>> solution.values, solution.circles
    ([None, None], [[0, 1]])
    """
    fixed = fixed or {}
    leaving: list[list[int]] = [[] for _ in range(count)]
    for index, edge in enumerate(edges):
        if edge.target not in fixed:
            leaving[edge.source].append(index)
    values: list[int | None] = [fixed.get(node, floor) for node in range(count)]
    solution = Solution(values, [None] * count)
    successors = [[edges[index].target for index in row] for row in leaving]
    for members in components(successors):
        inside = set(members) if len(members) > 1 else set()
        node = members[0]
        if inside or node in successors[node]:
            inside = inside or {node}
            circle = _settle(members, inside, leaving, edges, solution)
            if circle:
                solution.circles.append(circle)
                for node in members:
                    values[node] = solution.because[node] = None
        for node in members:
            for index in leaving[node]:
                if edges[index].target not in inside:
                    _relax(index, edges[index], solution)
    return solution


def _relax(index: int, edge: Edge, solution: Solution) -> bool:
    """Let one edge raise its target; whether it did."""
    values = solution.values
    start, end = values[edge.source], values[edge.target]
    if end is None:
        return False
    if start is None or edge.weight is None:
        if edge.cap is None:
            values[edge.target] = None
            solution.because[edge.target] = index
            return True
        value = edge.cap
    else:
        value = start + edge.weight
        if edge.cap is not None and value > edge.cap:
            value = edge.cap
    if value <= end:
        return False
    values[edge.target] = value
    solution.because[edge.target] = index
    return True


def _settle(
    members: Sequence[int],
    inside: set[int],
    leaving: Sequence[Sequence[int]],
    edges: Sequence[Edge],
    solution: Solution,
) -> list[int]:
    """Relax the edges within a component until nothing changes; a positive circle if there is
    one."""
    changed = list(members)
    passes, look = 0, 4
    while changed:
        nexts: dict[int, None] = {}
        for node in changed:
            for index in leaving[node]:
                edge = edges[index]
                if edge.target in inside and _relax(index, edge, solution):
                    nexts[edge.target] = None
        changed = list(nexts)
        passes += 1
        if passes == look or passes > len(members):
            look *= 2
            if circle := _circle(members, inside, edges, solution):
                return circle
    return []


def _circle(
    members: Sequence[int], inside: set[int], edges: Sequence[Edge], solution: Solution
) -> list[int]:
    """A circle of edges each of which is the last that raised its target: it is positive."""
    state: dict[int, int] = {}
    for start in members:
        node = start
        while node in inside and node not in state:
            state[node] = start
            index = solution.because[node]
            if index is None or edges[index].weight is None or edges[index].cap is not None:
                break
            node = edges[index].source
        else:
            if node in inside and state[node] == start:
                return _edges_of(node, edges, solution)
    return []


def _edges_of(start: int, edges: Sequence[Edge], solution: Solution) -> list[int]:
    found: list[int] = []
    node = start
    while not found or node != start:
        index = solution.because[node]
        assert index is not None
        found.append(index)
        node = edges[index].source
    return found[::-1]
