"""What speaks for an order, or how it can be broken."""

from __future__ import annotations

from typing import NamedTuple


class Argument(NamedTuple):
    """Whether an order always holds: the reason, or else a witness of how it can be broken."""

    holds: bool
    because: str


def kept(because: str) -> Argument:
    """The order always holds."""
    return Argument(True, because)


def broken(because: str) -> Argument:
    """Nothing is known that keeps the order, and this is how it can be broken."""
    return Argument(False, because)
