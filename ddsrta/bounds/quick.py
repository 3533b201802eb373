"""Some figures of many systems that share a structure and their cores, each found by the kernel
alone: what it is asked of a system is made without a solution that could explain itself."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.bounds.asking import Answers, Asked, Figures
from ddsrta.bounds.candidates import Candidates, Column
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.layout import Layout
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.unaided import Unaided
from ddsrta.models.system import System


class Quick:
    """Finds figures of systems that have the structure and the cores of a solved one.

    >>> from ddsrta.bounds.asking import Asking
    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> solution = solve(two_threads())
    >>> quick = Quick(solution, [Asking(solution.compiled).wcrt("sensor")])
    >>> quick.figures(two_threads().altered("threads", "sensor", wcet=2_000_000))
    (2000000,)
    >>> quick.candidates is None  # `many` needs cores without outputs that come sample by sample
    True
    """

    def __init__(self, solution: Solution, asked: Sequence[Asked], threads: int = 1) -> None:
        self.compiled = solution.compiled
        self.unaided = Unaided(self.compiled)
        self.answers = Answers(solution, asked)
        self.candidates = None if self.unaided.is_joint else self._candidates(threads)

    @staticmethod
    def fits(solution: Solution) -> bool:
        """Whether the kernel can tell all figures of systems like a solved one."""
        return Unaided.fits(solution.compiled)

    def _candidates(self, threads: int) -> Candidates | None:
        """Candidates that the kernel makes itself, if it can."""
        if self.compiled.coupling is None or not self.compiled.coupling.levels:
            return None
        layout = Layout(self.compiled)
        if not layout.fits:
            return None
        asked = self.answers.book, self.answers.ways
        return Candidates(layout, self.unaided.flow, asked, self.unaided.uses, threads)

    def many(
        self, rows: Sequence[Sequence[int]], columns: Sequence[Column]
    ) -> list[Figures | None]:
        """The figures of systems that have other numbers in some columns; None for those of which
        the kernel cannot tell all."""
        candidates, answers = self.candidates, self.answers
        assert candidates is not None
        given = candidates.rows(rows, columns)
        found, size, width = candidates.found(given), candidates.size, len(candidates.base)
        return [
            answers.of(found[at + 1 : at + size], given, width * row) if found[at] else None
            for row, at in enumerate(range(0, len(found), size))
        ]

    def figures(self, system: System) -> Figures | None:
        """All of a system; None where the kernel cannot tell."""
        compiled = compile_system(system, structure=self.compiled.structure)
        if compiled.slowest:  # more than one solution is needed (lemma slowest-input)
            return None
        solver = self.unaided.solved(compiled)
        return None if solver is None else self.answers.by(solver, compiled)
