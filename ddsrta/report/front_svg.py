"""A Pareto front as inline SVG: two figures of all that keeps its limits, the front in colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from ddsrta.base.text import shown

WIDTH, HEIGHT = 440, 290  # so that words can be read where it is drawn on a phone
LEFT, RIGHT, TOP, BOTTOM = 84, 16, 12, 44
MOST_DOTS = 4_000
_FRONT, _BASE = "#2f7fd6", "#d9483b"  # readable on white and on black


class Dot(NamedTuple):
    """Two figures, and what is said of them where a pointer rests."""

    across: int
    up: int
    says: str = ""


class Axis(NamedTuple):
    """What a figure is called, and how its values are written."""

    name: str
    written: Callable[[int], str]


def front_svg(
    front: Sequence[Dot],
    others: Sequence[Dot],
    base: Dot | None,
    axes: tuple[Axis, Axis],
    joined: bool = False,
) -> str:
    """The picture; dots that lie on one another are drawn once. A front of two figures is joined by
    a line.

    >>> axis = Axis("delay", str)
    >>> front = [Dot(0, 9, "[1]"), Dot(9, 0, "[2]")]
    >>> front_svg(front, [Dot(9, 9)], None, (axis, axis)).count("<circle")
    3
    """
    dots = [*front, *others, *([base] if base else [])]
    across = _scale([dot.across for dot in dots], LEFT, WIDTH - RIGHT)
    up = _scale([dot.up for dot in dots], HEIGHT - BOTTOM, TOP)
    seen = dict.fromkeys((across(dot.across), up(dot.up)) for dot in others)
    drawn = [
        f"<circle cx='{x}' cy='{y}' r='2.5' fill='currentColor' fill-opacity='.3'/>"
        for x, y in list(seen)[:MOST_DOTS]
    ]
    if joined:
        steps = sorted((across(dot.across), up(dot.up)) for dot in front)
        line = " ".join(f"{x},{y}" for x, y in steps)
        drawn.append(f"<polyline points='{line}' fill='none' stroke='{_FRONT}'/>")
    drawn += [_circle(dot, across, up, _FRONT, 5) for dot in front]
    drawn += [_circle(base, across, up, _BASE, 4)] if base else []
    name = f"{shown(axes[1].name)} over {shown(axes[0].name)}"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' role='img'"
        f" aria-label='{escape(name, quote=True)}' style='max-width:{WIDTH}px;width:100%;"
        "font:13px system-ui,sans-serif' fill='currentColor'>"
        f"<path d='M{LEFT - 8} {TOP}V{HEIGHT - BOTTOM + 8}H{WIDTH - RIGHT}' fill='none'"
        " stroke='currentColor' stroke-opacity='.5'/>"
        f"{_labels(dots, axes)}{''.join(drawn)}</svg>"
    )


def _scale(values: Sequence[int], begin: int, end: int) -> Callable[[int], int]:
    low, high = min(values), max(values)

    def at(value: int) -> int:
        return begin + (end - begin) * (value - low) // (high - low) if high > low else begin

    return at


def _circle(
    dot: Dot, across: Callable[[int], int], up: Callable[[int], int], colour: str, size: int
) -> str:
    title = f"<title>{escape(shown(dot.says))}</title>"
    place = f"cx='{across(dot.across)}' cy='{up(dot.up)}'"
    return f"<circle {place} r='{size}' fill='{colour}'>{title}</circle>"


def _labels(dots: Sequence[Dot], axes: tuple[Axis, Axis]) -> str:
    """The ends of both axes, and what they are."""
    xs, ys = [dot.across for dot in dots], [dot.up for dot in dots]
    below, side = HEIGHT - BOTTOM + 24, LEFT - 12
    texts = [
        (LEFT, below, "start", axes[0].written(min(xs))),
        (WIDTH - RIGHT, below, "end", axes[0].written(max(xs))),
        ((LEFT + WIDTH) // 2, HEIGHT - 4, "middle", axes[0].name),
        (side, HEIGHT - BOTTOM, "end", axes[1].written(min(ys))),
        (side, TOP + 10, "end", axes[1].written(max(ys))),
    ]
    middle = (TOP + HEIGHT - BOTTOM) // 2
    turned = (
        f"<text transform='translate(14 {middle}) rotate(-90)' text-anchor='middle'>"
        f"{escape(shown(axes[1].name))}</text>"
    )
    return turned + "".join(
        f"<text x='{x}' y='{y}' text-anchor='{anchor}'>{escape(shown(words))}</text>"
        for x, y, anchor, words in texts
    )
