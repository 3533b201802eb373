"""A discrete-event simulation over flat arrays, compiled where possible.

Knows threads, queues, messages and supplies; nothing of YAML or of any analysis. `Engine` is one
text: compiled, or interpreted where that was not done. The numbers are the same, but later. Loaded
when it is asked for: who analyses needs the names of `orders` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ddsrta_simulator.engine import COMPILED as COMPILED
    from ddsrta_simulator.engine import Engine as Engine
    from ddsrta_simulator.program import Choices as Choices
    from ddsrta_simulator.program import Measure as Measure
    from ddsrta_simulator.program import Program as Program

_PUBLIC = {
    "COMPILED": "ddsrta_simulator.engine",
    "Choices": "ddsrta_simulator.program",
    "Engine": "ddsrta_simulator.engine",
    "Measure": "ddsrta_simulator.program",
    "Program": "ddsrta_simulator.program",
}
__all__ = ["COMPILED", "Choices", "Engine", "Measure", "Program"]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'ddsrta_simulator' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value
