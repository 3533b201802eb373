"""What an executor thread is given: supply-bound functions and their inverses.

`provided(Δ)` is sbf(Δ), the least service in any window of length Δ; `time(w)` is the least Δ with
sbf(Δ) ≥ w.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dedicated:
    """A whole processor: sbf(Δ) = Δ.

    >>> Dedicated().provided(7), Dedicated().time(7)
    (7, 7)
    """

    def provided(self, window: int) -> int:
        """All of the window."""
        return max(0, window)

    def time(self, work: int) -> int:
        """As long as the work."""
        return max(0, work)


@dataclass(frozen=True, slots=True)
class Reserved:
    """`budget` in every `period`, served within `deadline` of its start (the period if None).

    With deadline = period this is the periodic resource of Shin and Lee (RTSS 2003). The longest
    wait is from a budget served at once to one served as late as allowed: (T - Q) + (D - Q).

    >>> [Reserved(3, 5).time(work) for work in (0, 1, 3, 4)]
    [0, 5, 7, 10]
    >>> [Reserved(2, 11, deadline=5).provided(window) for window in (12, 13, 14, 23, 24)]
    [0, 1, 2, 2, 3]
    """

    budget: int
    period: int
    deadline: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.budget <= self.latest <= self.period:
            raise ValueError("a reservation needs 0 < budget ≤ deadline ≤ period")

    @property
    def latest(self) -> int:
        """The deadline of a budget after the start of its period."""
        return self.period if self.deadline is None else self.deadline

    @property
    def blackout(self) -> int:
        """The longest window without service."""
        return self.period + self.latest - 2 * self.budget

    def provided(self, window: int) -> int:
        """Whole budgets after the blackout, then what is left of the window."""
        if window <= self.blackout:
            return 0
        turns, rest = divmod(window - self.blackout, self.period)
        return turns * self.budget + min(rest, self.budget)

    def time(self, work: int) -> int:
        """The blackout, whole periods, and the rest of the work."""
        if work <= 0:
            return 0
        turns, rest = divmod(work - 1, self.budget)
        return self.blackout + turns * self.period + rest + 1


@dataclass(frozen=True, slots=True)
class BoundedDelay:
    """`share` / `whole` of a processor after at most `delay`: sbf(Δ) = ⌊(Δ - delay)·share/whole⌋.

    >>> BoundedDelay(10, 1, 3).provided(19), BoundedDelay(10, 1, 3).time(3)
    (3, 19)
    """

    delay: int
    share: int
    whole: int

    def __post_init__(self) -> None:
        if self.delay < 0 or not 0 < self.share <= self.whole:
            raise ValueError("a bounded delay needs delay ≥ 0 and 0 < share ≤ whole")

    def provided(self, window: int) -> int:
        """Rounded down: service counts when it is complete."""
        return max(0, window - self.delay) * self.share // self.whole

    def time(self, work: int) -> int:
        """Rounded up."""
        return self.delay - (-work * self.whole // self.share) if work > 0 else 0


Supply = Dedicated | Reserved | BoundedDelay
