"""Tables of integers, column by column: what a problem is made of."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, chain
from struct import pack
from typing import TYPE_CHECKING, ClassVar


class Column:
    """One column: a number for each row of its table or, as the starts of runs of it in another
    table, one more. Columns of one option are all there, or all empty."""

    def __init__(
        self, table: str, meaning: str, default: int | None = None, option: str = "", more: int = 0
    ) -> None:
        self.table, self.meaning, self.default = table, meaning, default
        self.option, self.more = option, more
        self.name = ""

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name = name


if TYPE_CHECKING:

    def column(
        table: str, meaning: str, default: int | None = None, option: str = ""
    ) -> array[int]:
        """A number for each row."""

    def starts(table: str, meaning: str, option: str = "") -> array[int]:
        """Where the run of each row starts, and where the last one ends."""

    def rows(column: array[int]) -> int:
        """How many rows a column has."""

else:
    column = Column

    def rows(column):
        return property(lambda self: len(getattr(self, column.name)))

    def starts(table, meaning, option=""):
        return Column(table, meaning, option=option, more=1)


def integers(values: Sequence[int]) -> array[int]:
    """An array of them: sooner than it takes them one by one."""
    return array("q", pack(f"{len(values)}q", *values))


def columns(rows: Sequence[Sequence[int]], size: int) -> list[array[int]]:
    """Rows of so many numbers, column by column.

    >>> columns([(1, 2), (3, 4)], 2)
    [array('q', [1, 3]), array('q', [2, 4])]
    """
    if {*map(len, rows)} - {size}:
        raise ValueError(f"there are rows of other than {size} numbers")
    every = integers([*chain.from_iterable(rows)])
    return [every[place::size] for place in range(size)]


class Tables:
    """The columns that a class declares; empty at first."""

    columns: ClassVar[list[Column]]
    tables: ClassVar[dict[str, dict[str, Column]]]  # each column without the table's name

    def __init_subclass__(cls) -> None:
        cls.columns = [each for each in vars(cls).values() if isinstance(each, Column)]
        cls.tables = {each.table: {} for each in cls.columns}
        for each in cls.columns:
            if not each.more:
                cls.tables[each.table][each.name.removeprefix(f"{each.table}_")] = each

    def __init__(self) -> None:
        vars(self).update((each.name, array("q")) for each in self.columns)

    def rows(self, table: str, names: str, rows: Iterable[Sequence[int]]) -> None:
        """More rows, each a number for each of these columns; the others are as declared.

        >>> from ddsrta_kernel.problem import Problem
        >>> problem = Problem()
        >>> problem.rows("later", "unit jobs bunch", [(1, 2, 1), (3, 2, 4)])
        >>> problem.later_bunch
        array('q', [1, 4])
        """
        found = rows if isinstance(rows, list) else list(rows)
        if not found:
            return
        wanted = names.split()
        given = dict(zip(wanted, columns(found, len(wanted)), strict=True))
        for name, each in self.tables[table].items():
            if name in given:
                getattr(self, each.name).extend(given.pop(name))
            elif not each.option:
                if each.default is None:
                    raise TypeError(f"rows of '{table}' need '{name}'")
                getattr(self, each.name).extend(array("q", [each.default]) * len(found))
        if given:
            raise TypeError(f"'{table}' has no column '{min(given)}'")

    def runs(
        self, start: str, table: str, names: str, runs: Iterable[Iterable[Sequence[int]]]
    ) -> None:
        """All rows of a table, and where the run of each that has one starts and the last ends."""
        found = [*map(tuple, runs)]
        getattr(self, start).extend(integers([*accumulate(map(len, found), initial=0)]))
        self.rows(table, names, [*chain.from_iterable(found)])

    def is_like(self, other: Tables, but: Collection[str] = ()) -> bool:
        """Whether both have the same numbers, but for those of some columns."""
        names = [each.name for each in self.columns if each.name not in but]
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def check(self) -> None:
        """Raises where a column is shorter or longer than its table."""
        rows: dict[str, int] = {}
        options: dict[str, bool] = {}
        for each in self.columns:
            length = len(getattr(self, each.name))
            if not each.more:
                rows.setdefault(each.table, length)
            if each.option and not options.setdefault(each.option, length > 0) and not length:
                continue
            if length != rows[each.table] + each.more:
                raise ValueError(
                    f"column '{each.name}' ({each.meaning}) has {length} numbers for"
                    f" {rows[each.table]} rows of '{each.table}'"
                )
