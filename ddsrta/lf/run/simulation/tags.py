"""Tags, and what `after` adds to them."""

from __future__ import annotations

Tag = tuple[int, int]  # time, microstep
ENDLESS = 1 << 60
NEVER: Tag = (ENDLESS, 0)
HEAD: Tag = (-ENDLESS, 0)


def plus(tag: Tag, after: int | None) -> Tag:
    """The tag behind an `after` (None: the same; 0: a microstep later).

    >>> plus((5, 2), None), plus((5, 2), 0), plus((5, 2), 3)
    ((5, 2), (5, 3), (8, 0))
    """
    if after is None or tag == NEVER:
        return tag
    return (tag[0], tag[1] + 1) if after == 0 else (tag[0] + after, 0)


def previous(tag: Tag) -> Tag:
    """The last tag before a tag.

    >>> previous((5, 2)), previous((5, 0)) < (5, 0)
    ((5, 1), True)
    """
    if tag in (NEVER, HEAD):
        return tag
    return (tag[0], tag[1] - 1) if tag[1] else (tag[0] - 1, ENDLESS)
