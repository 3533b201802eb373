"""Things whose attributes are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from ddsrta.base.collecting import collecting_rarely

_REST = " rest"  # no name of an attribute


class Later:
    """A frozen thing some attributes of which come from an iterator: up to the one that is asked
    for, in their order. So each is what it would be if all were made at once.

    >>> from ddsrta.base.frozen import frozen
    >>> @frozen
    ... class Both(Later):
    ...     '''Two numbers, one of them hard to find.'''
    ...     easy: int
    ...     hard: int
    >>> both = Both.later(iter([("hard", 6 * 7)]), easy=1)
    >>> vars(both)["easy"], "hard" in vars(both), both.hard, "hard" in vars(both)
    (1, False, 42, True)
    >>> both == Both(1, 42)
    True
    """

    @classmethod
    def later(cls, rest: Iterator[tuple[str, object]], **known: object) -> Self:
        """One of which this much is known; the rest comes from an iterator."""
        made = cls.__new__(cls)
        vars(made).update(known)
        vars(made)[_REST] = rest
        return made

    def __getattr__(self, name: str) -> Any:
        """What is not there yet."""
        if name in type(self).__annotations__:
            with collecting_rarely():
                for found, value in vars(self).get(_REST, ()):
                    vars(self)[found] = value
                    if found == name:
                        return value
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        """All of it, also what is not there yet."""
        return sorted({*super().__dir__(), *type(self).__annotations__})

    def __getstate__(self) -> dict[str, Any]:
        """All of it, to be copied or sent."""
        vars(self).update(vars(self).pop(_REST, ()))
        return dict(vars(self))
