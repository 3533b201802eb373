"""What the kernel's text asks of C, in Python: the same where it is not compiled."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

T = TypeVar("T")

nogil = nullcontext()  # without the lock of Python


def inline(function: Callable[..., T]) -> Callable[..., T]:
    """Where it is called, in C."""
    return function


def address(record: T) -> T:
    """A reference to a record."""
    return record


def prefetch(_record: object) -> None:
    """Asks for memory ahead of time."""


def lowest_bit(word: int) -> int:
    """Its place in a word that is not 0."""
    return (word & -word).bit_length() - 1


def saturated_product(a: int, b: int, limit: int) -> int:
    """a·b, or the limit."""
    return min(a * b, limit)


def ceiling_quotient(a: int, b: int) -> int:
    """⌈a/b⌉ of a positive b."""
    return -(-a // b)
