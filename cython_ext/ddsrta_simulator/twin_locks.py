"""Locks without priority inheritance, each taken by whoever comes first when it is free."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ddsrta_simulator.program import BEST, RANDOM, Program
from ddsrta_simulator.twin_decisions import Decider, mix
from ddsrta_simulator.twin_threads import Core, Server, Unit


class Locks(ABC):
    """Who has each lock (-1: nobody), and who sleeps until it is free."""

    program: Program
    decide: Decider
    now: int
    owner: list[int]
    servers: list[Server]
    cores: list[Core]
    woken: int
    slept = 0

    @abstractmethod
    def touch(self, core: Core) -> None:
        """Something happened to a core."""

    def acquire(self, server: Server, lock: int) -> bool:
        """Take a lock, or sleep until it is free."""
        if self.owner[lock] in (-1, server.number):
            self.owner[lock] = server.number
            return True
        server.waits = lock
        self.woken += 1
        self.slept += 1
        server.asleep = self.woken
        server.supply.sleep(server)
        self.touch(server.supply.core)
        return False

    def release_lock(self, lock: int) -> None:
        """One that waits is woken, and takes it if nobody does before; who tries again and again
        sees that it is free."""
        self.owner[lock] = -1
        waiting = [server for server in self.servers if server.waits == lock]
        if waiting:
            server = self._woken_next(lock, waiting)
            server.waits = -1
            self.woken += 1
            server.supply.wake(server, self.woken)
            self.touch(server.supply.core)
        for core in self.cores:
            if core.running is not None and core.running.current is None:
                self.touch(core)

    def spins(self, unit: Unit | None) -> bool:
        """Whether a flow controller can but try again, as the next writer is in write()."""
        if unit is None or unit.stage not in self.program.publication_stage:
            return False
        writer = self.program.publication_writer[unit.target]
        return writer >= 0 and self.owner[writer] >= 0

    def _woken_next(self, lock: int, waiting: list[Server]) -> Server:
        """Who is woken: the most urgent one, the least urgent one, or any."""
        decision = self.program.lock_wake[lock]
        habit, seed = self.decide.habit_at(decision, self.slept, self.now)
        if habit == RANDOM:
            return waiting[mix(seed, self.slept) % len(waiting)]
        ordered = sorted(waiting, key=lambda server: (-server.priority, server.asleep))
        return ordered[-1 if habit == BEST else 0]
