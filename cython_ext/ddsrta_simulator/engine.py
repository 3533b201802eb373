"""The compiled engine, or its plain-Python twin where none was built."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from ddsrta_simulator.program import LAYOUT

if TYPE_CHECKING or os.environ.get("DDSRTA_SIMULATOR") == "twin":
    from ddsrta_simulator.twin import Engine

    COMPILED = False
else:
    try:
        compiled = import_module("ddsrta_simulator.compiled")
    except ImportError:
        from ddsrta_simulator.twin import Engine

        COMPILED = False
    else:
        if getattr(compiled, "LAYOUT", None) != LAYOUT:
            raise ImportError(
                "ddsrta_simulator.compiled was built for another program.py: build it again, as by "
                "`make .venv/.installed`, or set DDSRTA_SIMULATOR=twin for the slower twin",
                name="ddsrta_simulator.compiled",
            )
        Engine = compiled.Engine
        COMPILED = True

__all__ = ["COMPILED", "Engine"]
