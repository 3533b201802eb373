"""Samples that leave together, and the locks of their writers, as in Fast DDS."""

from __future__ import annotations

from abc import abstractmethod

from ddsrta_simulator.twin_paths import Paths
from ddsrta_simulator.twin_threads import Server, Unit


class Batches(Paths):
    """What a flow controller takes, keeps and sends at once."""

    @abstractmethod
    def readers(self, publication: int) -> int:
        """How many copies a message needs."""

    @abstractmethod
    def sending(self, publication: int, message: int, copy: int, time: int) -> int:
        """The cost of sending one copy."""

    @abstractmethod
    def leave(self, unit: Unit, publication: int, message: int, time: int) -> None:
        """A copy leaves."""

    def gather(self, unit: Unit) -> None:
        """A flow controller takes the lock of the writer, and what else of it comes next."""
        p, server = self.program, self.servers[self.program.stage_server[unit.stage]]
        if p.publication_writer[unit.target] >= 0:
            self.owner[p.publication_writer[unit.target]] = server.number
        while len(server.batch) + 1 < p.publication_batch[unit.target]:
            following = server.peek()
            if following is None or following.stage != unit.stage or not server.fits(following):
                break
            server.batch.append(server.take())
        server.current = unit

    def writes_later(self, unit: Unit, writer: int) -> bool:
        """Whether write() has to wait for the lock of its writer."""
        if writer < 0 or self.owner[writer] < 0:
            return False
        return not self.acquire(self.servers[self.program.stage_server[unit.stage]], writer)

    def let_go(self, unit: Unit) -> None:
        """The lock under which a message was sent, if that took any time."""
        if unit.lock >= 0 and self.owner[unit.lock] == self.program.stage_server[unit.stage]:
            self.release_lock(unit.lock)

    def batch_step_done(self, unit: Unit) -> bool:
        """A copy of a sample is in the datagram, which leaves when all of them are."""
        p, publication = self.program, unit.target
        server = self.servers[p.stage_server[unit.stage]]
        together = [unit, *server.batch]
        member = together[unit.step]
        member.copy += 1
        if member.copy == self.readers(publication):
            unit.step += 1
            if unit.step == len(together):
                self.batch_sent(server, together)
                return True
            member = together[unit.step]
        unit.left = self.sending(publication, member.number, member.copy, member.arrival)
        return False

    def batch_sent(self, server: Server, together: list[Unit]) -> None:
        """All copies of some samples leave at once; the caller completes the first."""
        p, unit = self.program, together[0]
        self.finishing = server.supply.core
        for each in together:
            each.copy = 0
            for _ in range(self.readers(unit.target)):
                self.leave(each, unit.target, each.number, each.arrival)
        self.let_go(unit)
        if p.publication_writer[unit.target] >= 0:
            self.release_lock(p.publication_writer[unit.target])
        for each in server.batch:
            self.measured.count(p.stage_pending[each.stage], -1)
            self.measured.count(p.server_pending[server.number], -1)
            self.completed(each)
        server.batch.clear()
