"""Locks without priority inheritance, each taken by whoever comes first when it is free."""

from __future__ import annotations

from ddsrta_simulator.program import BEST, RANDOM
from ddsrta_simulator.queues import Queues
from ddsrta_simulator.structs import Bool, Int


class Locks(Queues):
    """Who has each lock, and who sleeps until it is free."""

    def acquire(self, server: Int, lock: Int) -> Bool:
        """Take a lock, or sleep until it is free."""
        if self.owner[lock] < 0 or self.owner[lock] == server:
            self.owner[lock] = server
            return True
        self.waits[server] = lock
        self.s.slept += 1
        self.asleep[server] = self.s.slept
        self.sleep(server)
        self.touch(self.core_of(server))
        return False

    def look(self, server: Int) -> None:
        """A flow controller begins to look into its queue, or is done with it."""
        lock = self.p.server_look[server]
        if self.owner[lock] != server:
            self.acquire(server, lock)
            return
        self.looks[server] -= 1
        self.release_lock(lock)

    def look_early(self, core: Int) -> None:
        """The same before all else that happens at this time, which may then come first on its
        core, while it has the lock."""
        server = self.top(core)
        if server < 0 or not self.looks[server]:
            return
        if self.owner[self.p.server_look[server]] == server:
            self.look(server)
        if self.looks[server] and self.top(core) == server:
            self.look(server)

    def release_lock(self, lock: Int) -> None:
        """One that waits is woken, and takes it if nobody does before; who tries again and again
        sees that it is free."""
        server = self.woken_next(lock)
        self.owner[lock] = -1
        if server >= 0:
            self.waits[server] = -1
            self.wake(server)
            self.touch(self.core_of(server))
        for core in range(self.layout.cores):
            if self.running[core] >= 0 and self.current[self.running[core]] < 0:
                self.touch(core)

    def woken_next(self, lock: Int) -> Int:
        """Who is woken: the most urgent one that waits, the least urgent one, or any; -1: none."""
        decision = self.p.lock_wake[lock]
        habit = self.habit_of(decision, self.s.slept, self.s.now)
        count: Int = 0
        found: Int = -1
        for server in range(self.layout.servers):
            if self.waits[server] == lock:
                count += 1
                if found < 0 or self.waits_before(server, found) == (habit != BEST):
                    found = server
        if habit != RANDOM or not count:
            return found
        count = self.drawn(decision, self.s.slept, count)
        for server in range(self.layout.servers):
            if self.waits[server] == lock:
                if not count:
                    return server
                count -= 1
        return -1

    def waits_before(self, server: Int, other: Int) -> Bool:
        """Whether it is more urgent, or as urgent and has waited longer."""
        if self.p.server_priority[server] != self.p.server_priority[other]:
            return self.p.server_priority[server] > self.p.server_priority[other]
        return self.asleep[server] < self.asleep[other]

    def spins(self, server: Int) -> Bool:
        """Whether a flow controller can but try again, as the next writer is in write()."""
        if not self.layout.locks:
            return False
        queue = self.next_queue(server)
        if queue < 0 or not self.is_sample(self.unit[self.queue_head[queue]].stage):
            return False
        writer = self.p.publication_writer[self.unit[self.queue_head[queue]].target]
        return writer >= 0 and self.owner[writer] >= 0 and self.owner[writer] != server

    def is_sample(self, stage: Int) -> Bool:
        """Of a flow controller; else of a job, or of a message."""
        return self.layout.threads <= stage < self.layout.first_transfer
