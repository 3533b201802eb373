"""The ways of some paths as one array that the kernel reads: their stretches, and at the joins the
ways that other tokens come (lemma last-token)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice

from ddsrta.bounds.paths.numbers import MOST_WAYS, back
from ddsrta.bounds.paths.stretch import Stretch, stretches
from ddsrta.bounds.solution import Solution
from ddsrta_kernel.problem import BOOK, BOOK_STARTS, BOOK_STRETCHES, BOOK_TOKENS

NOTHING = -1  # numbers say nothing there


class Book:
    """Where each way stands in an `array`, which has the stretches of all."""

    def __init__(self, solution: Solution, ways: Sequence[Sequence[int]]) -> None:
        self.solution, self.stages = solution, len(solution.compiled.stages)
        self.numbers: dict[Stretch, int] = {}
        self.array = array("q", [0] * BOOK)
        self.known: dict[tuple[int, ...], int] = {}
        self.ways = [self._way(tuple(way)) for way in ways]
        tokens: dict[tuple[int, int], int] = {}
        for way in ways:
            for stretch in self._stretches(way)[1:]:
                key = way[0], stretch[0]
                if len(solution.compiled.stages[stretch[0]].inputs) > 1 and key not in tokens:
                    tokens[key] = self._tokens(*key)
        self._lay_tokens(tokens)
        starts, found = [], list[int]()
        for stretch in self.numbers:
            starts.append(len(self.array) + len(found))
            found += stretch
        self.array.extend(found)
        self.array[BOOK_STRETCHES] = len(self.array)
        self.array.extend([*starts, self.array[BOOK_STRETCHES]])

    def _stretches(self, way: Sequence[int]) -> list[Stretch]:
        return stretches(self.solution.compiled.structure.straight, list(way))

    def _way(self, way: tuple[int, ...]) -> int:
        """Where a way stands."""
        if way not in self.known:
            found = self._stretches(way)
            numbers = [self.numbers.setdefault(one, len(self.numbers)) for one in found]
            self.known[way] = len(self.array)
            self.array.extend([len(numbers), *numbers])
        return self.known[way]

    def _tokens(self, first: int, end: int) -> int:
        """Where the ways of tokens to a join stand, for paths that begin with a stage."""
        ways = list(islice(back(self.solution, first, end), MOST_WAYS + 1))
        if None in ways or len(ways) > MOST_WAYS:
            return NOTHING
        rows = [(way[0], way[-2], self._way(tuple(way[:-1]))) for way in ways if way is not None]
        at = len(self.array)
        self.array.extend([len(rows), *(number for row in rows for number in row)])
        return at

    def _lay_tokens(self, tokens: dict[tuple[int, int], int]) -> None:
        firsts = list(dict.fromkeys(first for first, _ in tokens))
        places = dict.fromkeys(range(self.stages), -1) | {n: i for i, n in enumerate(firsts)}
        self.array[BOOK_STARTS] = len(self.array)
        self.array.extend(places[number] for number in range(self.stages))
        self.array[BOOK_TOKENS] = len(self.array)
        for first in firsts:
            self.array.extend(tokens.get((first, end), 0) for end in range(self.stages))
