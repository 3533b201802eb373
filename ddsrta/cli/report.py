"""ddsrta report: one page with pictures."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import InputError
from ddsrta.cli.places import Input, Output, output_argument
from ddsrta.cli.simulate_attack import status_of
from ddsrta.cli.streams import put_or_write, read_system, write
from ddsrta.cli.waiting import Progress, add_time_limit

if TYPE_CHECKING:
    from ddsrta.bounds.evidence.checked import Checked
    from ddsrta.exploration.comparison import Comparison
    from ddsrta.exploration.difference.difference import Difference
    from ddsrta.exploration.sensitivity import Sensitivity
    from ddsrta.models.system import System
    from ddsrta.report.page.report import Report

RUNS = 200  # of the search for the worst run
MOST_ATTACKED = 300  # threads: of larger systems only where runs are asked for
EVENTS = 3_000_000  # of all runs together
EPILOG = """\
The page is one file: no network, no other files, and it can be read without scripts. --sensitivity
takes some forty analyses for each value of the file. A baseline is a model, REVISION:FILE, or a
JSON result, as of 'ddsrta check'.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    output_argument(parser)
    add_time_limit(parser, then="so do --sensitivity and --baseline, each")
    parser.add_argument("--svg", metavar="FILE", type=Output, help="write the graph alone, too")
    parser.add_argument(
        "--baseline", metavar="FILE", type=Input, help="say what changed from this one"
    )
    parser.add_argument(
        "--sensitivity", action="store_true", help="say how far each value can go, too"
    )
    parser.add_argument(
        "--runs",
        metavar="N",
        type=number,
        help=f"runs of the search for the worst run of the worst chain, 0 for none (default: {RUNS}"
        f"; none of more than {MOST_ATTACKED} threads)",
    )


def number(text: str) -> int:
    """A number of runs.

    >>> number("0")
    0
    """
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(text)
    return int(text)


def run(options: Namespace) -> int:
    """Analyse, write the page, and say in the exit status how it went."""
    system = read_system(options.system)
    from ddsrta.bounds.analyze import watch_of
    from ddsrta.bounds.evidence.checked import analyze_checked
    from ddsrta.report.page.report import graph_svg, report_html, reported

    with Progress():
        checked = analyze_checked(system, watch=watch_of(options.time_limit))
        report = _attacked(reported(checked), checked, options.runs)
        if options.sensitivity:
            report = replace(report, sensitivity=_sensitivity(system, options))
        if options.baseline is not None:
            report = replace(report, changes=_changes(options, system, checked))
    if options.svg is not None:
        write(options.svg, graph_svg(system, report.result))
    put_or_write(report_html(report), options.output)
    return status_of(report.attacked, report.result)


def _attacked(report: Report, checked: Checked, runs: int | None) -> Report:
    """With the worst run that a short search finds of the worst chain."""
    from ddsrta.bounds.deadlines import worst_first

    if runs is None:
        runs = RUNS if len(checked.solution.system.threads) <= MOST_ATTACKED else 0
    if not runs or not report.result.chains:
        return report
    from ddsrta.exploration.attacks import attack_system
    from ddsrta.simulation.attack import Budget

    name = worst_first(report.result)[0][0]
    budget = Budget(runs=runs, events=EVENTS)
    try:
        attack = attack_system(checked.solution.system, [name], budget=budget, checked=checked)
    except InputError as error:
        return replace(report, not_attacked=f"no run was looked for: {error}")
    return replace(report, attacked=attack.attacked)


def _sensitivity(system: System, options: Namespace) -> Sensitivity:
    from ddsrta.exploration.sensitivity import sensitivity

    return sensitivity(system, time_limit=options.time_limit)


def _changes(
    options: Namespace, system: System, checked: Checked
) -> Difference | Comparison | None:
    """What changed; none where the revision does not have the file."""
    from ddsrta.bounds.result import Result
    from ddsrta.cli.versions import read_baseline

    old = read_baseline(options.baseline, options.system)
    if old is None:
        return None
    if isinstance(old, Result):
        from ddsrta.exploration.comparison import compare

        return compare(old, checked.result)
    from ddsrta.exploration.difference.difference import difference

    return difference(old, system, time_limit=options.time_limit)
