"""ddsrta sensitivity: how far each value can move before a deadline falls."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.parser import INTERRUPTED, MET, MISSED
from ddsrta.cli.places import Input, Output, output_arguments
from ddsrta.cli.progress import Interrupts
from ddsrta.cli.say import on_terminal, say
from ddsrta.cli.streams import put_or_write, read_system, style_of, write
from ddsrta.cli.waiting import add_time_limit

EPILOG = """\
Each time of the file is moved alone towards what is harder, down to the nanosecond: at the limit
all deadlines hold, one nanosecond further they do not; where only what has no deadline loses its
bound, a value at most a tenth further is named. For wcet, δ, delays and jitter all
values up to the limit are fine, too, as they are worst cases. Periods and budgets are looked at in
between; where a deadline falls there, the row says so. A priority is tried at each place among
those that it competes with.
Ctrl-C ends the search: what was found is shown, what was not looked at is named, and the exit
status is 130. A second one stops at once.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    add_time_limit(parser, then="values that were not looked at until then are named")
    output_arguments(parser)
    parser.add_argument("--all", action="store_true", help="all rows, not the twenty first")
    parser.add_argument("--svg", metavar="FILE", type=Output, help="draw the narrowest margins")


def run(options: Namespace) -> int:
    """Search, print, and say in the exit status whether the system is in time as it is."""
    system = read_system(options.system)
    from ddsrta.exploration.sensitivity import sensitivity

    with Interrupts() as asked:
        told = _told if on_terminal() else None
        found = sensitivity(system, progress=told, time_limit=options.time_limit, stop=asked.came)
    if on_terminal():
        say("\r\x1b[K", end="")
    if options.svg is not None:
        from ddsrta.report.sensitivity import tornado_svg

        write(options.svg, tornado_svg(found))
    if options.format == "json":
        from ddsrta.report.json import text_of

        put_or_write(text_of(found), options.output)
    else:
        from ddsrta.report.sensitivity import sensitivity_text

        put_or_write(sensitivity_text(found, style_of(options.output), options.all), options.output)
    if found.interrupted:
        return INTERRUPTED
    return MET if found.result.verdict == "met" and not found.left else MISSED


def _told(number: int, count: int) -> None:
    say(f"\r{number} of {count} values\x1b[K", end="")
