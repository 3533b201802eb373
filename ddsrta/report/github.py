"""Annotations for GitHub Actions: workflow commands, one a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.base.text import shown
from ddsrta.bounds.deadlines import unbounded_findings
from ddsrta.bounds.result import Finding, Result
from ddsrta.report.checked import check_line
from ddsrta.report.findings import assumed
from ddsrta.report.orders import broken_orders
from ddsrta.report.sarif import broken_deadlines, regression_findings

if TYPE_CHECKING:
    from ddsrta.exploration.budgets import Regression

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def result_annotations(result: Result, regressions: Sequence[Regression] = ()) -> list[str]:
    """The lines for deadlines and orders that do not hold, what got worse, and findings."""
    notes = (*result.warnings, *assumed(result.assumptions))
    broken = (*broken_deadlines(result), *unbounded_findings(result), *broken_orders(result))
    findings = (*regression_findings(regressions), *broken, *notes)
    if result.check is None:  # else a finding says what is not confirmed
        findings = (*findings, Finding("check", "note", check_line(result)))
    return [annotation(finding) for finding in findings]


def diagnostic_annotations(diagnostics: list[Diagnostic]) -> list[str]:
    """The lines for what is wrong with an input."""
    return [
        annotation(Finding("input", "error", str(d._replace(position=None)), d.position))
        for d in diagnostics
    ]


def annotation(finding: Finding) -> str:
    """One workflow command.

    >>> from ddsrta.base.diagnostics import Position
    >>> annotation(Finding("late", "error", "100 % late\\n", Position("a,b.yaml", 3, 5)))
    '::error file=a%2Cb.yaml,line=3,col=5,title=ddsrta late::100 %25 late\\\\n'
    """
    properties = []
    if finding.position:
        file, line, column = finding.position
        properties += [f"file={_property(file)}", f"line={line}", f"col={column}"]
    properties.append(f"title={_property(f'ddsrta {finding.rule}')}")
    command = _COMMANDS[finding.severity]
    return f"::{command} {','.join(properties)}::{_data(finding.message)}"


def _data(text: str) -> str:
    """Line ends are spelled out by `shown` already: a name cannot start a command of its own."""
    return shown(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
