"""An explanation in short: what of each kind is in a stage, and the largest causes of a bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ddsrta.bounds.terms.explain import Explanation, StageExplanation
from ddsrta.bounds.terms.window import SUPPLY, Kind

WORDS: Mapping[Kind, str] = {
    "work": "own work",
    "preempted": "preempted",
    "behind": "behind others",
    "blocked": "blocked",
    "waits": "waits",
    "way": "on the way",
    "together": "own and others' work",
    "less": "less, counted twice",
}
# What speaks of the stage that it is of, and names nobody else.
_OF_STAGE = {
    "own work": "own work of {}",
    "behind its own earlier ones": "behind earlier ones of {}",
    SUPPLY: "{} waits for supply",
    "on the way": "on the way to {}",
    "waits for locks, datagrams and limits": "{} waits for locks, datagrams and limits",
}


class Cause(NamedTuple):
    """Something that a bound is made of, wherever it stands in it."""

    what: str
    kind: Kind
    time: int


def causes(explanation: Explanation) -> list[Cause]:
    """All causes, the largest first; with what is `less`, they add up to the bound.

    >>> from ddsrta.bounds.terms.explain import explain
    >>> from ddsrta.examples import two_threads
    >>> [(cause.what, cause.time) for cause in causes(explain(two_threads(), "control loop"))[:2]]
    [('own work of thread control', 2000000), ('own work of thread sensor', 1000000)]
    """
    found: dict[tuple[str, Kind], int] = {}
    for stage in explanation.stages:
        for term in stage.terms:
            what = _OF_STAGE.get(term.label, term.label).format(stage.stage)
            found[what, term.kind] = found.get((what, term.kind), 0) + term.time
    listed = [Cause(what, kind, time) for (what, kind), time in found.items() if time]
    return sorted(listed, key=lambda cause: -cause.time)


def shares(stage: StageExplanation) -> dict[Kind, int]:
    """The time of a stage by kinds, in the order of `WORDS`; they add up to its total.

    >>> from ddsrta.bounds.terms.explain import explain
    >>> from ddsrta.examples import two_threads
    >>> [shares(stage) for stage in explain(two_threads(), "control loop").stages]
    [{'work': 1062000}, {'work': 2224000}]
    """
    sums = dict.fromkeys(WORDS, 0)
    for term in stage.terms:
        sums[term.kind] += term.time
    return {kind: time for kind, time in sums.items() if time}
