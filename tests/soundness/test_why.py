"""What is said of loose bounds: their excess adds up, and their features are those of the system."""

from __future__ import annotations

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.solve import solve
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from ddsrta.simulation.attack.hint import Rivals
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of
from tests.soundness.tightness import tightness
from tests.soundness.why import LOOSE, Delivery, delivery, why

SYSTEM = """
ddsrta: 1
machines: {m: {cores: {a: {}, b: {}, c: {reservation: {budget: 3us, period: 10us}}}}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
delays:
  publisher: {1kB: 1us}
  flow_controller: {1kB: 1us}
  listener: {1kB: 1us}
flow_controllers: {F: {core: m/a, priority: 3}}
listeners: {L: {core: m/b, priority: 2}, R: {core: m/c, priority: 2}}
threads:
  p: {core: m/a, priority: 2, wcet: 1us, arrival: {period: 20us, jitter: 50us, min_distance: 5us},
      publishes: [{topic: x, mode: async, flow_controller: F}]}
  s: {core: m/b, priority: 1, wcet: 1us, subscribes: {topics: [x], listener: L},
      publishes: [{topic: y, mode: sync}]}
  r: {core: m/c, priority: 1, wcet: 1us, period: 50us, subscribes: {topics: [y], listener: R}}
"""


def deliveries(text):
    system = ddsrta.loads(text)
    solution, program = solve(system), program_of(system)
    bounds = bounds_of(program, present(solution))
    worst = attack(program, bounds, 1, Budget(runs=200), span_of(system, program, bounds))
    return [
        delivery(1, solution, Rivals(program), bounds[number], worst.found[number])
        for number, measure in enumerate(program.measures)
        if measure.kind == "ddl"
    ]


def test_features_are_of_what_a_message_meets():
    first, second = deliveries(SYSTEM)
    assert first.message == ("p", "x", "s") and second.message == ("s", "y", "r")
    assert first.policy == "FIFO" and second.policy == "sync"
    both = {
        "jitter above the period",
        "a listener on another core than the sender",
        "a sender without a best case",
    }
    assert first.features == both
    assert second.features == both | {
        "a reservation on its cores",
        "a register at an end",
        "several hops: its publisher is released by others",
    }


def test_what_each_stage_has_too_much_adds_up_to_what_the_bound_has_too_much():
    loose = [d for d in tightness(range(40), runs=3).deliveries if d.excess is not None]
    assert len(loose) > 5 and len({d.policy for d in loose}) > 2
    for each in loose:
        assert each.ratio > LOOSE
        assert sum(each.excess.values()) == each.bound - each.found


def test_the_tables_weigh_every_bound_alike():
    def found(policy, bound, excess, *features):
        return Delivery(1, ("p", "x", "s"), policy, bound, 10, frozenset(features), excess)

    text = why([
        found("sync", 1010, {"publisher": 1000, "network": 0, "listener": 0}, "jitter"),
        found("FIFO", 30, {"flow controller": 5, "network": 0, "listener": 15}, "jitter"),
        found("FIFO", 10, None),
    ])  # fmt: skip
    assert "2 of 3 DDL bounds are more than 2" in text
    assert "| listener | 2 | 38% | 50% |" in text  # (0 % + 75 %) / 2
    assert "| flow controller | 1 | 25% | 0% |" in text
    assert "| jitter | 2 | 3.00 / 101.49 | 100% | 0% |" in text  # to a hundredth
    assert "| any, but one of each system: its median | 1 | 3.00 / 3.00 | 100% |  |" in text
    assert "| none of these | 1 | 1.00 / 1.00 | 0% | 100% |" in text
    assert "none of 1 DDL bounds" in why([found("FIFO", 10, None)])
