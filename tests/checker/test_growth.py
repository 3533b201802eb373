"""Twice the threads are twice the work, and twice what is kept, of a check on ten cores: in calls
of the interpreter, in evaluations of curves, and in bytes."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from tests.bounds.test_growth import chain, fan, pairs, system
from tests.effort import calls

SIZES = (500, 1500)
# times as much for each thread as at a third of the size; of one event's stages sets are made, of
# which 64 are a unit of work: a part that grows with the square
MOST = {"calls": 1.25, "bytes": 1.25, "work": 1.6}


def takes(claims: dict[str, Any]) -> tuple[int, int, int]:
    """Evaluations, calls, and bytes, each of a check of its own."""
    verdict = check(claims)
    assert verdict.ok, verdict.failure
    count = calls(lambda: check(claims))
    tracemalloc.start()
    check(claims)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return verdict.work, count, peak


@pytest.mark.parametrize("shape", [chain, pairs, fan], ids=lambda shape: shape.__name__)
def test_a_check_grows_like_the_system(shape: Any) -> None:
    few, many = (takes(certificate(system(shape, count, 10))) for count in SIZES)
    for what, some, more in zip(("work", "calls", "bytes"), few, many, strict=True):
        assert more / SIZES[1] < MOST[what] * some / SIZES[0], (what, few, many)
