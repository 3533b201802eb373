"""Many systems that differ at the same places: some numbers of each, as `analyze` says them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Self

from ddsrta.base.collecting import collecting_rarely
from ddsrta.base.diagnostics import InputError
from ddsrta.base.frozen import frozen
from ddsrta.base.watch import Watch
from ddsrta.base.yaml_changes import Step
from ddsrta.bounds.asking import NO_FIGURE, Asked, Asking, Judged
from ddsrta.bounds.assemble import present
from ddsrta.bounds.figures import Figures, Paths
from ddsrta.bounds.findings import has_errors
from ddsrta.bounds.present import FIGURES
from ddsrta.bounds.quick import Quick
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta.bounds.structure import Structure
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.patches import Patches
from ddsrta.models.system import System


@frozen
class Measure:
    """One number of a result, by its key there: the `latency`, `trigger_latency`, `data_age` or
    `reaction_time` of a chain, the `ddl` of a message ('publisher → topic → subscriber'), the
    `wcrt` of a thread or callback, the `backlog` of a queue; or `verdict`, 1 where it is the named
    one, else 0."""

    kind: str
    name: str

    def of(self, figures: Figures) -> int | None:
        """The number; None where it is unbounded. Raises LookupError where there is no such."""
        if self.kind in FIGURES:
            return figures.chain(self.name, self.kind)
        if self.kind == "wcrt":
            return figures.wcrt(self.name)
        if self.kind == "ddl":
            return figures.ddl(self.name)
        if self.kind == "backlog":
            return figures.backlog(self.name)
        if self.kind == "verdict":
            return int(figures.verdict() == self.name)
        raise LookupError(f"a result has no '{self.kind}'")

    def asked(self, asking: Asking, paths: Paths) -> Asked | None:
        """What it asks of the kernel; None where it is more than that."""
        if self.kind in FIGURES:
            return asking.chain(paths.named[self.name], self.kind)
        if self.kind == "wcrt":
            return asking.wcrt(self.name)
        if self.kind == "verdict":
            return NO_FIGURE  # which follows from others
        return asking.ddl(self.name) if self.kind == "ddl" else None


# Keys whose values change no path of a system.
TIMES = ("wcet", "bcet", "period", "jitter", "offset", "timer", "delay", "worst", "best", "budget")
NUMBERS = frozenset((*TIMES, "priority", "core"))


def _is_number(place: tuple[Step, ...]) -> bool:
    return place[0] != "chains" and (place[-1] in NUMBERS or place[0] == "delays")


@frozen
class Refused:
    """Why a system cannot be."""

    reason: str


Values = tuple[int | None, ...]
_Known = tuple[list[int] | None, Values | None]  # of a row; the first is None: it is to be read


def available() -> int:
    """The processors that this process may use.

    >>> available() > 0
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Evaluator:
    """Finds the measures of systems that differ from one at some places: row by row the values
    that are to stand there, as an `Edit` takes them.

    >>> from ddsrta.examples import two_threads
    >>> places = [("threads", "sensor", "wcet")]
    >>> with Evaluator(two_threads(), places, [Measure("latency", "control loop")]) as evaluate:
    ...     evaluate([["1ms"], ["1.5ms"], ["-1ms"]])
    [(3286000,), (3786000,), Refused(reason="'-1ms' is negative")]
    """

    def __init__(
        self,
        system: System,
        places: Sequence[tuple[Step, ...]],
        measures: Sequence[Measure],
        *,
        threads: int | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.system, self.watch = system, watch
        self.places = tuple(places)
        self.measures = tuple(measures)
        self.threads = threads
        self.patches = Patches(system, self.places)
        # where only numbers differ, paths do not
        self.paths = Paths.of(system) if all(map(_is_number, self.places)) else None
        self.structure = Structure(system, Refinements.all().of(system))
        figures = Figures(self._solved(system, self._shared), self.paths)
        for measure in self.measures:
            measure.of(figures)
        self.judged: Judged | None = None
        self.cut = any(finding.severity == "error" for finding in figures.paths.cut)
        self.quick = self._quick(figures)
        candidates = self.quick.candidates if self.quick else None
        self.candidates = None if self.patches.ranks_topics else candidates
        if self.candidates is not None:
            self.columns = self.candidates.columns(self.patches.attributes)

    @property
    def _shared(self) -> Structure | None:
        """What all systems have in common that are made without reading them."""
        ordered = self.patches.ranks_threads and self.structure.has_ordered_copies
        return self.structure if self.structure.fits and not ordered else None

    def _quick(self, figures: Figures) -> Quick | None:
        """The kernel finds all figures by itself where it can."""
        if not self.patches.is_whole or not self._shared or not Quick.fits(figures.solution):
            return None
        asking = Asking(figures.solution.compiled)
        asked = [measure.asked(asking, figures.paths) for measure in self.measures]
        if any(measure.kind == "verdict" for measure in self.measures):
            self.judged = asking.judged(figures.paths.named.values())
            asked += (*self.judged.figures, *self.judged.bounds) if self.judged else (None,)
        known = [one for one in asked if one is not None]
        threads = self.threads or available()
        return Quick(figures.solution, known, threads) if len(known) == len(asked) else None

    def __call__(self, rows: Sequence[Sequence[Any]]) -> list[Values | Refused]:
        """For each row the measures, None where unbounded; or why there is no such system."""
        with collecting_rarely():
            if self.candidates is None:
                known: Iterable[_Known] = map(self._known, rows)
            else:
                known = self.candidates.in_parts(self._some_known, rows)
            return [self._made(row, *one) for row, one in zip(rows, known, strict=True)]

    def _known(self, row: Sequence[Any]) -> _Known:
        """The numbers of a row, and what the kernel finds of their system by itself."""
        numbers = self.patches.numbers(row)
        if numbers is None or self.quick is None:
            return numbers, None
        return numbers, self.quick.figures(self._system(numbers))

    def _some_known(self, rows: Sequence[Sequence[Any]]) -> list[_Known]:
        """The same of some rows, whose problems the kernel makes, too."""
        assert self.quick is not None
        read = [self.patches.numbers(row) for row in rows]
        made = [numbers for numbers in read if numbers is not None]
        found = iter(self.quick.many(made, self.columns))
        return [(numbers, None if numbers is None else next(found)) for numbers in read]

    def _system(self, numbers: Sequence[int]) -> System:
        """A system that is made without being read."""
        return self.patches.system(self.patches.changes(numbers))

    def _made(
        self, row: Sequence[Any], numbers: Sequence[int] | None, found: Values | None
    ) -> Values | Refused:
        """The measures of a row, by what is known of it."""
        if numbers is None:
            return self._read(row)
        if found is None:
            return self._measured(self._system(numbers), self._shared)
        if self.judged is None:
            return found
        count = len(self.measures)
        verdict = self.judged.verdict(found[count:])
        if verdict == "met" and (self.cut or self._has_errors(numbers)):
            verdict = "error"
        kinds = zip(self.measures, found[:count], strict=True)
        return tuple(int(m.name == verdict) if m.kind == "verdict" else n for m, n in kinds)

    def _has_errors(self, numbers: Sequence[int]) -> bool:
        """Whether a system has errors that no bound shows; what loads and queues tell is none."""
        return has_errors(self._system(numbers))

    def _read(self, row: Sequence[Any]) -> Values | Refused:
        """Those of one that is read."""
        edits = [Edit(path, value) for path, value in zip(self.places, row, strict=True)]
        try:
            return self._measured(edited(self.system, edits))
        except InputError as error:
            return Refused(error.diagnostics[0].message)

    def _solved(self, system: System, structure: Structure | None) -> Solution:
        """A solution that is whole; raises OverError where there is no time for one."""
        if self.watch is None:
            return solve(system, known=structure)
        solution = solve(system, watch=self.watch.for_all_or_nothing(), known=structure)
        self.watch.go_on()
        return solution

    def _measured(self, system: System, structure: Structure | None = None) -> Values:
        found, ran_short = self._asked(self._solved(system, structure))
        if ran_short:  # once more, all asked for as a result does
            solution = self._solved(system, structure)
            present(solution).to_dict()
            found, _ = self._asked(solution)
        return found

    def _asked(self, solution: Solution) -> tuple[Values, bool]:
        """The measures of a solved system, and whether it counts when each is asked for."""
        figures = Figures(solution, self.paths)
        found = tuple(measure.of(figures) for measure in self.measures)
        ran_short = solution.ran_short
        vars(solution).clear()  # much of it leads back to it: goes without a collector
        return found, ran_short

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends what it has begun."""
