"""ddsrta order: the orders in which subscribers can see messages, and how to remove wrong ones."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input
from ddsrta.cli.streams import output_style, put, read_system

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution
    from ddsrta.models.system import System
    from ddsrta.report.style import Style

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
    from ddsrta.bounds.evidence.checked import analyze_checked
    from ddsrta.report.findings import beside

    names = _subscribers(system, options.subscriber)
    checked, style = analyze_checked(system), output_style()
    result = checked.result
    broken = [
        n for n, order in result.orders.items() if not order.met and order.subscriber in names
    ]
    stands = result.check is None or result.check.status != "refuted"
    lines = _listed(checked.solution, names, broken, style) if stands else []
    rests = result.assumptions if lines else ()
    if stands and not lines:
        lines = ["no subscriber gets several topics from one thread"]
    lines += beside("no order is sure", result, rests, style, orders=True)
    put("\n".join([*lines, ""]))
    return MISSED if broken or result.errors else MET


def _listed(solution: Solution, names: list[str], broken: list[str], style: Style) -> list[str]:
    """What each subscriber can see, and what mends the orders that do not hold."""
    from ddsrta.bounds.order.repairs import repairs
    from ddsrta.bounds.order.sets import order_sets
    from ddsrta.report.orders import repair_lines, set_lines

    found = (one for name in names for one in order_sets(solution, name))
    lines = [line for one in found for line in set_lines(one, style)]
    for name in broken:
        lines += repair_lines(name, repairs(solution, solution.system.orders[name]), style)
    return lines


def _subscribers(system: System, name: str | None) -> list[str]:
    if name is None:
        return list(system.threads)
    if name not in system.threads:
        advice = did_you_mean(name, system.threads)
        raise InputError([Diagnostic(None, f"there is no thread '{name}'", advice)])
    return [name]
