"""Exact worst cases of the case studies that are small, and bounds beside them."""

from __future__ import annotations

from functools import cache

from casestudies.analyses import in_us, loaded
from ddsrta.exploration.exact.exact import WorstCase, exact


@cache
def worst_cases(study: str, name: str, *wanted: str) -> dict[str, WorstCase]:
    """Of chains and messages, by name."""
    return {one.target.name: one for one in exact(loaded(study, name), wanted).cases}


def exactly(case: WorstCase) -> str:
    """The worst case in µs, where a run has it; else between which figures it is."""
    return in_us(case.most) if case.exact else f"{in_us(case.worst)} to {in_us(case.most)}"


def above(bound: int | None, case: WorstCase) -> str:
    """A bound over the worst case, rounded up; of one that is not exact, over the worst run."""
    if bound is None or not case.worst:
        return "–"
    hundredths = -(-100 * bound // case.worst)
    return f"{hundredths // 100}.{hundredths % 100:02}"
