"""SARIF 2.1.0, for code scanning: findings and deadlines that do not hold, at their places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ddsrta.base.diagnostics import Diagnostic, Position
from ddsrta.base.text import shown
from ddsrta.base.version import VERSION
from ddsrta.bounds.deadlines import deadlines, unbounded_findings
from ddsrta.bounds.findings import RULES
from ddsrta.bounds.result import Finding, Result
from ddsrta.report.checked import check_fields
from ddsrta.report.findings import assumed
from ddsrta.report.orders import broken_orders

if TYPE_CHECKING:
    from ddsrta.exploration.budgets import Regression

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# What is neither a rule of findings nor an assumption means, and the page that is about it.
MEANINGS = {
    "deadline-missed": ("The bound of a chain is above its deadline.", "improve"),
    "deadline-unfinished": ("A time limit ended the analysis before a deadline was met.", "read"),
    "deadline-unbounded": ("A chain with a deadline has no bound.", "read"),
    "unbounded": ("A thread, a callback or a message has no bound.", "read"),
    "regression": ("A bound is worse than in the baseline, by more than the budget.", "compare"),
    "relaxed": ("A deadline, an order or a queue asks for less than in the baseline.", "compare"),
    "input": ("The file cannot be read as a system.", "ci"),
    "order-unfinished": ("A time limit ended the analysis before an order held.", "read"),
    "order-violated": ("Messages can be seen in another order than the wanted one.", "orders"),
}


def result_sarif(result: Result) -> str:
    """The document as text."""
    import json

    return json.dumps(sarif_dict(result), indent=2, allow_nan=False) + "\n"


def diagnostics_dict(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """What is wrong with inputs that cannot be checked."""
    findings = [
        Finding("input", "error", str(each._replace(position=None)), each.position)
        for each in diagnostics
    ]
    return _document(findings, {}, {})


def merged(documents: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    """One document with the runs of several, told apart by names: of runs that are not, code
    scanning refuses all."""
    if len(documents) == 1:
        return documents[0]
    runs = [
        run | {"automationDetails": {"id": f"ddsrta/{uri(name)}/"}}
        for each, name in zip(documents, names, strict=False)
        for run in each["runs"]
    ]
    return {**documents[0], "runs": runs}


def regression_findings(regressions: Sequence[Regression]) -> list[Finding]:
    """Bounds that got worse, as findings: errors where they fail the check, notes where that was
    accepted."""
    return [
        Finding(
            "regression",
            "error" if each.fails else "note" if each.accepted else "warning",
            each.sentence,
            each.position,
        )
        for each in regressions
    ]


def sarif_dict(
    result: Result, regressions: Sequence[Regression] = (), baseline: Result | None = None
) -> dict[str, Any]:
    """The document. Beside a baseline each result says whether that has it, too, and where some got
    worse as was accepted, those are suppressed.

    >>> empty = Result("toy", "busy-window", "met", {}, (), {}, {}, {}, ())
    >>> sarif_dict(empty)["runs"][0]["results"]
    []
    """
    worse = regression_findings(regressions)
    findings = [*worse, *_findings(result)]
    states: dict[Finding, str] = {}
    if baseline is not None:
        known = {_identity(finding) for finding in _findings(baseline)}
        states = {f: "unchanged" if _identity(f) in known else "new" for f in _findings(result)}
        states |= dict.fromkeys(worse, "new")
    found = _document(findings, states, check_fields(result))
    accepted = [each.accepted for each in regressions]
    if any(accepted):  # then all results have to say whether they are
        for entry in (results := found["runs"][0]["results"]):
            entry["suppressions"] = []
        for entry, why in zip(results, accepted, strict=False):  # regressions come first
            entry["suppressions"] = _suppressions(why)
    return found


def _suppressions(why: str) -> list[dict[str, str]]:
    """By a file of exceptions, and not in the file that the result is about."""
    known = {"kind": "external", "status": "accepted", "justification": shown(why)}
    return [known] if why else []


def _findings(result: Result) -> list[Finding]:
    return [
        *broken_deadlines(result),
        *unbounded_findings(result),
        *broken_orders(result),
        *result.warnings,
        *assumed(result.assumptions),
    ]


def _identity(finding: Finding) -> tuple[str, str]:
    """The same finding has other figures, and stands on another line, after a change elsewhere."""
    return finding.rule, re.sub(r"[0-9][0-9.]*( ?(ns|us|ms|s|%))?", "#", finding.message)


def _document(
    findings: Sequence[Finding], states: Mapping[Finding, str], properties: Mapping[str, Any]
) -> dict[str, Any]:
    rules = list(dict.fromkeys(finding.rule for finding in findings))
    driver = {
        "name": "ddsrta",
        "semanticVersion": VERSION,
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [
            _entry(finding, rules.index(finding.rule)) | _state(states.get(finding))
            for finding in findings
        ],
        "properties": dict(properties),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _state(state: str | None) -> dict[str, str]:
    return {} if state is None else {"baselineState": state}


def broken_deadlines(result: Result) -> list[Finding]:
    """Deadlines that are missed or have no bound, as findings."""
    return [
        Finding(
            f"deadline-{deadline.state}",
            "error",
            f"chain {deadline.chain}: {deadline.sentence}",
            deadline.position,
        )
        for deadline in deadlines(result)
        if deadline.state != "met"
    ]


def _rule(rule: str) -> dict[str, Any]:
    described: dict[str, Any] = {"id": shown(rule)}
    if rule in MEANINGS:
        meaning, page = MEANINGS[rule]
        described["shortDescription"] = {"text": meaning}
        described["help"] = {"text": f"docs/how-to/{page}.md says what to do."}
    else:
        page = "findings" if rule in RULES else "result"  # which lists assumptions
        described["help"] = {
            "text": f"docs/reference/{page}.md says of '{shown(rule)}' what to do."
        }
    return described


def _entry(finding: Finding, rule: int) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "ruleId": shown(finding.rule),
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": shown(finding.message)},
    }
    if finding.position:
        entry["locations"] = [{"physicalLocation": _location(finding.position)}]
    return entry


def _location(position: Position) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": uri(position.file)},
        "region": {"startLine": position.line, "startColumn": position.column},
    }


def uri(file: str) -> str:
    """A path as a URI: relative ones stay relative, as code scanning wants them.

    >>> uri("my systems/a#1.yaml"), uri("/srv/a.yaml")
    ('my%20systems/a%231.yaml', 'file:///srv/a.yaml')
    """
    path = PurePath(file).as_posix()
    quoted = quote(path.encode("utf-8", "surrogateescape"))
    return f"file://{quoted}" if path.startswith("/") else quoted
