"""Numbers that are easier to read than others."""

from __future__ import annotations

from collections.abc import Iterator

ROUND = (1, 10, 20, 50, 100, 200, 500, 1000, 10_000)


def oddness(number: int) -> int:
    """0 for nothing, 1 for powers of ten, 2 for 2 and 5 of these, then by digits.

    >>> [oddness(n) for n in (0, 100, 20, 30, 31, 3100, 123)]
    [0, 1, 2, 3, 4, 4, 5]
    """
    digits = str(abs(number)).rstrip("0")
    return {"": 0, "1": 1, "2": 2, "5": 2}.get(digits, len(digits) + 2)


def simpler_numbers(number: int | None, least: int = 1) -> Iterator[int]:
    """Round numbers, and smaller ones; the simplest first."""
    if number is None:
        return
    power = 10 ** max(0, len(str(abs(number))) - 1)
    near = (number // power * power, (number // power + 1) * power, number // 10 * 10)
    wanted = {least, *ROUND, *near, number // 2, number - 1}
    ordered = sorted(wanted, key=lambda n: (oddness(n), abs(n)))
    yield from (n for n in ordered if n >= least and (oddness(n), n) < (oddness(number), number))
