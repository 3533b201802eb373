"""What is known of the start of a reaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ddsrta.checker.budget import ExhaustedError


class UncertifiedError(ExhaustedError):
    """A figure that this checker has no derivation for; says which."""


Taken = Mapping[str, int]  # by whom, and how long
Shown = Callable[[int | None], Sequence[Taken]]  # what may be said to take the time at a tag


def nobody(tag: int | None) -> Sequence[Taken]:
    """Nothing is said, and at no tag."""
    return [{}] if tag is None else []


class Latest(NamedTuple):
    """It starts no later than `lag` after its tag's time (None: not known); `seen`: a run starts
    it so late; `rough`: less may be a bound, too. Who takes the time is shown by the run, or else
    by the bound."""

    lag: int | None
    seen: int | None = None
    rough: bool = False
    by_run: Shown = nobody
    by_bound: Shown = nobody
    because: str = ""  # no bound is known
