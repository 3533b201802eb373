"""Tags, and what a delay does to them."""

from __future__ import annotations

Tag = tuple[int, int]  # time, microstep
# After all microsteps that a time can have.
LAST = 1 << 30


def plus(tag: Tag, after: int | None) -> Tag:
    """The tag after a delay.

    >>> plus((5, 2), None), plus((5, 2), 0), plus((5, 2), 3)
    ((5, 2), (5, 3), (8, 0))
    """
    if after is None:
        return tag
    return (tag[0] + after, 0) if after else (tag[0], tag[1] + 1)


def minus(tag: Tag, after: int | None) -> Tag:
    """The last tag whose messages come at `tag` or before.

    >>> minus((5, 2), None), minus((5, 2), 0), minus((8, 0), 3) == (5, LAST)
    ((5, 2), (5, 1), True)
    """
    if after is None:
        return tag
    if not after and tag[1]:
        return tag[0], tag[1] - 1
    return tag[0] - (after or 1), LAST
