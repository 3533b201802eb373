"""Which callback an executor takes next in a run (definition executor-relations)."""

from __future__ import annotations

from collections.abc import Collection

from ddsrta.checker.exact.model import UnknownError
from ddsrta.checker.executors import Turns
from ddsrta.checker.reading import shown
from ddsrta.checker.things import System


class Rounds:
    """An executor takes one message of each that it found ready, then it looks anew."""

    def __init__(self, system: System, name: str) -> None:
        self.name = name
        self.turns = Turns(system, name)
        self.left: set[str] = set()

    def take(self, ready: Collection[str], chosen: str) -> None:
        """Raises where that is not known to be allowed, with these ready."""
        if self.left.isdisjoint(ready):
            self.left = set(ready)
        others = self.left.intersection(ready) - {chosen}
        if len(ready) > 1:
            is_next = chosen in self.left and not any(self._before(one, chosen) for one in others)
            if not self.turns.in_rounds or not is_next:
                raise UnknownError(f"that {shown(self.name)} takes {shown(chosen)} next in a run")
        self.left.discard(chosen)

    def _before(self, one: str, other: str) -> bool:
        """Whether it has to come first in a round."""
        threads = self.turns.system.threads
        kinds = [self.turns.turn(threads[name].entity or "waitable") for name in (one, other)]
        if kinds[0] != kinds[1] or not self.turns.executor.registered:
            return kinds[0] < kinds[1]
        return self.turns.numbers[one] < self.turns.numbers[other]
