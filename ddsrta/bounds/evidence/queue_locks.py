"""What bounds rest on in the locks of the queues of flow controllers."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.bounds.order.places import share_supply
from ddsrta.models.assumptions import Assumption
from ddsrta.models.bandwidth import resets_of
from ddsrta.models.system import System


def of_queues(system: System) -> Iterator[Assumption]:
    """Of the locks of queues: all else about locks, runs of the simulation try to break.

    >>> from ddsrta.examples import two_threads
    >>> list(of_queues(two_threads()))
    []
    """
    used = _controllers(system)
    where = system.where("middleware")
    if used:
        yield Assumption(
            "locks",
            "each time that a thread has the lock of the queue of flow controller "
            f"{next(iter(used))!r}, it executes for no more than 1ns",
            where,
        )
    limited = [name for name in used if resets_of(system, name) is not None]
    if limited:
        yield Assumption(
            "locks",
            f"what flow controller {limited[0]!r} executes as it wakes with each period of its "
            "limit, and looks for what to send, takes no time of what it preempts",
            where,
        )
    for name, is_shared in used.items():
        if not is_shared:
            yield Assumption(
                "locks",
                f"while flow controller {name!r} tries again and again for the lock "
                "of a writer that is in write(), it leaves the lock of its queue to whoever "
                "waits for that, in between, the first time that one runs",
                where,
            )
            return


def _controllers(system: System) -> dict[str, bool]:
    """The flow controllers in use that take locks, and whether all that publish through each of
    them are on its own supply."""
    used: dict[str, bool] = {}
    for thread in system.threads.values() if system.fastdds is not None else ():
        for publication in thread.publishes:
            if publication.mode == "sync" or not system.receivers(thread, publication.topic):
                continue
            controller = system.flow_controllers[publication.flow_controller or ""]
            shared = share_supply(thread, controller)
            used[controller.name] = used.get(controller.name, True) and shared
    return used
