"""PRIORITY_WITH_RESERVATION: writers that have some of their reservation left go first, the others
by priority; equally urgent ones in the order in which they were registered.

What is no less urgent overtakes until z starts. Of the less urgent, those with a reservation may go
first while some of it is left, also if they waited when the window opened; the others block once
(lemma reserved-shares).
"""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.policies.policy import Argument, Pair, Policy, Sender, broken
from ddsrta.policies.relation import Delay, Relation, span
from ddsrta_simulator.orders import RESERVED


class Reserved(Policy):
    """A queue for each writer; those that no reservation lets go first block once."""

    name = "PRIORITY_WITH_RESERVATION"
    by_priority = True
    by_writer = True
    reserves = True
    among_equals = "writers without a reservation go in the order in which they were registered"
    serves = RESERVED

    def relate(self, senders: Sequence[Sender]) -> list[list[Relation]]:
        """Samples that are no less urgent overtake; of the others those with a reservation linger.

        >>> found = Reserved().relate([Sender(0), Sender(1, reserves=True), Sender(2)])[0]
        >>> [(r.kind == Delay.LINGERS, r.first) for r in found]
        [(True, 1), (False, 2)]
        """
        found: list[list[Relation]] = []
        for own, (priority, *_) in enumerate(senders):
            mine: list[Relation] = []
            for other, sender in enumerate(senders):
                if other == own:
                    continue
                above = sender.priority <= priority
                kind = (
                    Delay.OVERTAKES if above else Delay.LINGERS if sender.reserves else Delay.BLOCKS
                )
                if mine and mine[-1].kind == kind and mine[-1].last == other:
                    mine[-1] = mine[-1]._replace(last=other + 1)
                else:
                    mine += span(kind, other, other + 1)
            found.append(mine)
        return found

    def queue(self, sender: Sender) -> int:
        """The most urgent first, equals in the order of the file."""
        return (int(sender.priority) << 32) + sender.place

    def leaves_first(self, pair: Pair) -> Argument:
        return broken(f"{pair.flow_controller} may send what has a reservation first")
