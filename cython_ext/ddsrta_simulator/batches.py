"""Samples that leave together, and the locks of their writers, as in Fast DDS."""

from __future__ import annotations

from ddsrta_simulator.program import COMPLETED
from ddsrta_simulator.shadow import address
from ddsrta_simulator.structs import HAS_SENT, LOOKS, NO_LOOK, TO_LOOK, Bool, Int, Unit
from ddsrta_simulator.writes import Writes


class Batches(Writes):
    """What a flow controller takes, keeps and sends at once."""

    def let_go(self, u: Unit) -> None:
        """The lock under which a message was sent, if that took any time."""
        if u.lock >= 0 and self.owner[u.lock] == self.p.stage_server[u.stage]:
            self.release_lock(u.lock)

    def gather(self, server: Int, i: Int) -> None:
        """A flow controller takes the lock of the writer, and what else of it comes next."""
        publication = self.unit[i].target
        if self.p.publication_writer[publication] >= 0:
            self.owner[self.p.publication_writer[publication]] = server
        self.batch_head[server] = -1
        self.batch_at[server] = i
        room = self.p.publication_batch[publication] - 1
        while room > 0:
            queue = self.next_queue(server)
            if queue < 0 or self.unit[self.queue_head[queue]].stage != self.unit[i].stage:
                break
            if not self.fits(server, self.queue_head[queue]):
                break
            k = self.take(server)
            self.unit[k].next = -1
            if self.batch_head[server] < 0:
                self.batch_head[server] = k
            else:
                self.unit[self.batch_tail[server]].next = k
            self.batch_tail[server] = k
            room -= 1
        if self.p.publication_batch[publication]:
            self.choose_next(server)
        self.unit[i].next = self.batch_head[server]
        self.current[server] = i
        look = self.p.publication_look[publication]
        if self.p.publication_queue[publication] < 0 or self.unit[i].left <= 1:
            return
        if not self.amount(look, self.unit[i].number, self.s.now, 0, 1):
            self.unit[i].left -= 1
            self.unit[i].point = TO_LOOK

    def choose_next(self, server: Int) -> None:
        """Before a datagram leaves, the flow controller has chosen what it sends after that, and
        has the lock of its writer: whatever comes meanwhile comes later (lemma shared-datagrams).
        So it has where it then finds that there is no room for that (lemma writer-locks)."""
        queue = self.next_queue(server)
        if queue < 0:
            return
        writer = self.p.publication_writer[self.unit[self.queue_head[queue]].target]
        if writer >= 0 and (self.owner[writer] < 0 or self.owner[writer] == server):
            self.owner[writer] = server
            if self.fits(server, self.queue_head[queue]):
                self.in_hand[server] = queue
            else:
                self.refused[server] = writer

    def goes_on_with(self, server: Int, publication: Int) -> Bool:
        """Whether it has chosen one more sample of this writer."""
        queue = self.in_hand[server]
        return queue >= 0 and self.unit[self.queue_head[queue]].target == publication

    def batch_step_done(self, i: Int) -> Bool:
        """A copy of a sample is in the datagram, which leaves when all of them are. Then the flow
        controller may look into its queue."""
        publication = self.unit[i].target
        queue = self.p.publication_queue[publication]
        server = self.p.stage_server[self.unit[i].stage]
        if self.unit[i].point <= TO_LOOK:
            if self.goes_on(server, i):
                return False
            self.batch_sent(server, i)
            if self.unit[i].point == NO_LOOK:
                self.batch_done(server, i)
                return True
            self.unit[i].point = HAS_SENT
        if self.unit[i].point == HAS_SENT:
            if self.acquire(server, queue):
                self.unit[i].point = LOOKS
                self.unit[i].left = 1
            return False
        self.release_lock(queue)
        self.batch_done(server, i)
        return True

    def goes_on(self, server: Int, i: Int) -> Bool:
        """Whether there is one more copy in the datagram."""
        publication = self.unit[i].target
        member = address(self.unit[self.batch_at[server]])
        member.copy += 1
        if member.copy == self.readers(publication):
            self.batch_at[server] = member.next
            if self.batch_at[server] < 0:
                return False
            member = address(self.unit[self.batch_at[server]])
        self.unit[i].left = self.sending(publication, member.number, member.copy, member.arrival)
        return True

    def batch_sent(self, server: Int, i: Int) -> None:
        """All copies of some samples leave at once."""
        publication = self.unit[i].target
        each = i
        while each >= 0:
            self.unit[each].copy = 0
            for _ in range(self.readers(publication)):
                self.leave(each, publication, self.unit[each].number, self.unit[each].arrival)
            each = self.unit[each].next
        self.let_go(address(self.unit[i]))
        self.unit[i].lock = -1
        writer = self.p.publication_writer[publication]
        if writer >= 0 and not self.goes_on_with(server, publication):
            self.release_lock(writer)
        refused = self.refused[server]
        self.refused[server] = -1
        if refused >= 0 and refused != writer:
            self.release_lock(refused)

    def batch_done(self, server: Int, i: Int) -> None:
        """All but the first are complete; what is done with the first, the caller sees to."""
        stage = self.unit[i].stage
        each = self.batch_head[server]
        core = self.core_of(server)
        while each >= 0:
            following = self.unit[each].next
            self.count(self.p.stage_pending[stage], -1)
            self.count(self.p.server_pending[server], -1)
            self.trace(COMPLETED, stage, self.unit[each].number, core)
            self.completed(each)
            self.free_unit(each)
            each = following
        self.batch_head[server] = -1
