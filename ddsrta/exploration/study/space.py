"""The space of a study: parameters, each with finitely many values, and points of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import permutations
from math import factorial, prod
from random import Random
from typing import Any

from ddsrta.base.diagnostics import Position
from ddsrta.base.frozen import frozen
from ddsrta.base.yaml_changes import Step
from ddsrta.exploration.edits import Edit

Path = tuple[Step, ...]
Choice = int | tuple[int, ...]  # which of the values, or the order in which they are handed out
Point = tuple[Choice, ...]  # one for each parameter

FAR = 16  # values that are all next to one another


@frozen
class Parameter:
    """Places of the file that change together: `choices` holds their values, row by row. Without
    any, `handed` are values that go to the places in any order.

    >>> at = ("threads", "a", "priority"), ("threads", "b", "priority")
    >>> order = Parameter("a and b", at, (), ("5", "9"))
    >>> order.size, order.values((1, 0)), list(order.every())
    (2, ('9', '5'), [(0, 1), (1, 0)])
    """

    name: str
    places: tuple[Path, ...]
    choices: tuple[tuple[Any, ...], ...]
    handed: tuple[Any, ...] = ()
    base: Choice | None = None  # what the base says, where that is one of them
    position: Position | None = None
    words: tuple[str, ...] = ()  # what choices are called, where their values do not say it

    def word(self, choice: Choice) -> str:
        """What a person would call a choice.

        >>> Parameter("p", (("a",), ("b",)), (("1", "1"), ("2", None))).word(1)
        '2, not given'
        """
        if self.words and isinstance(choice, int):
            return self.words[choice]
        texts = ["not given" if value is None else str(value) for value in self.values(choice)]
        return texts[0] if len(set(texts)) == 1 else ", ".join(texts)

    @property
    def is_order(self) -> bool:
        """Whether values are handed out anew."""
        return not self.choices

    @cached_property
    def size(self) -> int:
        """How many there are that differ."""
        if self.choices:
            return len(self.choices)
        alike = Counter(map(repr, self.handed)).values()
        return factorial(len(self.handed)) // prod(map(factorial, alike))

    def values(self, choice: Choice) -> tuple[Any, ...]:
        """What stands at the places."""
        if isinstance(choice, int):
            return self.choices[choice]
        return tuple(self.handed[number] for number in choice)

    def usual(self, order: Sequence[int]) -> tuple[int, ...]:
        """The one of the orders that mean the same in which equal values come as they are."""
        first: dict[str, list[int]] = {}
        for number in range(len(self.handed) - 1, -1, -1):
            first.setdefault(repr(self.handed[number]), []).append(number)
        return tuple(first[repr(self.handed[number])].pop() for number in order)

    def every(self) -> Iterator[Choice]:
        """All of them, each once."""
        if self.choices:
            yield from range(len(self.choices))
            return
        seen = set()
        for order in permutations(range(len(self.handed))):
            if (found := self.usual(order)) not in seen:
                seen.add(found)
                yield found

    def any(self, chance: Random) -> Choice:
        """One by chance."""
        if self.choices:
            return chance.randrange(len(self.choices))
        order = list(range(len(self.handed)))
        chance.shuffle(order)
        return self.usual(order)

    def near(self, choice: Choice) -> Iterator[Choice]:
        """Those next to one: every other value, where there are not too many; of orders those in
        which one place has moved."""
        if isinstance(choice, int):
            count = len(self.choices)
            steps = range(1, count) if count <= FAR else _powers(count)
            for step in steps:
                yield from (n for n in (choice - step, choice + step) if 0 <= n < count)
            return
        seen = {choice}
        for old in range(len(choice)):
            rest = choice[:old] + choice[old + 1 :]
            for new in range(len(choice)):
                found = self.usual((*rest[:new], choice[old], *rest[new:]))
                if found not in seen:
                    seen.add(found)
                    yield found


def _powers(most: int) -> Iterator[int]:
    """
    >>> list(_powers(10))
    [1, 2, 4, 8]
    """
    step = 1
    while step < most:
        yield step
        step *= 2


@frozen
class Space:
    """All parameters of a study; no two have a place in common."""

    parameters: tuple[Parameter, ...]
    present: tuple[Any, ...]  # what the base says at the places, None for nothing

    @cached_property
    def places(self) -> tuple[Path, ...]:
        """Those of all parameters."""
        return tuple(place for each in self.parameters for place in each.places)

    @cached_property
    def size(self) -> int:
        """How many points there are."""
        return prod(each.size for each in self.parameters)

    @property
    def base(self) -> Point:
        """The point that the base is, or that is nearest to it where it is none."""
        return tuple(_first(each) if each.base is None else each.base for each in self.parameters)

    def row(self, point: Point) -> tuple[Any, ...]:
        """The values at all places."""
        pairs = zip(self.parameters, point, strict=True)
        return tuple(value for each, choice in pairs for value in each.values(choice))

    def edits(self, point: Point) -> tuple[Edit, ...]:
        """What of the base is another at a point."""
        rows = zip(self.places, self.row(point), self.present, strict=True)
        return tuple(Edit(place, value) for place, value, old in rows if value != old)

    def changes(self, point: Point) -> int:
        """How many places differ from the base."""
        return len(self.edits(point))

    def every(self) -> Iterator[Point]:
        """All points, the last parameter first to move."""
        if not self.parameters:
            return iter([()])
        return _product(self.parameters)

    def any(self, chance: Random) -> Point:
        """One by chance."""
        return tuple(each.any(chance) for each in self.parameters)

    def near(self, point: Point, which: Sequence[int] | None = None) -> Iterator[Point]:
        """Those that differ in one parameter, of some or of all."""
        for number in range(len(point)) if which is None else which:
            for choice in self.parameters[number].near(point[number]):
                yield (*point[:number], choice, *point[number + 1 :])


def _first(parameter: Parameter) -> Choice:
    return 0 if parameter.choices else tuple(range(len(parameter.handed)))


def _product(parameters: Sequence[Parameter]) -> Iterator[Point]:
    """As `product`, but for what is too long to be kept."""
    *before, last = parameters
    for head in _product(before) if before else iter([()]):
        for choice in last.every():
            yield (*head, choice)
