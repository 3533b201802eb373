"""Repairs of a system, for a terminal and as Markdown: what to change, and what that moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ddsrta.base.text import plural, shown
from ddsrta.bounds.deadlines import Deadline
from ddsrta.bounds.result import Result
from ddsrta.exploration.comparison import Move, in_short, short_ways
from ddsrta.exploration.improve.audsley import AUDSLEY, Space
from ddsrta.exploration.improve.repairs import Improvement, Repair
from ddsrta.report.checklist import error_lines, unbounded_lines
from ddsrta.report.explanation import samples_for
from ddsrta.report.markdown import cell, row
from ddsrta.report.orders import broken_orders
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.tables import Said

_MOST = 3  # bounds of a repair, either way, beside those of chains
_LATE = 10  # chains
ALL_HOLD = "All deadlines hold."


def improve_text(
    found: Improvement,
    style: Style = PLAIN,
    every: bool = False,
) -> str:
    """What is late, what repairs it, and what was tried; with `every`, all bounds that move."""
    if found.before.verdict == "met":
        return f"{style.good('met')}: there is nothing to repair\n"
    lines = [*_late(found, style), ""]
    if found.repairs:
        count = plural(len(found.repairs), "repair")
        lines.append(f"{style.good(count)} after which all deadlines hold, smallest found first")
    else:
        lines.append(style.bad("no repair was found"))
    for number, repair in enumerate(found.repairs, 1):
        lines += ["", *_repair(f"[{number}]", repair, style, every)]
    if found.nearest is not None:
        lines += ["", f"{style.unsure('nearest')}: {_still(found.nearest)}"]
        lines += _repair("   ", found.nearest, style, every)
    text = "\n".join([*lines, "", *tried_lines(found, style)]) + "\n"
    return in_short(text, short_ways(found.before))


def _late(found: Improvement, style: Style) -> Iterator[str]:
    said = Said()
    for each in found.late[:_LATE]:
        because = each.because and said.of(each.chain, each.because)
        sentence = replace(each, because=because).sentence
        mark = style.unsure("????") if each.state == "unfinished" else style.bad("late")
        yield f"{mark}  {shown(each.called)}: {shown(sentence)}"
        if waits := waiting(found, each):
            yield f"  {waits}"
    if len(found.late) > _LATE:
        yield f"… and {len(found.late) - _LATE} more"
    yield from what_else(found.before, style, said)


def waiting(found: Improvement, late: Deadline) -> str:
    """What samples on a late chain, where that alone makes it late, or nothing else repairs it."""
    time, is_all = found.sampled.get(late.chain), late.chain in found.hopeless
    return samples_for(time, is_all) if time and (is_all or not found.repairs) else ""


def what_else(result: Result, style: Style = PLAIN, said: Said | None = None) -> list[str]:
    """What is wrong beside deadlines: parts without a bound, orders, findings that are errors."""
    lines = unbounded_lines(result, style, said) if result.verdict == "unbounded" else []
    return [*lines, *error_lines([*broken_orders(result), *result.errors], style)]


def _repair(mark: str, repair: Repair, style: Style, every: bool) -> Iterator[str]:
    for number, each in enumerate(repair.says):
        place = f"{each.position.file}:{each.position.line}"
        head = mark if not number else " " * len(mark)
        yield f"{head} {style.strong(shown(each.text))}  {style.faint(shown(place))}"
    for word, moved, paint in (
        ("better", repair.better, style.good),
        ("worse", repair.worse, style.bad),
    ):
        if moved:
            yield f"      {paint(word)}: {plural(len(moved), 'bound')}"
            told = list(moved) if every else _first(moved)
            yield from (f"        {_moved(each)}" for each in told)
            if len(told) < len(moved):
                yield f"        … and {len(moved) - len(told)} more: --all"
    if not repair.worse:
        yield "      no bound gets worse"
    for note in repair.asks:
        yield f"      {style.unsure('mind')}: {shown(note)}"


def _first(moved: Sequence[Move]) -> list[Move]:
    """Those of chains, and the first of the others."""
    chains = [each for each in moved if each.name.startswith("chain ")]
    rest = [each for each in moved if each not in chains]
    return [*chains, *rest[: max(0, _MOST - len(chains))]]


def _moved(each: Move) -> str:
    old, new = (x if x is not None else "unbounded" for x in (each.old, each.new))
    return f"{shown(each.name)} {old} → {new} ({each.amount})"


def _still(repair: Repair) -> str:
    """What is late after what comes nearest."""
    from ddsrta.bounds.deadlines import deadlines

    late = [each for each in deadlines(repair.result) if each.state != "met"]
    names = ", ".join(shown(each.chain) for each in late[:3])
    more = f" and {len(late) - 3} more" if len(late) > 3 else ""
    sums = f", late by {repair.score.lateness / 10_000:.1f} % of deadlines together"
    if not late:
        return f"the verdict is {repair.result.verdict}"
    return f"still late: {names}{more}{sums if not repair.score.unbounded else ''}"


def tried_lines(found: Improvement, style: Style = PLAIN) -> Iterator[str]:
    """How far the search went, and what it shows of priorities."""
    kinds = ", ".join(f"{name} {count}" for name, count in found.tried.items())
    yield style.faint(f"tried {plural(sum(found.tried.values()), 'candidate')}: {kinds or 'none'}")
    for space in found.spaces:
        yield style.faint(space_sentence(space))
    if found.refused:
        count = plural(found.refused, "candidate")
        yield style.faint(f"{count} left out, as the checker does not confirm it as a repair")
    if found.ended:
        yield style.unsure(f"the search was not through: {found.ended}")
    if found.untried:
        yield style.unsure(f"{found.untried} ('--candidates' has more tried)")


def space_sentence(space: Space) -> str:
    """What is known of orders of priorities.

    >>> space_sentence(Space("core m/c", "strict orders", 24, True, False))
    'priorities of core m/c: none of all 24 strict orders meets all deadlines, others as they are'
    """
    start = f"priorities of {shown(space.name)}:"
    if space.method == AUDSLEY:
        done = "finds an order for it" if space.meets else "proves that no strict order is enough"
        return f"{start} {AUDSLEY} {done}"
    if space.is_whole:
        what = f"all {space.count} {space.method}{space.why}"
        if space.meets:
            return f"{start} looked for among {what}"
        return f"{start} none of {what} meets all deadlines, others as they are"
    why = f"; {AUDSLEY} proves nothing here: {shown(space.why)}" if space.why else ""
    return f"{start} there are too many {space.method.strip(',')} to look at all{why}"


def improve_markdown(found: Improvement) -> str:
    """The same for a page."""
    lines = ["### Repairs", ""]
    if found.before.verdict == "met":
        return "\n".join([*lines, ALL_HOLD, ""])
    for each in found.late:
        lines.append(f"- late: {cell(each.chain)}: {cell(each.sentence)}")
        if waits := waiting(found, each):
            lines.append(f"  - {waits}")
    lines += [f"- {cell(line)}" for line in what_else(found.before)]
    lines += ["", "| | change | where | better | worse |", "| --- | --- | --- | --- | --- |"]
    lines += map(row, repair_rows(found))
    return "\n".join([*lines, "", *tried_lines(found), ""])


def repair_rows(found: Improvement) -> list[list[str]]:
    """Of each repair its number, changes, places, and what gets better and worse; or of what comes
    nearest."""
    rows = [_cells(str(number), repair) for number, repair in enumerate(found.repairs, 1)]
    if (near := found.nearest) is not None:
        rows.append(_cells(f"nearest; {_still(near)}", near))
    ways = short_ways(found.before)
    return [[in_short(each, ways) for each in row] for row in rows]


def _cells(mark: str, repair: Repair) -> list[str]:
    places = [f"{each.position.file}:{each.position.line}" for each in repair.says]
    return [
        mark,
        "; ".join([*(each.text for each in repair.says), *(f"mind: {n}" for n in repair.asks)]),
        ", ".join(dict.fromkeys(places)),
        *("; ".join(map(_moved, _first(moved))) for moved in (repair.better, repair.worse)),
    ]
