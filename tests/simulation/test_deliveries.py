"""Where messages come from, as the trace tells it, and as an engine knows that keeps the jobs."""

from __future__ import annotations

from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.deliveries import flow, positions
from ddsrta_simulator.program import ALL
from ddsrta_simulator.twin import Engine
from tests.soundness.generator import random_system
from tests.soundness.ros2 import mixed_system

HORIZON = 2000


class Remembering(Engine):
    """The plain engine, with the jobs behind each job."""

    def __init__(self, program, choices):
        super().__init__(program, choices)
        self.behind = {}
        self.deliveries = []
        self.together = []

    def release(self, thread, reader, causes):
        p = self.program
        tokens = {hop: self.behind[job.thread, job.index] for hop, job, _ in causes}
        job = (thread, self.jobs[thread])
        own = (p.stages[thread][1], job[1])
        self.behind[job] = frozenset().union({own}, *tokens.values())
        if p.thread_activation[thread] == ALL:
            read = {p.hops[hop]: of for hop, of in tokens.items()}
            self.together.append((p.stages[thread][1], read))
        super().release(thread, reader, causes)

    def hand_directly(self, unit, publication):
        of = self.behind[unit.job.thread, unit.job.index]
        starts = self.program.publication_direct[publication : publication + 2]
        for hop in self.program.direct_hop[slice(*starts)]:
            _, topic, target = self.program.hops[hop]
            self.deliveries.append((target, topic, of))
        super().hand_directly(unit, publication)

    def deliver(self, unit):
        hop = self.program.hops[self.program.stream_hop[unit.target]]
        of = self.behind[unit.job.thread, unit.job.index]
        self.deliveries.append((hop.target, hop.topic, of))
        super().deliver(unit)


def test_the_trace_tells_of_which_jobs_each_message_is():
    deepest = delivered = joined = 0
    for seed in range(90):
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
    assert delivered > 2000
    assert joined > 100
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
