"""What an export makes, and which formats there are."""

from __future__ import annotations

from typing import NamedTuple


class Exported(NamedTuple):
    """The content of a file for another tool, and what of the system is not in it or is something
    else in it, a line each."""

    content: str | bytes
    left_out: tuple[str, ...] = ()


# Each format: the module of ddsrta.formats that has `export(system) -> Exported`, and what it is.
EXPORTS = {
    "csv": ("results", "all figures of the analysis, a row each"),
    "parquet": ("results", "the same as a table for pandas, polars or DuckDB; needs pyarrow"),
    "graphml": ("graphml", "the graph of threads, middleware and topics"),
    "caret": ("caret_export", "an architecture file of CARET: callbacks, executors, named paths"),
    "amalthea": ("tasks.amalthea", "an AMALTHEA model (.amxmi) for APP4MC"),
    "mast": ("tasks.mast", "a model of MAST, for mast_analysis"),
    "pycpa": ("tasks.pycpa", "a Python script that runs pyCPA and prints both bounds"),
}
