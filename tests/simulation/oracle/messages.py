"""Messages on their ways: samples at flow controllers, copies on links, messages at listeners.

Each is a generator that yields how long it executes until something happens.
"""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta_simulator.program import ARRIVED, DELIVERED, HANDED, PUBLISHED, RECEIVED, SENT
from tests.simulation.oracle.readers import Readers
from tests.simulation.oracle.things import Job, Unit


class Messages(Readers):
    """From a publication to its readers."""

    def push(self, unit: Unit, queue: int) -> None:
        """A unit arrives at a thread."""
        raise NotImplementedError

    def is_idle(self, server: int) -> bool:
        """Whether a thread sleeps."""
        raise NotImplementedError

    def readers(self, publication: int) -> int:
        """How many copies a message needs."""
        first, last = self.p.publication_stream[publication : publication + 2]
        return last - first

    def direct(self, publication: int) -> list[int]:
        """The hops to readers in the same process."""
        first, last = self.p.publication_direct[publication : publication + 2]
        return list(self.p.direct_hop[first:last])

    def cost(self, publication: int, message: int, copy: int, time: int) -> int:
        """Of sending one copy."""
        p, number = self.p, message * self.readers(publication) + copy
        best, worst = p.publication_best[publication], p.publication_worst[publication]
        return self.amount(p.publication_decision[publication], number, time, best, worst)

    def may_leave(self, publication: int, way: tuple[str, int]) -> bool:
        """Whether what left a job on this way before is long enough ago."""
        before = self.left.get(way)
        if before is not None and self.now - before < self.p.publication_apart[publication]:
            return False
        self.left[way] = self.now
        return True

    def hand_directly(self, job: Job, publication: int) -> None:
        """Readers in the same process have a message at once."""
        self.hand_to(self.direct(publication), job, publication)

    def local(self, publication: int, message: int, time: int) -> list[tuple[int, int]]:
        """The hops to readers whose work the job does, in turn, and how long that takes."""
        p, found = self.p, []
        first, last = p.publication_local[publication : publication + 2]
        for turn in range(last - first):
            order = p.publication_turns[publication]
            k = first + self.reader(order, message, time, last - first, turn)
            best, worst = p.local_best[k], p.local_worst[k]
            cost = self.amount(p.local_decision[k], message, time, best, worst)
            found.append((p.local_hop[k], cost))
        return found

    def hand_to(self, hops: list[int], job: Job, publication: int) -> None:
        """These readers have a message."""
        for hop in hops:
            if not self.may_leave(publication, ("direct", hop)):
                continue
            self.tell(hop, job)

    def tell(self, hop: int, job: Job) -> None:
        """A reader has a message of a job."""
        self.trace(HANDED, hop, self.handed[hop], job.index)
        self.handed[hop] += 1
        self.inform(hop, job)

    def hand_over(self, unit: Unit, publication: int) -> None:
        """A sample goes into the queue of the flow controller."""
        if not self.may_leave(publication, ("sample", publication)):
            return
        stage, number = self.p.publication_stage[publication], self.samples[publication]
        self.samples[publication] += 1
        self.trace(PUBLISHED, stage, number, unit.number)
        self.trace(ARRIVED, stage, number, -1)
        sample = Unit(stage, number, unit.job, self.now, self.now)
        sample.steps = self.send(sample, publication)
        sample.step()
        self.push(sample, self.p.stage_queue[stage])

    def send(self, sample: Unit, publication: int) -> Iterator[int]:
        """A flow controller sends copy by copy."""
        for hop, cost in self.local(publication, sample.number, sample.arrival):
            yield cost
            self.tell(hop, sample.job)
        for copy in range(self.readers(publication)):
            yield self.cost(publication, sample.number, copy, sample.arrival)
            self.leave(sample, publication, sample.number, copy)

    def leave(self, unit: Unit, publication: int, message: int, copy: int) -> None:
        """A copy leaves, for one of the readers."""
        p, readers = self.p, self.readers(publication)
        begun = unit.job.arrival if unit.stage < self.threads else unit.arrival
        decision = p.publication_readers[publication]
        reader = self.reader(decision, message, begun, readers, copy)
        stream = p.publication_stream[publication] + reader
        if unit.stage < self.threads and not self.may_leave(publication, ("copy", stream)):
            return
        number = self.sent[stream]
        self.sent[stream] += 1
        self.trace(SENT, stream, number, unit.job.index)
        self.hand_on(unit, p.stream_transfer[stream], stream, number)

    def hand_on(self, unit: Unit, transfer: int, stream: int, number: int) -> None:
        """To the next link, or into the network behind the last one. An idle link may just have begun
        to send something else."""
        p = self.p
        if transfer == p.stream_transfer[stream + 1]:
            best, worst = p.net_best[stream], p.net_worst[stream]
            delay = self.amount(p.net_decision[stream], number, self.now, best, worst)
            message = Unit(p.stream_stage[stream], number, unit.job, self.now, unit.since)
            self.travel(stream, message, delay)
            return
        stage = p.transfer_stage[transfer]
        server = p.stage_server[stage]
        if p.server_begun[server] >= 0 and self.is_idle(server):
            self.arrive(self.make_job(p.server_begun[server]), -1)
        self.trace(ARRIVED, stage, number, -1)
        copy = Unit(stage, number, unit.job, self.now, unit.since)
        copy.steps = self.frames(copy, transfer)
        copy.step()
        self.push(copy, p.stage_queue[stage])

    def frames(self, copy: Unit, transfer: int) -> Iterator[int]:
        """A link sends frame by frame; the copy is received at or before the end of the last one."""
        p = self.p
        frames = range(*p.transfer_frame[transfer : transfer + 2])
        for number, frame in enumerate(frames, copy.number * len(frames)):
            best, worst = p.frame_best[frame], p.frame_worst[frame]
            takes = self.amount(p.transfer_decision[transfer], number, copy.arrival, best, worst)
            copy.between = frame > frames[0]
            if frame < frames[-1]:
                yield takes
        tail, late = p.transfer_tail[transfer], p.transfer_late[transfer]
        tail = min(takes, tail - self.amount(late, copy.number, copy.arrival, 0, tail))
        yield takes - tail
        copy.between = False
        self.hand_on(copy, transfer + 1, p.transfer_stream[transfer], copy.number)
        yield tail

    def travel(self, way: int, unit: Unit, delay: int) -> None:
        """Something sets out, and arrives after all that went before it where nothing overtakes."""
        p, ahead = self.p, self.ways[way]
        streams = self.streams
        if p.net_loose[way] if way < streams else p.link_loose[way - streams]:
            if delay == 0:
                self.arrived(way, unit)
            else:
                ahead.append((self.now + delay, unit))
                ahead.sort(key=lambda each: each[0])
            return
        self.way_last[way] = max(self.way_last[way], self.now + delay)
        ahead.append((self.way_last[way], unit))
        if self.way_last[way] == self.now:
            self.arrived(way, ahead.pop(0)[1])

    def arrived(self, way: int, unit: Unit) -> None:
        """At a listener, or at a follower, which hears of a completed job."""
        p = self.p
        if way >= self.streams:
            self.inform(p.link_hop[way - self.streams], unit.job)
            return
        unit.arrival = self.now
        unit.steps = self.read(unit, way)
        unit.step()
        self.trace(RECEIVED, way, unit.number, unit.job.index)
        self.trace(ARRIVED, unit.stage, unit.number, -1)
        self.push(unit, p.stage_queue[unit.stage])

    def read(self, message: Unit, stream: int) -> Iterator[int]:
        """A listener reads a message, and its reader has it."""
        p = self.p
        best, worst = p.read_best[stream], p.read_worst[stream]
        yield self.amount(p.read_decision[stream], message.number, self.now, best, worst)
        self.see(p.stream_ddl[stream], self.now - message.since)
        self.trace(DELIVERED, stream, message.number, message.job.index)
        self.inform(p.stream_hop[stream], message.job)
