"""The ways of some paths as one array that the kernel reads: their stretches, and at the joins the
ways that other tokens come (lemma last-token)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from ddsrta.bounds.paths.numbers import back
from ddsrta.bounds.paths.stretch import Stretch, stretches
from ddsrta.bounds.solution import Solution
from ddsrta_kernel.problem import BOOK, BOOK_STARTS, BOOK_STRETCHES, BOOK_TOKENS
from ddsrta_kernel.tables import integers

NOTHING = -1  # numbers say nothing there


class Book:
    """Where each way stands in an `array`, which has the stretches of all."""

    def __init__(self, solution: Solution, ways: Sequence[Sequence[int]]) -> None:
        self.solution, self.stages = solution, len(solution.compiled.stages)
        self.numbers: dict[Stretch, int] = {}
        self.words = [0] * BOOK
        self.known: dict[tuple[int, ...], int] = {}
        self.bends = solution.compiled.structure.bends
        self.ways = [self._way(tuple(way)) for way in ways]
        self._lay_tokens(self._all_tokens([*self.known]))
        starts, found = [], list[int]()
        for stretch in self.numbers:
            starts.append(len(self.words) + len(found))
            found += stretch
        self.words[BOOK_STRETCHES] = len(self.words) + len(found)
        self.words += [*found, *starts, self.words[BOOK_STRETCHES]]
        self.array = integers(self.words)

    def _way(self, way: tuple[int, ...]) -> int:
        """Where a way stands."""
        at = self.known.get(way)
        if at is None:
            at = self.known[way] = len(self.words)
            found = stretches(self.bends, way)
            self.words.append(len(found))
            for one in found:
                self.words.append(self.numbers.setdefault(one, len(self.numbers)))
        return at

    def _all_tokens(self, ways: Sequence[Sequence[int]]) -> dict[int, dict[int, int]]:
        """By the first stage of some ways, and the joins on them: where the ways of tokens stand.
        Those of all sources are the same."""
        stages = self.solution.compiled.stages
        joins = [number for number in self.bends if len(stages[number].inputs) > 1]
        of_sources: dict[int, int] = {}
        tokens: dict[int, dict[int, int]] = {}
        for way in ways:
            known = tokens.setdefault(way[0], {})
            shared = known if stages[way[0]].inputs else of_sources
            for end in joins:
                if end not in known and end in way and end != way[0]:
                    if end not in shared:
                        shared[end] = self._tokens(way[0], end)
                    known[end] = shared[end]
        return tokens

    def _tokens(self, first: int, end: int) -> int:
        """Where the ways of tokens to a join stand, for paths that begin with a stage."""
        ways = back(self.solution, first, end)
        if ways is None:
            return NOTHING
        rows = [(way[0], way[-2], self._way(way[:-1])) for way in ways]
        at = len(self.words)
        self.words += [len(rows), *chain.from_iterable(rows)]
        return at

    def _lay_tokens(self, tokens: dict[int, dict[int, int]]) -> None:
        self.words[BOOK_STARTS] = starts = len(self.words)
        self.words[BOOK_TOKENS] = at = starts + self.stages
        known = [(first, found) for first, found in tokens.items() if found]
        self.words += [-1] * self.stages + [0] * (self.stages * len(known))
        for row, (first, found) in enumerate(known):
            self.words[starts + first] = row
            for end, place in found.items():
                self.words[at + row * self.stages + end] = place
