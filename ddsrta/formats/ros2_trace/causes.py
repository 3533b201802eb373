"""Which job's message each job of a trace was released by."""

from __future__ import annotations

from array import array

from ddsrta.formats.ros2_trace.entities import UNKNOWN


class Causes:
    """All jobs in the order of their starts: whose each is, the job that published what released
    it, and whether it ended.

    >>> causes = Causes()
    >>> first, second = causes.begin(0), causes.begin(1)
    >>> causes.known(second, first)
    >>> causes.end(first)
    >>> list(causes.of), list(causes.cause), list(causes.ranks())
    ([0, 1], [-2, 0], [1, 0])
    """

    def __init__(self) -> None:
        self.of = array("q")  # the order of its callback
        self.cause = array("q")
        self.ended = bytearray()

    def begin(self, callback: int) -> int:
        """One more job of a callback; returns its number."""
        self.of.append(callback)
        self.cause.append(UNKNOWN)
        self.ended.append(0)
        return len(self.of) - 1

    def known(self, job: int, cause: int) -> None:
        """By which job it was released, or by none."""
        self.cause[job] = cause

    def end(self, job: int) -> None:
        """It ended."""
        self.ended[job] = 1

    def ranks(self) -> array[int]:
        """The how-many-th of its callback each job is, of those that ended, in the order of their
        starts; 0 for one that did not."""
        counts: dict[int, int] = {}
        found = array("q")
        for callback, ended in zip(self.of, self.ended, strict=True):
            counts[callback] = counts.get(callback, 0) + ended
            found.append(counts[callback] if ended else 0)
        return found
