"""δ: what sending, receiving and taking a message cost, by its size."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from ddsrta.base.frozen import frozen
from ddsrta.base.records import key, record, shape_of
from ddsrta.base.shapes import DURATION, SIZE, Context, Flag
from ddsrta.base.structures import Brief, Contradiction, Either, MapOf
from ddsrta.base.units import Size, format_size
from ddsrta.base.yaml_tree import Node, place_of

EPSILON = 1  # the unit of time, one nanosecond
# nobody measured these on the user's machine: above most of Delays in docs/measured.md
_PLACEHOLDER, _PLACEHOLDER_OF_A_BYTE = 300_000, 3


@record("cost")
class Cost:
    """Worst and best processing time; an unknown best case is the least time there is."""

    worst: int = key(DURATION, "worst-case processing time")
    best: int = key(DURATION, "best-case processing time", default=EPSILON)

    def __post_init__(self) -> None:
        if self.best < 0 or self.worst < 0:
            raise ValueError("no cost is less than nothing")
        if self.best > self.worst:
            object.__setattr__(self, "best", self.worst)

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """The best case is no worse than the worst."""
        if given.get("best", 0) > self.worst:
            yield Contradiction("best", "the best case is above the worst")

    def stored(self) -> list[int]:
        """Both in a list."""
        return [self.worst, self.best]


NO_COST = Cost(0, 0)
COST = Either(scalar=Brief(shape_of(Cost), "worst"), mapping=shape_of(Cost))
Table = tuple[tuple[Size, Cost], ...]


@frozen
class _Rows(MapOf):
    """A table of costs by size; a size in between takes the larger row, so they do not decrease."""

    def read(self, node: Node, context: Context) -> Any:
        known = len(context.diagnostics)
        found = MapOf.read(self, node, context)
        if len(context.diagnostics) > known or not isinstance(node.value, dict):
            return found or []
        rows = sorted(found.items())
        words = {SIZE.parse(text): text for text in node.value}
        for (size, smaller), (larger, cost) in pairwise(rows):
            if smaller.worst > cost.worst or smaller.best > cost.best:
                context.contradict(
                    place_of(node, node, (words[larger],)),
                    f"the delay of {format_size(larger)} is below that of {format_size(size)}",
                    "a size in between takes the larger row, so rows must not decrease",
                )
        return rows

    def write(self, value: Any) -> Any:
        return MapOf.write(self, dict(value))


_ROWS = _Rows(COST, name=SIZE)


@record("delays", optional=True)
class Delays:
    """δ by payload size, ascending; a size in between takes the next larger row."""

    flow_controller: Table = key(
        _ROWS, "δf by payload size: one asynchronous send to one reader", default=()
    )
    listener: Table = key(_ROWS, "δl by payload size: one reception", default=())
    publisher: Table = key(
        _ROWS, "δs by payload size: one synchronous send to one reader", default=()
    )
    take: Table = key(_ROWS, "by payload size: what a job takes to read its message", default=())
    placeholder: bool = key(
        Flag(),
        "true: a δf, δl or δs that no row gives is 300 us and 3 ns a byte, until you measure; the "
        "result says that it rests on it",
        default=False,
    )

    def of(self, table: str, size: Size) -> Cost | None:
        """What a table says of a size; None where it says nothing, and there is no placeholder.

        >>> table = ((Size(1000), Cost(62_000, 500)), (Size(3000), Cost(64_000)))
        >>> Delays(listener=table).of("listener", Size(2000))
        Cost(worst=64000, best=500)
        >>> Delays(placeholder=True).of("listener", Size(2000))
        Cost(worst=306000, best=1)
        """
        rows: Table = getattr(self, table)
        index = bisect_left(rows, (size,))
        best = rows[index - 1][1].best if index else EPSILON
        if index == len(rows):
            if not self.placeholder or table == "take":
                return None
            least = rows[-1][1].worst if rows else 0
            return Cost(max(_PLACEHOLDER + _PLACEHOLDER_OF_A_BYTE * int(size), least), best)
        found, cost = rows[index]
        return cost if found == size else Cost(cost.worst, best)

    def around(self, table: str, size: Size) -> Table:
        """The rows below a size and from it on, between which it is; else none.

        >>> delays = Delays(listener=((Size(1000), Cost(80)), (Size(1_000_000), Cost(90))))
        >>> [int(row) for row, _ in delays.around("listener", Size(4000))]
        [1000, 1000000]
        >>> delays.around("listener", Size(1000))
        ()
        """
        rows: Table = getattr(self, table)
        index = bisect_left(rows, (size,))
        return rows[index - 1 : index + 1] if 0 < index < len(rows) else ()

    def has(self, table: str, size: Size) -> bool:
        """Whether a row says what a message of a size costs."""
        rows: Table = getattr(self, table)
        return bool(rows) and rows[-1][0] >= size

    def stored(self) -> dict[str, Any]:
        """A row is a size, a worst and a best case."""
        tables = (name for name in shape_of(Delays).keys if name != "placeholder")
        found: dict[str, Any] = {
            name: [[size, *cost.stored()] for size, cost in getattr(self, name)] for name in tables
        }
        return {**found, "placeholder": True} if self.placeholder else found
