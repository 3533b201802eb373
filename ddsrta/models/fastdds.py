"""What Fast DDS does beyond the ten rules of the model: its versions, locks and datagrams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.base.units import Size

if TYPE_CHECKING:
    from ddsrta.models.system import System, Thread

DATAGRAM = 65_500  # bytes at most in one message of the transports' default settings
APART = ("2.14", "3.2", "3.6")  # since 2.12: what a flow controller sleeps on has its own mutex
BOTH_WAYS = ("2.9", "2.10")  # up to 2.9.1 and 2.10.1: best-effort samples leave by both transports
FRAGMENT = 64_000  # bytes at least in every fragment of a large sample but the last


class Looks(NamedTuple):
    """How often the lock of a flow controller's queue is taken at most, or the mutex of what it
    sleeps on: by it for a sample (as it is woken by the put and before it looks, in a try for the
    writer's lock, when the sample was sent, and before it sleeps again), by it in a period of its
    limit, in which it wakes by time, and by a job to put a sample in."""

    sample: int
    period: int
    put: int


def looks(system: System) -> Looks:
    """Of the flow controllers of a system: one more each where there are two mutexes."""
    apart = system.fastdds is not None and system.fastdds.version in APART
    return Looks(6, 4, 2) if apart else Looks(5, 3, 1)


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
