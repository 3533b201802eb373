"""ddsrta analyze: the bounds of a system."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input, Output, output_arguments
from ddsrta.cli.streams import put_or_write, read_system, style_of, write
from ddsrta.cli.waiting import Progress, add_time_limit

if TYPE_CHECKING:
    from ddsrta.models.system import System
    from ddsrta.report.page.report import Report

PROFILES = ("busy-window", "published")


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    add_profile(parser)
    add_time_limit(parser)
    output_arguments(parser)
    parser.add_argument(
        "--html", metavar="FILE", type=Output, help="write a page, as 'report' does"
    )
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        type=Output,
        help="write what 'ddsrta verify' needs to check the bounds",
    )


def add_profile(parser: ArgumentParser) -> None:
    """The choice of an analysis."""
    parser.add_argument(
        "--profile",
        choices=PROFILES,
        default=PROFILES[0],
        help="the analysis; 'published' is that of the literature, to the letter, and can be "
        "optimistic (default: %(default)s)",
    )


def run(options: Namespace) -> int:
    """Analyse, print, and say in the exit status how it went."""
    if options.certificate and options.profile != PROFILES[0]:
        message = f"only the profile '{PROFILES[0]}' has certificates"
        raise InputError([Diagnostic(None, message, "leave out --certificate or --profile")])
    system = read_system(options.system)
    from ddsrta.bounds.analyze import analyze

    with Progress():
        if options.html is not None:
            from ddsrta.report.page.report import report_html

            report = report_of(system, options)
            result = report.result
            write(options.html, report_html(report))
        else:
            result = analyze(system, profile=options.profile, time_limit=options.time_limit)
    if options.certificate:
        import json

        write(options.certificate, json.dumps(result.certificate) + "\n")
    if options.format == "json":
        from ddsrta.report.json import text_of

        put_or_write(text_of(result), options.output)
    else:
        from ddsrta.report.terminal import result_text

        put_or_write(result_text(result, style_of(options.output)), options.output)
    return MET if result.verdict == "met" else MISSED


def report_of(system: System, options: Namespace) -> Report:
    """The result, as a page wants it: one that was checked with what explains its chains."""
    from ddsrta.bounds.analyze import analyze, watch_of
    from ddsrta.report.page.report import Report, reported

    if options.profile != PROFILES[0]:
        return Report(analyze(system, profile=options.profile, time_limit=options.time_limit))
    from ddsrta.bounds.evidence.checked import analyze_checked

    return reported(analyze_checked(system, watch=watch_of(options.time_limit)))
