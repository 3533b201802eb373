"""What `ddsrta check` prints: a line for each deadline, what fails, and what changed."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.text import plural, shown, width
from ddsrta.bounds.deadlines import (
    NOT_FINISHED,
    Deadline,
    deadlines,
    open_chains,
    unbounded_parts,
)
from ddsrta.bounds.result import Finding, Result
from ddsrta.exploration.comparison import Comparison, Move
from ddsrta.report.findings import finding_lines
from ddsrta.report.orders import violable
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.tables import Said, grouped, several

_MOST = 20  # lines of one kind that a person may read in a log


def deadline_lines(result: Result, style: Style = PLAIN, said: Said | None = None) -> list[str]:
    """One line for each deadline, with exact figures; `said` learns the reasons. Next to an error
    nothing is simply in time."""
    found, said = deadlines(result), Said() if said is None else said
    longest = min(40, max((width(shown(d.called)) for d in found), default=0))
    ok = style.unsure("ok? ") if result.errors else style.good("ok  ")
    return [_deadline(deadline, longest, style, said, ok) for deadline in found]


def _deadline(deadline: Deadline, longest: int, style: Style, said: Said, ok: str) -> str:
    name = shown(deadline.called)
    start = f"{name}{' ' * (longest - width(name))}  {deadline.what}"
    if deadline.state == "unfinished":
        so_far = "" if deadline.figure is None else f", {deadline.figure} so far"
        mark = style.unsure("????")
        return f"{mark}  {start} {NOT_FINISHED}{so_far}, deadline {deadline.deadline}"
    if deadline.figure is None:
        because = deadline.because and said.of(deadline.chain, deadline.because)
        reason = f": {shown(because)}" if because else ""
        mark = style.unsure("????")
        line = f"{mark}  {start} unbounded, deadline {deadline.deadline}{reason}"
        return style.broken(line, " " * 6)
    if deadline.state == "missed":
        late = type(deadline.figure)(deadline.figure - deadline.deadline)
        mark, sign, rest = style.bad("MISS"), ">", f"late by {late}"
    else:
        slack = type(deadline.figure)(deadline.deadline - deadline.figure)
        mark, sign, rest = ok, "≤", f"slack {slack}"
    return f"{mark}  {start} {deadline.figure} {sign} {deadline.deadline} ({rest})"


def unbounded_lines(result: Result, style: Style = PLAIN, said: Said | None = None) -> list[str]:
    """What else has no bound: it fails the check even where no deadline asks for it. What was
    `said` above is not said again."""
    said = Said() if said is None else said
    lines = []
    for names, reason in grouped(unbounded_parts(result)):
        why = f"{several(names)} unbounded: {said.of(names[0], reason)}"
        lines.append(style.broken(f"{style.unsure('????')}  {shown(why)}", " " * 6))
    return _cut(lines)


def error_lines(findings: Sequence[Finding], style: Style = PLAIN) -> list[str]:
    """Findings that fail the check."""
    mark = style.bad("FAIL")
    return [f"{mark}  {line.strip()}" for line in finding_lines(findings, style)]


def comparison_lines(comparison: Comparison, baseline: str, style: Style = PLAIN) -> list[str]:
    """What got worse, line by line; what got better, is new or is gone, in one line each."""
    lines = [f"note: {shown(note)}" for note in comparison.notes]
    if comparison.worse:
        lines.append(f"worse than {shown(baseline)}:")
        lines += _cut([_worse(change, style) for change in comparison.worse])
    elif not comparison.is_blind:
        most = f" by more than {float(100 * comparison.tolerance):g} %"
        beyond = most if comparison.tolerance else ""
        lines.append(f"nothing is worse than {shown(baseline)}{beyond}")
    if comparison.better:
        best = min(comparison.better, key=_gain)
        lines.append(
            f"better: {plural(len(comparison.better), 'bound')}, most of all {_change(best)}"
        )
    lines += _names("new", comparison.new) + _names("gone", comparison.gone)
    for text in comparison.relaxed:
        lines.append(f"{style.unsure('relaxed')}: {shown(text)}")
    return lines


def _gain(change: Move) -> tuple[bool, int, int]:
    """Newly bounded first, then the largest part of what it was, in parts of a million."""
    if change.old is None or change.new is None:
        return (False, 0, 0)
    difference = change.new - change.old
    return (True, difference * 10**6 // max(1, change.old), difference)


def _worse(change: Move, style: Style) -> str:
    return f"  {style.bad('worse')}  {_change(change)}"


def _change(change: Move) -> str:
    old, new = (value if value is not None else "unbounded" for value in (change.old, change.new))
    return f"{shown(change.name)} {old} → {new} ({change.amount})"


def _names(what: str, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    some = ", ".join(shown(name) for name in names[:_MOST])
    return [f"{what}: {some}{f' and {len(names) - _MOST} more' if len(names) > _MOST else ''}"]


def _cut(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST:
        return lines
    return [*lines[:_MOST], f"  … and {len(lines) - _MOST} more"]


def conclusion(
    result: Result,
    worse: int | None,
    passed: bool,
    style: Style = PLAIN,
    relaxed: int = 0,
) -> str:
    """The last line: what a person reads first. `worse` counts what may not be worse."""
    states = [deadline.state for deadline in deadlines(result)]
    summary = f"{states.count('met')} of {plural(len(states), 'deadline')} met"
    summary = summary if states else "no deadlines"
    words = {"missed": "missed", "unbounded": "unbounded", "unfinished": NOT_FINISHED}
    summary += "".join(f", {states.count(s)} {word}" for s, word in words.items() if s in states)
    others = [plural(len(result.errors), "error")] if result.errors else []
    if wrong := violable(result):
        others.append(wrong)
    chains = len(open_chains(result))
    if "unbounded" not in states and len(unbounded_parts(result)) > chains:
        others.append("not everything is bounded")
    if chains:
        others.append(f"{plural(chains, 'chain')} without a deadline or a bound")
    if worse:
        others.append(f"{plural(worse, 'bound')} worse")
    if relaxed:
        others.append(f"{plural(relaxed, 'demand')} relaxed")
    if result.check is not None and result.check.status == "unchecked":
        others.append("unchecked")
    if result.assumptions:
        others.append(f"rests on {plural(len(result.assumptions), 'assumption')}")
    verdict = style.good("passed") if passed else style.bad("failed")
    return f"{verdict}: {'; '.join([summary, *others])}"
