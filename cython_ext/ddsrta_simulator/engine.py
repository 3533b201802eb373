"""The engine, compiled, or interpreted where that was not done."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from ddsrta_simulator.program import LAYOUT

if (_WANTED := os.environ.get("DDSRTA_SIMULATOR", "")) not in ("", "interpreted"):
    raise ImportError(
        f"DDSRTA_SIMULATOR is {_WANTED!r}: it may be 'interpreted', or not set",
        name="ddsrta_simulator.compiled",
    )
if TYPE_CHECKING or _WANTED:
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
