"""ddsrta lf rti: lags of a centralized federation, and its price against a decentralized one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.lf import common_arguments
from ddsrta.cli.lf_checked import checked_arguments, put_checked
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.streams import read_federation

EPILOG = """\
The grant lag of a federate is how long after its time the RTI lets it start a tag, at the latest.
Docs: docs/lf.md.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    common_arguments(parser)
    checked_arguments(parser)


def run(options: Namespace) -> int:
    """Work out, print; the exit status says how it went."""
    federation = read_federation(options.federation)
    from ddsrta.lf.bounds.rti.judge import judge_rti

    report = judge_rti(federation)
    from ddsrta.lf.bounds.rti.certificate import rti_certificate
    from ddsrta.report.lf.rti import report_dict, report_text

    sure = put_checked(
        options,
        rti_certificate(report),
        lambda style: report_text(report, style),
        lambda: report_dict(report),
    )
    return MET if report.verdict == "met" and sure else MISSED
