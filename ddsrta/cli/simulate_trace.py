"""The beginning of a run as a trace for people to look at."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from ddsrta.base.units import Duration
from ddsrta.cli.say import say
from ddsrta.cli.streams import write

if TYPE_CHECKING:
    from ddsrta.models.system import System
    from ddsrta.simulation.simulation import Simulation

MOST_ROWS = 200_000  # what a viewer still shows, and what fits into memory


def write_trace(system: System, simulation: Simulation, path: str) -> None:
    """Run the first seed again, up to so many rows, and write them as a Perfetto trace."""
    from ddsrta.formats.perfetto import write as write_perfetto
    from ddsrta.simulation import Run, program_of, random_choices, worst_choices
    from ddsrta.simulation.timelines import timeline

    program = program_of(system)
    if simulation.choices == "worst":
        choices = worst_choices(program)
    else:
        choices = random_choices(program, simulation.seed, simulation.horizon)
    run = Run(program, choices, trace=MOST_ROWS, histograms=False)
    reached = run.advance(simulation.horizon)
    stream = io.StringIO()
    write_perfetto(timeline(program, run.take_trace()), stream)
    write(path, stream.getvalue())
    if reached < simulation.horizon:
        say(f"ddsrta: '{path}' shows the first {Duration(reached)} only")
