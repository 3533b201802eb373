"""Message synchronisation: which messages of several topics a reader takes together, and when.

Without a policy, an AND-activated reader takes the n-th message of each topic together.
"""

from __future__ import annotations

from typing import Literal

from ddsrta.base.frozen import frozen

SyncPolicy = Literal["exact_time", "approximate_time", "latest", "mtd"]
SYNC_POLICIES: tuple[SyncPolicy, ...] = ("exact_time", "approximate_time", "latest", "mtd")


@frozen
class Synchronizer:
    """How a reader puts messages of several topics together; `queue` is how many of each topic (of
    exact_time: how many incomplete sets) it keeps, None where nothing limits it."""

    policy: SyncPolicy
    queue: int | None = None

    @property
    def keeps_numbers(self) -> bool:
        """Whether its n-th set is made of the n-th messages, nothing being left out.

        >>> Synchronizer("exact_time").keeps_numbers, Synchronizer("mtd").keeps_numbers
        (True, False)
        """
        return self.policy == "exact_time"

    @property
    def fires_once_a_round(self) -> bool:
        """Whether each topic must bring a new message from one set to the next, before the set is
        made: a round of an executor, which serves one message of each, makes one set at most.
        (exact_time does, where stamps are in order.)

        >>> Synchronizer("mtd").fires_once_a_round, Synchronizer("exact_time").fires_once_a_round
        (True, False)
        """
        return self.policy == "mtd"
