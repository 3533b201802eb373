"""Locks without priority inheritance, each taken by whoever comes first when it is free."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ddsrta_simulator.twin_threads import Core, Server


class Locks(ABC):
    """Who has each lock (-1: nobody), and who sleeps until it is free."""

    owner: list[int]
    servers: list[Server]
    woken: int

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
        server.asleep = self.woken
        server.supply.sleep(server)
        self.touch(server.supply.core)
        return False

    def release_lock(self, lock: int) -> None:
        """The most urgent one that waits is woken, and takes it if nobody does before."""
        self.owner[lock] = -1
        waiting = [server for server in self.servers if server.waits == lock]
        if waiting:
            first = min(waiting, key=lambda server: (-server.priority, server.asleep))
            first.waits = -1
            self.woken += 1
            first.supply.wake(first, self.woken)
            self.touch(first.supply.core)
