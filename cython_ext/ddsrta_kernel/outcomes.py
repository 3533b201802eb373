"""What the kernel finds of a unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array


class Outcome(NamedTuple):
    """The bounds of one unit, and the instance that has the largest latency."""

    response: int
    latency: int
    window: int
    instance: int  # q: which of its own units in the window
    arrival: int  # A: when it arrives in the window
    start: int  # S: when it starts at the latest
    finish: int  # F: when it is done at the latest
    opened: int = 0  # by the opener with this row (lemma one-opener)
    phase: int | None = None  # where a group's window is looked at by that (lemma phase-window)


class TandemOutcome(NamedTuple):
    """Two threads in tandem (lemma tandem-window): where the window of the last opened before the
    unit came to the first, and where later; of this when the first and the last are done, each
    alone."""

    early: Outcome
    late: Outcome
    first_finish: int
    last_finish: int


class PendingSets(NamedTuple):
    """What windows from the arrival of a unit are told of all stages."""

    leading: array[int]  # what leads to each, as of Pending
    here: array[int]  # what cores release themselves
    stages: int
    copied: array[int]  # by unit, what it stands for; nothing where each is itself
    unit_of: array[int]  # by stage
    lines: bool  # whether these count (lemma one-at-a-time)
    of_messages: bool = False  # that others may be taken before (lemma turns-in-order)


class PendingOutcome(NamedTuple):
    """The window of a unit from its arrival (lemma pending-window)."""

    finish: int  # -1: it has none that is shorter than what is known
    left: int  # evaluations of the others
    own: int  # earlier units of its own that are pending then
    blocker: int  # the unit that may be in progress, -1: none
    blocked: int  # and what is left of it
    counts: tuple[int, ...]  # units of each other in the order of its relations
