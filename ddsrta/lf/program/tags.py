"""Tags, and what connections and actions add to them."""

from __future__ import annotations

from dataclasses import dataclass

Tag = tuple[int, int]  # time, microstep
ENDLESS = 1 << 60
NEVER: Tag = (ENDLESS, 0)
HEAD: Tag = (-ENDLESS, 0)


@dataclass(frozen=True, slots=True, order=True)
class Shift:
    """What is added to a tag: `time`, which takes microsteps off, and then `microsteps`.

    Shifts have an order: none at all, a microstep, any time.

    >>> (5, 2) + SAME, (5, 2) + MICROSTEP, (5, 2) + Shift(3)
    ((5, 2), (5, 3), (8, 0))
    >>> SAME < MICROSTEP < Shift(3), Shift(3) + MICROSTEP, MICROSTEP + Shift(3) == Shift(3)
    (True, Shift(time=3, microsteps=1), True)
    """

    time: int = 0
    microsteps: int = 0

    @classmethod
    def of(cls, after: int | None) -> Shift:
        """The shift of an `after` as files have it: none at all, 0 (a microstep), or a time."""
        return SAME if after is None else cls(after) if after else MICROSTEP

    @property
    def after(self) -> int | None:
        """The `after` of it, as files have it."""
        return None if self == SAME else self.time

    def stored(self) -> int | None:
        """The same."""
        return self.after

    def __bool__(self) -> bool:
        raise TypeError("no shift and a microstep are not the same: ask for SAME, or for the time")

    def __add__(self, then: Shift) -> Shift:
        tag: Tag = (self.time, self.microsteps)
        return Shift(*(tag + then))

    def __radd__(self, tag: Tag) -> Tag:
        if tag == NEVER:
            return tag
        if self.time:
            return tag[0] + self.time, self.microsteps
        return tag[0], tag[1] + self.microsteps

    def __rsub__(self, tag: Tag) -> Tag:
        """The last tag that is not beyond `tag` with this added.

        >>> (5, 2) - MICROSTEP, (5, 0) - MICROSTEP == (4, ENDLESS), (5, 2) - SAME
        ((5, 1), True, (5, 2))
        """
        if tag in (NEVER, HEAD):
            return tag
        time, microstep = tag
        if self.time:
            return time - self.time, ENDLESS if microstep >= self.microsteps else -1
        if microstep >= self.microsteps:
            return time, microstep - self.microsteps
        return time - 1, ENDLESS


SAME = Shift()
MICROSTEP = Shift(0, 1)
