"""What became of each wanted order: lines for terminals and CI, findings for annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddsrta.base.text import plural, rounded_up, shown
from ddsrta.base.units import Duration
from ddsrta.bounds.deadlines import NOT_FINISHED
from ddsrta.bounds.result import Finding, OrderResult, Result, Violation
from ddsrta.report.style import PLAIN, Style

if TYPE_CHECKING:
    from ddsrta.bounds.order.repairs import Repair
    from ddsrta.bounds.order.sets import OrderSet

MOST = 20


def broken_orders(result: Result) -> list[Finding]:
    """Orders that can be violated, as findings at their places."""
    model = result.model
    return [
        Finding(f"order-{'unfinished' if order.met is None else 'violated'}", "error",
                f"order {name}: {violated(order)}", model.where("orders", name) if model else None)
        for name, order in result.orders.items()
        if not order.met
    ]  # fmt: skip


def violable(result: Result) -> str:
    """How many orders do not hold, in words; nothing where all do.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> violable(analyze(two_threads()))
    ''
    """
    asked = plural(len(result.orders), "order")
    open_, wrong = (
        sum(order.met is state for order in result.orders.values()) for state in (None, False)
    )
    parts = [f"{wrong} of {asked} can be violated"] * bool(wrong)
    return "; ".join([*parts, *[f"{open_} of {asked} {NOT_FINISHED}"] * bool(open_)])


def violated(order: OrderResult) -> str:
    """Why an order does not hold, in a sentence."""
    if order.met is None:
        return NOT_FINISHED
    more = len(order.violations) - 1
    rest = f" (and {plural(more, 'other way')})" if more > 0 else ""
    return (sentence(order.violations[0]) if order.violations else "can be violated") + rest


def sentence(violation: Violation) -> str:
    """A violation in words, with its witness."""
    first, second, origin = violation.first, violation.second, violation.origin
    if violation.later:
        what = f"'{first}' of the next job of {origin} can be seen before '{second}'"
    else:
        what = f"{order_text((first, second))} can be seen of a job of {origin}"
    return f"{what}: {violation.because}"


def order_text(topics: tuple[str, ...]) -> str:
    """Topics in their order.

    >>> order_text(("a", "b"))
    'a → b'
    """
    return " → ".join(topics)


def wanted_lines(result: Result, style: Style = PLAIN) -> list[str]:
    """One line for each wanted order; under a violated one, what breaks it."""
    lines = []
    for name, order in result.orders.items():
        mark = style.good("ok  ") if order.met else style.bad("MISS")
        text = f"{shown(name)}  {shown(order_text(order.topics))} at {shown(order.subscriber)}"
        if order.met is None:
            lines.append(f"{style.unsure('????')}  {text} {NOT_FINISHED}")
            continue
        lines.append(f"{mark}  {text}" + (" always" if order.met else " can be violated"))
        lines += [f"      {shown(sentence(v))}" for v in order.violations[:MOST]]
        if len(order.violations) > MOST:
            lines.append(f"      … and {len(order.violations) - MOST} more")
    return lines


def set_lines(found: OrderSet, style: Style = PLAIN) -> list[str]:
    """The orders of one origin at one subscriber, with the reason of each pair."""
    title = f"{shown(found.subscriber)}, messages of one job of {shown(found.origin)}"
    if found.together:
        return [style.strong(title), "  read together by one job: no order", ""]
    lines = [style.strong(title)]
    lines += [f"  can be seen:  {shown(order_text(order))}" for order in found.orders[:MOST]]
    if len(found.orders) > MOST:
        lines.append(f"  … and more: {len(found.orders)} or more in all")
    for one in found.overtakings:
        if one.first == one.second and not one.possible:
            continue
        later = " of the next job" if one.later else ""
        what = f"'{one.first}'{later} before '{one.second}'"
        verdict = style.bad("can be") if one.possible else style.good("never ")
        lines.append(f"  {verdict}  {shown(what)}: {shown(one.because)}")
    return [*lines, ""]


def repair_lines(name: str, found: list[Repair], style: Style = PLAIN) -> list[str]:
    """What makes a wanted order hold, and what it costs."""
    if not found:
        return [f"none of the changes that were tried makes order {shown(name)} hold", ""]
    lines = [style.strong(f"order {shown(name)} always holds if you")]
    for repair in found:
        lines.append(f"  • {shown(repair.change)}")
        for cost in repair.costs:
            lines.append(f"      {shown(cost.name)} {_change(cost.before, cost.after)}")
        if not repair.costs:
            lines.append("      costs nothing: no chain and no delivery has another bound")
    return [*lines, ""]


def _change(before: int | None, after: int | None) -> str:
    old, new = ("unbounded" if t is None else rounded_up(t) for t in (before, after))
    text = f"{old} → {new}"
    if before is None or after is None:
        return text
    return f"{text} ({'+' if after > before else '-'}{Duration(abs(after - before))})"
