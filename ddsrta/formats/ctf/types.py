"""The types that a trace declares for its fields, and how large they can get.

They are compared by identity: metadata can build a type that takes exponential time to walk, so
each carries the figures (`shape`) that say early whether walking it is affordable.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

DEEPEST = 48
MOST_PARTS = 20_000


class Shape(NamedTuple):
    """Alignment and least size in bits, how deep it nests, and how many parts it has."""

    align: int
    least: int
    depth: int
    parts: int


class UnaffordableError(Exception):
    """A type that is nested too deeply or has too many parts."""


@dataclass(frozen=True, eq=False)
class Integer:
    """`order` is 'le', 'be', or None for the trace's own; `text`: it holds a character."""

    size: int
    align: int
    signed: bool = False
    order: str | None = None
    text: bool = False
    clock: str | None = None

    @property
    def shape(self) -> Shape:
        return Shape(self.align, self.size, 1, 1)


@dataclass(frozen=True, eq=False)
class Float:
    """IEEE 754, of 32 or 64 bits."""

    size: int
    align: int
    order: str | None = None

    @property
    def shape(self) -> Shape:
        return Shape(self.align, self.size, 1, 1)


@dataclass(frozen=True, eq=False)
class String:
    """Bytes up to a zero."""

    @property
    def shape(self) -> Shape:
        return Shape(8, 8, 1, 1)


@dataclass(frozen=True, eq=False)
class Enum:
    """Labels for ranges of an integer: (label, first, last)."""

    container: Integer
    ranges: tuple[tuple[str, int, int], ...]

    @property
    def shape(self) -> Shape:
        return self.container.shape

    def labels(self, value: int) -> list[str]:
        """Every label that the value carries; ranges may overlap."""
        return [label for label, first, last in self.ranges if first <= value <= last]


@dataclass(frozen=True, eq=False)
class Array:
    """`length` elements; a path names the field that holds the length of a sequence."""

    element: Type
    length: int | tuple[str, ...]
    shape: Shape = field(init=False)

    def __post_init__(self) -> None:
        inner = self.element.shape
        if not inner.least:
            raise UnaffordableError("an array of elements without any size")
        least = inner.least * self.length if isinstance(self.length, int) else 0
        _settle(self, Shape(inner.align, least, inner.depth + 1, inner.parts + 1))


@dataclass(frozen=True, eq=False)
class Struct:
    """Named fields, one after the other."""

    fields: tuple[tuple[str, Type], ...]
    align: int = 1
    shape: Shape = field(init=False)

    def __post_init__(self) -> None:
        shapes = [type_.shape for _, type_ in self.fields]
        _settle(
            self,
            Shape(
                max([self.align, *(shape.align for shape in shapes)]),
                sum(shape.least for shape in shapes),
                1 + max((shape.depth for shape in shapes), default=0),
                1 + sum(shape.parts for shape in shapes),
            ),
        )


@dataclass(frozen=True, eq=False)
class Variant:
    """One of its options: that whose name is the label of the field `tag` (None: not yet said)."""

    tag: tuple[str, ...] | None
    options: tuple[tuple[str, Type], ...]
    shape: Shape = field(init=False)

    def __post_init__(self) -> None:
        shapes = [type_.shape for _, type_ in self.options]
        _settle(
            self,
            Shape(
                1,
                min((shape.least for shape in shapes), default=0),
                1 + max((shape.depth for shape in shapes), default=0),
                1 + sum(shape.parts for shape in shapes),
            ),
        )


Type = Integer | Float | String | Enum | Array | Struct | Variant


def _settle(type_: Array | Struct | Variant, shape: Shape) -> None:
    if shape.depth > DEEPEST:
        raise UnaffordableError(f"types nested more than {DEEPEST} deep")
    if shape.parts > MOST_PARTS:
        raise UnaffordableError(f"a type of more than {MOST_PARTS} fields")
    object.__setattr__(type_, "shape", shape)
