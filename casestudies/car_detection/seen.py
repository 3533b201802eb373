"""What runs of the case study show of its synchronizer."""

from __future__ import annotations

from functools import cache

from casestudies.analyses import loaded
from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.attack import Budget, attack_all
from ddsrta_simulator.program import RECORD

STUDY = "car_detection"
SEEDS, HORIZON = 40, 100_000_000_000
TRIES = Budget(runs=6000)
BURST = 4_000_000_000  # how long each run of the search is
KINDS = ("disparity", "wait", "latency")


@cache
def disparities(system: str) -> tuple[int, ...]:
    """The disparity of each set in random runs."""
    program = program_of(loaded(STUDY, system))
    (measure,) = (i for i, one in enumerate(program.measures) if one.kind == "disparity")
    found: list[int] = []
    for seed in range(SEEDS):
        run = Run(program, random_choices(program, seed, HORIZON), records=1 << 40)
        run.advance(HORIZON)
        rows = run.take_records()
        values = zip(rows[::RECORD], rows[2::RECORD], strict=True)
        found += [value for of, value in values if of == measure]
    return tuple(found)


@cache
def worst(system: str) -> dict[tuple[str, str], int]:
    """The worst that a search for each found: of ("disparity", "sync"), ("wait", topic) and
    ("latency", first thread)."""
    program = program_of(loaded(STUDY, system))
    measures = [i for i, one in enumerate(program.measures) if one.kind in KINDS]
    search = attack_all(program, measures, 1, TRIES, horizon=BURST)
    return {
        (one.measure.kind, one.measure.of[0 if one.measure.kind == "latency" else -1]):
            one.worst
        for one in search
    }  # fmt: skip
