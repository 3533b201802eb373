"""Where a reader's copy stands among those of one message, where that is declared (lemma
copy-order)."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.models.system import System, Thread


class Copy(NamedTuple):
    """The copy to one reader: how many have been sent with it at least, how many come after it for
    certain, and whether it has the same place in every message."""

    sent: int
    behind: int
    fixed: bool


ANY = Copy(1, 0, False)  # it may be the first, and it may be the last


def copies_of(system: System, writer: Thread, topic: str, used: bool = True) -> dict[str, Copy]:
    """The place of each reader of a topic that gets a copy from this writer, by name.

    >>> from ddsrta.examples import two_threads
    >>> declared = two_threads().replace("topics", "speed", copies="connection")
    >>> copies_of(declared, declared.threads["sensor"], "speed")
    {'control': Copy(sent=1, behind=0, fixed=True)}
    """
    readers = system.receivers(writer, topic)
    if not used or system.topics[topic].copies == "unknown":
        return {reader.name: ANY for reader in readers}
    last = len(readers)
    return {reader.name: Copy(place, last - place, True) for place, reader in enumerate(readers, 1)}
