"""What the bounds of a system rest on. The checker has a list of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.analysis.order.places import share_supply
from ddsrta.models.assumptions import Assumption
from ddsrta.models.system import System


def assumptions(system: System) -> tuple[Assumption, ...]:
    """All that has to be true of what runs, in the order of the file.

    >>> from ddsrta.examples import two_threads
    >>> assumptions(two_threads())
    ()
    """
    found = [*_locks(system)]
    return tuple(sorted(found, key=lambda each: (each.position or ("", 0, 0), each.rule)))


def _locks(system: System) -> Iterator[Assumption]:
    if system.fastdds is None:
        return
    for thread in system.threads.values():
        for publication in thread.publishes:
            if publication.mode == "sync" or not system.receivers(thread, publication.topic):
                continue
            controller = system.flow_controllers[publication.flow_controller or ""]
            if not share_supply(thread, controller):
                yield Assumption(
                    "locks",
                    f"while flow controller {controller.name!r} tries again and again for the lock "
                    "of a writer that is in write(), it leaves the lock of its queue to that "
                    "writer in between, the first time that the writer runs",
                    system.where("middleware"),
                )
                return
