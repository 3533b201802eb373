"""ddsrta lf schedule: do reactions start before their deadlines, under which scheduler."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ddsrta.cli.lf import common_arguments
from ddsrta.cli.lf_checked import checked_arguments, put_checked
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.streams import read_federation

if TYPE_CHECKING:
    from ddsrta.lf.bounds.schedulers.judge import SchedulerName

SCHEDULERS: tuple[SchedulerName, ...] = ("np", "gedf-np", "fifo", "deadline-monotonic", "edf")
EPILOG = """\
np and gedf-np are schedulers of Lingua Franca: each worker has a core of its own. The others are
of Linux (SCHED_FIFO with one priority, or one by deadline; SCHED_DEADLINE): federates and enclaves
are threads of the host's cores. Docs: docs/lf.md.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    common_arguments(parser)
    checked_arguments(parser)
    parser.add_argument(
        "--workers",
        metavar="N",
        type=_workers,
        action="append",
        default=[],
        help="for each federate and enclave, instead of the file's (may be repeated)",
    )
    parser.add_argument(
        "--scheduler",
        choices=SCHEDULERS,
        action="append",
        default=[],
        help="only this one (may be repeated)",
    )


def run(options: Namespace) -> int:
    """Work out, print; the exit status says how it went."""
    federation = read_federation(options.federation)
    from ddsrta.lf.bounds.schedulers.judge import schedule

    chosen: Sequence[SchedulerName] = list(dict.fromkeys(options.scheduler)) or SCHEDULERS
    report = schedule(federation, chosen, list(dict.fromkeys(options.workers)))
    from ddsrta.lf.bounds.schedulers.certificate import schedule_certificate
    from ddsrta.report.lf.schedule import report_dict, report_text

    sure = put_checked(
        options,
        schedule_certificate(report),
        lambda style: report_text(report, style),
        lambda: report_dict(report),
    )
    return MET if report.verdict == "met" and sure else MISSED


def _workers(text: str) -> int:
    """A number of workers, as the file has it."""
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= 10_000:
        return int(text)
    raise ArgumentTypeError(f"expected a whole number from 1 to 10000, not '{text}'")
