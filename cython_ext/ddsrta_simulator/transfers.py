"""Copies on their ways: over links that send one frame at a time, then through the network."""

from __future__ import annotations

from ddsrta_simulator.program import ARRIVED, SENT
from ddsrta_simulator.shadow import address
from ddsrta_simulator.structs import Bool, Int, Unit
from ddsrta_simulator.things import Things


class Transfers(Things):
    """A link serves the copies that wait for it by urgency, and may change over between frames."""

    def leave(self, i: Int, publication: Int, message: Int, time: Int) -> None:
        """A copy leaves; it arrives after all that went before it to the same reader."""
        stream = self.p.publication_stream[publication] + self.reader(
            self.p.publication_readers[publication],
            message,
            time,
            self.readers(publication),
            self.unit[i].copy - self.locals(publication),
        )
        self.unit[i].copy += 1
        if self.unit[i].stage < self.layout.threads:
            if self.s.now < self.sent_at[stream] + self.p.publication_apart[publication]:
                return
            self.sent_at[stream] = self.s.now
        number = self.sent[stream]
        self.sent[stream] += 1
        self.trace(SENT, stream, number, self.job(self.unit[i].job).index)
        self.hand_on(i, self.p.stream_transfer[stream], stream, number)

    def hand_on(self, i: Int, transfer: Int, stream: Int, number: Int) -> None:
        """A copy arrives at the next link on its way, or has passed the last one. A link that was
        idle may have begun something else."""
        if transfer == self.p.stream_transfer[stream + 1]:
            self.set_out(i, stream, number)
            return
        stage = self.p.transfer_stage[transfer]
        server = self.p.stage_server[stage]
        thread = self.p.server_begun[server]
        if thread >= 0 and not self.awake[server]:
            self.arrive(thread, self.make_job(thread, -1), -1)
        self.trace(ARRIVED, stage, number, -1)
        new = self.carrier(i, stage, transfer, number)
        self.next_frame(address(self.unit[new]))
        self.push(new, self.p.stage_queue[stage])

    def next_frame(self, u: Unit) -> None:
        """How long the next frame takes; the last one, until it is received."""
        first = self.p.transfer_frame[u.target]
        last = self.p.transfer_frame[u.target + 1]
        frame = first + u.step
        tail = self.p.transfer_tail[u.target]
        u.left = self.amount(
            self.p.transfer_decision[u.target],
            u.number * (last - first) + u.step,
            u.arrival,
            self.p.frame_best[frame],
            self.p.frame_worst[frame],
        )
        if frame + 1 == last:
            tail -= self.amount(self.p.transfer_late[u.target], u.number, u.arrival, 0, tail)
            u.point = min(tail, u.left)
            u.left -= u.point

    def transfer_step_done(self, server: Int, i: Int) -> Bool:
        """A frame has been sent, or the last one received, or its end has been sent, too."""
        u = address(self.unit[i])
        transfer = u.target
        queue = self.p.stage_queue[u.stage]
        count = self.p.transfer_frame[transfer + 1] - self.p.transfer_frame[transfer]
        u.step += 1
        if u.step < count:
            self.next_frame(u)
            if u.left > 0:
                u.next = self.queue_head[queue]
                if u.next < 0:
                    self.queue_tail[queue] = i
                self.queue_head[queue] = i
                self.current[server] = -1
        elif u.step == count:
            self.hand_on(i, transfer + 1, self.p.transfer_stream[transfer], u.number)
            u = address(self.unit[i])
            u.left = u.point
        return u.step > count

    def set_out(self, i: Int, stream: Int, number: Int) -> None:
        """A copy is on its way to the listener."""
        delay = self.amount(
            self.p.net_decision[stream],
            number,
            self.s.now,
            self.p.net_best[stream],
            self.p.net_worst[stream],
        )
        new = self.carrier(i, self.p.stream_stage[stream], stream, number)
        self.travel(stream, new, delay)
