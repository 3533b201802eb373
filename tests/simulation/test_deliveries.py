"""Where messages come from, as the trace tells it, and as an engine knows that keeps the jobs."""

from __future__ import annotations

from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.deliveries import flow, positions
from ddsrta_simulator.program import TIMED
from ddsrta_simulator.simulator import Engine
from tests.effort import draws
from tests.soundness.generator import random_system
from tests.soundness.ros2 import mixed_system

HORIZON = 2000


class Remembering(Engine):
    """The interpreted engine, with the jobs behind each job."""

    def __init__(self, program, choices):
        self.behind, self.read = {}, {}  # by the number of a job
        self.deliveries = []
        self.together = []
        super().__init__(program, choices)

    def make_job(self, thread, reader):
        index = self.released[thread]
        job = super().make_job(thread, reader)
        self.behind[job] = frozenset({(self.p.stages[thread][1], index)})
        self.read[job] = {}
        return job

    def carry(self, hop, source, job, came_last):
        if self.p.thread_activation[self.p.hop_target[hop]] != TIMED:
            self.behind[job] |= self.behind[source]
            self.read[job][self.p.hops[hop]] = self.behind[source]
        super().carry(hop, source, job, came_last)

    def join(self, thread):
        super().join(thread)
        self.together.append((self.p.stages[thread][1], self.read[self.last]))

    def arrive(self, thread, job, hop):
        self.last = job
        super().arrive(thread, job, hop)

    def hand_directly(self, i, publication):
        of = self.behind[self.unit[i].job]
        starts = self.p.publication_direct[publication : publication + 2]
        for hop in self.p.direct_hop[slice(*starts)]:
            _, topic, target = self.p.hops[hop]
            self.deliveries.append((target, topic, of))
        super().hand_directly(i, publication)

    def deliver(self, i):
        hop = self.p.hops[self.p.stream_hop[self.unit[i].target]]
        self.deliveries.append((hop.target, hop.topic, self.behind[self.unit[i].job]))
        super().deliver(i)


def test_the_trace_tells_of_which_jobs_each_message_is():
    deepest = delivered = joined = 0
    for seed in range(draws(30, of=90)):
        system = mixed_system(seed)
        program = program_of(system)
        choices = random_choices(program, seed, HORIZON)
        found = flow(program, choices, HORIZON)
        engine = Remembering(program, choices)
        engine.advance(HORIZON)
        assert found.deliveries == engine.deliveries, f"seed {seed}"
        assert found.together == engine.together, f"seed {seed}"
        run = Run(program, choices)
        run.advance(HORIZON)
        assert len(found.deliveries) == run.messages
        delivered += run.messages
        joined += len(found.together)
        deepest = max([deepest, *(len(d.of) for d in found.deliveries)])
    assert delivered > 600
    assert joined > 30
    assert deepest >= 4


def test_positions_are_those_of_the_messages_of_one_subscriber_and_origin():
    checked = 0
    for seed in range(20):
        system = random_system(seed)
        program = program_of(system)
        log = flow(program, random_choices(program, seed, HORIZON), HORIZON).deliveries
        for subscriber, topic, of in log[-1:]:
            for origin, number in of:
                places = positions(log, subscriber, origin, [topic])[number]
                assert places == {
                    topic: [
                        place
                        for place, each in enumerate(log)
                        if each[:2] == (subscriber, topic) and (origin, number) in each.of
                    ]
                }
                checked += 1
    assert checked >= 15
