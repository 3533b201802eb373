"""SARIF 2.1.0, for code scanning: findings and deadlines that do not hold, at their places."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from ddsrta.base.diagnostics import Position
from ddsrta.base.text import shown
from ddsrta.base.version import VERSION
from ddsrta.bounds.deadlines import deadlines, unbounded_findings
from ddsrta.bounds.result import Finding, Result
from ddsrta.report.checked import check_fields
from ddsrta.report.findings import assumed
from ddsrta.report.orders import broken_orders

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MEANINGS = {
    "deadline-missed": "The bound of a chain is above its deadline.",
    "deadline-unbounded": "A chain with a deadline has no bound.",
    "unbounded": "A thread, a callback or a message has no bound.",
    "order-violated": "Messages can be seen in another order than the wanted one.",
}


def result_sarif(result: Result) -> str:
    """The document as text."""
    import json

    return json.dumps(sarif_dict(result), indent=2, allow_nan=False) + "\n"


def sarif_dict(result: Result) -> dict[str, Any]:
    """The document.

    >>> empty = Result("toy", "busy-window", "met", {}, (), {}, {}, {}, ())
    >>> sarif_dict(empty)["runs"][0]["results"]
    []
    """
    findings = [
        *broken_deadlines(result),
        *unbounded_findings(result),
        *broken_orders(result),
        *result.warnings,
        *assumed(result.assumptions),
    ]
    rules = list(dict.fromkeys(finding.rule for finding in findings))
    driver = {
        "name": "ddsrta",
        "semanticVersion": VERSION,
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_entry(finding, rules.index(finding.rule)) for finding in findings],
        "properties": check_fields(result),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


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
        described["shortDescription"] = {"text": MEANINGS[rule]}
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
