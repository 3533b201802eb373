"""A bar for a chain: how much of its deadline the bound takes."""

from __future__ import annotations

from ddsrta.report.deadlines import State

# Readable on white and on black.
COLOURS = {"met": "#2e9e5b", "missed": "#d9483b", "unbounded": "#b8860b"}
_WIDTH = 180
_HEIGHT = 12


def chain_bar(bound: int | None, deadline: int | None, state: State | None) -> str:
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
