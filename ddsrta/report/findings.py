"""Findings as lines that editors and people can follow to the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ddsrta.base.text import plural, shown
from ddsrta.bounds.result import Finding, Result, errors_of
from ddsrta.models.assumptions import Assumption
from ddsrta.report.checked import check_line
from ddsrta.report.style import PLAIN, Style


def finding_lines(findings: Iterable[Finding], style: Style = PLAIN) -> list[str]:
    """One line for each finding, in the form of a compiler's, broken for a terminal.

    >>> from ddsrta.base.diagnostics import Position
    >>> finding = Finding("queue-overflow", "error", "F may overflow", Position("a.yaml", 3, 5))
    >>> finding_lines([finding])
    ['  a.yaml:3:5: error: F may overflow [queue-overflow]']
    """
    paints = {"error": style.bad, "warning": style.unsure, "note": style.faint}
    return [
        style.broken(
            f"  {f'{shown(str(finding.position))}: ' if finding.position else ''}"
            f"{paints[finding.severity](finding.severity)}: {shown(finding.message)} "
            f"{style.faint(f'[{shown(finding.rule)}]')}"
        )
        for finding in findings
    ]


def graded(findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Errors, next to which no figure holds, and the others."""
    found = list(once(findings))
    return errors_of(found), [finding for finding in found if finding.severity != "error"]


def once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """What a rule says of several is said once, in the place of the first, with all names.

    >>> late = Finding("timer-overrun", "warning", "timer 'a' may be …", None, "a", "called late")
    >>> [each.message[-23:] for each in once([late, replace(late, thing="b")])]
    ["d: 'a', 'b' called late"]
    """
    found = list(findings)
    alike: dict[str, list[Finding]] = {}
    for finding in found:
        if finding.thing:
            alike.setdefault(finding.rule, []).append(finding)
    for finding in found:
        same = alike.get(finding.rule, []) if finding.thing else []
        if len(same) < 2:
            yield finding
        elif finding is same[0]:
            yield replace(finding, message=_of_several(same))


def _of_several(same: Sequence[Finding]) -> str:
    from ddsrta.bounds.findings import RULES

    names: dict[str, list[str]] = {}
    for finding in same:
        names.setdefault(finding.own, []).append(f"'{finding.thing}'")
    each = "; ".join(f"{', '.join(named)} {own}" for own, named in names.items())
    return f"{RULES[same[0].rule].of_several}: {each}"


def beside(
    what: str,
    result: Result,
    rests: Iterable[Assumption],
    style: Style = PLAIN,
    orders: bool = False,
) -> list[str]:
    """What a text of bounds ends with: what they are assumed on, what takes them away, and what
    the checker said of them."""
    grave, _ = graded(result.warnings)
    lines = [
        style.broken(f"assumed: {shown(each.message)} [{shown(each.rule)}]", "  ") for each in rests
    ]
    lines += [line.strip() for line in finding_lines(grave, style)]
    lines.append(check_line(result, style, orders))
    if grave:
        lines.append(f"{style.bad(what)}: {plural(len(grave), 'error')} above")
    return lines


def assumed(assumptions: Iterable[Assumption]) -> list[Finding]:
    """Assumptions in the form of findings, for everything that lists those.

    >>> finding_lines(assumed([Assumption("locks", "locks are fair")]))
    ['  note: assumed: locks are fair [locks]']
    """
    return [Finding(a.rule, "note", f"assumed: {a.message}", a.position) for a in assumptions]
