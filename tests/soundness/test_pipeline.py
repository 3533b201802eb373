"""The short form of the pipeline: each pair of features once, at all its stations."""

from __future__ import annotations

import pytest

from tests.soundness.pipeline.drawn import drawn, rows
from tests.soundness.pipeline.relations import relations
from tests.soundness.pipeline.stations import through
from tests.soundness.version import rotation

RUNS = 4  # of an attack
PARTS = 4
EACH = 5  # one of so many is compared with its relatives


@pytest.mark.parametrize("part", range(PARTS))
def test_no_system_falls(part):
    """The array changes with whatever bounds are computed by, and with nothing else."""
    array = rotation()
    for number in range(part, len(rows(array)), PARTS):
        one = drawn(array, number)
        without = one.row["refinement"]
        seen = through(one.system, number, None if without == "all" else without, RUNS)
        failures = list(seen.failures)
        if number // PARTS % EACH == array % EACH:
            failures += relations(one, seen, moves=1)
        assert not failures, f"system {one.seed}: {failures[0]}"
