"""ddsrta check: deadlines and regressions, for CI."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, shown
from ddsrta.cli.analyze import add_profile
from ddsrta.cli.combinations import refuse
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input, Output
from ddsrta.cli.streams import output_style, put, read_system, write
from ddsrta.cli.waiting import Progress, add_time_limit

if TYPE_CHECKING:
    from ddsrta.bounds.result import Result
    from ddsrta.exploration.comparison import Comparison

EPILOG = """\
A missed deadline, an order that can be violated, something unbounded, or a finding of level
'error' fails the check. Such a finding is 'unchecked': the checker could not decide on the bounds.
A baseline is the output of 'ddsrta analyze SYSTEM --format json' at an earlier time.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    add_profile(parser)
    add_time_limit(parser)
    parser.add_argument(
        "--baseline", metavar="FILE", type=Input, help="an earlier JSON result to compare with"
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
        "--github", action="store_true", help="print annotations for GitHub Actions"
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
    """Check, print, write the reports, and say in the exit status how it went."""
    if options.baseline is None:
        refuse(options, ["fail_on_worse", "tolerance"], "needs a --baseline")
    _refuse_unknown(options.allow)
    try:
        return _check(options)
    except InputError as error:
        if options.github:
            from ddsrta.report.github import diagnostic_annotations

            put("".join(f"{line}\n" for line in diagnostic_annotations(error.diagnostics)))
        raise


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


def _check(options: Namespace) -> int:
    from ddsrta.report.baseline import load_result

    baseline = load_result(options.baseline) if options.baseline is not None else None
    system = read_system(options.system)
    from ddsrta.bounds.analyze import analyze

    with Progress():
        result = analyze(system, profile=options.profile, time_limit=options.time_limit)
    result = _allowing(result, options.allow)
    comparison = None
    if baseline is not None:
        from ddsrta.exploration.comparison import compare

        comparison = compare(baseline, result, options.tolerance or Fraction(0))
    _write_reports(result, options)
    return _print(result, comparison, options)


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


def _write_reports(result: Result, options: Namespace) -> None:
    if options.junit is not None:
        from ddsrta.report.junit import result_junit

        write(options.junit, result_junit(result))
    if options.sarif is not None:
        from ddsrta.report.sarif import result_sarif

        write(options.sarif, result_sarif(result))


def _print(result: Result, comparison: Comparison | None, options: Namespace) -> int:
    from ddsrta.report import checklist
    from ddsrta.report.checked import check_line
    from ddsrta.report.findings import assumed, finding_lines
    from ddsrta.report.orders import wanted_lines

    style = output_style()
    errors = [finding for finding in result.warnings if finding.severity == "error"]
    lines = checklist.deadline_lines(result, style)
    if result.verdict == "unbounded":
        lines += checklist.unbounded_lines(result, style)
    lines += wanted_lines(result, style)
    lines += checklist.error_lines(errors, style)
    gaps = [f for f in result.warnings if f.severity != "error" and f.rule.startswith("published-")]
    lines += finding_lines([*gaps, *assumed(result.assumptions)], style)
    worse = relaxed = 0
    if comparison is not None:
        lines += checklist.comparison_lines(comparison, options.baseline, style)
        if options.fail_on_worse:
            worse, relaxed = len(comparison.worse), len(comparison.relaxed)
    if options.github:
        from ddsrta.report.github import result_annotations

        lines += result_annotations(result)
    passed = result.verdict == "met" and not worse and not relaxed
    lines.append(check_line(result, style))
    lines.append(checklist.conclusion(result, len(errors), worse, passed, style, relaxed))
    put("\n".join(lines) + "\n")
    return MET if passed else MISSED
