"""What the engine's text asks of C, where it is not compiled; c.pxi has the same in C."""

from __future__ import annotations

from array import array
from contextlib import nullcontext
from typing import TypeVar

from ddsrta_simulator.structs import Ints, Rows

T = TypeVar("T")
_WORD = (1 << 64) - 1

nogil = nullcontext()  # without the lock of Python


def address(record: T) -> T:
    """A reference to a record."""
    return record


def modulo(a: int, b: int) -> int:
    """From 0 to below b."""
    return a % b


def penalised(time: int) -> int:
    """With the age penalty of approximate_time; rounded towards 0."""
    return time * 11 // 10 if time >= 0 else -(-time * 11 // 10)


def mix(seed: int, number: int) -> int:
    """A number of 64 bits that looks random: the splitmix64 sequence of a seed.

    >>> hex(mix(0, 0))
    '0xe220a8397b1dcdaf'
    """
    z = (seed + (number + 1) * 0x9E3779B97F4A7C15) & _WORD
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _WORD
    return z ^ z >> 31


def below(seed: int, number: int, count: int) -> int:
    """One of so many, at random."""
    return mix(seed, number) % count


def grow(rows: Rows, count: int) -> bool:
    """Room for so many more numbers."""
    rows.data.extend([0] * (rows.count + count - len(rows.data)))
    return True


def copied(values: Ints, first: int, count: int) -> array[int]:
    """So many of them."""
    return values[first : first + count]
