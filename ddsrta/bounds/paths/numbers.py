"""Joins by number, seen from the first release of a path: when the event of the same number is due
(lemma due-at-joins), and by which ways its last token may come (lemma last-token)."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ddsrta.bounds.join_wait import earliest_pace, is_by_number, joining, latest_pace, single

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ddsrta.bounds.solution import Solution
    from ddsrta.bounds.stages import Edge, Stage

MOST_WAYS = 64  # to one join


def lead(solution: Solution, first: int, node: int) -> int | None:
    """How much later than the arrival at `first` the event of the same number of another source
    may be due."""
    streams = solution.compiled.streams
    early = earliest_pace(solution, streams.of[first].node)
    late = latest_pace(solution, node)
    if early is None or late is None or late.period > early.period:
        return None
    return late.offset - early.offset - streams.of[first].best


def due(solution: Solution, first: int, node: int) -> int | None:
    """The same of any base, behind joins by number."""
    known = solution.dues
    if (first, node) not in known:
        known[first, node] = None  # of what waits for itself
        known[first, node] = _due(solution, first, node)
    return known[first, node]


def _due(solution: Solution, first: int, node: int) -> int | None:
    streams = solution.compiled.streams
    if node == streams.of[first].node:
        return (solution.lateness(first) or 0) - streams.of[first].best
    if not streams.nodes[node].entries:
        return lead(solution, first, node)
    found = [_behind(solution, first, edge) for edge, _ in joining(solution, node)]
    known = [each for each in found if each is not None]
    return max(known) if known and len(known) == len(found) else None


def _behind(solution: Solution, first: int, edge: Edge) -> int | None:
    """When the unit of the same number is behind an edge at the latest."""
    begun = due(solution, first, solution.compiled.streams.of[edge.source].node)
    paced = solution.paced(edge.source)
    if begun is None or paced is None or not single(solution, edge):
        return None
    return begun + paced + edge.worst


def longest(solution: Solution, first: int, node: int) -> tuple[int | None, list[tuple[int, int]]]:
    """What that is made of: when the source of the last token is due, and what each stretch from
    there, or from a join, up to the next join takes, with the stage that it ends with."""
    edges = [edge for edge, _ in joining(solution, node)]
    if node == solution.compiled.streams.of[first].node or not edges:
        return due(solution, first, node), []
    edge = max(edges, key=lambda each: _behind(solution, first, each) or 0)
    begun, before = longest(solution, first, solution.compiled.streams.of[edge.source].node)
    return begun, [*before, (edge.source, (solution.paced(edge.source) or 0) + edge.worst)]


def ways_to(
    solution: Solution, first: int, end: int, but: int
) -> list[tuple[int, list[int]]] | None:
    """The ways from sources to an AND by which the token of a number may have come but through one
    of its inputs, each with how much later than the arrival at `first` it may begin; those through
    `first` begin there. None where numbers say nothing, or there are too many."""
    if (first, end) not in solution.ways:
        solution.ways[first, end] = _ways(solution, first, end)
    found = solution.ways[first, end]
    return None if found is None else [each for each in found if each[1][-1] != but]


def _ways(solution: Solution, first: int, end: int) -> list[tuple[int, list[int]]] | None:
    found: list[tuple[int, list[int]]] = []
    for way in islice(back(solution, first, end), MOST_WAYS + 1):
        begun = None if way is None else _begun(solution, first, way[0])
        if way is None or begun is None or len(found) == MOST_WAYS:
            return None
        found.append((begun, way[:-1]))
    return found


def _begun(solution: Solution, first: int, source: int) -> int | None:
    if source == first:
        return 0
    streams = solution.compiled.streams
    here, there = streams.of[first], streams.of[source]
    if here.node == there.node:
        return there.best + there.late - here.best
    begun = lead(solution, first, there.node)
    return None if begun is None else begun + there.best + there.late


def back(solution: Solution, first: int, end: int) -> Iterator[list[int] | None]:
    """The ways to a stage from one, or from sources; None for those whose numbers say nothing."""
    ahead = [[end]]  # each from its end back
    while ahead:
        way = ahead.pop()
        while sources := [] if way[-1] == first else _sources(solution, way[-1]):
            ahead += [[*way, source] for source in sources[:0:-1]]
            way.append(sources[0])
        yield None if sources is None else way[::-1]


def _sources(solution: Solution, number: int) -> list[int] | None:
    """The stages that feed one; None where numbers say nothing of it."""
    if number not in solution.sources:
        stage = solution.compiled.stages[number]
        keeps = not stage.inputs or _keeps_numbers(solution, stage)
        sources = [*dict.fromkeys(edge.source for edge in stage.inputs)]
        solution.sources[number] = sources if keeps else None
    return solution.sources[number]


def _keeps_numbers(solution: Solution, stage: Stage) -> bool:
    """Whether the n-th unit of each input makes the n-th of a stage."""
    if len(stage.inputs) == 1:
        return not stage.anew and single(solution, stage.inputs[0])
    return is_by_number(solution.compiled.stages, stage) and all(
        single(solution, edge) for edge in stage.inputs
    )
