"""ddsrta report: one page with pictures."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input, Output, Printed
from ddsrta.cli.streams import put_or_write, read_system, write

EPILOG = """\
The page is one file: no network, no other files, and it can be read without scripts.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Printed, help="write there instead of to stdout"
    )
    parser.add_argument("--svg", metavar="FILE", type=Output, help="write the graph alone, too")


def run(options: Namespace) -> int:
    """Analyse, write the page, and say in the exit status how it went."""
    system = read_system(options.system)
    from ddsrta.bounds.evidence.checked import analyze_checked
    from ddsrta.report.page.report import graph_svg, report_html, reported

    report = reported(analyze_checked(system))
    if options.svg is not None:
        write(options.svg, graph_svg(system, report.result))
    put_or_write(report_html(report), options.output)
    return MET if report.result.verdict == "met" else MISSED
