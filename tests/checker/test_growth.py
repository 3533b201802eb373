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

SIZES = (450, 800)  # both beyond what is looked at in other ways
# times as much for each thread as at little more than a half of the size: a thirteenth of that may grow
# with the square; of one event's stages sets are made, of which 64 are a unit of work, and this does
MOST = {"calls": 1.06, "bytes": 1.06, "work": 1.19}


def takes(claims: dict[str, Any]) -> tuple[int, int, int]:
    """Evaluations, calls, and bytes of a check."""
    found = []
    count = calls(lambda: found.append(check(claims)))
    tracemalloc.start()
    check(claims)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    (verdict,) = found
    assert verdict.ok, verdict.failure
    return verdict.work, count, peak


@pytest.mark.parametrize("shape", [chain, pairs, fan], ids=lambda shape: shape.__name__)
def test_a_check_grows_like_the_system(shape: Any) -> None:
    check(certificate(system(shape, 20, 10)))  # what is imported is not counted
    few, many = (takes(certificate(system(shape, count, 10))) for count in SIZES)
    for what, some, more in zip(("work", "calls", "bytes"), few, many, strict=True):
        assert more / SIZES[1] < MOST[what] * some / SIZES[0], (what, few, many)
