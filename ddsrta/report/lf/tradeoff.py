"""The trade-off between consistency and availability as a page with one chart."""

from __future__ import annotations

from html import escape

from ddsrta.base.text import shown
from ddsrta.base.units import format_duration
from ddsrta.lf.bounds.offsets.tradeoff import Curve, Tradeoff

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 760, 420, 90, 46, 16
_COLOURS = ("#2e9e5b", "#3b6fd9", "#d9483b", "#b8860b", "#8a4fd0", "#0f97a6", "#c2418f", "#666666")


def tradeoff_svg(trade: Tradeoff) -> str:
    """Inline SVG: offsets over the `after` that is added to all connections.

    >>> "no federate waits" in tradeoff_svg(Tradeoff(0, ()))
    True
    """
    if not trade.curves:
        return "<p>no federate waits for another</p>"
    right = max(max(x for x, _ in curve.points) for curve in trade.curves) or 1
    top = max(max(y for _, y in curve.points) for curve in trade.curves) or 1
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        'aria-label="offsets by added after" font-family="system-ui,sans-serif" font-size="12">',
        *_axes(right, top),
    ]
    for number, curve in enumerate(trade.curves):
        lines += _curve(curve, number, right, top)
    return "\n".join([*lines, "</svg>"])


def _x(value: int, right: int) -> int:
    return _LEFT + (_WIDTH - _LEFT - 24) * value // right


def _y(value: int, top: int) -> int:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * value // top


def _axes(right: int, top: int) -> list[str]:
    lines = []
    for part in range(5):
        x, y = _x(right * part // 4, right), _y(top * part // 4, top)
        lines += [
            f'<line x1="{_LEFT}" y1="{y}" x2="{_WIDTH - 24}" y2="{y}" stroke="currentColor" '
            'stroke-opacity=".2"/>',
            f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end" fill="currentColor">'
            f"{_short(top * part // 4)}</text>",
            f'<text x="{x}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle" '
            f'fill="currentColor">{_short(right * part // 4)}</text>',
        ]
    middle = (_LEFT + _WIDTH) // 2
    lines.append(
        f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle" fill="currentColor">'
        "inconsistency: after added to every connection</text>"
    )
    return lines


def _short(value: int) -> str:
    """Three digits do for an axis."""
    step = 10 ** max(0, len(str(value)) - 3)
    return format_duration(round(value / step) * step)


def _curve(curve: Curve, number: int, right: int, top: int) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    points = " ".join(f"{_x(x, right)},{_y(y, top)}" for x, y in curve.points)
    name = escape(shown(curve.federate))
    return [
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{_WIDTH - 30}" y="{_TOP + 16 * (number + 1)}" text-anchor="end" '
        f'fill="{colour}">{name}</text>',
    ]


def tradeoff_page(trade: Tradeoff, name: str) -> str:
    """A whole page, without scripts and without anything from elsewhere."""
    title = escape(shown(name))
    note = ""
    if trade.least:
        note = f"<p>No offsets exist below {escape(format_duration(trade.least))}.</p>"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        "<style>body{font:14px/1.45 system-ui,sans-serif;max-width:64rem;margin:2rem auto;"
        "padding:0 1rem}:root{color-scheme:light dark}</style></head><body>\n"
        f"<h1>{title}</h1>\n<p>Unavailability (the offset of a federate: how long it waits at a "
        "tag) against inconsistency (how much older the values are that it takes). The eight "
        f"federates that wait longest are shown.</p>\n{note}{tradeoff_svg(trade)}\n</body></html>\n"
    )
