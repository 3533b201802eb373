"""How many sets a synchronizer makes of so many messages of each topic (lemma set-counts)."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.frozen import frozen
from ddsrta.bounds.synchronizers.paces import mean_distance
from ddsrta.models.arrivals import Arrival
from ddsrta.models.synchronization import Synchronizer
from ddsrta.models.system import Activation


@frozen
class SetCounts:
    """Of so many messages of each topic that come in any time: no more sets than of all together
    (`or`), or than of any one and so many `more` (`and`; None: nothing is known); and no more than
    of each and so many that are `kept` (None: any number).

    `counted_by` is the input by whose messages sets are counted while these are kept, too (lemma
    set-curves), if by one.
    """

    activation: Activation
    more: int | None = 0
    kept: int | None = None
    counted_by: int | None = None

    def most(self, brought: Sequence[int]) -> int | None:
        """The most sets, None where nothing bounds them.

        >>> SetCounts("and", more=0, kept=1).most([2, 5])
        3
        """
        known = [] if self.kept is None else [min(brought) + self.kept]
        if self.more is not None:
            total = sum(brought) if self.activation == "or" else max(brought)
            known.append(total + self.more)
        return min(known, default=None)


def counts_of(
    synchronizer: Synchronizer, by_number: bool, stamps: Sequence[Arrival | None]
) -> SetCounts:
    """Those of a synchronizer, or of one that takes the n-th of each together, from the releases
    that are the stamps of each topic, one of each message; None where there are none such."""
    policy, queue = synchronizer.policy, synchronizer.queue
    if policy == "latest":
        return SetCounts("or")
    if by_number:
        return SetCounts("and")
    if policy == "mtd":
        return SetCounts("and", kept=1)
    apart = min(0 if each is None else each.least_distance(2) for each in stamps)
    paces = [-1 if each is None else mean_distance(each) for each in stamps]
    slowest = paces.index(max(paces))
    if policy == "exact_time":
        return SetCounts("or" if None in stamps else "and", 0, queue, slowest)
    return SetCounts("and", len(stamps) - 1 if apart > 0 else None, queue, slowest)
