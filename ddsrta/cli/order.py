"""ddsrta order: the orders in which subscribers can see messages, and how to remove wrong ones."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input
from ddsrta.cli.streams import output_style, put, read_system
from ddsrta.models.diagnostics import Diagnostic, InputError, did_you_mean

if TYPE_CHECKING:
    from ddsrta.models.system import System

EPILOG = """\
Listed are the messages of one job of each thread from which a subscriber gets several topics.
An order that is not listed never happens, where what is assumed holds: that is said at the end,
and so are findings of level 'error', next to which nothing holds. One that is listed may need times
that no run shows.
For an order under 'orders' that can be violated, changes that make it hold follow, with the bounds
that they change.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    parser.add_argument(
        "subscriber", metavar="SUBSCRIBER", nargs="?", help="only what this thread can see"
    )


def run(options: Namespace) -> int:
    """List the orders; the exit status says whether all wanted ones hold, next to no error."""
    system = read_system(options.system)
    from ddsrta.analysis.analyze import errors
    from ddsrta.analysis.assumptions import assumptions
    from ddsrta.analysis.order.judge import order_results
    from ddsrta.analysis.order.repairs import repairs
    from ddsrta.analysis.order.sets import order_sets
    from ddsrta.analysis.solve import solve
    from ddsrta.report.findings import beside
    from ddsrta.report.orders import repair_lines, set_lines

    names = _subscribers(system, options.subscriber)
    solution, style = solve(system), output_style()
    lines = [
        line
        for name in names
        for found in order_sets(solution, name)
        for line in set_lines(found, style)
    ]
    broken = [
        name
        for name, result in order_results(solution).items()
        if not result.met and result.subscriber in names
    ]
    for name in broken:
        lines += repair_lines(name, repairs(solution, system.orders[name]), style)
    rests = assumptions(system) if lines else ()
    lines = lines or ["no subscriber gets several topics from one thread"]
    grave = errors(solution)
    lines += beside("no order is sure", grave, rests, style)
    put("\n".join([*lines, ""]))
    return MISSED if broken or grave else MET


def _subscribers(system: System, name: str | None) -> list[str]:
    if name is None:
        return list(system.threads)
    if name not in system.threads:
        advice = did_you_mean(name, system.threads)
        raise InputError([Diagnostic(None, f"there is no thread '{name}'", advice)])
    return [name]
