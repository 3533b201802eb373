"""What the units of a solved system wait for locks and datagrams at most (lemma
sleeping-window)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddsrta.bounds.external_events import base_events
from ddsrta.bounds.locks.holds import Holds, Locking, saturated
from ddsrta.bounds.locks.known import ALL_KINDS, Known
from ddsrta.bounds.locks.limits import Sleeping
from ddsrta.bounds.locks.uses import Lock
from ddsrta.bounds.locks.wait import Wait
from ddsrta.models.fastdds import samples_together
from ddsrta.models.senders import policy_of
from ddsrta.policies.policy import Sender
from ddsrta.policies.relation import Delay
from ddsrta_kernel import UNBOUNDED

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution

# These may wait when a window opens.
_IN_TURN = frozenset({Delay.ALTERNATES, Delay.PRECEDES, Delay.LINGERS})


def waits_of(solution: Solution, known: dict[int, Known]) -> dict[int, Wait]:
    """Of all stages, locks and limits together; UNBOUNDED where no bound was found. What is known
    of the same stages stays so."""
    sleeping, stages = Sleeping(solution), range(len(solution.compiled.stages))
    if solution.system.fastdds is None:
        return {number: Wait(0, sleeping.of(number)) for number in stages}
    compiled = solution.compiled
    sharing = known.get(id(compiled.stages)) or Known(compiled)
    known[id(compiled.stages)] = sharing
    waits = _Waiting(solution, sharing).all()
    return {
        number: waits[number]._replace(first=saturated(waits[number].first + sleeping.of(number)))
        for number in stages
    }


class _Waiting(Locking):
    def __init__(self, solution: Solution, sharing: Known | None = None) -> None:
        super().__init__(solution, sharing)
        self.samples, self.senders = self.sharing.samples, self.sharing.senders

    def all(self) -> dict[int, Wait]:
        """Of all stages: also one that takes no locks waits for more urgent ones that do."""
        spinning = {n: self.spinning(n) for members in self.samples.values() for n in members}
        writing = {n: self.writing(n) for n, s in enumerate(self.stages) if s.key[0] == "job"}
        stalled = {number: self.stalled(number) for number in spinning}
        return {
            number: Wait(
                spinning.get(number, 0),
                self.first(number, spinning, writing),
                stalled.get(number, 0),
            )
            for number in range(len(self.stages))
        }

    def first(self, number: int, spinning: dict[int, int], writing: dict[int, int]) -> int:
        """What comes in a window once: all waits of the units that count in it, while none of them
        executes, and datagrams."""
        total = 0
        if number in spinning:
            total = spinning[number] + self.held(number) + self.joined(number)
        counted = self.counted(number)
        locks = self.sharing.locks(number)
        jobs = [other for other in counted if writing.get(other)]
        if not locks and not jobs:
            return saturated(total)
        window = self.solution.window(number)
        if window is None:
            return UNBOUNDED
        met = self.sharing.met(number)
        waits = sum(self.waiting(lock, window, met.known(lock)) for lock in locks)
        in_turn = self.counted(number, _IN_TURN) - {number} if jobs else ()
        for job in jobs:
            units = self._units(job, window) if job in in_turn else self.solution.count(job, window)
            waits += UNBOUNDED if units is None else units * writing[job]
        if self.compiled.waits_together:
            sending = self._sending(jobs) - (counted - met.thread)
            waits = min(waits, self.together(locks, sending, window, met))
        return saturated(total + waits + self._waking(number, locks, window, counted))

    def _waking(
        self, number: int, locks: frozenset[Lock], window: int, counted: frozenset[int]
    ) -> int:
        """What others of SCHED_DEADLINE keep its thread from when it wakes: each time by a release
        of someone else, that of a writer's lock among them (lemma waking-budgets)."""
        times, own = 0, self.beside(number).own
        for use in (use for lock in locks for use in self.uses[lock] if own.wait):
            if use.stage not in counted:
                if (units := self._units(use.stage, window)) is None:
                    return UNBOUNDED
                is_sent = use.lock[0] == "queue" and self.stages[use.stage].key[0] == "sample"
                times += units * (use.holds + is_sent)
        if own.wait:
            times += sum(self.looks(lock, window) for lock in locks)
            times += sum(self.refusals(lock[1], window) for lock in locks if lock[0] == "queue")
        return saturated(own.waking(times))

    def counted(self, number: int, kinds: frozenset[Delay] = ALL_KINDS) -> frozenset[int]:
        """The stages whose work counts in the windows of one, itself included; or some of them."""
        return self.sharing.counted(number, kinds)

    def _sending(self, jobs: list[int]) -> frozenset[int]:
        """All samples of the flow controllers through which some jobs publish."""
        writers = {self.stages[job].key[1] for job in jobs}
        return frozenset(
            number
            for members in self.samples.values()
            if any(self.stages[member].key[1] in writers for member in members)
            for number in members
        )

    # The lock of a writer

    def spinning(self, number: int) -> int:
        """How long a flow controller tries for one sample while its publisher is in write()."""
        stage, response = self.stages[number], self.solution.response(number)
        thread = self.system.threads[stage.key[1]]
        job = stage.inputs[0].source
        if self._supply(job) == self._supply(number):
            above = self.system.flow_controllers[stage.server[1]].priority > thread.priority
            return UNBOUNDED if above else 0  # it never lets the publisher go on
        if response is None:
            return UNBOUNDED
        assert self.system.fastdds is not None
        write = min(thread.wcet, self.system.fastdds.write or thread.wcet)
        writes = self.solution.count(number, response)
        work = writes * write  # each before it sleeps for the queue's lock, and after that
        spinning = self.lasting(job, Holds(write, work, 2 * writes))
        return min(spinning, work + self._interrupting(job, response), response)

    def stalled(self, number: int) -> int:
        """How long a flow controller tries for one sample while its publisher sleeps in write(),
        because another publisher has the queue's lock."""
        stage, response = self.stages[number], self.solution.response(number)
        queue, job = ("queue", stage.server[1]), stage.inputs[0].source
        mine = frozenset(self.samples[stage.server[1]])
        if {use.stage for use in self.uses[queue]} <= mine | {job}:
            return 0
        if response is None:
            return UNBOUNDED
        return min(response, self.waiting(queue, response, without=mine))

    def writing(self, number: int) -> int:
        """How long one job waits in write() for samples of its own writers that are being sent."""
        thread = self.system.threads[self.stages[number].key[1]]
        controllers: dict[str, list[tuple[int, int]]] = {}
        for publication in thread.publishes:
            key = ("sample", thread.name, publication.topic)
            sample = self.compiled.stage_number.get(key)
            if sample is not None:
                name = publication.flow_controller or ""
                earlier = self._earlier(number, sample)
                if earlier is None:
                    return UNBOUNDED
                units = publication.count * (earlier + 1) - 1
                if units > 0:
                    controllers.setdefault(name, []).append((sample, units))
        return saturated(sum(self._of_one(number, turns) for turns in controllers.values()))

    def _of_one(self, job: int, turns: list[tuple[int, int]]) -> int:
        """All waits for one flow controller, which may have so many turns of each sample."""
        refused = self._refused(job, turns[0][0])
        total = sum(self._turns(job, sample, units, refused) for sample, units in turns)
        if not self._is_below(turns[0][0], job):
            return total
        most = 1 + self._sleeps(job, turns[0][0])
        return min(total, max(self._turns(job, sample, most) for sample, _ in turns))

    def _earlier(self, job: int, sample: int) -> int | None:
        """How many earlier jobs may still have samples in the queue."""
        latency = self.solution.latency(sample)
        if latency is None or self.solution.response(job) is None:
            return None
        stream = self.compiled.streams.of[job]
        window = max(1, latency - stream.best)
        return stream.multiplicity * base_events(self.solution, job, window) - 1

    def _refused(self, job: int, sample: int) -> int:
        """How often samples of a flow controller have a turn for which there is no room, while a
        job is pending."""
        pending = self.solution.response(job)
        return 0 if pending is None else self.refusals(self.stages[sample].server[1], pending)

    def _turns(self, job: int, sample: int, units: int, refused: int = 0) -> int:
        """How long the turns of so many samples take, and some that are refused, while the job
        sleeps."""
        response, pending = self.solution.response(sample), self.solution.response(job)
        assert response is not None and pending is not None
        name, cost = self.stages[sample].server[1], self.stages[sample].cost
        full = self._together(sample)
        others = max((self._datagram(k) for k in self._beside(sample)), default=0)
        turns, mine = units + refused, frozenset([job])
        work = (units + full) * cost + turns * others
        here = mine | frozenset(self.samples[name])
        lasting = work + self._interrupting(sample, pending, mine)
        locks = [use.lock for use in self.of[sample]]
        if all(
            use.stage in here for lock in locks for use in self.uses[lock]
        ):  # no sleep in a turn
            holds = Holds((full + 1) * cost + others, work, turns)
            lasting = min(lasting, self.lasting(sample, holds, mine))
        send = next(lock for lock in locks if lock[0] == "send")
        return min(units * response, lasting + self.waiting(send, pending, here))

    def _is_below(self, sample: int, job: int) -> bool:
        """Whether the flow controller runs only while the publisher sleeps, or has no job."""
        controller = self.system.flow_controllers[self.stages[sample].server[1]]
        thread = self.system.threads[self.stages[job].key[1]]
        same = self._supply(job) == self._supply(sample)
        return same and controller.priority < thread.priority

    def _sleeps(self, job: int, sample: int) -> int:
        """How often a job may sleep for locks that others than its flow controller have."""
        known = (self.stages[job].server, self.stages[sample].server)
        return sum(
            use.holds
            for use in self.of[job]
            if any(self.stages[other.stage].server not in known for other in self.uses[use.lock])
        )

    # Datagrams

    def _together(self, number: int) -> int:
        """How many samples of a writer leave in one datagram at most."""
        most = samples_together(self.system.topics[self.stages[number].key[2]].size)
        pending = self.solution.pending(number)
        return most if pending is None else min(most, pending)

    def _datagram(self, number: int) -> int:
        return self._together(number) * self.stages[number].cost

    def _beside(self, number: int) -> list[int]:
        """The other writers of the flow controller."""
        return [k for k in self.samples[self.stages[number].server[1]] if k != number]

    def held(self, number: int) -> int:
        """The datagram, of whichever writer, that leaves when the window of a sample opens: with
        the choice of one that goes before it, though it would not if both waited. That one counts
        as blocking, or in its turn, anyway."""
        stage = self.stages[number]
        policy, own = policy_of(self.system, stage.server[1]), self._sender(number)
        if not any(policy.holds_before(self._sender(k), own) for k in self._beside(number)):
            return 0
        return max(self._datagram(k) for k in self.samples[stage.server[1]])

    def _sender(self, number: int) -> Sender:
        stage = self.stages[number]
        return self.senders[stage.server[1]][stage.key[1], stage.key[2]]

    def joined(self, number: int) -> int:
        """Later samples of the same writer that leave in one datagram with a sample."""
        pending = self.solution.pending(number)
        cost = self.stages[number].cost
        most = samples_together(self.system.topics[self.stages[number].key[2]].size)
        later = most if pending is None else min(most, pending - 1)
        return later * cost
