"""ddsrta lf stp: safe-to-process offsets of a decentralized federation."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, shown
from ddsrta.cli.lf import common_arguments
from ddsrta.cli.lf_checked import checked_arguments, put_checked
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Output
from ddsrta.cli.streams import read_federation, write

if TYPE_CHECKING:
    from ddsrta.lf.program.federation import Chain, Federation

EPILOG = """\
The offset of a federate is the least maxwait with which these bounds let no message to it be tardy
(runs may do with less); a maxwait that the file gives is checked. Docs: docs/lf.md.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    common_arguments(parser)
    checked_arguments(parser)
    parser.add_argument(
        "--latency",
        metavar="CHAIN=TIME",
        action="append",
        default=[],
        help="what would bring a chain's latency down to a time (may be repeated)",
    )
    parser.add_argument(
        "--plot",
        metavar="FILE",
        type=Output,
        help="write a page: offsets by the 'after' of all connections",
    )


def run(options: Namespace) -> int:
    """Find, check, print; the exit status says how it went."""
    federation = read_federation(options.federation)
    wanted = [_wanted(text, federation) for text in options.latency]
    from ddsrta.lf.bounds.offsets.judge import judge
    from ddsrta.lf.bounds.offsets.tradeoff import tradeoff
    from ddsrta.lf.bounds.offsets.whatif import what_if

    report = judge(federation)
    answers = [what_if(federation, chain, time) for chain, time in wanted]
    trade = None
    if options.plot is not None:
        from ddsrta.report.lf.tradeoff import tradeoff_page

        trade = tradeoff(report.network)
        write(options.plot, tradeoff_page(trade, federation.name))
    from ddsrta.lf.bounds.offsets.certificate import stp_certificate
    from ddsrta.report.lf.stp import report_dict, report_text

    sure = put_checked(
        options,
        stp_certificate(report),
        lambda style: report_text(report, answers, style),
        lambda: report_dict(report, answers, trade),
    )
    good = report.verdict == "met" and all(answer.possible for answer in answers)
    return MET if good and sure else MISSED


def _wanted(text: str, federation: Federation) -> tuple[Chain, int]:
    """The chain and the time of CHAIN=TIME."""
    from ddsrta.base.units import parse_duration

    name, equals, time = text.rpartition("=")
    if not equals:
        message = f"expected CHAIN=TIME, not {shown(text)}"
        raise InputError([Diagnostic(None, message, "write for example --latency control=10ms")])
    if name not in federation.chains:
        advice = did_you_mean(name, federation.chains)
        raise InputError([Diagnostic(None, f"there is no chain {shown(name)}", advice)])
    try:
        return federation.chains[name], parse_duration(time)
    except ValueError as error:
        raise InputError([Diagnostic(None, str(error))]) from error
