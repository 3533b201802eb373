"""The worst instance that a search has found, as a Gantt chart."""

from __future__ import annotations

import shutil
from typing import Protocol, TextIO

from ddsrta.base.files import atomic_write
from ddsrta.report.gantt import svg, text
from ddsrta.simulation.instance import Instance, buffers_of, worst_instance
from ddsrta.simulation.run import Run
from ddsrta_simulator import Program

_NARROWEST, _WIDEST = 60, 160


class Found(Protocol):
    """What a search has found: the largest value of a measure, seen at a time of a run."""

    @property
    def program(self) -> Program:
        """What runs."""

    @property
    def number(self) -> int:
        """Of the measure."""

    @property
    def worst(self) -> int:
        """The largest value; -1: never seen."""

    @property
    def end(self) -> int:
        """When it was seen."""

    def replay(self) -> Run:
        """The run again, with a trace buffer of which nothing was taken."""


def instance_of(found: Found) -> Instance | None:
    """The instance that was found, cut out of a replay; None for what was pending at one time."""
    if found.worst < 0 or found.program.measures[found.number].kind == "pending":
        return None
    until = found.end + found.worst // 20 + 2
    return worst_instance(
        found.program, lambda: buffers_of(found.replay(), until), found.number, found.worst
    )


def show(found: Found, stream: TextIO, svg_path: str | None = None) -> None:
    """Print the chart; with a path, write it there as SVG, too."""
    instance = instance_of(found)
    if instance is None:
        stream.write(f"no chart: {_reason(found)}\n")
        return
    stream.write(text(instance, _columns(), ascii_only=not _knows_blocks(stream)))
    if svg_path is not None:
        atomic_write(svg_path, svg(instance))


def _reason(found: Found) -> str:
    if found.worst < 0:
        return "it was never seen"
    if found.program.measures[found.number].kind == "pending":
        return "what is pending at one time has no beginning and no end"
    return "the trace does not tell which instance it was"


def _columns() -> int:
    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size((100, 24)).columns))


def _knows_blocks(stream: TextIO) -> bool:
    try:
        "│█▓▒░▞·→…".encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
