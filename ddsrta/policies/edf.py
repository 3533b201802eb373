"""EARLIEST_DEADLINE_FIRST: each sample has a deadline, that of its topic after it was handed over.

The earliest goes first, of equal ones any; a sample in progress ends. Fast DDS has no such flow
controller: it is for senders of one's own, and for what-if.

Let z come at A after the window opened, when nothing with z's deadline or an earlier one was left,
but for one sample that had begun. Of k come first those with a_k + D_k ≤ A + D_z, which is what
arrives up to D_z − D_k after z, and before z starts (S): η_k(min(A + D_z − D_k, S) + ε) samples.
What had begun has a later deadline and came earlier, so D_k > D_z.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ddsrta.base.shapes import POSITIVE_DURATION
from ddsrta.base.structures import Key
from ddsrta.policies.policy import Policy, Sender
from ddsrta.policies.relation import Delay, Relation
from ddsrta_simulator.orders import DEADLINE

KEY = "deadline"


class EarliestDeadlineFirst(Policy):
    """A queue for each deadline; the simulator takes the one whose first is due first."""

    name = "EARLIEST_DEADLINE_FIRST"
    topic_keys: ClassVar = {
        KEY: Key(
            POSITIVE_DURATION,
            "what EARLIEST_DEADLINE_FIRST sends by, from the hand-over on; not itself checked",
            required=True,
        ),
    }
    of_fast_dds = False
    serves = DEADLINE

    def relate(self, senders: Sequence[Sender]) -> list[list[Relation]]:
        """Who is due no later comes first; who is due later may have begun.

        >>> senders = [Sender(0, settings={"deadline": due}) for due in (5, 9)]
        >>> found = EarliestDeadlineFirst().relate(senders)
        >>> [(r.first, r.shift) for r in found[0]], [(r.first, r.shift) for r in found[1]]
        ([(1, -4), (1, 0)], [(0, 4)])
        """
        dues = [sender.settings[KEY] for sender in senders]
        found = []
        for own, due in enumerate(dues):
            others = [other for other in range(len(dues)) if other != own]
            mine = [Relation(Delay.EARLIER, k, k + 1, shift=due - dues[k]) for k in others]
            mine += [Relation(Delay.BLOCKS, k, k + 1) for k in others if dues[k] > due]
            found.append(mine)
        return found

    def queue(self, sender: Sender) -> int:
        return sender.settings[KEY]

    def due(self, sender: Sender) -> int:
        return sender.settings[KEY]
