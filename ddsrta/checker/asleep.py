"""How long flow controllers of a closed set sleep for their limits of bytes (lemma
limit-windows)."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.limits import HEADERS
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.things import Limit, System


class Asleep:
    """Those with a limit that send a sample of the set, and what they send, in bytes."""

    def __init__(self, system: System, stages: Mapping[Key, Stage], held: frozenset[Key]) -> None:
        self.senders: list[tuple[Limit, dict[Key, int]]] = []
        self.is_whole = True  # whether all that they send is in the set
        samples = [stage for stage in stages.values() if stage.key[0] == "sample"]
        for name in dict.fromkeys(stage.runner for stage in samples if stage.key in held):
            limit = system.controllers[name].limit
            if limit is None:
                continue
            sent = {s.key: system.sizes[s.key[2]] + HEADERS for s in samples if s.runner == name}
            self.is_whole = self.is_whole and held.issuperset(sent)
            self.senders.append((limit, sent))

    def most(self, units: Mapping[Key, int]) -> int:
        """While they send so many of each: the first sleep of each needs none of them, and one is
        still to be sent after the last."""
        total = 0
        for limit, sent in self.senders:
            number = sum(units[key] for key in sent)
            if number == 0:
                continue
            largest = max(sent.values())
            full = sum(units[key] * size for key, size in sent.items()) - min(sent.values())
            few = (number - 1) // (limit.bytes // largest)
            total += limit.period * (1 + min(few, full // (limit.bytes - largest + 1)))
        return total
