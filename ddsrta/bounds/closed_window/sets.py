"""How many sets a synchronizer makes of what comes since nothing was there (lemma closed-sets)."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.synchronizers.stamps import sources_of
from ddsrta_kernel import UNBOUNDED


class Sets:
    """The sets of the synchronizers of a system, by what is known of stamps."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.sources = sources_of(compiled)

    def most(self, stage: Stage, found: Sequence[int]) -> int:
        """Of so many messages of each topic, and of what was kept before."""
        assert stage.synchronizer is not None
        policy, queue = stage.synchronizer.policy, stage.synchronizer.queue
        if policy == "latest":
            return sum(found)
        if policy == "mtd":
            return min(max(found), min(found) + 1)
        kept = UNBOUNDED if queue is None else min(found) + queue
        if policy == "exact_time":
            return min(kept, max(found) if self._is_stamped(stage, 0) else sum(found))
        ahead = len(found) - 1 if self._is_stamped(stage, 1) else UNBOUNDED
        return min(kept, max(found) + ahead)

    def _is_stamped(self, stage: Stage, apart: int) -> bool:
        """Whether messages of each topic have stamps that grow, by so much at the least."""
        streams = self.compiled.streams
        for edge in stage.inputs:
            source = self.sources[edge.source]
            if source is None or streams.of[edge.source].multiplicity * edge.multiplicity > 1:
                return False
            arrival = self.compiled.stages[source].arrival
            assert arrival is not None
            if arrival.least_distance(2) < apart:
                return False
        return True
