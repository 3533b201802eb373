"""What a study is about: a system, of which candidates are measured, and analysed one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.frozen import frozen
from ddsrta.base.yaml_changes import Step
from ddsrta.base.yaml_tree import Tree
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.load import utilization
from ddsrta.bounds.result import Check, Result
from ddsrta.bounds.solve import solve
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.evaluation import Evaluator, Measure, Refused, Values
from ddsrta.exploration.improve.writing import edited_text
from ddsrta.exploration.study.base import Base
from ddsrta.exploration.study.figures import due, loads_of, measured, names
from ddsrta.models.system import System

Due = tuple[str, int]  # the figure that is constrained, and by how much
Rows = Sequence[Sequence[Any]]
_BY_HAND = "make the change by hand"


class Analysis(Protocol):
    """What is known of one candidate, and what the checker says of it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def thing(self) -> Any:
        """The candidate itself."""

    @property
    def result(self) -> Any:
        """All of its bounds."""

    @property
    def verdict(self) -> str:
        """Of all of them."""

    @property
    def check(self) -> Check | None:
        """What the checker says."""

    @property
    def tree(self) -> Tree:
        """Its file."""

    @property
    def loads(self) -> Mapping[str, int]:
        """Of cores, in millionths."""

    def value(self, measure: Measure) -> int | None:
        """One of its figures."""


class Subject(Protocol):
    """A base, and what can be asked of those that differ from it."""

    @property
    def base(self) -> Base:
        """Its file, and what may stand there."""

    @property
    def present(self) -> Analysis:
        """Its own analysis."""

    def names(self, figure: str) -> Mapping[str, Due]:
        """What has a figure; of slack with the figure that is constrained, and the deadline."""

    def measuring(
        self, places: Sequence[tuple[Step, ...]], measures: Sequence[Measure]
    ) -> tuple[Callable[[Rows], list[Values | Refused]], Callable[[], None]]:
        """What finds measures, and what ends it."""

    def loads(self, edits: Sequence[Edit]) -> Mapping[str, int]:
        """Of the cores of a candidate."""

    def analysed(self, edits: Sequence[Edit]) -> Analysis:
        """A candidate's own analysis."""

    def changed(self, edits: Sequence[Edit]) -> Any:
        """The candidate itself."""

    def text(self, edits: Sequence[Edit]) -> str:
        """A candidate's file: that of the base with other values, its comments as they are."""


@frozen
class SystemAnalysis:
    """That of a system."""

    result: Result

    @property
    def name(self) -> str:
        """What it is called."""
        return self.result.system

    @property
    def thing(self) -> System:
        """The system."""
        assert self.result.model is not None
        return self.result.model

    @property
    def verdict(self) -> str:
        """Of all bounds."""
        return self.result.verdict

    @property
    def check(self) -> Check | None:
        """What the checker says."""
        return self.result.check

    @property
    def tree(self) -> Tree:
        """Its file."""
        assert self.thing.written is not None
        return self.thing.written.tree

    @property
    def loads(self) -> Mapping[str, int]:
        """Of cores, in millionths."""
        return loads_of({core: each.utilization for core, each in self.result.cores.items()})

    def value(self, measure: Measure) -> int | None:
        """One of its figures."""
        return measured(self.result, measure)


@frozen
class SystemSubject:
    """A system.yaml."""

    base: Base
    present: SystemAnalysis

    @classmethod
    def of(cls, system: System) -> SystemSubject:
        """The system as it was read."""
        if system.written is None:
            message = "the base was made in Python: there is no file"
            raise InputError([Diagnostic(None, message, "load it")])
        return cls(Base.of(system), SystemAnalysis(analyze(system)))

    @property
    def system(self) -> System:
        """The base."""
        assert self.base.system is not None
        return self.base.system

    def names(self, figure: str) -> Mapping[str, Due]:
        """What has a figure."""
        result = self.present.result
        return {name: due(figure, name, result) for name in names(figure, result)}

    def measuring(
        self, places: Sequence[tuple[Step, ...]], measures: Sequence[Measure]
    ) -> tuple[Callable[[Rows], list[Values | Refused]], Callable[[], None]]:
        """By the kernel; where something that is asked for is not there any more, by its result."""
        evaluator = Evaluator(self.system, places, measures, threads=1)

        def measure(rows: Rows) -> list[Values | Refused]:
            try:
                return evaluator(rows)
            except LookupError:
                return [self._measured(places, measures, evaluator, row) for row in rows]

        return measure, evaluator.close

    def _measured(
        self,
        places: Sequence[tuple[Step, ...]],
        measures: Sequence[Measure],
        evaluator: Evaluator,
        row: Sequence[Any],
    ) -> Values | Refused:
        with suppress(LookupError):
            return evaluator([row])[0]
        edits = [Edit(*each) for each in zip(places, row, strict=True)]
        result = analyze(self.changed(edits), check=False)
        try:
            found = [measured(result, each) for each in measures]
        except LookupError as error:
            return Refused(f"it has no {error.args[0]}, of which a figure is asked for")
        return tuple(None if value is None else int(value) for value in found)

    def loads(self, edits: Sequence[Edit]) -> Mapping[str, int]:
        """Without an analysis, where bounds do not say how often joins come (lemma
        slowest-input)."""
        compiled = compile_system(system := self.changed(edits))
        return loads_of(solve(system).utilization if compiled.slowest else utilization(compiled))

    def analysed(self, edits: Sequence[Edit]) -> SystemAnalysis:
        """With the checker."""
        return SystemAnalysis(analyze(self.changed(edits)))

    def changed(self, edits: Sequence[Edit]) -> System:
        """The system."""
        return edited(self.system, edits)

    def text(self, edits: Sequence[Edit]) -> str:
        """Its file."""
        return edited_text(self.system, edits, self.changed(edits), _BY_HAND)
