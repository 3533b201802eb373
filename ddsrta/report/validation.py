"""What a person reads of a validation: first what was measured above its bound, then the table."""

from __future__ import annotations

from fractions import Fraction

from ddsrta.base.text import plural, rounded_up, shown
from ddsrta.base.units import Duration, format_duration
from ddsrta.report.checked import check_text
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import NOTHING, Cell, bound, joined, table
from ddsrta.report.table import Row as Cells
from ddsrta.validation.compare import Row, Validation

FIGURES = {
    "latency": "latency", "trigger_latency": "trigger latency", "data_age": "data age",
    "reaction_time": "reaction", "wcet": "execution by its wcet",
}  # fmt: skip
NOTE = (
    "difference = (bound - measured) / measured, for the longest measured; a maximum of "
    "measurements is no bound."
)
_MOST_LISTED = 20


def validation_text(validation: Validation, style: Style = PLAIN) -> str:
    """The whole validation as text."""
    sections = [
        verdict_lines(validation, style),
        _table(validation, style),
        _listed(
            [
                f"{style.unsure('not in the system:')} {shown(name)}; {shown(advice)}"
                for name, advice in validation.unmatched
            ]
        ),
        _listed(
            [f"{style.unsure('not measured:')} {shown(name)}" for name in validation.unmeasured]
        ),
        [style.faint(_held(validation))],
        [style.faint(f"note: {shown(note)}") for note in validation.notes],
        [style.faint(NOTE), check_text(validation.check, validation.profile, style)],
    ]
    return joined(sections)


def verdict_lines(validation: Validation, style: Style = PLAIN) -> list[str]:
    """The verdict in one line, and one more for each bound that was exceeded and each assumption
    that is broken."""
    verdict = validation.verdict
    bad, unsure = style.strong(style.bad("VIOLATION")), style.strong(style.unsure("MACHINE"))
    assumed = style.strong(style.bad("ASSUMPTION BROKEN"))
    mark = {
        "ok": style.strong(style.good("OK")),
        "violation": bad,
        "assumption broken": assumed,
    }.get(verdict, style.strong(style.unsure(verdict.upper())))
    name = f"{shown(validation.system)}: {plural(validation.compared, 'bound')} against a run"
    lines = [f"{mark}  {name}, {_summary(validation)}"]
    lines += [f"  {bad}  {shown(text)}" for text in validation.broken]
    for row in validation.violations:
        if row.kind == "execution":
            continue
        lines.append(f"  {unsure if row.by_machine else bad}  {violation_text(row)}")
        lines += [f"    {text}" for text in causes_text(row)]
    told = [
        f"  {assumed}  {one.subject} of {shown(one.name)}: {shown(one.text)}"
        for one in validation.contradicted
    ]
    return lines + _listed(told, "  ")


def _summary(validation: Validation) -> str:
    """What the verdict means, in words."""
    above = sum(row.kind != "execution" for row in validation.violations)
    exceeded = f"{above} of them exceeded"
    match validation.verdict:
        case "ok":
            alone = "" if validation.held else "; nothing of the model was held against it"
            return f"nothing measured above its bound{alone}"
        case "disturbed":
            return f"{exceeded}, each time with evidence of the machine"
        case "unchecked":
            return "nothing measured above its bound, on which the checker did not decide"
        case "vacuous":
            return "so nothing follows from it"
        case "assumption broken":
            count = plural(len(validation.contradicted), "time")
            text = f"which rest on what the run contradicts, {count}"
            return f"{text}; {exceeded}" if above else text
    return exceeded


_CAUSES = {
    "machine": "the machine", "middleware": "the middleware", "unexplained": "unexplained",
    "overrun": "longer than wcet and δ",
}  # fmt: skip


def causes_text(row: Row) -> list[str]:
    """How many were above the bound and why, where the trace says enough; and the longest."""
    above = row.seen.above
    if above is None or not above.verdicts:
        return []
    causes = ", ".join(f"{count:,} {_CAUSES[cause]}" for cause, count in above.causes.items())
    lines = [f"{above.count:,} of {row.seen.count:,} above the bound: {causes}"]
    longest = above.longest
    if longest is not None and longest.text:
        lines.append(f"the longest: {_CAUSES[longest.cause]}: {longest.text}")
    return lines


def violation_text(row: Row) -> str:
    """One violation with the place where it was seen."""
    text = f"{title(row)}: {Duration(row.seen.most)} measured, above the bound of {row.bound}"
    worst = row.seen.worst
    if worst is None:
        return text
    when = f" at {format_duration(worst.time)}" if worst.time >= 0 else ""
    text += f" ({worst.what}{when}"
    if worst.idle and worst.idle * 100 >= row.seen.most:
        idle = format_duration(worst.idle)
        text += f"; a thread at work on it did not run for {idle}: preempted, blocked or stopped"
    return f"{text})"


def title(row: Row) -> str:
    """What a row is of, in words."""
    figure = FIGURES.get(row.figure, row.figure)
    return f"{row.kind} {shown(row.name)}" + (f", {figure}" if figure else "")


def difference(row: Row) -> str:
    """(bound − measured) / measured in per cent, rounded down: never better than it is.

    >>> from ddsrta.validation.measured import Series
    >>> difference(Row("chain", "c", "latency", Duration(1176), Series(1, 1000, 1000)))
    '+17.6 %'
    >>> difference(Row("chain", "c", "latency", Duration(99_999), Series(1, 1, 100_000)))
    '-0.1 %'
    """
    share: Fraction | None = row.difference
    if share is None:
        return NOTHING
    tenths = share.numerator * 1000 // share.denominator
    sign = "-" if tenths < 0 else "+"
    return f"{sign}{abs(tenths) // 10}.{abs(tenths) % 10} %"


TITLES = ("measured", "", "?", ">bound", ">max", ">difference", ">?p99", ">?mean", ">count")


def _table(validation: Validation, style: Style) -> list[str]:
    return table(TITLES, map(cells_of, validation.rows), style)


def cells_of(row: Row) -> Cells:
    """A row of the table."""
    bad = "bad" if row.violated else ""
    return [
        Cell(row.name, bad),
        Cell(row.kind, "faint"),
        Cell(FIGURES.get(row.figure, row.figure), "faint"),
        bound(row.bound),
        Cell(rounded_up(row.seen.most), bad),
        Cell(difference(row), bad),
        rounded_up(row.seen.percentile(99)),
        rounded_up(row.seen.mean),
        f"{row.seen.count:,}",
    ]


def _held(validation: Validation) -> str:
    """What of the model was held against the run, beside its bounds."""
    if not validation.held:
        return "held against the model: nothing, as the file does not show what the bounds assume"
    return f"held against the model: {validation.held}"


def _listed(lines: list[str], margin: str = "") -> list[str]:
    """Not too many of the lines."""
    more = [f"{margin}and {len(lines) - _MOST_LISTED} more"]
    return lines[:_MOST_LISTED] + more * (len(lines) > _MOST_LISTED)
