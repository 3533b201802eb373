"""Rows that tables of δ lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.base.units import format_size
from ddsrta.models.system import System

_MOST_NAMED = 4
Path = tuple[str | int, ...]


def row_problems(system: System, lacking: Mapping[str, Mapping[str, Path]]) -> Iterator[Diagnostic]:
    """One report for each table, at the first of the topics that ask for a row, however many do."""
    for table, places in lacking.items():
        size = format_size(max(system.topics[topic].size for topic in places))
        names = ", ".join(f"'{topic}'" for topic in [*places][:_MOST_NAMED])
        more = len(places) - _MOST_NAMED
        of = f"topic {names}" if len(places) == 1 else f"topics {names}"
        of += f" and {more} more" if more > 0 else ""
        where = "under 'subscribes'" if table in ("listener", "take") else "here"
        advice = f"add a row, or give '{'take' if table == 'take' else 'delay'}' {where}"
        if table != "take":
            advice += "; 'placeholder: true' under 'delays' stands in until you measure"
        message = f"delays.{table} has no row for {size} or more ({of})"
        yield Diagnostic(system.where(*next(iter(places.values()))), message, advice)
