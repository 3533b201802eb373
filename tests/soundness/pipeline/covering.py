"""Rows of features in which every allowed pair occurs: a greedy covering array, the same for a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random

from tests.soundness.pipeline.registry import DIMENSIONS, TRIPLES, Feature, excluded, pairs

Row = Mapping[str, str]
TRIES = 8  # rows of which the one with most new pairs is taken


def pairs_of(row: Row) -> Iterator[frozenset[Feature]]:
    """The pairs that occur in a row."""
    return map(frozenset, combinations([Feature(*each) for each in row.items()], 2))


def covering(seed: int) -> list[Row]:
    """Rows with each allowed pair in one of them at least."""
    return _Covering(seed).rows()


class _Covering:
    """Features are numbered; a set of them is the bits of a number."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"covering {seed}")
        self.features = [Feature(name, v) for name, values in DIMENSIONS.items() for v in values]
        number = {feature: i for i, feature in enumerate(self.features)}
        self.values = [
            [number[Feature(name, v)] for v in values] for name, values in DIMENSIONS.items()
        ]
        self.masks = [sum(1 << value for value in values) for values in self.values]
        self.without = [0] * len(number)  # of each feature: those that it is never with
        self.left = [0] * len(number)  # and those that it is yet to be with
        for table, found in ((self.without, excluded()), (self.left, pairs())):
            for one, other in map(tuple, found):
                table[number[one]] |= 1 << number[other]
                table[number[other]] |= 1 << number[one]
        self.triples: dict[int, list[int]] = {}  # that never are, by each of the three
        for triple in TRIPLES:
            for feature in triple:
                mask = sum(1 << number[each] for each in triple)
                self.triples.setdefault(number[feature], []).append(mask)
        for feature, excluding in enumerate(self.without):
            self.left[feature] &= ~excluding

    def rows(self) -> list[Row]:
        found = []
        while any(self.left):
            row = max((self.row() for _ in range(TRIES)), key=self.news)
            mask = sum(1 << feature for feature in row)
            for feature in row:
                self.left[feature] &= ~mask
            found.append(dict(sorted(self.features[feature] for feature in row)))
        return found

    def news(self, row: list[int]) -> int:
        mask = sum(1 << feature for feature in row)
        return sum((self.left[feature] & mask).bit_count() for feature in row)

    def row(self) -> list[int]:
        """One that begins with a pair that is left; the rest greedily, at random among equals."""
        one = self.random.choice([i for i, others in enumerate(self.left) if others])
        other = self.random.choice([i for i in range(len(self.left)) if self.left[one] >> i & 1])
        without, mask = self.without[one] | self.without[other], (1 << one) | (1 << other)
        open_ = [name for name, values in enumerate(self.masks) if not values & mask]
        row = self.filled([one, other], mask, without, open_)
        assert row is not None, f"{self.features[one]} and {self.features[other]}: nothing fits"
        return row

    def filled(
        self, chosen: list[int], mask: int, without: int, open_: list[int]
    ) -> list[int] | None:
        """With a value for each open dimension: next one that has little choice, and back where
        none. `without`: what none of the chosen is with."""
        if not open_:
            return chosen
        free = [(self.masks[name] & ~without).bit_count() for name in open_]
        fewest, among = min(free), open_
        if fewest <= 1:
            among = [n for n, few in zip(open_, free, strict=True) if few == fewest]
        name = self.random.choice(among)
        rest = [other for other in open_ if other != name]

        def gain(value: int) -> tuple[int, float]:
            return (self.left[value] & mask).bit_count(), self.random.random()

        values = [value for value in self.values[name] if not without >> value & 1]
        for value in sorted(values, key=gain, reverse=True):
            now, more = mask | 1 << value, without | self.without[value]
            if any(now & triple == triple for triple in self.triples.get(value, ())):
                continue
            if found := self.filled([*chosen, value], now, more, rest):
                return found
        return None
