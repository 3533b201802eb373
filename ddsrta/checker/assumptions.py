"""What the bounds of a system rest on: a certificate that does not say so claims too much."""

from __future__ import annotations

from ddsrta.checker.things import System


def assumed(system: System) -> set[str]:
    """The assumptions that a certificate of this system has to state."""
    return {"locks"} if system.fastdds is not None else set()
