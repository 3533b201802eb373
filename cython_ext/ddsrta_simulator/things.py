"""What threads do to each other: jobs, samples, messages and tokens."""

from __future__ import annotations

from ddsrta_simulator.matching import Matching
from ddsrta_simulator.program import (
    ARRIVED,
    DELIVERED,
    EACH,
    EXACT,
    HANDED,
    NEVER,
    PUBLISHED,
    RECEIVED,
    TIMED,
)
from ddsrta_simulator.shadow import address
from ddsrta_simulator.structs import Bool, Int, Unit


class Things(Matching):
    """Messages on their ways, and those who wait for them."""

    def readers(self, publication: Int) -> Int:
        """How many copies a message needs."""
        return self.p.publication_stream[publication + 1] - self.p.publication_stream[publication]

    def locals(self, publication: Int) -> Int:
        """How many readers of the same process have a message before copies are sent."""
        return self.p.publication_local[publication + 1] - self.p.publication_local[publication]

    def local(self, publication: Int, message: Int, turn: Int, time: Int) -> Int:
        """Whose turn it is among them."""
        return self.p.publication_local[publication] + self.reader(
            self.p.publication_turns[publication], message, time, self.locals(publication), turn
        )

    def message(self, u: Unit) -> Int:
        """The number of the message that a job is about to send, of all of its thread."""
        first = self.p.thread_step[u.target]
        return u.number * (self.p.thread_step[u.target + 1] - first) + u.step - first

    def sending(self, publication: Int, message: Int, copy: Int, time: Int) -> Int:
        """The cost of sending one copy, or of the work for a reader of the same process."""
        first = self.locals(publication)
        if copy < first:
            k = self.local(publication, message, copy, time)
            return self.amount(
                self.p.local_decision[k],
                message,
                time,
                self.p.local_best[k],
                self.p.local_worst[k],
            )
        return self.amount(
            self.p.publication_decision[publication],
            message * self.readers(publication) + copy - first,
            time,
            self.p.publication_best[publication],
            self.p.publication_worst[publication],
        )

    def hand_directly(self, i: Int, publication: Int) -> None:
        """Readers in the same process have the message at once."""
        for k in range(
            self.p.publication_direct[publication], self.p.publication_direct[publication + 1]
        ):
            self.hand_to(self.p.direct_hop[k], self.unit[i].job, publication)

    def hand_to(self, hop: Int, job: Int, publication: Int) -> None:
        """A reader in the same process has the message, if it is not too close to the last one."""
        if self.s.now < self.handed_at[hop] + self.p.publication_apart[publication]:
            return
        self.handed_at[hop] = self.s.now
        self.tell(hop, job)

    def tell(self, hop: Int, job: Int) -> None:
        """A reader in the same process has a message of a job."""
        self.trace(HANDED, hop, self.handed[hop], self.job(job).index)
        self.handed[hop] += 1
        self.s.messages += 1
        self.inform(hop, job)

    def carrier(self, i: Int, stage: Int, target: Int, number: Int) -> Int:
        """A new unit that carries on the job of another."""
        new = self.new_unit()
        u = address(self.unit[new])
        u.job = self.unit[i].job
        u.stage = stage
        u.target = target
        u.number = number
        u.copy = u.step = u.point = 0
        u.lock = -1
        u.arrival = self.s.now
        is_job: Bool = self.unit[i].stage < self.layout.threads
        u.since = self.job(u.job).asked if is_job else self.unit[i].since
        self.job(u.job).uses += 1
        return new

    def hand_over(self, i: Int, publication: Int) -> None:
        """An asynchronous publication: the sample goes into the queue of the flow controller."""
        if self.s.now < self.sampled_at[publication] + self.p.publication_apart[publication]:
            return
        self.sampled_at[publication] = self.s.now
        stage = self.p.publication_stage[publication]
        number = self.samples[publication]
        self.samples[publication] += 1
        self.trace(PUBLISHED, stage, number, self.unit[i].number)
        self.trace(ARRIVED, stage, number, -1)
        new = self.carrier(i, stage, publication, number)
        self.unit[new].since = self.s.now
        self.unit[new].left = self.sending(publication, number, 0, self.s.now)
        self.unit[new].lock = self.p.publication_send[publication]
        self.push(new, self.p.stage_queue[stage])

    def travel(self, way: Int, i: Int, delay: Int) -> None:
        """Something sets out; it arrives after all that went before it."""
        alone: Bool = self.way_head[way] < 0
        if self.is_loose(way):
            self.wander(way, i, delay)
            return
        self.way_last[way] = max(self.way_last[way], self.s.now + delay)
        if self.way_last[way] == self.s.now and alone:
            self.arrived(way, i)
            return
        self.unit[i].next = -1
        self.unit[i].time = self.way_last[way]
        if alone:
            self.way_head[way] = i
        else:
            self.unit[self.way_tail[way]].next = i
        self.way_tail[way] = i
        if self.way_last[way] == self.s.now:
            self.arrived(way, self.first_of(way))
        elif alone:
            self.at(self.layout.first_way + way, self.way_last[way])

    def is_loose(self, way: Int) -> Bool:
        """Whether what travels may overtake."""
        if way < self.layout.streams:
            return self.p.net_loose[way] != 0
        return self.p.link_loose[way - self.layout.streams] != 0

    def wander(self, way: Int, i: Int, delay: Int) -> None:
        """Something sets out where what takes less time comes first."""
        before: Int = -1
        after = self.way_head[way]
        if delay == 0:
            self.arrived(way, i)
            return
        self.unit[i].time = self.s.now + delay
        while after >= 0 and self.unit[after].time <= self.unit[i].time:
            before = after
            after = self.unit[after].next
        self.unit[i].next = after
        if after < 0:
            self.way_tail[way] = i
        if before >= 0:
            self.unit[before].next = i
            return
        self.way_head[way] = i
        self.at(self.layout.first_way + way, self.unit[i].time)

    def first_of(self, way: Int) -> Int:
        """The first arrives; the next one will."""
        i = self.way_head[way]
        following = self.unit[i].next
        self.way_head[way] = following
        self.at(self.layout.first_way + way, self.unit[following].time if following >= 0 else NEVER)
        return i

    def arrived(self, way: Int, i: Int) -> None:
        """At the listener, or at the follower of a job."""
        u = address(self.unit[i])
        job = u.job
        if way >= self.layout.streams:  # the follower hears of a completed job
            self.inform(self.p.link_hop[way - self.layout.streams], job)
            self.free_unit(i)
            return
        u.arrival = self.s.now
        u.left = self.amount(
            self.p.read_decision[way],
            u.number,
            self.s.now,
            self.p.read_best[way],
            self.p.read_worst[way],
        )
        self.trace(RECEIVED, way, u.number, self.job(job).index)
        self.trace(ARRIVED, u.stage, u.number, -1)
        self.push(i, self.p.stage_queue[u.stage])

    def deliver(self, i: Int) -> None:
        """The listener has finished: the message is with its reader."""
        u = address(self.unit[i])
        stream = u.target
        job = u.job
        self.s.messages += 1
        self.see(self.p.stream_ddl[stream], self.s.now - u.since)
        self.trace(DELIVERED, stream, u.number, self.job(job).index)
        self.inform(self.p.stream_hop[stream], job)

    def inform(self, hop: Int, source: Int) -> None:
        """An input of a thread has something new."""
        thread = self.p.hop_target[hop]
        if self.p.thread_activation[thread] == EACH:
            self.count(self.p.hop_reader[hop], 1)
            j = self.make_job(thread, self.p.hop_reader[hop])
            self.job(j).stamp = self.job(source).stamp
            if self.p.hop_round[hop] >= 0:
                self.job(j).round = self.job(source).round + self.p.hop_round[hop]
            self.carry(hop, source, j, True)
            self.arrive(thread, j, hop)
            return
        self.job(source).uses += 1
        if self.p.thread_activation[thread] == TIMED:
            if self.register[hop] >= 0:
                self.drop(self.register[hop])
            self.register[hop] = source
            return
        self.add_token(hop, source)
        if self.p.thread_activation[thread] >= EXACT:
            self.asked = self.job(source).asked
            self.match(thread, hop)
            return
        for j in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            if self.token_head[j] < 0:
                return
        self.join(thread)

    def join(self, thread: Int) -> None:
        """One token of each input releases a job."""
        first = self.p.thread_hop[thread]
        last = self.p.thread_hop[thread + 1]
        came: Int = 0
        asked: Int = 0
        j = self.make_job(thread, -1)
        self.job(j).stamp = -NEVER
        for hop in range(first, last):
            i = self.token_head[hop]
            came = max(came, self.unit[i].time)
            asked = max(asked, self.job(self.unit[i].job).asked)
            self.job(j).stamp = max(self.job(j).stamp, self.stamp(i))
        for hop in range(first, last):
            i = self.token_head[hop]
            self.token_head[hop] = self.unit[i].next
            self.carry(hop, self.unit[i].job, j, self.unit[i].time == came)
            self.free_unit(i)
        if self.p.thread_inline[thread]:
            self.job(j).asked = asked
        self.arrive(thread, j, last - 1)

    def completed(self, i: Int) -> None:
        """A job, a sample or a message is complete."""
        u = address(self.unit[i])
        thread = u.stage
        job = u.job
        if thread >= self.layout.threads:
            self.see(self.p.stage_response[thread], self.s.now - u.arrival)
            return
        self.see(self.p.stage_response[thread], self.s.now - self.job(job).asked)
        self.count(self.job(job).reader, -1)
        for k in range(self.p.thread_end[thread], self.p.thread_end[thread + 1]):
            self.measure_path(k, job)
        for k in range(self.p.thread_link[thread], self.p.thread_link[thread + 1]):
            delay = self.amount(
                self.p.link_decision[k],
                self.told[k],
                self.s.now,
                self.p.link_best[k],
                self.p.link_worst[k],
            )
            self.told[k] += 1
            new = self.carrier(i, thread, thread, 0)
            self.travel(self.layout.streams + k, new, delay)
