"""Fixed points over arrival curves and relations, compiled where possible.

Knows units of work, curves, relations and supplies; nothing of DDS, threads or policies. `Solver`
is one text: compiled, or interpreted where that was not done. The numbers are the same, but later.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ddsrta_kernel.outcomes import Outcome, TandemOutcome
from ddsrta_kernel.problem import LAYOUT, UNBOUNDED, Problem

if (_WANTED := os.environ.get("DDSRTA_KERNEL", "")) not in ("", "interpreted"):
    raise ImportError(
        f"DDSRTA_KERNEL is {_WANTED!r}: it may be 'interpreted', or not set",
        name="ddsrta_kernel.compiled",
    )
if TYPE_CHECKING or _WANTED:
    from ddsrta_kernel.solver import Solver

    COMPILED = False
else:
    try:
        from ddsrta_kernel import compiled
    except ImportError:
        from ddsrta_kernel.solver import Solver

        COMPILED = False
    else:
        if getattr(compiled, "LAYOUT", None) != LAYOUT:
            raise ImportError(
                "ddsrta_kernel.compiled was built for another problem.py: build it again, as by "
                "`make .venv/.installed`, or set DDSRTA_KERNEL=interpreted, which is slower",
                name="ddsrta_kernel.compiled",
            )
        Solver = compiled.Solver
        COMPILED = True

__all__ = ["COMPILED", "UNBOUNDED", "Outcome", "Problem", "Solver", "TandemOutcome"]
