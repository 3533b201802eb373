"""How long a unit of a stage waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ddsrta_kernel import UNBOUNDED


class Wait(NamedTuple):
    """How long one unit tries for a lock again and again, and what comes once in its windows: waits
    for locks and datagrams. Stalled: how long it tries while who has the lock sleeps, which
    is part of the waits in windows, but keeps others from running, too."""

    spinning: int = 0
    first: int = 0
    stalled: int = 0

    def grown(self, now: Wait, is_last: bool) -> Wait:
        """Each part the larger of both; what is larger at last has no bound."""
        return Wait(*(
            old if new <= old else UNBOUNDED if is_last else new
            for old, new in zip(self, now, strict=True)
        ))  # fmt: skip


NO_WAIT = Wait()
Waits = Mapping[int, Wait]  # by number of the stage
