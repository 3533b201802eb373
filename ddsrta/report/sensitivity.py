"""How far each value can go, as a table, and as a tornado of bars (SVG)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from math import ceil, floor
from textwrap import wrap

from ddsrta.base.text import plural, shown, width
from ddsrta.exploration.sensitivity import ALL_COSTS, Margin, PriorityMargin, Sensitivity
from ddsrta.report.gantt_svg import SCHEMES
from ddsrta.report.style import PLAIN, Style

_BAR = 20  # characters for 100 %
_MOST = 20  # rows
_WIDTH = 100
_WHOLE = "\N{NO-BREAK SPACE}"
_FALLS = 2  # chains that are named
_UNCHECKED = "; the checker does not confirm the bounds there"


def sensitivity_text(found: Sensitivity, style: Style = PLAIN, every: bool = False) -> str:
    """What matters first; with `every`, all rows."""
    lines = [*_slack(found, style), ""]
    known = [each for each in found.margins if each.limit is not None or each.repair is not None]
    rows = known if every else known[:_MOST]
    longest = max((width(shown(row.parameter.name)) for row in rows), default=0)
    lines += [_row(row, longest, style) for row in rows]
    if len(rows) < len(known):
        lines.append(f"… and {len(known) - len(rows)} that may change more: --all")
    if late := found.margins[len(known) :]:
        head = "no value of these alone was found to be in time"
        lines += _names(head, late, every, style.columns)
    if found.priorities:
        lines += ["", style.strong("priorities that keep all deadlines, the others as they are")]
        lines += [_priority(each) for each in found.priorities if each.is_met]
        if bad := [each for each in found.priorities if not each.is_met]:
            lines += [
                f"  {line}" for line in _names("none of these alone", bad, every, style.columns)
            ]
    if found.left:
        head = "interrupted" if found.interrupted else "the time limit ended it"
        head += ": not looked at"
        lines += ["", *_listed(head, found.left, every, style.columns)]
    return "\n".join(lines) + "\n"


def _names(
    head: str, rows: Sequence[Margin | PriorityMargin], every: bool, columns: int
) -> list[str]:
    return _listed(head, [row.parameter.name for row in rows], every, columns)


def _listed(head: str, rows: Sequence[str], every: bool, columns: int) -> list[str]:
    """What a name stands for is not broken over lines."""
    kept = rows if every else rows[:_MOST]
    names = [shown(row).replace(" ", _WHOLE) for row in kept]
    more = f" … and {len(rows) - len(kept)} more: --all" if len(kept) < len(rows) else ""
    text = f"{head}: {', '.join(names)}{more}"
    lines = wrap(
        text,
        min(_WIDTH, columns - 2) if columns > 2 else _WIDTH,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_WHOLE, " ") for line in lines]


def _slack(found: Sensitivity, style: Style) -> Iterator[str]:
    if ALL_COSTS in found.left:
        yield f"{ALL_COSTS} (wcet and δ): {style.unsure('no time')} to look at them"
        return
    if found.factor is None:
        yield "no factor of all costs (wcet and δ) makes a deadline fall"
        return
    if not found.factor:
        falls = _then(found.factor_falls, "even then")
        yield f"{style.bad('late')}: no factor of all costs (wcet and δ) helps{falls}"
        return
    times = f"× {float(found.factor):.3f}"
    then = _then(found.factor_falls) + ("" if found.factor_is_checked else _UNCHECKED)
    if found.factor < 1:
        yield f"{style.bad('late')}: all costs (wcet and δ) {times} would be in time{then}"
    else:
        yield f"{style.good('slack')}: all costs (wcet and δ) {times} are in time{then}"


def _then(falls: tuple[str, ...], where: str = "then") -> str:
    if not falls:
        return ""
    more = f" and {len(falls) - _FALLS} more" if len(falls) > _FALLS else ""
    return f", {where} not: {', '.join(map(shown, falls[:_FALLS]))}{more}"


def _row(row: Margin, longest: int, style: Style) -> str:
    parameter = row.parameter
    name = shown(parameter.name)
    start = f"{name}{' ' * (longest - width(name))}  {parameter.shown(parameter.value)}"
    if row.repair is not None:
        change = f"{parameter.shown(row.repair)}  {percent(row)}"
        if not row.is_checked:
            return f"{start} → {change}, {style.unsure('in time')}{_UNCHECKED}"
        return f"{start} → {change}, {style.good('in time')}"
    assert row.limit is not None
    if row.share is None:
        return f"{start} → any"
    bar = style.faint("█" * max(1, min(_BAR, int(row.share * _BAR))))
    is_next = row.beyond is not None and abs(row.beyond - row.limit) == 1
    notes = _then(row.falls, "then" if is_next else f"at {parameter.shown(row.beyond or 0)}")
    if row.misses:
        values = ", ".join(parameter.shown(value) for value in row.misses)
        notes += f"; but not at {values}"
    if not row.is_checked:
        notes += _UNCHECKED
    return f"{start} → {parameter.shown(row.limit)}  {percent(row)}  {bar}{notes}"


def percent(row: Margin) -> str:
    """The way to the limit, rounded down, or to the repair, rounded up."""
    target = row.target
    assert target is not None
    share = row.part(target) * 1000
    permille = floor(share) if row.repair is None else ceil(share)
    sign = "+" if target > row.parameter.value else "−"
    return f"{sign}{permille // 10}.{permille % 10} %"


def _priority(row: PriorityMargin) -> str:
    good = [place for place in row.places if place.is_met]
    merged: list[tuple[int, int]] = []
    for place in good:
        if merged and merged[-1][1] + 1 == place.least:
            merged[-1] = (merged[-1][0], place.most)
        else:
            merged.append((place.least, place.most))
    ranges = ", ".join(str(a) if a == b else f"{a} … {b}" for a, b in merged)
    return f"  {shown(row.parameter.name)} {row.parameter.value}: {ranges}"


def drawn(found: Sensitivity) -> list[Margin]:
    """The rows that have a bar.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.sensitivity import sensitivity
    >>> len(drawn(sensitivity(two_threads()))) > 3
    True
    """
    return [row for row in found.margins if row.target is not None][:_MOST]


def tornado_svg(found: Sensitivity) -> str:
    """The narrowest margins as bars or, of a late system, the smallest repairs."""
    rows = drawn(found)
    late = found.margins and found.margins[0].limit is None
    what = "what is enough alone to be in time" if late else "how far each may go"
    left, wide, high = 280, 420, 22
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + wide + 110} '
        f'{high * len(rows) + 40}" role="img" font-family="sans-serif" font-size="12" '
        f'fill="currentColor"><title>{escape(plural(len(rows), "margin"))}</title>',
        f"<style>{SCHEMES}</style>",
        f'<text x="{left}" y="16">{what}, in % of what it is</text>',
    ]
    for number, row in enumerate(rows):
        y = 30 + number * high
        assert row.target is not None
        long = max(2, int(min(row.part(row.target), Fraction(1)) * wide))
        name = escape(shown(row.parameter.name))
        parts.append(
            f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{name}</text>'
            f'<rect x="{left}" y="{y + 3}" width="{long}" height="14" rx="2" fill="#3b7dd8"/>'
            f'<text x="{left + long + 6}" y="{y + 14}">{escape(percent(row))}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"
