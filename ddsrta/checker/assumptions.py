"""What the bounds of a system rest on: a certificate that does not say so claims too much."""

from __future__ import annotations

from ddsrta.checker.things import System


def assumed(system: System) -> set[str]:
    """The assumptions that a certificate of this system has to state: locks, where publishers and
    flow controllers may wait for each other."""
    if system.fastdds is None:
        return set()
    sends = any(
        publication.controller is not None and system.receivers(name, publication.topic)
        for name, thread in system.threads.items()
        for publication in thread.publishes.values()
    )
    return {"locks"} if sends else set()
