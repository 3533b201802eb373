"""How far a system is from being in time."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.bounds.deadlines import deadlines, unbounded_parts
from ddsrta.bounds.result import Result

PARTS = 1_000_000


class Score(NamedTuple):
    """The less, the better: how much is wrong, how much of that has no bound, and the sum of what
    each chain is late, in millionths of its deadline."""

    wrong: int
    unbounded: int
    lateness: int


MET = Score(0, 0, 0)


def score(result: Result) -> Score:
    """Of a result: late chains, orders that can be violated, findings that are errors, and one for
    all other things without a bound.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> score(analyze(two_threads()))
    Score(wrong=0, unbounded=0, lateness=0)
    """
    if result.verdict == "met":
        return MET
    late = [each for each in deadlines(result) if each.state != "met"]
    wrong = len(late) + sum(not order.met for order in result.orders.values())
    wrong += sum(finding.severity == "error" for finding in result.warnings)
    unbounded = sum(each.figure is None for each in late)
    if result.verdict == "unbounded":
        nowhere = len(unbounded_parts(result))
        wrong += 0 if unbounded else 1
        unbounded += nowhere
    lateness = sum(
        -(-PARTS * (each.figure - each.deadline) // max(1, each.deadline))
        for each in late
        if each.figure is not None
    )
    return Score(max(1, wrong), unbounded, lateness)


def late_chains(result: Result) -> tuple[str, ...]:
    """Those whose deadlines do not hold, the latest first; all, if none has one that does not."""
    late = [each for each in deadlines(result) if each.state != "met"]
    late.sort(
        key=lambda d: 0 if d.figure is None else -(d.figure - d.deadline) * PARTS // d.deadline
    )
    return tuple(dict.fromkeys(each.chain for each in late)) or tuple(result.chains)
