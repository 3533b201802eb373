"""The engine, compiled, or interpreted where that was not done."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from ddsrta_simulator.program import LAYOUT

if TYPE_CHECKING or os.environ.get("DDSRTA_SIMULATOR") == "interpreted":
    from ddsrta_simulator.simulator import Engine

    COMPILED = False
else:
    try:
        compiled = import_module("ddsrta_simulator.compiled")
    except ImportError:
        from ddsrta_simulator.simulator import Engine

        COMPILED = False
    else:
        if getattr(compiled, "LAYOUT", None) != LAYOUT:
            raise ImportError(
                "ddsrta_simulator.compiled was built for another program.py: build it again, as by "
                "`make .venv/.installed`, or set DDSRTA_SIMULATOR=interpreted, which is slower",
                name="ddsrta_simulator.compiled",
            )
        Engine = compiled.Engine
        COMPILED = True

__all__ = ["COMPILED", "Engine"]
