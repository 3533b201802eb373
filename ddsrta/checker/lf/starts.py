"""What is known of the start of a reaction."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.checker.budget import ExhaustedError


class UncertifiedError(ExhaustedError):
    """A figure that this checker has no derivation for; says which."""


class Latest(NamedTuple):
    """It starts no later than `lag` after its tag's time; `seen`: a run starts it so late;
    `rough`: less may be a bound, too."""

    lag: int
    seen: int | None = None
    rough: bool = False
