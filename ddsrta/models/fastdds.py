"""What Fast DDS does beyond the ten rules of the model: its versions, locks and datagrams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ddsrta.base.units import Size

if TYPE_CHECKING:
    from ddsrta.models.system import System, Thread

DATAGRAM = 65_500  # bytes at most in one message of the transports' default settings
# How often a flow controller has its queue's lock for a sample at most: twice as it is woken by the
# put, in a try for the writer's lock, when the sample was sent, and before it sleeps again; and in
# a period of its limit, in which it wakes by time.
LOOKS, LOOKS_OF_PERIOD = 5, 3
FRAGMENT = 64_000  # bytes at least in every fragment of a large sample but the last


def samples_together(size: Size) -> int:
    """How many samples of one writer a datagram holds at most.

    >>> samples_together(1000), samples_together(1_000_000)
    (65, 1)
    """
    return max(1, DATAGRAM // max(1, int(size)))


def fragments(size: Size) -> int:
    """How many datagrams a sample takes at most.

    >>> fragments(1000), fragments(1_000_000)
    (1, 16)
    """
    return max(1, -(-int(size) // FRAGMENT))


def participant(system: System, thread: Thread) -> tuple[str, str]:
    """The participant that a thread sends with: that of its process. Threads of a machine that name
    no process may share one, so they are taken to."""
    if thread.process is not None:
        return ("process", thread.process)
    return ("machine", system.machine_of(thread.core))


def senders(system: System) -> Iterator[tuple[Thread, str | None]]:
    """Who sends through the middleware, and by which flow controller (None: itself)."""
    for thread in system.threads.values():
        if thread.datagrams:
            yield thread, None
        for publication in thread.publishes:
            if system.receivers(thread, publication.topic):
                sync = publication.mode == "sync"
                yield thread, None if sync else publication.flow_controller


def least_sends(system: System, readers: int) -> int:
    """The fewest times that a message to so many readers is sent: Fast DDS sends to addresses,
    which readers of one participant share."""
    return readers if system.fastdds is None else min(readers, 1)
