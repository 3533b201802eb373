"""Jobs of threads, which are generators as messages are, and the paths that end with them."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.models.graph import Hop
from ddsrta_simulator import Choices, Program
from ddsrta_simulator.program import ARRIVED, ASYNC, WORST
from tests.simulation.oracle.messages import Messages
from tests.simulation.oracle.things import Job, Unit

Paths = dict[tuple[str, ...], tuple[Hop, ...]]


class Jobs(Messages):
    """From their arrival to their end."""

    def __init__(self, program: Program, choices: Choices, paths: Paths) -> None:
        super().__init__(program, choices)
        self.paths = paths
        self.known: dict[tuple[str, ...], Job] = {}

    def arrive(self, job: Job, hop: int) -> None:
        """A job arrives; the hop is what released it."""
        unit = Unit(job.thread, job.index, job, self.now, job.asked)
        unit.steps, unit.hop = self.execute(unit), hop
        self.trace(ARRIVED, job.thread, job.index, hop)
        unit.step()
        self.push(unit, self.p.hop_queue[hop] if hop >= 0 else self.p.stage_queue[job.thread])

    def execute(self, unit: Unit) -> Iterator[int]:
        """A job executes up to the point of each message, and sends its copies by itself, or hands a
        sample over."""
        p, job, thread = self.p, unit.job, unit.job.thread
        steps = p.step_publication[slice(*p.thread_step[thread : thread + 2])]
        best, worst = p.thread_best[thread], p.thread_worst[thread]
        whole = self.amount(p.thread_decision[thread], job.index, job.arrival, best, worst)
        done = sending = 0
        for number, publication in enumerate(steps, job.index * len(steps)):
            if not self.sends(publication, job):
                continue
            low = max(done, p.publication_earliest[publication] - sending)
            whole = max(whole, low)
            point = self.amount(p.thread_point[thread], number, job.arrival, low, whole)
            until, done = point - done, point
            if p.publication_mode[publication] == ASYNC:
                yield until
                self.hand_directly(job, publication)
                if p.publication_stage[publication] >= 0:
                    self.hand_over(unit, publication)
                continue
            first = bool(self.direct(publication)) and bool(
                self.amount(p.publication_first[publication], number, job.arrival, 0, 1)
            )
            if first:
                yield until
                until = 0
                self.hand_directly(job, publication)
            for hop, cost in self.local(publication, number, job.arrival):
                sending += cost
                yield until + cost
                until = 0
                self.hand_to([hop], job, publication)
            for copy in range(self.readers(publication)):
                cost = self.cost(publication, number, copy, job.arrival)
                sending += cost
                yield until + cost
                until = 0
                self.leave(unit, publication, number, copy)
            if not first:
                self.hand_directly(job, publication)
        yield whole - done

    def sends(self, publication: int, job: Job) -> bool:
        """Whether a job sends this: the first ones of each turn of so many jobs may."""
        of, decision = self.p.publication_of[publication], self.p.publication_leaves[publication]
        if not of:
            return True
        if 0 < self.p.publication_rounds[publication] <= job.round:
            return False
        if (choice := self.p.publication_choice[publication]) >= 0:
            last, place = (
                self.p.publication_others[publication],
                self.p.publication_place[publication],
            )
            if self.amount(choice, job.index, job.arrival, 0, last) != place:
                return False
        begun = 0 if self.for_good(decision) == WORST else self.c.decision_seed[decision]
        turn = (job.index + begun) % of
        wants = self.amount(decision, job.index, job.arrival, 0, 1) == 1
        return turn < self.p.publication_most[publication] and wants

    def completed(self, unit: Unit) -> None:
        """Of whatever was done."""
        p, job, stage = self.p, unit.job, unit.stage
        if stage >= self.threads:
            self.see(p.stage_response[stage], self.now - unit.arrival)
            return
        self.see(p.stage_response[stage], self.now - job.asked)
        self.count(job.reader, -1)
        self.measure_paths(job)
        for link in range(*p.thread_link[stage : stage + 2]):
            best, worst = p.link_best[link], p.link_worst[link]
            delay = self.amount(p.link_decision[link], self.told[link], self.now, best, worst)
            self.told[link] += 1
            self.travel(self.streams + link, Unit(-1, 0, job, self.now, job.asked), delay)

    def measure_paths(self, job: Job) -> None:
        """How long ago the first job of each path was, of those that end here."""
        for path, hops in self.paths.items():
            if self.p.stages[job.thread][1] == path[-1]:
                first, always_last = self.first_of(job, hops)
                if first is not None:
                    self.measure(path, first, always_last)

    def first_of(self, job: Job, hops: tuple[Hop, ...]) -> tuple[Job | None, bool]:
        """From job to job back to where a path begins; whether each was what came last."""
        always_last = True
        for hop in reversed(hops):
            number = self.p.hops.index(hop)
            if number not in job.behind:
                return None, False
            job, came_last = job.behind[number]
            always_last &= came_last
        return job, always_last

    def measure(self, path: tuple[str, ...], first: Job, always_last: bool) -> None:
        """Its age; and when it is newer than what was seen, what happened just after that was
        reacted to only now."""
        age = self.now - first.arrival
        found = {"latency": age, "data_age": age}
        if always_last:
            found["trigger_latency"] = age
        known = self.known.get(path, self.jobs[first.thread][0])
        if first.index > known.index:
            found["reaction_time"] = self.now - known.arrival
            self.known[path] = first
        for number, measure in enumerate(self.p.measures):
            if measure.of == path and measure.kind in found:
                self.see(number, found[measure.kind])
