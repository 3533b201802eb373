"""What jobs and flow controllers do: executing, handing over and sending, in program order."""

from __future__ import annotations

from ddsrta_simulator.batches import Batches
from ddsrta_simulator.program import ARRIVED, ASYNC, TIMED, WORST
from ddsrta_simulator.shadow import address
from ddsrta_simulator.structs import AT_POINT, AT_WRITE, PAST_POINT, Bool, Int, Unit


class Steps(Batches):
    """A step ends where a copy has been sent, or a sample handed over."""

    def arrive(self, thread: Int, j: Int, hop: Int) -> None:
        """A job of a thread arrives; the hop is what released it."""
        i = self.new_unit()
        index = self.job(j).index
        u = address(self.unit[i])
        u.job = j
        u.stage = u.target = thread
        u.number = index
        u.hop = hop
        u.arrival = u.since = self.s.now
        u.copy = u.done = u.sent = 0
        u.step = self.p.thread_step[thread]
        u.execution = self.amount(
            self.p.thread_decision[thread],
            index,
            self.s.now,
            self.p.thread_best[thread],
            self.p.thread_worst[thread],
        )
        self.trace(ARRIVED, thread, index, hop)
        self.prepare_job(u)
        self.push(i, self.p.hop_queue[hop] if hop >= 0 else self.p.stage_queue[thread])

    def start(self, server: Int) -> None:
        """A unit begins; a job of a thread released by time reads the newest of everything."""
        i = self.take(server)
        thread = self.unit[i].stage
        if thread < self.layout.threads and not self.watches(thread):
            self.called(thread)
        if thread < self.layout.threads and self.p.thread_activation[thread] == TIMED:
            for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
                if self.register[hop] >= 0:
                    self.carry(hop, self.register[hop], self.unit[i].job, False)
        if self.is_sample(thread):
            self.gather(server, i)

    def is_sync(self, publication: Int) -> Bool:
        """Whether the job sends by itself."""
        return self.p.publication_mode[publication] != ASYNC

    def sends(self, publication: Int, u: Unit) -> Bool:
        """Whether a job sends a message that it may leave out."""
        of = self.p.publication_of[publication]
        if of == 0:
            return True
        rounds = self.p.publication_rounds[publication]
        if rounds > 0 and self.job(u.job).round >= rounds:
            return False
        decision = self.p.publication_leaves[publication]
        number = self.job(u.job).index
        begun = self.job(u.job).arrival
        if self.p.publication_choice[publication] >= 0:
            others = self.p.publication_others[publication]
            chosen = self.amount(self.p.publication_choice[publication], number, begun, 0, others)
            if chosen != self.p.publication_place[publication]:
                return False
        place = number % of
        if self.fixed_habit(decision) != WORST:
            place = (place + self.c.decision_seed[decision] % of) % of
        if place >= self.p.publication_most[publication]:
            return False
        return self.amount(decision, number, begun, 0, 1) == 1

    def is_direct_first(self, u: Unit, publication: Int) -> Bool:
        """Whether readers in the same process have a message before copies of it are sent."""
        first = self.p.publication_direct[publication]
        if not self.is_sync(publication) or first == self.p.publication_direct[publication + 1]:
            return False
        return (
            self.amount(
                self.p.publication_first[publication],
                self.message(u),
                self.job(u.job).arrival,
                0,
                1,
            )
            == 1
        )

    def prepare_job(self, u: Unit) -> None:
        """How long it takes until the job has sent its next copy, or is complete."""
        thread = u.target
        u.lock = -1
        while u.copy == 0 and u.step < self.p.thread_step[thread + 1]:
            if self.sends(self.p.step_publication[u.step], u):
                break
            u.step += 1
        if u.step == self.p.thread_step[thread + 1]:
            u.left = u.execution - u.done
            self.prepare_datagram(u)
            return
        u.left = 0
        publication = self.p.step_publication[u.step]
        if u.copy == 0:  # else the message was begun before
            low = max(u.done, self.p.publication_earliest[publication] - u.sent)
            u.execution = max(u.execution, low)
            point = self.amount(
                self.p.thread_point[thread],
                self.message(u),
                self.job(u.job).arrival,
                low,
                u.execution,
            )
            u.left = point - u.done
            u.done = point
            is_locked: Bool = self.is_sync(publication)
            is_locked = is_locked and self.p.publication_send[publication] >= 0
            if is_locked or self.is_direct_first(u, publication):
                u.copy = AT_POINT
                return
            if self.p.publication_writer[publication] >= 0:
                self.begin_write(u, publication)
                return
        if self.is_sync(publication):
            u.lock = self.p.publication_send[publication]
            cost = self.sending(
                publication, self.message(u), max(0, u.copy), self.job(u.job).arrival
            )
            u.left += cost
            u.sent += cost

    def prepare_datagram(self, u: Unit) -> None:
        """Of an event thread: all that is left of a job is done under a lock, in equal parts."""
        parts = self.p.thread_datagrams[u.target] - u.copy
        if parts > 0 and u.left > 0:
            u.lock = self.p.thread_send[u.target]
            u.left = (u.left + parts - 1) // parts
            u.done += u.left

    def sends_another(self, u: Unit) -> Bool:
        """Whether an event thread goes on with its job, after it gave the lock back."""
        if not self.p.thread_datagrams[u.target]:
            return False
        self.let_go(u)
        if u.done >= u.execution:
            return False
        u.copy += 1
        self.prepare_job(u)
        return True

    def job_step_done(self, i: Int) -> Bool:
        """A job has handed over a sample, or sent a copy, or is complete."""
        u = address(self.unit[i])
        if u.step == self.p.thread_step[u.target + 1]:
            return not self.sends_another(u)
        publication = self.p.step_publication[u.step]
        if u.copy <= AT_WRITE:
            if not self.write_step(i, publication):
                return False
            u = address(self.unit[i])
        elif u.copy == AT_POINT:
            if self.is_direct_first(u, publication):
                self.hand_directly(i, publication)
            u = address(self.unit[i])
            u.copy = PAST_POINT
        elif not self.is_sync(publication):
            self.hand_directly(i, publication)
            if self.p.publication_stage[publication] >= 0:
                self.hand_over(i, publication)
            u = address(self.unit[i])
            u.step += 1
        else:
            u.copy = max(0, u.copy)
            if u.copy < self.locals(publication):
                self.read_for(i, publication, self.message(u), self.job(u.job).arrival)
            else:
                self.leave(i, publication, self.message(u), self.job(u.job).arrival)
            u = address(self.unit[i])
            if u.copy == self.locals(publication) + self.readers(publication):
                self.let_go(u)
                if not self.is_direct_first(u, publication):
                    self.hand_directly(i, publication)
                    u = address(self.unit[i])
                u.copy = 0
                u.step += 1
        self.prepare_job(u)
        return False

    def read_for(self, i: Int, publication: Int, message: Int, time: Int) -> None:
        """The work for a reader of the same process is done."""
        u = address(self.unit[i])
        hop = self.p.local_hop[self.local(publication, message, u.copy, time)]
        u.copy += 1
        if u.stage < self.layout.threads:
            self.hand_to(hop, u.job, publication)
        else:
            self.tell(hop, u.job)

    def sample_step_done(self, i: Int) -> Bool:
        """A copy has been sent by a flow controller, or is in the datagram."""
        if self.p.publication_batch[self.unit[i].target]:
            return self.batch_step_done(i)
        u = address(self.unit[i])
        if u.copy < self.locals(u.target):
            self.read_for(i, u.target, u.number, u.arrival)
        else:
            self.leave(i, u.target, u.number, u.arrival)
        u = address(self.unit[i])
        if u.copy == self.locals(u.target) + self.readers(u.target):
            return True
        u.left = self.sending(u.target, u.number, u.copy, u.arrival)
        return False
