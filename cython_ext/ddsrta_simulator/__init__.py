"""A discrete-event simulation over flat arrays, compiled where possible.

Knows threads, queues, messages and supplies; nothing of YAML or of any analysis. `Engine` is the
compiled one, or its plain-Python twin where none was built: the same numbers, slower.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ddsrta_simulator.program import Choices, Measure, Program

if TYPE_CHECKING or os.environ.get("DDSRTA_SIMULATOR") == "twin":
    from ddsrta_simulator.twin import Engine

    COMPILED = False
else:
    try:
        from ddsrta_simulator.compiled import Engine

        COMPILED = True
    except ImportError:
        from ddsrta_simulator.twin import Engine

        COMPILED = False

__all__ = ["COMPILED", "Choices", "Engine", "Measure", "Program"]
