"""write() with an asynchronous publication: under the locks of its writer and of a queue."""

from __future__ import annotations

from abc import abstractmethod

from ddsrta_simulator.twin_batches import Batches
from ddsrta_simulator.twin_threads import Unit

# instead of the number of copies that a job has sent of a message
AT_WRITE, IN_WRITE, IN_QUEUE, PAST_QUEUE = -3, -4, -5, -6


class Writes(Batches):
    """A job takes the lock of the writer, that of the queue for its last moment before the sample
    is handed over, and keeps the first one for some time after that."""

    @abstractmethod
    def message(self, unit: Unit) -> int:
        """The number of the message that a job is about to send."""

    @abstractmethod
    def prepare_job(self, unit: Unit) -> None:
        """How long it takes until the job has sent its next copy, or is complete."""

    @abstractmethod
    def hand_directly(self, unit: Unit, publication: int) -> None:
        """Readers in the same process have the message at once."""

    @abstractmethod
    def hand_over(self, job: Unit, publication: int) -> None:
        """The sample goes into the queue of the flow controller."""

    def _length(self, unit: Unit, publication: int) -> tuple[int, int]:
        """How long write() takes before the sample is handed over, and after that."""
        p, number, time = self.program, self.message(unit), unit.job.arrival
        whole = self.decide.amount(
            p.publication_length[publication], number, time, 0, p.publication_write[publication]
        )
        before = self.decide.amount(p.publication_split[publication], number, time, 0, whole)
        return before, whole - before

    def begin_write(self, unit: Unit, publication: int) -> None:
        """The job executes `left` until its sample is handed over, the last of it in write()."""
        before = min(unit.left, self._length(unit, publication)[0])
        unit.point = unit.done
        unit.left -= before
        unit.done -= before
        unit.copy = AT_WRITE

    def write_step(self, unit: Unit, publication: int) -> None:
        """A part of write() is done; the next one may have to wait for its lock."""
        p, server = self.program, self.servers[self.program.stage_server[unit.stage]]
        writer, queue = p.publication_writer[publication], p.publication_queue[publication]
        done = unit.done
        if unit.copy == AT_WRITE:
            if self.acquire(server, writer):
                unit.done = max(done, unit.point - 1)
                unit.copy = IN_WRITE
        elif unit.copy == IN_WRITE:
            if self.acquire(server, queue):
                unit.done = unit.point
                unit.copy = IN_QUEUE
        elif unit.copy == IN_QUEUE:
            self.hand_directly(unit, publication)
            self.hand_over(unit, publication)
            self.release_lock(queue)
            unit.done += min(self._length(unit, publication)[1], unit.execution - done)
            unit.copy = PAST_QUEUE
        else:
            self.release_lock(writer)
            unit.copy = 0
            unit.step += 1
            self.prepare_job(unit)
            return
        unit.left = unit.done - done
