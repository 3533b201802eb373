"""What stages do with locks, and whom they meet, whatever they wait for."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.locks.beside import Beside, beside
from ddsrta.bounds.locks.uses import Lock, Use, uses_of
from ddsrta.bounds.stages import Server
from ddsrta.models.senders import senders
from ddsrta.policies.policy import Sender
from ddsrta.policies.relation import Delay

ALL_KINDS = frozenset(Delay)
_NOT_IN_ORDER = ALL_KINDS - {Delay.AHEAD, Delay.OVERTAKES}


class Met(NamedTuple):
    """The stages that count in a window; and, if more urgent threads may sleep there for what its
    thread does besides, all stages of that thread, and the locks of the others."""

    counted: frozenset[int]
    thread: frozenset[int] = frozenset()
    locks: frozenset[Lock] = frozenset()

    def known(self, lock: Lock) -> frozenset[int]:
        """The stages that are not waited for."""
        return self.always if lock in self.locks else self.counted

    @property
    def always(self) -> frozenset[int]:
        """The stages that keep nobody waiting, whatever lock is slept for."""
        return self.counted - self.thread if self.locks else self.counted


class Known:
    """Of the stages of a system: it is gathered once for all rounds in which waits grow."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled, self.stages = compiled, compiled.stages
        self.uses: dict[Lock, list[Use]] = {}
        self.of: dict[int, list[Use]] = {}
        for use in uses_of(compiled.system, compiled.stages):
            self.uses.setdefault(use.lock, []).append(use)
            self.of.setdefault(use.stage, []).append(use)
        placement = compiled.placement
        self.supply_of = [placement.supply_of[unit] for unit in compiled.unit_of]
        self.budget_of = [compiled.problem.supply_budget[each] for each in self.supply_of]
        self.samples: dict[str, list[int]] = {}
        for number, stage in enumerate(self.stages):
            if stage.key[0] == "sample":
                self.samples.setdefault(stage.server[1], []).append(number)
        self.elapsed: dict[tuple[int, int], int] = {}  # by stage and work, in the last round
        self._met: dict[int, Met] = {}
        self._locks: dict[int, frozenset[Lock]] = {}
        self._counted: dict[tuple[int, frozenset[Delay]], frozenset[int]] = {}
        self._above: dict[int, list[tuple[int, int | None]]] = {}
        self._beside: dict[Server, Beside] = {}

    @cached_property
    def senders(self) -> dict[str, dict[tuple[str, str], Sender]]:
        """Of each flow controller."""
        return senders(self.compiled.system)

    def above(self, number: int) -> list[tuple[int, int | None]]:
        """The units that preempt a stage, each with its own, if any."""
        if number not in self._above:
            placement = self.compiled.placement
            self._above[number] = [
                (unit, placement.stage_of[unit])
                for relation in placement.relations[self.compiled.unit_of[number]]
                if relation.kind == Delay.PREEMPTS
                for unit in range(relation.first, relation.last)
            ]
        return self._above[number]

    def beside(self, number: int) -> Beside:
        """The other reservations of the core of a SCHED_DEADLINE thread."""
        server = self.stages[number].server
        if server not in self._beside:
            self._beside[server] = beside(self.compiled.system, self.stages, server)
        return self._beside[server]

    def met(self, number: int) -> Met:
        """Whom a stage waits for: of its own thread those that have a lock for which a more urgent
        one sleeps, before the window has anything of its level (lemma sleeping-window)."""
        if number not in self._met:
            self._met[number] = self._found(number)
        return self._met[number]

    def _found(self, number: int) -> Met:
        counted, server = self.counted(number), self.stages[number].server
        others = self._related(number, _NOT_IN_ORDER)
        if all(self.stages[other].server != server for other in others):
            return Met(counted)
        thread = frozenset(other for other in counted if self.stages[other].server == server)
        return Met(counted, thread, self._used(counted - thread))

    def locks(self, number: int) -> frozenset[Lock]:
        """What is used by all that counts in the windows of a stage."""
        if number not in self._locks:
            self._locks[number] = self._used(self.counted(number))
        return self._locks[number]

    def _used(self, stages: frozenset[int]) -> frozenset[Lock]:
        return frozenset(use.lock for number in stages for use in self.of.get(number, ()))

    def counted(self, number: int, kinds: frozenset[Delay] = ALL_KINDS) -> frozenset[int]:
        """The stages whose work counts in the windows of one, itself included; or some of them."""
        if (key := (number, kinds)) not in self._counted:
            self._counted[key] = self._related(number, kinds) | {number}
        return self._counted[key]

    def _related(self, number: int, kinds: frozenset[Delay]) -> frozenset[int]:
        placement = self.compiled.placement
        return frozenset(
            other
            for relation in placement.relations[self.compiled.unit_of[number]]
            if relation.kind in kinds
            for other in placement.stage_of[relation.first : relation.last]
            if other is not None
        )
