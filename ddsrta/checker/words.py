"""Times in the words of a message."""

from __future__ import annotations

_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "us"))


def duration(time: int) -> str:
    """A time without loss, in the largest unit that fits.

    >>> duration(4_900_000), duration(-7)
    ('4.9 ms', '-7 ns')
    """
    size = abs(time)
    for unit, name in _UNITS:
        if size >= unit:
            whole, rest = divmod(size, unit)
            digits = f"{rest:0{len(str(unit)) - 1}d}".rstrip("0")
            return f"{'-' * (time < 0)}{whole}{'.' * bool(digits)}{digits} {name}"
    return f"{time} ns"


def message_name(ends: tuple[str, ...]) -> str:
    """A message by its publisher, topic and subscriber: no two have one name, whatever theirs are.

    >>> message_name(("a", "b", "c")), message_name(("a", "b/c", "d"))
    ('a/b/c', "'a'/'b/c'/'d'")
    """
    return "/".join(map(repr, ends) if any("/" in one for one in ends) else ends)
