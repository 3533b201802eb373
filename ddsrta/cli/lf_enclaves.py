"""ddsrta lf enclaves: lags of enclaves, what barriers cost, and a search for a good partition."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from ddsrta.cli.combinations import refuse
from ddsrta.cli.lf import common_arguments
from ddsrta.cli.lf_checked import checked_arguments, put_checked
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.say import on_terminal, say
from ddsrta.cli.streams import read_federation

if TYPE_CHECKING:
    from ddsrta.lf.bounds.enclaves.search import Scored

BUDGET = 200
EPILOG = """\
Each tag of an enclave waits for earlier ones (tag barrier), each level for those below it (level
barrier). Docs: docs/lf.md.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    common_arguments(parser)
    checked_arguments(parser)
    parser.add_argument("--search", action="store_true", help="look for a better partition")
    parser.add_argument("--budget", type=_count, metavar="N", help=f"partitions to try ({BUDGET})")
    parser.add_argument("--seed", type=_count, metavar="N", help="of the search (0)")


def run(options: Namespace) -> int:
    """Work out, search if asked to, print; the status is that of the file as it is."""
    if not options.search:
        refuse(options, ["budget", "seed"], "needs --search")
    federation = read_federation(options.federation)
    from ddsrta.lf.bounds.enclaves.judge import judge_enclaves

    found = None
    if options.search:
        from ddsrta.lf.bounds.enclaves.search import search

        budget = BUDGET if options.budget is None else options.budget
        found = search(federation, budget, options.seed or 0, _tell)
        report = found.report
    else:
        report = judge_enclaves(federation)
    from ddsrta.lf.bounds.enclaves.certificate import enclaves_certificate
    from ddsrta.report.lf.enclaves import report_dict, report_text

    sure = put_checked(
        options,
        enclaves_certificate(report, found),
        lambda style: report_text(report, found, style),
        lambda: report_dict(report, found),
    )
    return MET if report.verdict == "met" and sure else MISSED


def _tell(tried: int, found: Scored) -> None:
    """What is better than all before, on a terminal."""
    if on_terminal():
        from ddsrta.report.lf.enclaves import summary

        say(f"{tried}: {summary(found)}")


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ArgumentTypeError(f"expected a whole number, not {text!r}")
    return int(text)
