"""Small drawings: a bar for a chain, a bound over what was measured."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import log2

from ddsrta.base.units import format_duration
from ddsrta.bounds.deadlines import Outcome, State

# Readable on white and on black.
COLOURS = {"met": "#2e9e5b", "missed": "#d9483b", "unsure": "#b8860b"}
COLOURS |= dict.fromkeys(("unbounded", "unfinished"), COLOURS["unsure"])
_WIDTH = 180
_HEIGHT = 12


def chain_bar(bound: int | None, deadline: int | None, state: Outcome | None) -> str:
    """Inline SVG: the bound as a bar, the deadline as a line; dashes where there is no bound.

    >>> chain_bar(5, None, None)
    ''
    >>> 'width="90"' in chain_bar(5, 10, "met")
    True
    """
    if deadline is None or state is None:
        return ""
    colour = COLOURS[state]
    largest = max(deadline, bound or 0)
    # Above its deadline a bar must end right of the line, however little it is late.
    line = min(_WIDTH - 2, _WIDTH * deadline // largest)
    if bound is None:
        label = "no bound"
        bar = (
            f'<line x1="0" y1="6" x2="{_WIDTH}" y2="6" stroke="{colour}" stroke-width="4"'
            ' stroke-dasharray="6 5"/>'
        )
    else:
        label = f"{-(-100 * bound // deadline)} % of the deadline"
        long = -(-_WIDTH * bound // largest)
        bar = f'<rect x="0" y="3" width="{long}" height="6" rx="1.5" fill="{colour}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}"'
        f' viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}"'
        f' style="vertical-align:middle"><title>{label}</title>'
        f'<rect x="0" y="3" width="{line}" height="6" rx="1.5" fill="currentColor"'
        f' fill-opacity=".15"/>{bar}'
        f'<rect x="{line}" y="0" width="2" height="{_HEIGHT}" fill="currentColor"/></svg>'
    )


def distribution(
    buckets: Iterable[tuple[int, int, int]], most: int, bound: int | None, name: str
) -> str:
    """Inline SVG: how often each latency was measured, and the bound as a line over it.

    `buckets`: least, end (excluded) and count of each. Heights are logarithmic, so that a single
    one can be seen. What lies above the bound is red.

    >>> drawn = distribution([(4, 8, 99), (8, 16, 1)], 12, 10, "speed")
    >>> drawn.count("<rect"), COLOURS["missed"] in drawn, "<line" in drawn
    (2, True, True)
    """
    wide, high, base = 560, 64, 60
    largest = max(most, bound or 0, 1) * 21 // 20 + 1
    drawn = [(least, min(end, most + 1), count) for least, end, count in buckets]
    top = log2(1 + max((count for *_, count in drawn), default=1))
    bars = []
    for least, end, count in drawn:
        state: State = "met" if bound is None or end - 1 <= bound else "missed"
        left, right = wide * least / largest, wide * end / largest
        tall = max(2.0, (base - 6) * log2(1 + count) / top)
        bars.append(
            f'<rect x="{left:.1f}" y="{base - tall:.1f}" width="{max(right - left, 1):.1f}"'
            f' height="{tall:.1f}" fill="{COLOURS[state]}"><title>{count:,} from'
            f" {format_duration(least)} to below {format_duration(end)}</title></rect>"
        )
    line = ""
    if bound is not None:
        x = f"{wide * bound / largest:.1f}"
        line = (
            f'<line x1="{x}" y1="0" x2="{x}" y2="{high}" stroke="currentColor" stroke-width="2"/>'
        )
    label = escape(f"{name}: distribution of what was measured", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
        f' viewBox="0 0 {wide} {high}" style="max-width:100%;height:auto" role="img"'
        f' aria-label="{label}">{"".join(bars)}'
        f'<path d="M0 {base}H{wide}" stroke="currentColor" stroke-opacity=".4"/>{line}</svg>'
    )
