"""Copies on their way over links that send one frame at a time."""

from __future__ import annotations

from abc import abstractmethod

from ddsrta_simulator.program import ARRIVED
from ddsrta_simulator.twin_threads import Job, Unit
from ddsrta_simulator.twin_writes import Writes


class Transfers(Writes):
    """A copy waits with its frames; between two of them the link may take what is more urgent."""

    sent: list[int]

    @abstractmethod
    def release(self, thread: int, reader: int, causes: list[tuple[int, Job, int]]) -> None:
        """A job of a thread arrives."""

    @abstractmethod
    def set_out(self, unit: Unit, stream: int, number: int) -> None:
        """A copy is on its way to the listener."""

    def hand_on(self, unit: Unit, transfer: int, stream: int, number: int) -> None:
        """A copy arrives at the next link on its way, or has passed the last one. A link that was
        idle may have begun something else."""
        p = self.program
        if transfer == p.stream_transfer[stream + 1]:
            self.set_out(unit, stream, number)
            return
        stage = p.transfer_stage[transfer]
        server = self.servers[p.stage_server[stage]]
        if p.server_begun[server.number] >= 0 and server.ready is None:
            self.release(p.server_begun[server.number], -1, [])
        self.trace(ARRIVED, stage, number, -1)
        copy = Unit(stage, transfer, number, unit.job, self.now, unit.since)
        self._next_frame(copy)
        self.push(copy, p.stage_queue[stage])

    def _next_frame(self, unit: Unit) -> None:
        """How long the next frame takes; the last one, until it is received."""
        p, transfer = self.program, unit.target
        first, last = p.transfer_frame[transfer : transfer + 2]
        frame = first + unit.step
        unit.left = self.decide.amount(
            p.transfer_decision[transfer],
            unit.number * (last - first) + unit.step,
            unit.arrival,
            p.frame_best[frame],
            p.frame_worst[frame],
        )
        if frame + 1 == last:
            tail, decision = p.transfer_tail[transfer], p.transfer_late[transfer]
            tail -= self.decide.amount(decision, unit.number, unit.arrival, 0, tail)
            unit.point = min(tail, unit.left)
            unit.left -= unit.point

    def transfer_step_done(self, unit: Unit) -> bool:
        """A frame has been sent, or the last one received, or its end has been sent, too."""
        p, transfer = self.program, unit.target
        first, last = p.transfer_frame[transfer : transfer + 2]
        unit.step += 1
        if unit.step < last - first:
            self._next_frame(unit)
            if unit.left > 0:
                server = self.servers[p.stage_server[unit.stage]]
                queue = p.stage_queue[unit.stage] - p.server_queue[server.number]
                server.queues[queue].appendleft(unit)
                server.current = None
        elif unit.step == last - first:
            self.hand_on(unit, transfer + 1, p.transfer_stream[transfer], unit.number)
            unit.left = unit.point
        return unit.step > last - first
