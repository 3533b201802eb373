"""ddsrta lf lag: how late a periodic timer may be, by utilisation, under real-time throttling."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import output_arguments
from ddsrta.cli.streams import put_or_write, style_of

_UTILISATIONS = ("0", "25", "50", "70", "80", "90", "95", "100")
EPILOG = """\
For a thread of SCHED_FIFO that has a core to itself, as the kernel lets it run for 'runtime' in
each 'throttle period' only (sched_rt_runtime_us, sched_rt_period_us). Docs: docs/lf.md.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("--period", metavar="TIME", type=_time, required=True, help="of the timer")
    parser.add_argument(
        "--utilization",
        metavar="PERCENT",
        type=_percent,
        action="append",
        default=[],
        help="what a tick takes of its period (may be repeated; 0 to 100, if missing)",
    )
    parser.add_argument(
        "--overhead", metavar="TIME", type=_time, default=0, help="on top of that, at each tick"
    )
    parser.add_argument(
        "--busy-wait",
        metavar="TIME",
        type=_time,
        default=0,
        help="how long the runtime may wait busily for a tick",
    )
    parser.add_argument(
        "--wake", metavar="TIME", type=_time, default=0, help="how late the thread is woken at most"
    )
    parser.add_argument(
        "--runtime",
        metavar="TIME",
        type=_time,
        default=950_000_000,
        help="what the kernel lets it run (default: 950 ms)",
    )
    parser.add_argument(
        "--throttle-period",
        metavar="TIME",
        type=_time,
        default=10**9,
        help="in each of these (default: 1 s)",
    )
    output_arguments(parser, "a table, or the whole result")


def run(options: Namespace) -> int:
    """Work out, print; the exit status says whether all lags are bounded."""
    from ddsrta.lf.bounds.schedulers.lag import TimerLoad, timer_lag
    from ddsrta.lf.bounds.schedulers.throttling import Throttle
    from ddsrta.report.lf.lag import LagRow, lag_json, lag_text

    for value, name in ((options.period, "period"), (options.throttle_period, "throttle period")):
        if not value:
            raise InputError([Diagnostic(None, f"the {name} must be more than 0")])
    if not 0 < options.runtime <= options.throttle_period:
        message = "the runtime must be more than 0 and at most the throttle period"
        raise InputError([Diagnostic(None, message)])
    throttle = Throttle(options.runtime, options.throttle_period)
    rows = []
    for percent in options.utilization or map(Fraction, _UTILISATIONS):
        exact = percent * options.period / 100
        work = -(-exact.numerator // exact.denominator) + options.overhead
        load = TimerLoad(options.period, work, options.busy_wait, options.wake)
        rows.append(LagRow(percent, load, timer_lag(load, throttle)))
    text = (
        lag_json(rows, throttle)
        if options.format == "json"
        else lag_text(rows, throttle, style_of(options.output))
    )
    put_or_write(text, options.output)
    return MET if all(row.found.lag is not None for row in rows) else MISSED


def _time(text: str) -> int:
    from ddsrta.base.units import parse_duration

    try:
        return int(parse_duration(text))
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def _percent(text: str) -> Fraction:
    """A percentage with at most a few digits, exactly."""
    number = text.removesuffix("%").strip()
    whole, _, digits = number.partition(".")
    plain = number.isascii() and whole.isdigit() and (digits.isdigit() or "." not in number)
    if not plain or len(number) > 12 or Fraction(number) > 1000:
        raise ArgumentTypeError(f"expected a percentage from 0 to 1000, not '{text}'")
    return Fraction(number)
