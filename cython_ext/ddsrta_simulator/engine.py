"""The compiled engine, or its plain-Python twin where none was built."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

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

__all__ = ["COMPILED", "Engine"]
