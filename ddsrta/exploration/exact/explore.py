"""All situations that a run can come to: lemma explored-runs."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from ddsrta.exploration.exact.moves import Moves
from ddsrta.exploration.exact.situation import Key, Situation, beginning
from ddsrta.exploration.exact.zone import hull, part, within
from ddsrta_simulator import Program

Zone = tuple[tuple[int, ...], ...]
STATES = 20_000
WAITING = 64  # units that may wait in a situation: where no bound holds there are ever more


class Proof(NamedTuple):
    """All situations of an exploration; what no run leaves, and nobody changes any more."""

    known: dict[Key, list[Zone]]

    @property
    def size(self) -> int:
        """How many zones there are."""
        return sum(map(len, self.known.values()))


class NotSmallError(Exception):
    """More instants than wanted, or more that waits."""


class Exploration:
    """From nothing on, until nothing new comes."""

    def __init__(self, program: Program, wanted: set[int], states: int, width: int) -> None:
        self.moves = Moves(program, wanted)
        self.states, self.width = states, width
        self.known: dict[Key, list[Zone]] = {}
        self.left: deque[tuple[Key, Zone, Situation]] = deque()
        self.count = 0

    def run(self) -> list[int]:
        """The most of each measure."""
        self.add(beginning(self.moves.p, len(self.moves.kept.periods) - 1))
        while self.left:
            key, zone, situation = self.left.popleft()
            if not any(zone is one for one in self.known[key]):
                continue
            self.expand(situation)
        return self.moves.worst

    def expand(self, s: Situation) -> None:
        """What may happen at an instant; in another order that may be the same."""
        left, seen = [s], set[tuple[Key, Zone]]()
        while left:
            self.count += 1
            if self.count > self.states:
                raise NotSmallError
            for new in self.moves.events(left.pop()):
                one = _named(new)
                if one not in seen:
                    seen.add(one)
                    left.append(new)
                    for settled in self.moves.settle(new.copy()):
                        self.add(settled)

    def add(self, s: Situation) -> None:
        """Time goes on; unless that is known."""
        if not self.moves.pass_time(s):
            return
        if sum(map(len, s.queues)) > WAITING:
            raise NotSmallError
        key, zone = _named(s)
        zones = self.known.setdefault(key, [])
        if any(within(zone, one) for one in zones):
            return
        zones[:] = [one for one in zones if not within(one, zone)]
        if len(zones) >= self.width:
            for one in zones:
                zone = hull(zone, one)
            zones.clear()
        zones.append(zone)
        s.zone = [list(row) for row in zone]
        self.left.append((key, zone, s))


def _named(s: Situation) -> tuple[Key, Zone]:
    """Its clocks in the order in which they are found, and no others."""
    key, order = s.settle_clocks()
    zone = part(s.zone, order)
    s.zone = [list(row) for row in zone]
    return key, zone
