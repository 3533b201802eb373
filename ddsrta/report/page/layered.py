"""A layered layout: boxes in columns from left to right, each in the lane that it belongs to.

In short, Sugiyama: a column is the longest path from what nothing leads to; in a cell, where
a lane crosses a column, boxes are sorted by the middle of their neighbours (barycentre), forwards
and backwards by turns; the order in which the arrows are shortest is kept. An arrow that passes
columns goes through the gaps between their boxes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

GAP = 14  # between the boxes of a column
BETWEEN = 64  # columns
EDGE = 16  # around it all
_SWEEPS = 8
_MOST_ROOM = 90  # more between columns, where many arrows turn
_CORRIDOR = 4  # between an arrow that passes and a box


class Box(NamedTuple):
    """What is to be placed."""

    lane: int
    width: int
    height: int


class Arrow(NamedTuple):
    """From so far below the top of a box to so far below the top of another."""

    source: int
    target: int
    leaves: int
    arrives: int


class Layout(NamedTuple):
    """The left upper corners of boxes, top and height of each lane, the points that each arrow goes
    through, from left to right, and the size of the whole."""

    boxes: list[tuple[int, int]]
    lanes: list[tuple[int, int]]
    routes: list[list[tuple[int, int]]]
    width: int
    height: int


def layered(boxes: Sequence[Box], arrows: Sequence[Arrow], heads: Sequence[int]) -> Layout:
    """Where everything goes; `heads` is the room that each lane keeps free at its top.

    >>> a, b = Box(0, 50, 20), Box(0, 50, 20)
    >>> layout = layered([a, b], [Arrow(0, 1, 10, 10)], [30])
    >>> layout.boxes, layout.routes
    ([(16, 30), (132, 30)], [[(66, 40), (132, 40)]])
    """
    return _Layers(boxes, arrows, heads).layout()


def columns_of(count: int, arrows: Sequence[tuple[int, int]]) -> list[int]:
    """The column of each box: right of all that leads to it, but for arrows that close a circle;
    where nothing does, next to the first that it leads to.

    >>> columns_of(4, [(0, 1), (1, 2), (3, 2), (2, 1)])
    [0, 1, 2, 1]
    """
    outputs: list[list[int]] = [[] for _ in range(count)]
    for source, target in dict.fromkeys(arrows):
        outputs[source].append(target)
    last_first = _finished(outputs, {target for _, target in arrows})[::-1]
    place = {box: number for number, box in enumerate(last_first)}
    column = [0] * count
    for box in last_first:
        for target in outputs[box]:
            if place[target] > place[box]:
                column[target] = max(column[target], column[box] + 1)
    led_to = {t for s in range(count) for t in outputs[s] if column[t] > column[s]}
    for box in set(range(count)) - led_to:
        right = [column[target] for target in outputs[box] if column[target] > column[box]]
        column[box] = min(right, default=1) - 1
    return column


def _finished(outputs: list[list[int]], led_to: set[int]) -> list[int]:
    """Boxes in the order in which a search from the left is done with them."""
    done: list[int] = []
    seen: set[int] = set()
    for start in sorted(range(len(outputs)), key=lambda box: box in led_to):
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(outputs[start]))]
        while stack:
            box, left = stack[-1]
            following = next((target for target in left if target not in seen), None)
            if following is None:
                done.append(box)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(outputs[following])))
    return done


class _Layers:
    """The boxes in their cells, while they are moved."""

    def __init__(self, boxes: Sequence[Box], arrows: Sequence[Arrow], heads: Sequence[int]) -> None:
        self.boxes, self.arrows, self.heads = boxes, arrows, heads
        self.column = columns_of(len(boxes), [(a.source, a.target) for a in arrows])
        self.count = max(self.column, default=-1) + 1
        self.cells: dict[tuple[int, int], list[int]] = {}
        for number, box in enumerate(boxes):
            self.cells.setdefault((self.column[number], box.lane), []).append(number)
        self.before: list[list[tuple[int, int]]] = [[] for _ in boxes]
        self.after: list[list[tuple[int, int]]] = [[] for _ in boxes]
        for a in arrows:  # beside each neighbour: how far below it one has to be for a level arrow
            if self.column[a.source] < self.column[a.target]:
                self.before[a.target].append((a.source, a.leaves - a.arrives))
                self.after[a.source].append((a.target, a.arrives - a.leaves))
        self.lanes = self._lanes()
        self.y = [0] * len(boxes)
        for cell in self.cells:
            self._stack(cell, None)

    def _lanes(self) -> list[tuple[int, int]]:
        """As high as what stands in the fullest cell of each."""
        inner = [0] * len(self.heads)
        for (_, lane), here in self.cells.items():
            full = sum(self.boxes[box].height + GAP for box in here)
            inner[lane] = max(inner[lane], full)
        lanes, top = [], 0
        for head, most in zip(self.heads, inner, strict=True):
            lanes.append((top, head + most))
            top += head + most
        return lanes

    def _stack(self, cell: tuple[int, int], wanted: Sequence[float] | None) -> None:
        """Put the boxes of a cell below each other, each as near to where it wants to be as the
        others let it."""
        here, (top, height) = self.cells[cell], self.lanes[cell[1]]
        y = top + self.heads[cell[1]]
        rest = sum(self.boxes[box].height + GAP for box in here)
        for box in here:
            latest = top + height - rest
            if wanted is not None:
                y = max(y, min(int(wanted[box]), latest))
            self.y[box] = y
            y += self.boxes[box].height + GAP
            rest -= self.boxes[box].height + GAP

    def _sweep(self, forwards: bool, both: bool = False, sort: bool = True) -> None:
        """Column by column, sort and move by the boxes before, or behind."""
        wanted: list[float] = list(self.y)
        cells = sorted(self.cells, reverse=not forwards)
        for cell in cells:
            here = self.cells[cell]
            for box in here:
                near = self.before[box] if forwards else self.after[box]
                near = self.before[box] + self.after[box] if both else near
                if near:
                    wanted[box] = sum(self.y[other] + far for other, far in near) / len(near)
            if sort:
                here.sort(key=lambda box: wanted[box])
            self._stack(cell, wanted)

    def _length(self) -> int:
        """Of all arrows, upwards and downwards."""
        return sum(
            abs(self.y[a.source] + a.leaves - self.y[a.target] - a.arrives) for a in self.arrows
        )

    def layout(self) -> Layout:
        """The best that was found."""
        best, found = self._length(), {cell: list(here) for cell, here in self.cells.items()}
        for number in range(_SWEEPS):
            self._sweep(number % 2 == 0)
            if (length := self._length()) < best:
                best, found = length, {cell: list(here) for cell, here in self.cells.items()}
        self.cells = found
        for forwards in (True, False, True):
            self._sweep(forwards, both=True, sort=False)
        x = self._columns()
        corners = [(x[self.column[n]][0], self.y[n]) for n in range(len(self.boxes))]
        width = x[-1][1] + EDGE if x else 2 * EDGE
        height = self.lanes[-1][0] + self.lanes[-1][1] if self.lanes else 0
        return Layout(corners, self.lanes, _Routes(self, x).all(), width, height + EDGE)

    def _columns(self) -> list[tuple[int, int]]:
        """Left and right of each column."""
        widths = [0] * self.count
        for number, box in enumerate(self.boxes):
            widths[self.column[number]] = max(widths[self.column[number]], box.width)
        leaving = Counter(self.column[arrow.source] for arrow in self.arrows)
        columns, x = [], EDGE
        for number, width in enumerate(widths):
            columns.append((x, x + width))
            x += width + BETWEEN + min(_MOST_ROOM, 2 * leaving[number])
        return columns


class _Routes:
    """Ways for arrows, which do not cross boxes."""

    def __init__(self, layers: _Layers, x: list[tuple[int, int]]) -> None:
        self.layers, self.x = layers, x
        self.taken: list[list[tuple[int, int]]] = [[] for _ in x]
        for number, box in enumerate(layers.boxes):
            y = layers.y[number]
            column = self.taken[layers.column[number]]
            column.append((y - _CORRIDOR, y + box.height + _CORRIDOR))
        for column in self.taken:
            column.sort()

    def all(self) -> list[list[tuple[int, int]]]:
        """One for each arrow."""
        return [self._route(arrow) for arrow in self.layers.arrows]

    def _route(self, arrow: Arrow) -> list[tuple[int, int]]:
        first, last = (self.layers.column[n] for n in (arrow.source, arrow.target))
        y = self.layers.y[arrow.source] + arrow.leaves
        end = self.layers.y[arrow.target] + arrow.arrives
        right = self.x[first][0] + self.layers.boxes[arrow.source].width
        points = [(right, y)]
        for column in range(first + 1, last):
            y = self._free(column, y + (end - y) // (last - column + 1))
            points += [(self.x[column][0], y), (self.x[column][1], y)]
        return [*points, (self.x[last][0], end)]

    def _free(self, column: int, y: int) -> int:
        """The nearest height at which no box of a column stands."""
        taken = self.taken[column]
        place = bisect_left(taken, (y + 1,)) - 1
        if place < 0 or taken[place][1] <= y:
            return y
        top, bottom = taken[place]
        return top if y - top < bottom - y else bottom
