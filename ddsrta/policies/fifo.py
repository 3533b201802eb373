"""FIFO: one queue, as samples were handed over. Every listener, and flow controllers that say so.

Of what comes A after the window opened, all that arrived no later is ahead, η_k(A + ε) samples of
each writer, and nothing that comes later.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.policies.policy import Argument, Pair, Policy, Sender, broken, kept
from ddsrta.policies.relation import Delay, Relation
from ddsrta_simulator.orders import ARRIVAL


def relate(count: int) -> list[list[Relation]]:
    """All stages of the thread are ahead of each other, by arrival.

    >>> relate(2)[1]
    [Relation(kind=2, first=0, last=2)]
    """
    if count == 1:
        return [[]]
    everyone = [Relation(Delay.AHEAD, 0, count)]
    return [everyone for _ in range(count)]


class Fifo(Policy):
    """One queue: a window holds all that came before, and nothing overtakes."""

    name = "FIFO"
    peers = Delay.OVERTAKES
    published = True
    keeps_order = True
    serves = ARRIVAL

    def relate(self, senders: Sequence[Sender]) -> list[list[Relation]]:
        return relate(len(senders))

    def queue(self, sender: Sender) -> int:
        return 0

    def holds_before(self, other: Sender, own: Sender) -> bool:
        return False

    def leaves_first(self, pair: Pair) -> Argument:
        name = pair.flow_controller
        if pair.before:
            return kept(
                f"both go through {name}, which is FIFO, in the order in which they are sent"
            )
        return broken(pair.published_first() + f", and {name} is FIFO")
