"""write() with an asynchronous publication: under the locks of its writer and of a queue."""

from __future__ import annotations

from ddsrta_simulator.shadow import address
from ddsrta_simulator.structs import AT_WRITE, IN_QUEUE, IN_WRITE, PAST_QUEUE, Bool, Int, Unit
from ddsrta_simulator.transfers import Transfers


class Writes(Transfers):
    """A job takes the lock of the writer, that of the queue for its last moment before the sample
    is handed over, and keeps the first one for some time after that."""

    def whole(self, u: Unit, publication: Int) -> Int:
        """How long it takes."""
        return self.amount(
            self.p.publication_length[publication],
            self.message(u),
            self.job(u.job).arrival,
            0,
            self.p.publication_write[publication],
        )

    def before(self, u: Unit, publication: Int) -> Int:
        """How much of it comes before the sample is handed over."""
        return self.amount(
            self.p.publication_split[publication],
            self.message(u),
            self.job(u.job).arrival,
            0,
            self.whole(u, publication),
        )

    def begin_write(self, u: Unit, publication: Int) -> None:
        """The job executes until its sample is handed over, the last of it in write()."""
        before = min(u.left, self.before(u, publication))
        u.point = u.done
        u.left -= before
        u.done -= before
        u.copy = AT_WRITE

    def write_step(self, i: Int, publication: Int) -> Bool:
        """A part is done, and the next may have to wait for its lock; whether it was the last."""
        u = address(self.unit[i])
        server = self.p.stage_server[u.stage]
        done = u.done
        queue = self.p.publication_queue[publication]
        if u.copy == AT_WRITE:
            if self.acquire(server, self.p.publication_writer[publication]):
                u.done = max(done, u.point - 1)
                u.copy = IN_WRITE
        elif u.copy == IN_WRITE:
            if self.acquire(server, queue):
                u.done = u.point
                u.copy = IN_QUEUE
        elif u.copy == IN_QUEUE:
            self.hand_directly(i, publication)
            self.hand_over(i, publication)
            u = address(self.unit[i])
            self.release_lock(queue)
            self.look_early(
                self.core_of(self.p.stage_server[self.p.publication_stage[publication]])
            )
            u.done += min(
                self.whole(u, publication) - self.before(u, publication), u.execution - done
            )
            u.copy = PAST_QUEUE
        else:
            self.release_lock(self.p.publication_writer[publication])
            u.copy = 0
            u.step += 1
            return True
        u.left = u.done - done
        return False
