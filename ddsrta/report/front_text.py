"""A Pareto front as text: all that keeps its limits as dots, the front as stars."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ddsrta.base.text import shown, width

WIDTH, HEIGHT = 60, 14
Pair = tuple[int, int]
Written = Callable[[int], str]


def scatter(
    front: Sequence[Pair],
    others: Sequence[Pair],
    names: tuple[str, str],
    written: tuple[Written, Written],
) -> list[str]:
    """The lines of a picture of two figures.

    >>> lines = scatter([(0, 9), (9, 0)], [(9, 9)], ("cost", "delay"), (str, str))
    >>> lines[0], lines[1].rstrip()[-1], lines[-1].split()
    ('  delay', '·', ['0', 'cost', '9'])
    """
    points = [*front, *others]
    low = [min(point[axis] for point in points) for axis in (0, 1)]
    high = [max(point[axis] for point in points) for axis in (0, 1)]
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    for mark, some in (("·", others), ("*", front)):
        for point in some:
            column = _cell(point[0], low[0], high[0], WIDTH)
            grid[HEIGHT - 1 - _cell(point[1], low[1], high[1], HEIGHT)][column] = mark
    top, bottom = written[1](high[1]), written[1](low[1])
    room = max(width(top), width(bottom))
    labels = [top, *[""] * (HEIGHT - 2), bottom]
    lines = [f"  {shown(names[1])}"]
    lines += [
        f"  {label:>{room}} │{''.join(row)}".rstrip()
        for label, row in zip(labels, grid, strict=True)
    ]
    lines.append(f"  {' ' * room} └{'─' * WIDTH}")
    left, right, middle = written[0](low[0]), written[0](high[0]), shown(names[0])
    blank = max(2, WIDTH - width(left) - width(right) - width(middle))
    lines.append(
        f"  {' ' * room}  {left}{' ' * (blank // 2)}{middle}{' ' * (blank - blank // 2)}{right}"
    )
    return lines


def _cell(value: int, low: int, high: int, cells: int) -> int:
    """Which of the cells a value is in.

    >>> _cell(5, 0, 10, 11), _cell(3, 3, 3, 11)
    (5, 0)
    """
    return (value - low) * (cells - 1) // (high - low) if high > low else 0
