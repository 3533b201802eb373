"""How long a token waits at an AND join for the other inputs (lemma join-wait).

Tokens are matched by number: the n-th of each input makes the n-th job. So the wait of the n-th
token is the latest arrival of the n-th of the others less its own earliest arrival, and exists only
where both can be told: where the other stream keeps pace with a period.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.streams import Node
from ddsrta.models.arrivals import Periodic, Sporadic

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution


class Pace(NamedTuple):
    """The n-th event comes no later (or no earlier) than offset + (n-1)·period after the start, if
    every periodic source fires within its first period."""

    period: int
    offset: int


def wait(solution: Solution, own: Edge, others: list[Edge]) -> int | None:
    """The longest that a token behind `own` waits for those behind the other edges."""
    longest = 0
    if others and not all(in_numbers(solution.compiled.stages, edge) for edge in (own, *others)):
        return None
    for other in others:
        one = _wait(solution, own, other)
        if one is None:
            return None
        longest = max(longest, one)
    return longest


def slowest(solution: Solution, own: Edge, others: list[Edge]) -> Edge | None:
    """The edge behind which the tokens come for which one behind `own` waits longest."""
    waits = [(_wait(solution, own, other), other) for other in others]
    known = [(time, other) for time, other in waits if time is not None]
    return max(known, key=lambda each: each[0])[1] if known else None


def _wait(solution: Solution, own: Edge, other: Edge) -> int | None:
    streams = solution.compiled.streams
    earliest, _ = solution.arrival_window(own)
    _, latest = solution.arrival_window(other)
    if latest is None:
        return None
    mine, theirs = streams.of[own.source], streams.of[other.source]
    counts = (mine.multiplicity * own.multiplicity, theirs.multiplicity * other.multiplicity)
    if mine.node == theirs.node and counts[0] == counts[1]:
        return max(0, latest - earliest)
    if counts[0] != counts[1]:  # so the n-th tokens of both are of the same number of event
        return None
    first = earliest_pace(solution, mine.node)
    last = latest_pace(solution, theirs.node)
    if first is None or last is None or last.period > first.period:
        return None
    paced = _paced(solution, other)
    return None if paced is None else max(0, last.offset + paced - first.offset - earliest)


def _paced(solution: Solution, edge: Edge) -> int | None:
    """When a unit arrives behind an edge at the latest, from when its base's event is due: no later
    than a period that is no shorter than the base's pace says of that event itself."""
    paced = solution.paced(edge.source)
    return None if paced is None else paced + edge.worst


def latest_pace(solution: Solution, node: int) -> Pace | None:
    """When the n-th event of a node comes at the latest, where that is known."""
    known = solution.latest_paces
    if node not in known:
        known[node] = _latest_pace(solution, node)
    found: Pace | None = known[node]
    return found


def source_latest(base: Node) -> Pace | None:
    """The same of a source."""
    if isinstance(base.arrival, Periodic):
        first = base.arrival.period + base.offset
        return Pace(base.arrival.period, first + base.arrival.jitter)
    gap = base.arrival.largest_gap if base.arrival else None
    return None if gap is None else Pace(gap, gap)


def source_earliest(base: Node) -> Pace | None:
    """When its n-th event comes at the earliest; that of sources with offsets, when it is due."""
    if isinstance(base.arrival, Periodic):
        return Pace(base.arrival.period, -base.arrival.jitter - base.early)
    if isinstance(base.arrival, Sporadic):
        return Pace(base.arrival.distance, -base.arrival.jitter)
    return None


def _latest_pace(solution: Solution, node: int) -> Pace | None:
    """A periodic source keeps its period; an AND of such keeps the slowest. Of a group of sources
    with known offsets, the first fires within its first period (lemma known-offsets)."""
    base = solution.compiled.streams.nodes[node]
    if base.arrival is not None:
        return source_latest(base)
    paces = []
    for edge, entry in joining(solution, node):
        pace, latest = latest_pace(solution, entry), _paced(solution, edge)
        if pace is None or latest is None or not single(solution, edge):
            return None
        paces.append(Pace(pace.period, pace.offset + latest))
    if not paces:
        return None
    return Pace(max(p.period for p in paces), max(p.offset for p in paces))


def earliest_pace(solution: Solution, node: int) -> Pace | None:
    """When it does at the earliest."""
    known = solution.earliest_paces
    if node not in known:
        known[node] = _earliest_pace(solution, node)
    found: Pace | None = known[node]
    return found


def _earliest_pace(solution: Solution, node: int) -> Pace | None:
    """A source is never faster than its period; an AND never faster than any of its inputs. What
    was due before the start may come after it, by as much as its jitter."""
    base = solution.compiled.streams.nodes[node]
    if base.arrival is not None:
        return source_earliest(base)
    paces = []
    for edge, entry in joining(solution, node):
        pace = earliest_pace(solution, entry)
        if pace is not None and single(solution, edge):
            earliest, _ = solution.arrival_window(edge)
            paces.append(Pace(pace.period, pace.offset + earliest))
    return max(paces, default=None)


def joining(solution: Solution, node: int) -> list[tuple[Edge, int]]:
    """The edges that enter a junction that takes the n-th of each input together, each with the
    node that it comes from; none of any other base."""
    number = solution.junctions.get(node)
    stages, streams = solution.compiled.stages, solution.compiled.streams
    if number is None or not is_by_number(stages, stages[number]):
        return []
    inputs = stages[number].inputs
    return [(edge, streams.of[edge.source].node) for edge in inputs]


def is_by_number(stages: Sequence[Stage], stage: Stage) -> bool:
    """Whether a stage takes the n-th of each input together, for sure: a synchronizer leaves
    messages out."""
    if stage.activation != "and" or len(stage.inputs) == 1 or stage.mispaired or stage.synchronizer:
        return False
    return all(in_numbers(stages, edge) for edge in stage.inputs)


def single(solution: Solution, edge: Edge) -> bool:
    """Whether an event of the base brings one unit behind an edge."""
    return solution.compiled.streams.of[edge.source].multiplicity * edge.multiplicity == 1


def in_numbers(stages: Sequence[Stage], edge: Edge) -> bool:
    """Whether tokens keep their numbers: none overtakes another at the job that brings them (lemma
    overtaking-jobs), or on the way, and none is left out (lemma thinned-stream)."""
    return not edge.overtakes and edge.part is None and not stages[edge.source].reorders
