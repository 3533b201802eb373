"""WEIGHTED_ROUND_ROBIN: a queue for each writer, up to its weight of samples a turn.

A turn ends early where its queue is empty; the cursor stays while nothing waits. Fast DDS has no
such flow controller: it is for senders of one's own, and for what-if.

While q samples of z wait and are sent, another writer k has no turn beyond those between turns of
z. If the turn of z that the first comes into has r ≥ 0 left, z needs ⌈(q − r) / w_z⌉ more, and so
many turns of k come first: at most ⌈q / w_z⌉ · w_k samples, the one that had begun included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ddsrta.base.shapes import Integer
from ddsrta.base.structures import Key
from ddsrta.policies.policy import Policy, Sender
from ddsrta.policies.relation import Delay, Relation
from ddsrta_simulator.orders import TURNS

KEY = "weight"


class WeightedRoundRobin(Policy):
    """For each turn of one's own, every other queue has at most one."""

    name = "WEIGHTED_ROUND_ROBIN"
    publication_keys: ClassVar = {
        KEY: Key(Integer(1, 1_000_000), "samples that are sent in one turn", default=1),
    }
    by_writer = True
    of_fast_dds = False
    serves = TURNS

    def relate(self, senders: Sequence[Sender]) -> list[list[Relation]]:
        """So many of the others for so many of its own.

        >>> senders = [Sender(0, settings={"weight": weight}) for weight in (3, 2)]
        >>> found = WeightedRoundRobin().relate(senders)
        >>> [(r.first, r.weight, r.own) for r in found[0]]
        [(1, 2, 3)]
        """
        weights = [sender.settings.get(KEY, 1) for sender in senders]
        return [
            [
                Relation(Delay.ALTERNATES, other, other + 1, weight=weight, own=mine)
                for other, weight in enumerate(weights)
                if other != own
            ]
            for own, mine in enumerate(weights)
        ]

    def queue(self, sender: Sender) -> int:
        return sender.place

    def weight(self, sender: Sender) -> int:
        return sender.settings.get(KEY, 1)
