"""The engine in plain Python: the oracle of the compiled one, and its stand-in.

Written from the behaviour of Linux and Fast DDS. Everything that happens at one instant happens
before any thread begins another unit of work: a unit is taken from its queue when time goes on, so
of simultaneous arrivals all are seen.
"""

from __future__ import annotations

from array import array
from collections import deque
from zlib import crc32

from ddsrta_simulator.program import (
    ALL,
    ARRIVED,
    ASYNC,
    COMPLETED,
    DELIVERED,
    EACH,
    EXACT,
    HANDED,
    PUBLISHED,
    RECEIVED,
    SENT,
    TIMED,
    Choices,
    Program,
)
from ddsrta_simulator.twin_synchronizers import Sets
from ddsrta_simulator.twin_threads import Job, Unit
from ddsrta_simulator.twin_transfers import Transfers
from ddsrta_simulator.twin_writes import AT_WRITE

# instead of the number of copies that a job has sent of a message
AT_POINT, PAST_POINT = -1, -2


def fingerprint(program: Program, choices: Choices) -> tuple[int, int]:
    """Sums over all numbers of a program and of choices."""
    sums = []
    for group in (program, choices):
        values = [v for v in vars(group).values() if isinstance(v, array | int)]
        sums.append(crc32(repr(values).encode()))
    return sums[0], sums[1]


class Engine(Sets, Transfers):
    """A program in motion: what threads do to each other. `Clock` is what they do to cores."""

    def __init__(
        self,
        program: Program,
        choices: Choices,
        records: int = 0,
        trace: int = 0,
        histograms: bool = True,
    ) -> None:
        super().__init__(program, choices, records, trace, histograms)
        self.messages = 0
        self.jobs = [0] * len(program.thread_worst)
        self.first_message = len(program.stage_server) - len(program.stream_hop)
        self.first_transfer = self.first_message - len(program.transfer_stage)
        self.samples = [0] * len(program.publication_mode)
        self.sent = [0] * len(program.stream_hop)
        self.told = [0] * len(program.link_hop)
        self.handed = [0] * len(program.hop_target)
        self.asked = 0  # when what makes a set came
        self.last_values: list[Job | None] = [None] * len(program.hop_target)
        self.tokens: list[deque[tuple[Job, int]]] = [deque() for _ in program.hop_target]

    # Checkpoints: the twin, which is only a stand-in, remembers how far it was and runs again

    def state(self) -> bytes:
        """How far it was, of which program with which choices."""
        body = array("q", [*fingerprint(self.program, self.choices), self.reached]).tobytes()
        return body + array("q", [crc32(body)]).tobytes()

    def restore(self, state: bytes) -> None:
        """Run as far as that."""
        values = array("q")
        values.frombytes(state[: len(state) // 8 * 8])
        expected = fingerprint(self.program, self.choices)
        if len(state) != 32 or tuple(values[:2]) != expected or values[3] != crc32(state[:24]):
            raise ValueError("the state is none of this program with these choices")
        sizes = self.measured.records_size, self.traced_size
        self.measured.records_size = self.traced_size = 0
        self.advance(values[2])
        self.measured.records_size, self.traced_size = sizes

    # What happens

    def released_by_time(self, source: int) -> None:
        """A job of a source."""
        self.release(self.program.source_thread[source], -1, [])

    def released(self, thread: int) -> int:
        """How many jobs of a thread there have been."""
        return self.jobs[thread]

    def release(self, thread: int, reader: int, causes: list[tuple[int, Job, int]]) -> None:
        """A job of a thread arrives; causes are (hop, job behind it, when its token came)."""
        p, now = self.program, self.now
        index = self.jobs[thread]
        self.jobs[thread] += 1
        if index == 0:
            self.first_release[thread] = now
        job = Job(thread, index, now, p.thread_origins[thread], reader)
        if causes:
            job.stamp = max(source.stamp for _, source, _ in causes)
        if p.thread_inline[thread]:
            is_set = p.thread_activation[thread] >= EXACT
            job.asked = self.asked if is_set else max(source.asked for _, source, _ in causes)
        last_came = max((came for _, _, came in causes), default=0)
        for hop, source, came in causes:
            self.carry(hop, source, job, came == last_came)
        unit = Unit(thread, thread, index, job, now, job.asked)
        unit.execution = self.decide.amount(
            p.thread_decision[thread], index, now, p.thread_best[thread], p.thread_worst[thread]
        )
        unit.step = p.thread_step[thread]
        hop = causes[-1][0] if causes else -1
        self.trace(ARRIVED, thread, index, hop)
        self.prepare_job(unit)
        self.push(unit, p.hop_queue[hop] if hop >= 0 else p.stage_queue[thread])

    def begun(self, unit: Unit) -> None:
        """A job of a thread released by time begins: it reads the newest of everything."""
        p = self.program
        if unit.stage < len(self.jobs) and p.thread_activation[unit.stage] == TIMED:
            for hop in range(p.thread_hop[unit.stage], p.thread_hop[unit.stage + 1]):
                source = self.last_values[hop]
                if source is not None:
                    self.carry(hop, source, unit.job, False)
        elif unit.stage >= len(self.jobs) and unit.stage < self.first_transfer:
            self.gather(unit)

    # Steps: executing, handing over and sending, in program order

    def prepare_job(self, unit: Unit) -> None:
        """How long it takes until the job has sent its next copy, or is complete."""
        p, thread, job = self.program, unit.target, unit.job
        unit.lock = -1
        if unit.step == p.thread_step[thread + 1]:
            unit.left = unit.execution - unit.done
            return
        unit.left = 0
        publication = p.step_publication[unit.step]
        if unit.copy == 0:
            low = max(unit.done, p.publication_earliest[publication] - unit.sent)
            point = self.decide.amount(
                p.thread_point[thread], self.message(unit), job.arrival, low, unit.execution
            )
            unit.left = point - unit.done
            unit.done = point
            if p.publication_writer[publication] >= 0:
                self.begin_write(unit, publication)
                return
            is_locked = p.publication_send[publication] >= 0 and self.is_sync(publication)
            if is_locked or self.is_direct_first(unit, publication):
                unit.copy = AT_POINT
                return
        if self.is_sync(publication):
            unit.lock = p.publication_send[publication]
            cost = self.sending(publication, self.message(unit), max(0, unit.copy), job.arrival)
            unit.left += cost
            unit.sent += cost

    def is_sync(self, publication: int) -> bool:
        """Whether the job sends by itself."""
        return self.program.publication_mode[publication] != ASYNC

    def message(self, unit: Unit) -> int:
        """The number of the message that a job is about to send, of all messages of its thread."""
        first, last = self.program.thread_step[unit.target : unit.target + 2]
        return unit.number * (last - first) + unit.step - first

    def sending(self, publication: int, message: int, copy: int, time: int) -> int:
        """The cost of sending one copy."""
        p = self.program
        return self.decide.amount(
            p.publication_decision[publication],
            message * self.readers(publication) + copy,
            time,
            p.publication_best[publication],
            p.publication_worst[publication],
        )

    def readers(self, publication: int) -> int:
        """How many copies a message needs."""
        first, last = self.program.publication_stream[publication : publication + 2]
        return last - first

    def step_done(self, unit: Unit) -> bool:
        """What follows a step of a unit; whether that was the last one."""
        if unit.stage < len(self.jobs):
            return self.job_step_done(unit)
        if unit.stage < self.first_transfer:
            return self.sample_step_done(unit)
        if unit.stage < self.first_message:
            return self.transfer_step_done(unit)
        self.deliver(unit)
        return True

    def job_step_done(self, unit: Unit) -> bool:
        """A job has handed over a sample, or sent a copy, or is complete."""
        p = self.program
        if unit.step == p.thread_step[unit.target + 1]:
            return True
        publication = p.step_publication[unit.step]
        if unit.copy <= AT_WRITE:
            self.write_step(unit, publication)
            return False
        if unit.copy == AT_POINT:
            if self.is_direct_first(unit, publication):
                self.hand_directly(unit, publication)
            unit.copy = PAST_POINT
        elif p.publication_mode[publication] == ASYNC:
            self.hand_directly(unit, publication)
            if p.publication_stage[publication] >= 0:
                self.hand_over(unit, publication)
            unit.step += 1
        else:
            unit.copy = max(0, unit.copy)
            self.leave(unit, publication, self.message(unit), unit.job.arrival)
            if unit.copy == self.readers(publication):
                self.let_go(unit)
                if not self.is_direct_first(unit, publication):
                    self.hand_directly(unit, publication)
                unit.copy = 0
                unit.step += 1
        self.prepare_job(unit)
        return False

    def is_direct_first(self, unit: Unit, publication: int) -> bool:
        """Whether readers in the same process have a message before copies of it are sent."""
        p = self.program
        first, last = p.publication_direct[publication : publication + 2]
        if first == last or p.publication_mode[publication] == ASYNC:
            return False
        decision, time = p.publication_first[publication], unit.job.arrival
        return self.decide.amount(decision, self.message(unit), time, 0, 1) == 1

    def hand_directly(self, unit: Unit, publication: int) -> None:
        """Readers in the same process have the message at once."""
        p = self.program
        first, last = p.publication_direct[publication : publication + 2]
        for hop in p.direct_hop[first:last]:
            self.trace(HANDED, hop, self.handed[hop], unit.job.index)
            self.handed[hop] += 1
            self.messages += 1
            self.inform(hop, unit.job)

    def hand_over(self, job: Unit, publication: int) -> None:
        """An asynchronous publication: the sample goes into the queue of the flow controller."""
        stage = self.program.publication_stage[publication]
        number = self.samples[publication]
        self.samples[publication] += 1
        self.trace(PUBLISHED, stage, number, job.number)
        self.trace(ARRIVED, stage, number, -1)
        unit = Unit(stage, publication, number, job.job, self.now, self.now)
        unit.left = self.sending(publication, number, 0, self.now)
        unit.lock = self.program.publication_send[publication]
        self.push(unit, self.program.stage_queue[stage])

    def sample_step_done(self, unit: Unit) -> bool:
        """A copy has been sent by a flow controller."""
        if self.program.publication_batch[unit.target]:
            return self.batch_step_done(unit)
        self.leave(unit, unit.target, unit.number, unit.arrival)
        if unit.copy == self.readers(unit.target):
            return True
        unit.left = self.sending(unit.target, unit.number, unit.copy, unit.arrival)
        return False

    def leave(self, unit: Unit, publication: int, message: int, time: int) -> None:
        """A copy leaves; it arrives after all that went before it to the same reader."""
        p = self.program
        place = self.decide.reader(
            p.publication_readers[publication], message, time, self.readers(publication), unit.copy
        )
        stream = p.publication_stream[publication] + place
        unit.copy += 1
        number = self.sent[stream]
        self.sent[stream] += 1
        self.trace(SENT, stream, number, unit.job.index)
        self.hand_on(unit, p.stream_transfer[stream], stream, number)

    def set_out(self, unit: Unit, stream: int, number: int) -> None:
        """A copy is on its way to the listener."""
        p = self.program
        delay = self.decide.amount(
            p.net_decision[stream], number, self.now, p.net_best[stream], p.net_worst[stream]
        )
        copy = Unit(p.stream_stage[stream], stream, number, unit.job, 0, unit.since)
        self.travel(self.on_streams[stream], copy, delay)

    def received(self, stream: int, unit: Unit) -> None:
        """A message arrives at the listener."""
        p = self.program
        unit.arrival = self.now
        unit.left = self.decide.amount(
            p.read_decision[stream],
            unit.number,
            self.now,
            p.read_best[stream],
            p.read_worst[stream],
        )
        self.trace(RECEIVED, stream, unit.number, unit.job.index)
        self.trace(ARRIVED, unit.stage, unit.number, -1)
        self.push(unit, p.stage_queue[unit.stage])

    def deliver(self, unit: Unit) -> None:
        """The listener has finished: the message is with its reader."""
        stream = unit.target
        self.messages += 1
        self.measured.see(self.program.stream_ddl[stream], self.now - unit.since)
        self.trace(DELIVERED, stream, unit.number, unit.job.index)
        self.inform(self.program.stream_hop[stream], unit.job)

    # Jobs and those who wait for them

    def completed(self, unit: Unit) -> None:
        """A job, a sample or a message is complete."""
        p = self.program
        self.trace(COMPLETED, unit.stage, unit.number, self.finishing.number)
        is_job = unit.stage < len(self.jobs)
        since = unit.job.asked if is_job else unit.arrival
        self.measured.see(p.stage_response[unit.stage], self.now - since)
        if not is_job:
            return
        thread, job = unit.stage, unit.job
        self.measured.count(job.reader, -1)
        for end in range(p.thread_end[thread], p.thread_end[thread + 1]):
            self.measure_path(end, job)
        for link in range(p.thread_link[thread], p.thread_link[thread + 1]):
            delay = self.decide.amount(
                p.link_decision[link],
                self.told[link],
                self.now,
                p.link_best[link],
                p.link_worst[link],
            )
            self.told[link] += 1
            self.travel(self.on_links[link], unit, delay)

    def news(self, link: int, unit: Unit) -> None:
        """The follower hears of a completed job, in the order of completion."""
        self.inform(self.program.link_hop[link], unit.job)

    def inform(self, hop: int, job: Job) -> None:
        """An input of a thread has something new."""
        p = self.program
        thread = p.hop_target[hop]
        activation = p.thread_activation[thread]
        if activation == TIMED:
            self.last_values[hop] = job
        elif activation == EACH:
            self.measured.count(p.hop_reader[hop], 1)
            self.release(thread, p.hop_reader[hop], [(hop, job, self.now)])
        elif activation >= EXACT:
            self.asked = job.asked
            self.match(thread, hop, job)
        else:
            assert activation == ALL
            self.tokens[hop].append((job, self.now))
            hops = range(p.thread_hop[thread], p.thread_hop[thread + 1])
            if all(self.tokens[each] for each in hops):
                self.release(thread, -1, [(each, *self.tokens[each].popleft()) for each in hops])
