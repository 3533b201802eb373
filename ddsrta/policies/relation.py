"""Relations: how the units of one stage delay those of another."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from ddsrta_kernel import problem


class Delay(IntEnum):
    """How one unit delays another (definition delay-relations); the kernel has them as numbers."""

    PREEMPTS = problem.PREEMPTS
    OVERTAKES = problem.OVERTAKES
    AHEAD = problem.AHEAD
    LINGERS = problem.LINGERS
    ALTERNATES = problem.ALTERNATES
    BLOCKS = problem.BLOCKS
    PRECEDES = problem.PRECEDES
    SHARES = problem.SHARES
    EARLIER = problem.EARLIER
    OVERLAPS = problem.OVERLAPS
    CONTENDS = problem.CONTENDS


class Relation(NamedTuple):
    """The stages numbered first … last - 1 stand in this relation to the one in question.

    EARLIER has a shift: they come first if they arrive no later than it does, and so long after.
    ALTERNATES has weights: so many of theirs for so many of its `own`.
    CONTENDS goes both ways: in any order, at any time, as of SCHED_OTHER (lemma fair-threads).
    """

    kind: Delay
    first: int
    last: int
    shift: int = 0
    weight: int = 1
    own: int = 1

    def __repr__(self) -> str:
        """Without what goes without saying."""
        usual = self._field_defaults
        given = zip(self._fields, self, strict=True)
        said = (f"{name}={value}" for name, value in given if value != usual.get(name))
        return f"Relation({', '.join(said)})"

    def moved(self, by: int) -> Relation:
        """The same among stages that are numbered from elsewhere."""
        kind, first, last, shift, weight, own = self
        return Relation(kind, first + by, last + by, shift, weight, own)

    @property
    def is_plain(self) -> bool:
        """Whether neither shift nor weights say more than the kind, nor is it both ways."""
        return self.weight == self.own == 1 and self.kind not in _BEYOND_KINDS


def mixed(relations: Sequence[Relation], own: int) -> list[Relation]:
    """The same of one that serves its own units in any order, which overtake each other: so does
    what came before the last of them (lemma mixed-publishers).

    >>> mixed([Relation(Delay.AHEAD, 0, 3)], 1) == [
    ...     *span(Delay.OVERTAKES, 0, 1), *span(Delay.OVERTAKES, 2, 3), *span(Delay.OVERTAKES, 1, 2)
    ... ]
    True
    """
    found: list[Relation] = []
    for one in relations:
        if one.kind == Delay.AHEAD:
            found += span(Delay.OVERTAKES, one.first, min(own, one.last))
            found += span(Delay.OVERTAKES, max(own + 1, one.first), one.last)
        else:
            found.append(one)
    return [*found, Relation(Delay.OVERTAKES, own, own + 1)]


_BEYOND_KINDS = Delay.EARLIER, Delay.CONTENDS


def span(kind: Delay, first: int, last: int) -> list[Relation]:
    """A relation, or none where the range is empty.

    >>> span(Delay.AHEAD, 2, 2)
    []
    """
    return [Relation(kind, first, last)] if first < last else []
