"""Fixed points over arrival curves and relations, compiled where possible.

Knows units of work, curves, relations and supplies; nothing of DDS, threads or policies. `Solver`
is the compiled kernel, or its plain-Python twin where none was built: the same numbers, slower.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ddsrta_kernel.problem import UNBOUNDED, Outcome, Problem, TandemOutcome

if TYPE_CHECKING or os.environ.get("DDSRTA_KERNEL") == "twin":
    from ddsrta_kernel.twin import Solver

    COMPILED = False
else:
    try:
        from ddsrta_kernel.compiled import Solver

        COMPILED = True
    except ImportError:
        from ddsrta_kernel.twin import Solver

        COMPILED = False

__all__ = ["COMPILED", "UNBOUNDED", "Outcome", "Problem", "Solver", "TandemOutcome"]
