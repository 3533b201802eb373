"""ddsrta lf simulate: runs of a federation, beside the bounds of its coordination."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.cli.lf import common_arguments
from ddsrta.cli.parser import DEFECT, MET, MISSED
from ddsrta.cli.say import say
from ddsrta.cli.streams import put_or_write, read_federation, style_of

if TYPE_CHECKING:
    from ddsrta.lf.run.simulation.simulate import Simulation

EPILOG = """\
The same federation, seed and runs give the same numbers. Decentralized federations get some runs
more, made to reach the largest offsets.

exit status: 0 if the bounds promise that all is in time, and the runs agree; 1 if not; 3 where a
run shows more than a bound allows, because that is a defect in ddsrta. Docs: docs/lf.md.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    from ddsrta.cli.simulate import positive

    parser.epilog = EPILOG
    common_arguments(parser)
    parser.add_argument(
        "--runs", metavar="N", type=positive, default=100, help="how many (default: 100)"
    )
    parser.add_argument(
        "--seed", metavar="N", type=positive, default=1, help="the first seed (default: 1)"
    )
    parser.add_argument(
        "--horizon",
        metavar="TIME",
        help="logical time of a run, such as 10s (default: 100 times the largest period)",
    )


def run(options: Namespace) -> int:
    """Simulate, print; the exit status says how it went."""
    horizon = _time(options.horizon)
    federation = read_federation(options.federation)
    from ddsrta.lf.run.simulation.simulate import simulate

    found = simulate(federation, runs=options.runs, seed=options.seed, horizon=horizon)
    if options.format == "json":
        from ddsrta.report.lf.simulation import simulation_json

        put_or_write(simulation_json(found), options.output)
    else:
        from ddsrta.report.lf.simulation import simulation_text

        put_or_write(simulation_text(found, style_of(options.output)), options.output)
    return _status(found)


def _time(text: str | None) -> int | None:
    if text is None:
        return None
    from ddsrta.base.units import parse_duration

    try:
        return parse_duration(text)
    except ValueError as error:
        raise InputError([Diagnostic(None, f"--horizon: {error}")]) from error


def _status(found: Simulation) -> int:
    if found.violations:
        message = "This is a defect in ddsrta, not in your file. Please report it, with the file."
        say(message)
        return DEFECT
    return MET if found.verdict == "met" else MISSED
