"""The bounds of a system held against what a run of it showed, by one call."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import expect_files
from ddsrta.bounds.analyze import analyze
from ddsrta.models.system import System
from ddsrta.validation.compare import Validation, compare, limits
from ddsrta.validation.reading import read_measured

if TYPE_CHECKING:
    from pathlib import Path


def validate(system: System, trace: str | Path, *, profile: str = "busy-window") -> Validation:
    """What was measured beside each bound, as `ddsrta validate` has it: of a trace of the harness,
    the folder of a ros2_tracing trace, or a CSV file. Raises InputError where nothing can be
    concluded.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from ddsrta.examples import two_threads
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     trace = Path(folder, "run.csv")
    ...     _ = trace.write_text("name,latency_ns\\ncontrol loop,3000000\\n")
    ...     found = validate(two_threads(), trace)
    >>> found.verdict, found.rows[0].bound
    ('ok', 3.286 ms)
    """
    expect_files(trace=trace)
    path = os.fspath(trace)
    result = analyze(system, profile=profile)
    paths = {name: chain.path for name, chain in result.chains.items()}
    measured = read_measured(path, system, paths, limits(system, result))
    return compare(system, result, measured)
