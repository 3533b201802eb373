"""Threads on one supply: partitioned preemptive fixed priority, SCHED_FIFO among equals.

A thread that has the processor keeps it while it has work, also against peers of its priority; so a
peer may serve what arrived after the work in question, and is not merely ahead of it.
"""

from __future__ import annotations

from ddsrta.policies.relation import Delay, Relation


def relate(
    supply: int, level: tuple[int, int], block: tuple[int, int], peers: Delay
) -> list[Relation]:
    """The relations of other threads to the stages `block` of one, all on the supply that starts at
    stage `supply`; `level` is the range of the stages of equal priority.

    >>> from ddsrta.policies.relation import Delay
    >>> relate(0, (2, 5), (3, 4), Delay.OVERTAKES)[0]
    Relation(kind=0, first=0, last=2)
    """
    spans = (
        (Delay.PREEMPTS, supply, level[0]),
        (peers, level[0], block[0]),
        (peers, block[1], level[1]),
    )
    return [Relation(*span) for span in spans if span[1] < span[2]]
