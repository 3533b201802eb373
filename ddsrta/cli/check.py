"""ddsrta check: deadlines and regressions, for CI."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, shown
from ddsrta.base.text import shown as spelled
from ddsrta.cli.analyze import PROFILES, add_profile, report_of
from ddsrta.cli.check_written import Checked, relaxed_findings, write_reports
from ddsrta.cli.combinations import refuse
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input, Output
from ddsrta.cli.streams import output_style, put, read_system
from ddsrta.cli.waiting import Progress, add_time_limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddsrta.bounds.result import Result
    from ddsrta.exploration.budgets import Budgets, Regression
    from ddsrta.models.system import System

EPILOG = """\
A missed deadline, an order that can be violated, something unbounded, or a finding of level
'error' fails the check. Such a finding is 'unchecked': the checker could not decide on the bounds.
A baseline is a model, or one of a revision of git: then what changed in the model is told first,
and what each change did. 'main:' is the same file in the revision main. Or it is the output of
'ddsrta analyze SYSTEM --format json' at an earlier time.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument(
        "system", metavar="SYSTEM", type=Input, nargs="+", help="system.yaml, or - for stdin"
    )
    add_profile(parser)
    add_time_limit(parser)
    parser.add_argument(
        "--baseline", metavar="FILE", type=Input, help="a model, REVISION:FILE, or a JSON result"
    )
    parser.add_argument(
        "--fail-on-worse",
        action="store_true",
        help="also fail where a bound got worse, or less is asked for",
    )
    parser.add_argument(
        "--tolerance",
        metavar="PERCENT",
        type=percentage,
        help="bounds that rose by no more than this are not worse (default: 0)",
    )
    parser.add_argument(
        "--budgets",
        metavar="FILE",
        type=Input,
        help="how much worse bounds may get, with exceptions; fails where that is not kept",
    )
    parser.add_argument(
        "--allow",
        metavar="RULE",
        action="append",
        default=[],
        help="do not fail for findings of this rule; can be repeated",
    )
    parser.add_argument(
        "--junit", metavar="FILE", type=Output, help="write the deadlines as JUnit XML"
    )
    parser.add_argument("--sarif", metavar="FILE", type=Output, help="write what is wrong as SARIF")
    parser.add_argument(
        "--html", metavar="FILE", type=Output, help="write a page of one system, as 'report' does"
    )
    parser.add_argument(
        "--github", action="store_true", help="print annotations for GitHub Actions"
    )
    parser.add_argument(
        "--markdown",
        metavar="FILE",
        type=Output,
        help="write the deadlines, or what changed, for the page of a review",
    )


def percentage(text: str) -> Fraction:
    """A share from a text such as '2.5' or '2.5%'.

    >>> percentage("2.5%")
    Fraction(1, 40)
    """
    try:
        share = Fraction(text.removesuffix("%").strip()) / 100 if len(text) < 20 else Fraction(-1)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if share < 0:
        raise ArgumentTypeError(f"'{text[:40]}' is not a percentage such as 2.5")
    return share


def run(options: Namespace) -> int:
    """Check all systems, print, write the reports, and say in the exit status how it went."""
    budgets: Budgets | None = None
    checked: list[Checked] = []
    wrong: list[Diagnostic] = []
    status = MET
    try:
        _refuse(options)
        budgets = _budgets(options)
    except InputError as error:
        wrong += error.diagnostics
    for name in options.system if not wrong else ():
        try:
            one = _checked(name, budgets, options)
        except InputError as error:
            wrong += error.diagnostics
            continue
        one = one._replace(regressions=_judged(one.regressions, options))
        if options.fail_on_worse or options.budgets is not None:
            one = one._replace(relaxed=relaxed_findings(one))
        one = _printed(one, budgets, options)
        checked.append(one)
        status = max(status, MET if one.passed else MISSED)
    if budgets is not None and not wrong:
        wrong += _exceptions_for_nothing(budgets, checked)
    write_reports(checked, wrong, options)
    if not wrong:
        return status
    if options.github:
        from ddsrta.report.github import diagnostic_annotations

        put("".join(f"{line}\n" for line in diagnostic_annotations(wrong)))
    raise InputError(wrong)


def _refuse(options: Namespace) -> None:
    if options.baseline is None:
        refuse(options, ["fail_on_worse", "tolerance", "budgets"], "needs a --baseline")
    if options.budgets is not None:
        refuse(options, ["tolerance"], "is in the --budgets")
    if len(options.system) > 1:
        refuse(options, ["html"], "is for one system")
    _refuse_unknown(options.allow)


def _exceptions_for_nothing(budgets: Budgets, checked: list[Checked]) -> list[Diagnostic]:
    from ddsrta.exploration.budgets import unknown
    from ddsrta.exploration.comparison import bounds_of

    results = [each for one in checked for each in (one.result, one.baseline) if each]
    return unknown(budgets, (name for result in results for name in bounds_of(result)))


def _judged(found: Sequence[Regression], options: Namespace) -> list[Regression]:
    fails = options.fail_on_worse or options.budgets is not None
    return [replace(each, fails=fails and not each.accepted) for each in found]


def _refuse_unknown(rules: list[str]) -> None:
    if not rules:
        return
    from ddsrta.bounds.findings import RULES

    unknown = [rule for rule in dict.fromkeys(rules) if rule not in RULES]
    if unknown:
        raise InputError(
            Diagnostic(None, f"--allow: there is no rule {shown(rule)}", did_you_mean(rule, RULES))
            for rule in unknown
        )


def _budgets(options: Namespace) -> Budgets | None:
    if options.baseline is None:
        return None
    from ddsrta.exploration.budgets import Budgets, read_budgets

    if options.budgets is not None:
        return read_budgets(options.budgets)
    return Budgets(options.tolerance or Fraction(0))


def _checked(name: str, budgets: Budgets | None, options: Namespace) -> Checked:
    if options.baseline is None or budgets is None:
        return _alone(name, options)
    from ddsrta.bounds.result import Result
    from ddsrta.cli.versions import read_baseline

    old = read_baseline(options.baseline, name)
    if old is None:
        return _alone(name, options)
    if isinstance(old, Result):
        return _beside_result(old, _alone(name, options), budgets)
    return _beside_model(name, old, read_system(name), budgets, options)


def _alone(name: str, options: Namespace) -> Checked:
    from ddsrta.bounds.analyze import analyze

    system, report = read_system(name), None
    with Progress():
        if options.html is not None:
            report = report_of(system, options)
            result = report.result
        else:
            result = analyze(system, profile=options.profile, time_limit=options.time_limit)
    return Checked(name, _allowing(result, options.allow), report=report)


def _beside_result(old: Result, new: Checked, budgets: Budgets) -> Checked:
    from datetime import date

    from ddsrta.exploration.budgets import regressions
    from ddsrta.exploration.comparison import compare

    if old.is_ended:
        message = "a time limit ended the analysis of the baseline: no bound can be compared"
        raise InputError([Diagnostic(None, message, "make the baseline with more time, or none")])
    comparison = compare(old, new.result, budgets.most)
    found = regressions(comparison.worse, budgets, date.today())
    return new._replace(baseline=old, comparison=comparison, regressions=found)


def _beside_model(
    name: str, old: System, new: System, budgets: Budgets, options: Namespace
) -> Checked:
    if options.profile != PROFILES[0]:
        message = f"a model as the baseline is analysed as the system: only as '{PROFILES[0]}'"
        raise InputError([Diagnostic(None, message, "leave out --profile")])
    from datetime import date

    from ddsrta.exploration.budgets import regressions
    from ddsrta.exploration.comparison import Move
    from ddsrta.exploration.difference.difference import difference

    with Progress():
        found = difference(old, new, time_limit=options.time_limit)
        report = report_of(new, options) if options.html is not None else None
    moves = [Move(each.name, each.old, each.new) for each in found.worse]
    causes = {each.name: cause for each in found.worse if (cause := found.cause(each))}
    worse = [
        replace(
            each, because=causes[each.move.name].text, position=causes[each.move.name].positions[0]
        )
        if each.move.name in causes
        else each
        for each in regressions(moves, budgets, date.today())
    ]
    result = _allowing(found.new, options.allow)
    return Checked(name, result, found.old, found.comparison, found, worse, report)


def _allowing(result: Result, rules: list[str]) -> Result:
    """The same with allowed errors as warnings, for everything that is printed or written."""
    findings = tuple(
        replace(finding, severity="warning")
        if finding.severity == "error" and finding.rule in rules
        else finding
        for finding in result.warnings
    )
    reached = "met" if result.verdict == "error" else result.verdict
    return replace(result, warnings=findings, verdict=reached)


def _printed(one: Checked, budgets: Budgets | None, options: Namespace) -> Checked:
    from ddsrta.report import checklist
    from ddsrta.report.checked import check_line
    from ddsrta.report.findings import assumed, finding_lines
    from ddsrta.report.orders import wanted_lines
    from ddsrta.report.tables import Said

    style, result = output_style(), one.result
    lines = [style.strong(spelled(one.name))] if len(options.system) > 1 else []
    if one.difference is not None:
        from ddsrta.report.difference import change_lines

        lines += [*change_lines(one.difference, style), ""]
    said = Said()
    lines += checklist.deadline_lines(result, style, said)
    if result.verdict == "unbounded":
        lines += checklist.unbounded_lines(result, style, said)
    lines += wanted_lines(result, style)
    lines += checklist.error_lines(result.errors, style)
    gaps = [f for f in result.warnings if f.severity != "error" and f.rule.startswith("published-")]
    lines += finding_lines([*gaps, *assumed(result.assumptions)], style)
    if one.comparison is not None:
        lines += _compared(one, budgets, options)
    elif options.baseline is not None:  # a file that was renamed has none, too
        new = f"{shown(one.name)} is new since {shown(options.baseline)}: nothing was compared"
        lines.append(f"{style.unsure('note')}: {new}")
    worse, relaxed = sum(each.fails for each in one.regressions), len(one.relaxed)
    if options.github:
        from ddsrta.report.github import result_annotations

        lines += result_annotations(one.whole, one.regressions)
    passed = result.verdict == "met" and not worse and not relaxed
    lines.append(check_line(result, style))
    lines.append(checklist.conclusion(result, worse, passed, style, relaxed))
    put(_in_short("\n".join(lines) + "\n", one))
    return one._replace(
        passed=passed, end=checklist.conclusion(result, worse, passed, relaxed=relaxed)
    )


def _in_short(text: str, one: Checked) -> str:
    if one.baseline is None:
        return text
    from ddsrta.exploration.comparison import in_short, short_ways

    return in_short(text, short_ways(one.result, one.baseline))


def _compared(one: Checked, budgets: Budgets | None, options: Namespace) -> list[str]:
    from datetime import date

    from ddsrta.exploration.budgets import expired
    from ddsrta.report import checklist
    from ddsrta.report.difference import bound_lines

    style = output_style()
    if one.difference is not None:
        lines = list(bound_lines(one.difference, style))
    else:
        assert one.comparison is not None
        lines = checklist.comparison_lines(one.comparison, options.baseline, style)
    lines += [f"accepted: {spelled(each.sentence)}" for each in one.regressions if each.accepted]
    for each in expired(budgets, date.today()) if budgets else ():
        text = f"the exception for {each.bound} ended on {each.until.isoformat()}"
        lines.append(f"{style.unsure('note')}: {each.position}: {text}")
    return lines
