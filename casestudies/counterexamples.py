"""Small systems in which a published bound does not hold: what is bounded, and what is seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import ddsrta
from casestudies.analyses import FOLDER, PROFILES, analysed, in_us
from casestudies.statements import table
from ddsrta.bounds.result import Result
from ddsrta.simulation import Run, program_of, random_choices

RUNS = 64
HORIZON = 20_000_000  # twenty periods


@dataclass(frozen=True)
class Figure:
    """A time of the system: by which measure it is seen, and where a result has its bound."""

    name: str
    measure: tuple[str, object]
    bound: Callable[[Result], int | None]


@cache
def seen(study: str) -> dict[tuple[str, object], int]:
    """The largest of every measure in a fixed number of random runs."""
    program = program_of(ddsrta.load(FOLDER / study / "system.yaml"))
    worst = [-1] * len(program.measures)
    for seed in range(RUNS):
        run = Run(program, random_choices(program, seed, HORIZON))
        run.advance(HORIZON)
        worst = list(map(max, worst, run.worst))
    return {tuple(measure): value for measure, value in zip(program.measures, worst, strict=True)}


def compared(study: str, figure: Figure) -> tuple[int | None, int, int | None]:
    """The published bound, the worst that is seen, and the default bound."""
    default, published = (figure.bound(analysed(study, "system", p)) for p in PROFILES)
    return published, seen(study)[figure.measure], default


def figure_table(study: str, figures: Sequence[Figure]) -> str:
    """Both bounds, and between them what a simulation sees."""
    rows = []
    for figure in figures:
        published, worst, default = compared(study, figure)
        mark = "**" if published is not None and worst > published else ""
        rows.append([figure.name, in_us(published), f"{mark}{in_us(worst)}{mark}", in_us(default)])
    return table(["", "`published` bound", "seen in simulation", "default bound"], rows)
