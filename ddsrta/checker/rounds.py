"""What comes back by circles that a counter ends (lemma bounded-rounds)."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.budget import Budget
from ddsrta.checker.circles import Return, circles
from ddsrta.checker.closed import Closed
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Counting, Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import System


def returns(
    system: System,
    stages: Mapping[Key, Stage],
    claims: Mapping[Key, Claim],
    counts: Mapping[Key, Counting],
    budget: Budget,
) -> dict[Key, Return]:
    """By the first job of each circle what comes back: as claimed responses have it, or the window
    of all that is done on the circle and before it, which needs no curve behind sources; `counts`
    say which synchronizers take the n-th message of each topic."""
    found = _by_responses(system, stages, claims)
    open_ended = {key: one._replace(latest=None) for key, one in found.items()}
    streams = Streams(stages, dict.fromkeys(stages), budget, counts, returns=open_ended)
    closed = Closed(stages, streams, Neighbours(system, stages), budget, system)
    return {
        key: one.within(closed.window(_closing_edge(stages[key]).source))
        for key, one in found.items()
    }


def _by_responses(
    system: System, stages: Mapping[Key, Stage], claims: Mapping[Key, Claim]
) -> dict[Key, Return]:
    """As claimed responses have it."""
    found: dict[Key, Return] = {}
    for circle in circles(system):
        first: Key = ("job", circle.threads[0])
        edge, latest, earliest = _closing_edge(stages[first]), 0, 0
        bounded = True
        while True:
            response = claims[edge.source].response
            bounded = bounded and response is not None
            latest += edge.extra + (response or 0)
            earliest += edge.least
            if edge.source == first:
                break
            (edge,) = stages[edge.source].inputs
        found[first] = Return(latest * circle.rounds if bounded else None, earliest)
    return found


def _closing_edge(first: Stage) -> Edge:
    """By which a circle comes back to its first job."""
    assert first.comes_back is not None
    return first.comes_back
