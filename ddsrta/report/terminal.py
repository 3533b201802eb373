"""What a person reads on a terminal: the verdict, what is wrong, then the tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ddsrta.base.text import as_written, plural, rounded_down, rounded_up, shown
from ddsrta.base.units import Duration
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.report.checked import check_line
from ddsrta.report.deadlines import State, deadlines, is_unbounded, state_of
from ddsrta.report.findings import assumed, finding_lines
from ddsrta.report.orders import wanted_lines
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.synchronizers import synchronizer_lines
from ddsrta.report.table import WIDEST, Cell, Column, Paint, table

NOTHING = "–"
UNBOUNDED = "unbounded"


def result_text(result: Result, style: Style = PLAIN) -> str:
    """The whole result as text.

    >>> empty = Result("toy", "busy-window", "met", {}, (), {}, {}, {}, ())
    >>> print(result_text(empty), end="")
    MET  toy: no deadlines, everything is bounded
    <BLANKLINE>
    not checked
    """
    grave = [finding for finding in result.warnings if finding.severity == "error"]
    others = [finding for finding in result.warnings if finding.severity != "error"]
    sections = [
        [verdict_line(result, style)],
        finding_lines(grave, style),
        _chains(result, style),
        wanted_lines(result, style),
        _messages(result, style),
        _synchronizers(result, style),
        _threads(result, style),
        _callbacks(result, style),
        _cores(result, style),
        _links(result, style),
        _queues(result, style),
        finding_lines(assumed(result.assumptions), style),
        finding_lines(others, style),
        [check_line(result, style)],
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def verdict_line(result: Result, style: Style = PLAIN) -> str:
    """The verdict in one line."""
    states = [deadline.state for deadline in deadlines(result)]
    wrong = sum(not order.met for order in result.orders.values())
    orders = f"; {wrong} of {plural(len(result.orders), 'order')} can be violated" * bool(wrong)
    paint = {"met": style.good, "unbounded": style.unsure}.get(result.verdict, style.bad)
    profile = "" if result.profile == "busy-window" else f" ({shown(result.profile)} analysis)"
    verdict = style.strong(paint(result.verdict.upper()))
    grave = sum(finding.severity == "error" for finding in result.warnings)
    it = "it" if grave == 1 else "them"
    but = f"{plural(grave, 'error')} below; without {it}, " if grave else ""
    rests = f" ({assuming(result)})" if result.assumptions else ""
    summary = f"{but}{_summary(result, states)}{orders}{profile}{rests}"
    return f"{verdict}  {shown(result.system)}: {summary}"


def assuming(result: Result) -> str:
    """How much has to be true beyond the model."""
    return f"rests on {plural(len(result.assumptions), 'assumption')}"


def _summary(result: Result, states: Sequence[State]) -> str:
    asked = plural(len(states), "deadline")
    missed, unbounded = states.count("missed"), states.count("unbounded")
    if missed and unbounded:
        return f"{missed} of {asked} missed, {unbounded} without a bound"
    if missed or unbounded:
        return (
            f"{missed} of {asked} missed" if missed else f"{unbounded} of {asked} without a bound"
        )
    met = {0: "no deadlines", 1: "the deadline is met"}.get(len(states), f"all {asked} are met")
    if result.verdict == "unbounded":
        return f"{met}, but not everything is bounded"
    return met if states else f"{met}, everything is bounded"


def bound(value: Duration | None, style: Style = PLAIN) -> Cell:
    """A bound for a table, rounded up."""
    return Cell(UNBOUNDED, style.unsure) if value is None else Cell(rounded_up(value))


def _reasons(pairs: Iterable[tuple[str, str | None]], style: Style) -> list[str]:
    """Why things are unbounded, each reason once."""
    names: dict[str, list[str]] = {}
    for name, reason in pairs:
        if reason:
            names.setdefault(shown(reason), []).append(shown(name))
    if not names:
        return []
    from textwrap import wrap

    lines = []
    for reason, who in names.items():
        shortened = ", ".join(who[:4]) + (f" and {len(who) - 4} more" if len(who) > 4 else "")
        wrapped = wrap(
            f"{UNBOUNDED}: {shortened}: {reason}",
            width=WIDEST,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += [wrapped[0].replace(UNBOUNDED, style.unsure(UNBOUNDED), 1), *wrapped[1:]]
    return lines


def _chains(result: Result, style: Style) -> list[str]:
    columns = [
        Column("chain"),
        Column("latency", right=True),
        Column("trigger latency", right=True),
        Column("data age", right=True),
        Column("reaction", right=True),
        Column("deadline", right=True),
        Column("slack", right=True),
        Column(""),
        Column("path", spare=True),
    ]
    chains = result.chains.items()
    splits = any(chain.trigger_latency != chain.latency for _, chain in chains)
    rows = [_chain_row(name, chain, splits, style) for name, chain in chains]
    for i in (1, 2, 3, 4):  # a column of dashes says nothing
        if all(row[i].text == NOTHING for row in rows):
            rows = [[*row[:i], Cell(""), *row[i + 1 :]] for row in rows]
    lines = table(columns, rows, style)
    return lines + _reasons(((name, chain.unbounded_because) for name, chain in chains), style)


def _chain_row(name: str, chain: ChainResult, splits: bool, style: Style) -> list[Cell]:
    state = state_of(chain)
    outcome = {
        "met": Cell("ok", style.good),
        "missed": Cell("MISSED", style.bad),
        "unbounded": Cell("no bound", style.unsure),
    }.get(state or "", Cell(""))
    return [
        Cell(shown(name)),
        _chain_figure(chain, "latency", style),
        _chain_figure(chain, "trigger_latency", style) if splits else Cell(""),
        _chain_figure(chain, "data_age", style),
        _chain_figure(chain, "reaction_time", style),
        Cell("" if chain.deadline is None else str(chain.deadline)),
        Cell("" if chain.slack is None else rounded_down(chain.slack)),
        outcome,
        Cell(" → ".join(shown(part) for part in as_written(chain.path)), style.faint),
    ]


def _chain_figure(chain: ChainResult, key: str, style: Style) -> Cell:
    """A figure of a chain; exact where rounding it up would look like a missed deadline."""
    value: Duration | None = getattr(chain, key)
    asked = key == chain.constraint
    if value is None:
        unbounded = is_unbounded(chain, key)
        return Cell(UNBOUNDED, style.unsure) if unbounded else Cell(NOTHING, style.faint)
    text = rounded_up(value)
    if asked and chain.deadline is not None and value <= chain.deadline:
        step = 10 ** max(0, len(str(int(value))) - 4)
        text = str(value) if -(-value // step) * step > chain.deadline else text
    paint: Paint | None = style.bad if asked and state_of(chain) == "missed" else None
    return Cell(text, paint)


def _messages(result: Result, style: Style) -> list[str]:
    columns = [
        Column("message"),
        Column(""),
        Column("publisher", right=True),
        Column("controller", right=True),
        Column("network", right=True),
        Column("listener", right=True),
        Column("delivery", right=True),
    ]
    remote = any(message.network != 0 for message in result.messages)
    rows: list[list[Cell | str]] = []
    for m in result.messages:
        synchronous = m.mode == "sync"
        rows.append(
            [
                f"{shown(m.publisher)} → {shown(m.topic)} → {shown(m.subscriber)}",
                Cell(m.mode, style.faint),
                bound(m.publisher_wcrt, style) if synchronous else "",
                "" if synchronous else bound(m.flow_controller, style),
                bound(m.network, style) if remote else "",
                bound(m.listener, style),
                bound(m.ddl, style),
            ]
        )
    reasons = ((f"{m.publisher} → {m.topic}", m.unbounded_because) for m in result.messages)
    return table(columns, rows, style) + _reasons(reasons, style)


def _synchronizers(result: Result, style: Style) -> list[str]:
    reasons = ((name, sets.unbounded_because) for name, sets in result.synchronizers.items())
    return synchronizer_lines(result, style) + _reasons(reasons, style)


def _threads(result: Result, style: Style) -> list[str]:
    rows = [
        [Cell(shown(name)), Cell(shown(thread.core)), bound(thread.wcrt, style)]
        for name, thread in result.threads.items()
    ]
    columns = [Column("thread"), Column("core"), Column("response", right=True)]
    reasons = ((name, thread.unbounded_because) for name, thread in result.threads.items())
    return table(columns, rows, style) + _reasons(reasons, style)


def _callbacks(result: Result, style: Style) -> list[str]:
    rows = [
        [
            Cell(shown(name)),
            Cell(shown(callback.executor)),
            Cell(shown(callback.core)),
            bound(callback.wcrt, style),
            Cell(callback.by or "", style.faint),
        ]
        for name, callback in result.callbacks.items()
    ]
    columns = [
        Column("callback"),
        Column("executor"),
        Column("core"),
        Column("response", right=True),
        Column("by", spare=True),
    ]
    reasons = ((name, callback.unbounded_because) for name, callback in result.callbacks.items())
    return table(columns, rows, style) + _reasons(reasons, style)


def _cores(result: Result, style: Style) -> list[str]:
    rows = []
    for name, core in result.cores.items():
        full = core.utilization > 1
        note = Cell("overloaded", style.bad) if full else Cell("")
        rows.append([Cell(shown(name)), Cell(percent(core.utilization)), note])
    return table([Column("core"), Column("load", right=True), Column("")], rows, style)


def _links(result: Result, style: Style) -> list[str]:
    """Shared links, and what they send."""
    rows, reasons = [], []
    for name, link in result.links.items():
        full = Cell("overloaded", style.bad) if link.utilization > 1 else Cell("")
        load = Cell(percent(link.utilization))
        rows.append([Cell(f"{shown(name)} ({link.kind})"), load, Cell(""), full])
        for sent, message in link.messages.items():
            cells = [Cell(rounded_up(message.transmission)), bound(message.wcrt, style)]
            rows.append([Cell(f"  {shown(sent)}"), *cells, Cell("")])
            reasons.append((sent, message.unbounded_because))
    columns = [
        Column("link"),
        Column("load, time", right=True),
        Column("response", right=True),
        Column(""),
    ]
    return table(columns, rows, style) + _reasons(reasons, style)


def percent(fraction: float) -> str:
    """A load, rounded up to a tenth of a per cent.

    >>> percent(0.593), percent(0.59301), percent(float("inf"))
    ('59.3 %', '59.4 %', '∞ %')
    """
    if fraction == float("inf"):
        return "∞ %"
    # A load is a ratio stored in binary: what is within 1e-9 of a step is that step.
    tenths = -int(-(fraction * 1000 - 1e-9) // 1)
    return f"{tenths // 10}.{tenths % 10} %"


def _queues(result: Result, style: Style) -> list[str]:
    rows = []
    for name, queue in result.queues.items():
        most = Cell(str(queue.backlog)) if queue.backlog is not None else bound(None, style)
        place = NOTHING if queue.capacity is None else str(queue.capacity)
        full = queue.capacity is not None and (
            queue.backlog is None or queue.backlog > queue.capacity
        )
        note = Cell("may overflow", style.bad) if full else Cell("")
        rows.append([Cell(shown(name)), most, Cell(place), note])
    columns = [
        Column("queue"),
        Column("at most", right=True),
        Column("room", right=True),
        Column(""),
    ]
    return table(columns, rows, style)
