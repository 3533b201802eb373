"""Joins by number, seen from the first release of a path: when the event of the same number is due
(lemma due-at-joins), and by which ways its last token may come (lemma last-token)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddsrta.bounds.join_wait import earliest_pace, is_by_number, joining, latest_pace, single

if TYPE_CHECKING:
    from ddsrta.bounds.edges import Edge
    from ddsrta.bounds.solution import Solution
    from ddsrta.bounds.stages import Stage

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
    for way in back(solution, first, end) or ():
        begun = _begun(solution, first, way[0])
        if begun is None:
            return None
        found.append((begun, [*way[:-1]]))
    return found or None


def _begun(solution: Solution, first: int, source: int) -> int | None:
    if source == first:
        return 0
    streams = solution.compiled.streams
    here, there = streams.of[first], streams.of[source]
    if here.node == there.node:
        return there.best + there.late - here.best
    begun = lead(solution, first, there.node)
    return None if begun is None else begun + there.best + there.late


def back(solution: Solution, first: int, end: int) -> list[tuple[int, ...]] | None:
    """The ways to a stage from one, or from sources; None where numbers say nothing of some, or
    there are too many."""
    ways = _back(solution, None, end)
    if not solution.compiled.stages[first].inputs:
        return ways
    if ways is None:  # of those before the first stage, perhaps
        return _back(solution, first, end)
    return [*dict.fromkeys(way[way.index(first) :] if first in way else way for way in ways)]


def _back(solution: Solution, first: int | None, end: int) -> list[tuple[int, ...]] | None:
    """The same: those to a join are those to each of its inputs, and on from there."""
    known, ahead = solution.back.setdefault(first, {}), [end]
    while ahead:
        if (at := ahead[-1]) in known:
            ahead.pop()
            continue
        line, sources = _line(solution, first, at)
        if missing := [one for one in sources or () if one not in known]:
            ahead += missing
            continue
        before = [known[one] for one in sources] if sources else [[()]]
        ways = [one for one in before if one is not None]
        is_known = sources is not None and len(ways) == len(before)
        few = is_known and sum(map(len, ways)) <= MOST_WAYS
        known[at] = [(*way, *line) for some in ways for way in some] if few else None
    return known[end]


def _line(solution: Solution, first: int | None, end: int) -> tuple[list[int], list[int] | None]:
    """The way to a stage as far back as there is one, and what feeds the first of that; None where
    numbers say nothing of it."""
    line, known = [end], solution.sources
    while True:
        if line[-1] not in known:
            known[line[-1]] = _sources(solution, solution.compiled.stages[line[-1]])
        sources = [] if line[-1] == first else known[line[-1]]
        if sources is None or len(sources) != 1:
            return line[::-1], sources
        line.append(sources[0])


def _sources(solution: Solution, stage: Stage) -> list[int] | None:
    """The stages that feed one; None where numbers say nothing of it: where the n-th unit of each
    input need not make its n-th."""
    inputs = stage.inputs
    if len(inputs) == 1:
        return None if stage.anew or not single(solution, inputs[0]) else [inputs[0].source]
    by_number = not inputs or is_by_number(solution.compiled.stages, stage)
    if not by_number or not all(single(solution, edge) for edge in inputs):
        return None
    return [*dict.fromkeys([edge.source for edge in inputs])]
