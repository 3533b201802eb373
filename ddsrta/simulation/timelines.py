"""Rows of the engine's trace as timelines.

Rows must begin with the run: which message released a job is found by counting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ddsrta.simulation.timeline import Timeline
from ddsrta.simulation.tracer import Tracer
from ddsrta_simulator import Program
from ddsrta_simulator.program import TRACE


def timeline(program: Program, rows: Sequence[int], until: int = 0) -> Timeline:
    """The timeline of a whole trace. What is going on ends with its last row, or at `until`.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation import Run, program_of, worst_choices
    >>> program = program_of(two_threads())
    >>> run = Run(program, worst_choices(program), trace=1000)
    >>> run.advance(10_000_000)
    10000000
    >>> [(s.stage, s.begin, s.end) for s in timeline(program, run.take_trace()).spans][:2]
    [(0, 0, 1000000), (2, 1000000, 1062000)]
    """
    parts = list(timelines(program, [rows], until))
    return Timeline(
        program,
        parts[0].begin,
        parts[-1].end,
        tuple(span for part in parts for span in part.spans),
        tuple(arrival for part in parts for arrival in part.arrivals),
        tuple(publication for part in parts for publication in part.publications),
        tuple(flow for part in parts for flow in part.flows),
        tuple(cause for part in parts for cause in part.causes),
        tuple(closed for part in parts for closed in part.closed),
    )


def timelines(
    program: Program, buffers: Iterable[Sequence[int]], until: int = 0
) -> Iterator[Timeline]:
    """A piece for each drained buffer, and one for what is then still going on.

    A piece has what ended in its buffer, wherever it began. Memory does not grow with the number
    of buffers. What is going on ends with the last row or, if that is later, at `until`.
    """
    tracer = Tracer(program)
    for rows in buffers:
        if len(rows) % TRACE:
            raise ValueError(f"a trace has rows of {TRACE} numbers")
        tracer.read(rows)
        yield tracer.taken()
    tracer.finish(until)
    yield tracer.taken()
