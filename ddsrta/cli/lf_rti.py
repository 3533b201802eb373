"""ddsrta lf rti: lags of a centralized federation, and its price against a decentralized one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.lf import common_arguments
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.streams import put_or_write, read_federation, style_of

EPILOG = """\
The grant lag of a federate is how long after its time the RTI lets it start a tag, at the latest.
Docs: docs/lf.md.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    common_arguments(parser)


def run(options: Namespace) -> int:
    """Work out, print; the exit status says how it went."""
    federation = read_federation(options.federation)
    from ddsrta.lf.rti_judge import judge_rti

    report = judge_rti(federation)
    if options.format == "json":
        from ddsrta.report.lf_rti_json import report_json

        put_or_write(report_json(report), options.output)
    else:
        from ddsrta.report.lf_rti import report_text

        put_or_write(report_text(report, style_of(options.output)), options.output)
    return MET if report.verdict == "met" else MISSED
