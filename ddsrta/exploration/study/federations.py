"""Federations of Lingua Franca as the subject of a study: decentralized ones, with enclaves too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.frozen import frozen
from ddsrta.base.yaml_changes import Step, changed, flow
from ddsrta.base.yaml_tree import Tree
from ddsrta.bounds.result import Check
from ddsrta.exploration.edits import Edit
from ddsrta.exploration.evaluation import Measure, Refused, Values
from ddsrta.exploration.improve.writing import text_with
from ddsrta.exploration.study.base import Base
from ddsrta.exploration.study.subject import Due, Rows
from ddsrta.lf.bounds.checked import self_check
from ddsrta.lf.bounds.enclaves.certificate import enclaves_certificate
from ddsrta.lf.bounds.enclaves.judge import EnclaveReport, judge_enclaves
from ddsrta.lf.bounds.offsets.certificate import stp_certificate
from ddsrta.lf.bounds.offsets.judge import Report, judge
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.grammar import FEDERATION
from ddsrta.lf.program.reader import loads, names_of, read_tree


@frozen
class FederationAnalysis:
    """What `ddsrta lf stp` says of a federation; with enclaves, what `ddsrta lf enclaves` does."""

    thing: Federation
    result: Report | EnclaveReport

    @classmethod
    def of(cls, federation: Federation) -> FederationAnalysis:
        """Work it out, without the checker."""
        parted = any(each.enclaves for each in federation.federates.values())
        return cls(federation, judge_enclaves(federation) if parted else judge(federation))

    @property
    def name(self) -> str:
        """What it is called."""
        return self.thing.name

    @property
    def verdict(self) -> str:
        """Of all bounds."""
        return self.result.verdict

    @cached_property
    def check(self) -> Check:
        """What the checker says, when it is asked."""
        if isinstance(self.result, EnclaveReport):
            return self_check(enclaves_certificate(self.result))
        return self_check(stp_certificate(self.result))

    @property
    def tree(self) -> Tree:
        """Its file."""
        assert self.thing.tree is not None
        return self.thing.tree

    @property
    def loads(self) -> Mapping[str, int]:
        """Federations say nothing of the loads of cores."""
        return {}

    def value(self, measure: Measure) -> int | None:
        """One of its figures."""
        if measure.kind == "verdict":
            return int(self.verdict == measure.name)
        return self.figures[measure.kind][measure.name]

    @cached_property
    def figures(self) -> Mapping[str, Mapping[str, int | None]]:
        """All of them; an enclave or federate that is not there any more takes no time."""
        found = self.result
        if isinstance(found, EnclaveReport):
            latencies = {name: row.latency.latency for name, row in found.chains.items()}
            done = {row.name: row.done for row in found.rows}
            return {"latency": latencies, "done": done, "wait": {}}
        latencies = {name: each.latency for name, each in found.chains.items()}
        return {"latency": latencies, "wait": found.waits.values, "done": {}}


@frozen
class FederationSubject:
    """A federation.yaml."""

    base: Base
    present: FederationAnalysis

    @classmethod
    def of(cls, federation: Federation, text: str | bytes | None = None) -> FederationSubject:
        """The federation as it was read, from a text."""
        if federation.coordination != "decentralized":
            message = "a centralized federation is not explored"
            raise InputError([Diagnostic(None, message, "make it decentralized")])
        tree = federation.tree
        assert tree is not None
        text = flow(tree.root) if text is None else text
        base = Base(tree, FEDERATION, names_of(tree.root), None, federation, text, tree.file)
        return cls(base, FederationAnalysis.of(federation))

    def names(self, figure: str) -> Mapping[str, Due]:
        """What has a figure; of a slack the wanted latency of its chain."""
        chains = self.present.thing.chains
        if figure == "slack":
            wanted = {name: each.latency for name, each in chains.items()}
            return {name: ("latency", due) for name, due in wanted.items() if due is not None}
        return dict.fromkeys(self.present.figures.get(figure, {}), ("", 0))

    def measuring(
        self, places: Sequence[tuple[Step, ...]], measures: Sequence[Measure]
    ) -> tuple[Callable[[Rows], list[Values | Refused]], Callable[[], None]]:
        """One federation after the other."""

        def measure(rows: Rows) -> list[Values | Refused]:
            return list(self._measured(places, measures, rows))

        return measure, lambda: None

    def _measured(
        self, places: Sequence[tuple[Step, ...]], measures: Sequence[Measure], rows: Rows
    ) -> Iterator[Values | Refused]:
        for row in rows:
            edits = [
                Edit(place, value)
                for place, value in zip(places, row, strict=True)
                if value != self.base.value(place)
            ]
            try:
                analysis = FederationAnalysis.of(self.changed(edits))
                yield tuple(analysis.value(measure) for measure in measures)
            except InputError as error:
                yield Refused(error.diagnostics[0].message)
            except LookupError as error:
                yield Refused(f"it has no {error}: figures of enclaves need enclaves in all")

    def loads(self, edits: Sequence[Edit]) -> Mapping[str, int]:
        """None is known."""
        return {}

    def analysed(self, edits: Sequence[Edit]) -> FederationAnalysis:
        """With the checker, which is asked for."""
        return FederationAnalysis.of(self.changed(edits))

    def changed(self, edits: Sequence[Edit]) -> Federation:
        """The federation."""
        tree = self.base.tree
        for edit in edits:
            tree = changed(tree, FEDERATION, edit.path[:-1], {str(edit.path[-1]): edit.value})
        return read_tree(tree)

    def text(self, edits: Sequence[Edit]) -> str:
        """Its file."""
        wanted = self.changed(edits)
        return text_with(
            self.base.text,
            edits,
            lambda text: loads(text, self.base.path) == wanted,
            "make the change by hand",
        )
