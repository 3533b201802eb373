"""What `ddsrta check` writes for those who review: JUnit, SARIF, a page, Markdown."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.base.text import shown
from ddsrta.cli.streams import write

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ddsrta.bounds.deadlines import Deadline
    from ddsrta.bounds.result import Finding, Result
    from ddsrta.exploration.budgets import Regression
    from ddsrta.exploration.comparison import Comparison
    from ddsrta.exploration.difference.difference import Difference
    from ddsrta.models.assumptions import Assumption
    from ddsrta.report.page.report import Report


class Checked(NamedTuple):
    """A system that was checked, beside what it was; `relaxed` is what fails it for asking less."""

    name: str
    result: Result
    baseline: Result | None = None
    comparison: Comparison | None = None
    difference: Difference | None = None
    regressions: Sequence[Regression] = ()
    report: Report | None = None
    relaxed: Sequence[Finding] = ()
    passed: bool = False
    end: str = ""

    @property
    def whole(self) -> Result:
        """The result with all that fails it."""
        return replace(self.result, warnings=(*self.relaxed, *self.result.warnings))


def relaxed_findings(one: Checked) -> Sequence[Finding]:
    """What asks for less than it did, as findings."""
    from ddsrta.bounds.result import Finding

    texts = one.comparison.relaxed if one.comparison else ()
    return [Finding("relaxed", "error", text) for text in texts]


def write_reports(checked: list[Checked], wrong: list[Diagnostic], options: Namespace) -> None:
    """Also of what could not be read: a report that is missing looks like one that is not made."""
    if options.junit is not None:
        from ddsrta.report.junit import diagnostics_junit, merged, result_junit

        several = len(options.system) > 1
        texts = [
            result_junit(one.whole, one.regressions, one.name if several else None)
            for one in checked
        ]
        texts += [diagnostics_junit(wrong, "input")] if wrong else []
        write(options.junit, merged(texts))
    if options.sarif is not None:
        import json

        from ddsrta.report import sarif

        runs = [sarif.sarif_dict(one.whole, one.regressions, one.baseline) for one in checked]
        runs += [sarif.diagnostics_dict(wrong)] if wrong else []
        names = [*(one.name for one in checked), "input"]
        document = sarif.merged(runs, names)
        write(options.sarif, json.dumps(document, indent=2, allow_nan=False) + "\n")
    if options.html is not None and checked:
        from ddsrta.report.page.report import report_html

        (one,) = checked
        assert one.report is not None
        changes = one.difference or one.comparison
        write(options.html, report_html(replace(one.report, result=one.result, changes=changes)))
    if options.markdown is not None:
        write(options.markdown, "\n".join([*map(_markdown, checked), *_wrong_markdown(wrong)]))


def _markdown(one: Checked) -> str:
    """A heading, how it ended, which deadlines are not met, the errors, and what changed; without
    a baseline all deadlines, too, in a table, and what bounds rest on."""
    from ddsrta.bounds.deadlines import deadlines
    from ddsrta.report.checked import check_line
    from ddsrta.report.difference import comparison_markdown, difference_markdown
    from ddsrta.report.markdown import cell

    found = deadlines(one.result)
    notes = [
        f"- chain {cell(shown(each.chain))}: {cell(each.sentence)}"
        for each in found
        if each.state != "met"
    ]
    notes += [f"- {cell(each.message)} ({cell(each.rule)})" for each in one.whole.errors]
    lines = [f"## {cell(shown(one.name))}", "", cell(one.end)]
    lines += ["", *notes] * bool(notes)
    if one.baseline is None:
        lines += _deadline_table(found)
        lines += ["", *map(_assumed, one.result.assumptions)] * bool(one.result.assumptions)
        lines += ["", cell(check_line(one.result))]
    text = "\n".join([*lines, "", ""])
    if one.difference:
        return text + difference_markdown(one.difference)
    return text + (comparison_markdown(one.comparison) if one.comparison else "")


def _assumed(each: Assumption) -> str:
    from ddsrta.report.markdown import cell

    return f"- assumed: {cell(shown(each.message))} ({cell(each.rule)})"


def _deadline_table(found: Iterable[Deadline]) -> list[str]:
    """All deadlines, and what became of them; nothing where there are none."""
    from ddsrta.bounds.deadlines import NOT_FINISHED
    from ddsrta.report.markdown import row

    words = {"unfinished": NOT_FINISHED}
    rows = [
        row([
            f"{each.called}: {each.what}", str(each.figure or ""), str(each.deadline),
            words.get(each.state, each.state),
        ])
        for each in found
    ]  # fmt: skip
    return ["", "| chain | bound | deadline | |", "| --- | --- | --- | --- |", *rows] * bool(rows)


def _wrong_markdown(wrong: list[Diagnostic]) -> list[str]:
    from ddsrta.report.markdown import cell

    if not wrong:
        return []
    return ["\n".join(["## Wrong input", "", *(f"- {cell(shown(str(d)))}" for d in wrong), ""])]
