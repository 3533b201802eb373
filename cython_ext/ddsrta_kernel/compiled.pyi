from array import array
from collections.abc import Sequence

from ddsrta_kernel.problem import Outcome, Problem, TandemOutcome

LAYOUT: int

class Solver:
    problem: Problem
    response: array[int]
    latency: array[int]
    window: array[int]
    solved: int
    def __init__(self, problem: Problem, most_steps: int = ...) -> None: ...
    def solve(self) -> int: ...
    def evaluate(self, unit: int, origin: int = -1, before: int | None = None) -> Outcome: ...
    def evaluate_group(self, group: tuple[int, ...], origin: int, before: int) -> Outcome: ...
    def evaluate_tandem(
        self,
        tandem: tuple[int, int, int, int],
        feeds: Sequence[int],
        origin: int,
        before: tuple[int, int],
    ) -> TandemOutcome: ...
    def count(self, unit: int, window: int) -> int: ...
    def node_count(self, node: int, window: int) -> int: ...
    def before(self, unit: int) -> int: ...
