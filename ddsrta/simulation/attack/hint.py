"""Where the worst may begin: what the program tells, or whoever knows more than it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ddsrta.simulation.attack.ways import Way, places, stages_of, ways_of
from ddsrta_simulator import Program


@dataclass(frozen=True, slots=True)
class Hint:
    """Work that should meet, so that a measure becomes large.

    Each way says at which stage the work of a source arrives, and how long before that the source
    has to release it: at least `best`, at most `latest`, when all on its way was worst.
    """

    measure: int
    rivals: tuple[Way, ...]


class Rivals:
    """The ways of all that may delay a measure: to the stages on the cores of its own, as if nobody
    ever waited, and what the hints add to that."""

    def __init__(self, program: Program, hints: Sequence[Hint] = ()) -> None:
        self.program = program
        self.ways = ways_of(program)
        self.core = places(program)
        self.hints = {hint.measure: hint for hint in hints}
        self.known: dict[int, list[Way]] = {}

    def of(self, measure: int) -> list[Way]:
        """Found when first asked for."""
        if measure not in self.known:
            stages = stages_of(self.program, self.program.measures[measure])
            cores = {self.core[stage] for stage in stages}
            near = (ways for core, ways in zip(self.core, self.ways, strict=True) if core in cores)
            hint = self.hints.get(measure)
            hinted = hint.rivals if hint else ()
            found = dict.fromkeys([*(way for ways in near for way in ways), *hinted])
            self.known[measure] = list(found)
        return self.known[measure]
