"""Samples that leave together, and the locks of their writers, as in Fast DDS."""

from __future__ import annotations

from abc import abstractmethod

from ddsrta_simulator.twin_paths import Paths
from ddsrta_simulator.twin_threads import Server, Unit

# how far a flow controller is with looking into its queue, after it has sent: the point of a unit
NO_LOOK, TO_LOOK, HAS_SENT, LOOKS = range(4)


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
        if p.publication_queue[unit.target] >= 0 and unit.left > 1:
            look = p.publication_look[unit.target]
            if self.decide.amount(look, unit.number, self.now, 0, 1) == 0:
                unit.left -= 1
                unit.point = TO_LOOK

    def let_go(self, unit: Unit) -> None:
        """The lock under which a message was sent, if that took any time."""
        if unit.lock >= 0 and self.owner[unit.lock] == self.program.stage_server[unit.stage]:
            self.release_lock(unit.lock)

    def batch_step_done(self, unit: Unit) -> bool:
        """A copy of a sample is in the datagram, which leaves when all of them are. Then the flow
        controller may look into its queue."""
        p = self.program
        server = self.servers[p.stage_server[unit.stage]]
        queue = p.publication_queue[unit.target]
        if unit.point <= TO_LOOK:
            if self._goes_on(server, unit):
                return False
            self.batch_sent(server, [unit, *server.batch])
            if unit.point == NO_LOOK:
                self.batch_done(server)
                return True
            unit.point = HAS_SENT
        if unit.point == HAS_SENT:
            if self.acquire(server, queue):
                unit.point = LOOKS
                unit.left = 1
            return False
        self.release_lock(queue)
        self.batch_done(server)
        return True

    def _goes_on(self, server: Server, unit: Unit) -> bool:
        """Whether there is one more copy in the datagram."""
        together = [unit, *server.batch]
        member = together[unit.step]
        member.copy += 1
        if member.copy == self.readers(unit.target):
            unit.step += 1
            if unit.step == len(together):
                return False
            member = together[unit.step]
        unit.left = self.sending(unit.target, member.number, member.copy, member.arrival)
        return True

    def batch_sent(self, server: Server, together: list[Unit]) -> None:
        """All copies of some samples leave at once."""
        p, unit = self.program, together[0]
        for each in together:
            each.copy = 0
            for _ in range(self.readers(unit.target)):
                self.leave(each, unit.target, each.number, each.arrival)
        self.let_go(unit)
        unit.lock = -1
        if p.publication_writer[unit.target] >= 0:
            self.release_lock(p.publication_writer[unit.target])

    def batch_done(self, server: Server) -> None:
        """All but the first are complete; what is done with the first, the caller sees to."""
        self.finishing = server.supply.core
        p = self.program
        for each in server.batch:
            self.measured.count(p.stage_pending[each.stage], -1)
            self.measured.count(p.server_pending[server.number], -1)
            self.completed(each)
        server.batch.clear()
