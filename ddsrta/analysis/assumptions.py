"""What the bounds of a system rest on. The checker has a list of its own."""

from __future__ import annotations

from collections.abc import Iterator

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
    if system.fastdds is not None:
        yield Assumption(
            "locks",
            "who waits for a lock of Fast DDS gets it the first time that it is free and nothing "
            "more urgent keeps it from running: no other thread takes it just before, again and "
            "again",
            system.where("middleware"),
        )
