"""How long messages take where others may be taken in their turn (lemma turns-in-order)."""

from __future__ import annotations

from ddsrta.bounds.paths.walk import along
from ddsrta.bounds.solution import Solution
from ddsrta_kernel import UNBOUNDED


def tell(solution: Solution) -> None:
    """Notes it of each stage whose messages do, and how much more that is than its response, as
    windows of paths count it."""
    compiled = solution.compiled
    for number, stage in enumerate(compiled.stages):
        if stage.tells_apart:
            solution.messages[number] = total = along(solution, [stage.key]).total
            response = solution.response(number)
            more = UNBOUNDED if total is None or response is None else total - response
            compiled.problem.excess[compiled.unit_of[number]] = more
