"""What the bounds of a system rest on: a certificate that does not say so claims too much."""

from __future__ import annotations

from ddsrta.checker.things import Place, System


def assumed(system: System) -> set[str]:
    """The assumptions that a certificate of this system has to state."""
    tries = any(
        _supply(thread.place) != _supply(system.controllers[publication.controller].place)
        for name, thread in system.threads.items()
        for publication in thread.publishes.values()
        if publication.controller is not None and system.receivers(name, publication.topic)
    )
    return {"locks"} if system.fastdds is not None and tries else set()


def _supply(place: Place) -> object:
    """What a thread competes for; its own reservation is like that of no other."""
    return object() if place.reservation else (place.core, place.partition)
