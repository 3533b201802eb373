"""Flow controllers with a limit take the lock of their queue as they wake (lemma idle-looks). Each
scene is a run, below the bound; without looks nothing of it happens."""

from __future__ import annotations

from array import array

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.solve import solve
from ddsrta.exploration.critical_instant import hints_of
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from ddsrta_simulator import Engine, Measure
from ddsrta_simulator.program import BEST, SHUFFLED
from tests.simulation.drawings import Scene
from tests.simulation.test_fastdds import bound
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of

TOPICS = """middleware: {fastdds: "2.9", write: 5ns}
topics: {a: {size: 1B}}
listeners: {L: {core: m/c4, priority: 50}}
"""
READER = "  R: {core: m/c4, priority: 1, wcet: 1ns, subscribes: {topics: [a], listener: L}}\n"
A = "{core: m/c0, priority: 9, wcet: 10ns, period: 1s, publishes: [{topic: a, flow_controller: F}]}"
B = A.replace("c0", "c1")

# F has nothing to send. It wakes each 100 ns, and X comes just as it looks: A waits for X.
IDLE = f"""{TOPICS}flow_controllers: {{F: {{core: m/c2, priority: 5, limit: {{bytes: 10kB, period: 100ns}}}}}}
threads:
  A: {A}
  X: {{core: m/c2, priority: 19, wcet: 500ns, period: 1s}}
{READER}"""
# X comes at the first look, and Y, as X is done, at the second.
TWICE = f"""{TOPICS}flow_controllers: {{F: {{core: m/c2, priority: 5, limit: {{bytes: 10kB, period: 100ns}}}}}}
threads:
  A: {A}
  X: {{core: m/c2, priority: 19, wcet: 500ns, period: 1s}}
  Y: {{core: m/c2, priority: 19, wcet: 500ns, period: 1s}}
{READER}"""
# From 2.12 on there is a third one: what F sleeps on has a mutex of its own.
THRICE = TWICE.replace("2.9", "3.6").replace(
    READER, f"  Z: {{core: m/c2, priority: 19, wcet: 500ns, period: 1s}}\n{READER}"
)
# The limit is reached: F sleeps from 11 on, and wakes at 100 with the second sample of A to send.
FULL = f"""{TOPICS}flow_controllers: {{F: {{core: m/c2, priority: 5, limit: {{bytes: 300B, period: 100ns}}}}}}
threads:
  A: {A.replace("F}]", "F, count: 2}]")}
  B: {B}
  X: {{core: m/c2, priority: 19, wcet: 500ns, period: 1s}}
{READER}"""
TOLD = f"""{FULL}  C: {A.replace("c0", "c3")}
""".replace("500ns", "20ns")
LONG = """ddsrta: 1
middleware: {fastdds: "2.9", write: 10us}
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1kB: 10us}, listener: {1kB: 10us}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/b, priority: 1, limit: {bytes: 64kB, period: 2ms}}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ms, period: 10s, publishes: [{topic: x, flow_controller: F}]}
  hog: {core: m/b, priority: 9, wcet: 8ms, period: 10ms}
  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x], listener: L}}
"""
SCENES = {
    "idle": (IDLE, {"A": [95], "X": [100]}, ("job", "A"), 506),
    "the_second_look": (TWICE, {"A": [95], "X": [100], "Y": [600]}, ("job", "A"), 1006),
    "the_third_look": (
        THRICE,
        {"A": [95], "X": [100], "Y": [600], "Z": [1100]},
        ("job", "A"),
        1506,
    ),
    "asleep": (FULL, {"A": [0], "B": [95], "X": [100]}, ("job", "B"), 506),
}


def scene(name: str) -> Scene:
    drawn = Scene(*SCENES[name][:2])
    drawn.decide(("limit", "F"), habit=BEST)
    return drawn


@pytest.mark.parametrize("name", SCENES)
def test_who_publishes_waits_for_what_preempts_a_look(name: str) -> None:
    *_, key, expected = SCENES[name]
    drawn = scene(name)
    drawn.trace(2000)
    assert drawn.seen("response")[key] == expected
    least = bound(drawn.system, key)
    assert least is None or least >= expected
    without = scene(name)
    without.program.server_look = array("q", [-1] * len(without.program.servers))
    without.trace(2000)
    assert without.seen("response")[key] < expected


def test_what_comes_wakes_one_that_sleeps_for_its_limit_but_is_not_sent_before_its_time() -> None:
    """B puts a sample there at 60. F looks, and X comes as it does, for 20 ns: C waits for X."""
    drawn = Scene(TOLD, {"A": [0], "B": [50], "C": [55], "X": [60]})
    drawn.decide(("limit", "F"), habit=BEST)
    drawn.choices.tie_mode = SHUFFLED
    seen = set()
    for seed in range(8):
        drawn.choices.tie_seed = seed
        drawn.run = None
        drawn.trace(2000)
        found = drawn.seen("response")
        assert found["sample", "B", "a"] >= 150
        seen.add(found["job", "C"])
    assert seen == {10, 26}


def test_without_locks_nobody_looks() -> None:
    text = IDLE.replace('middleware: {fastdds: "2.9", write: 5ns}\n', "")
    assert set(Scene(text, {"A": [95], "X": [100]}).program.server_look) == {-1}


def test_a_run_that_stops_while_it_looks_goes_on_as_before() -> None:
    first = scene("idle")
    one = Engine(first.program, first.choices, 0, 10**6)
    one.advance(300)
    again = Engine(first.program, first.choices, 0, 10**6)
    again.restore(one.state())
    for each in (one, again):
        each.advance(2000)
    assert one.worst() == again.worst()
    assert max(one.worst()) >= 506


def test_a_search_finds_what_comes_at_a_look() -> None:
    """p waits for hog, which comes each 10 ms, for 8 ms, as F looks: 9.01 ms by the bound."""
    system = ddsrta.loads(LONG)
    program, solution = program_of(system), solve(system)
    bounds = bounds_of(program, present(solution))
    wanted = [program.measures.index(Measure("response", ("job", "p")))]
    hints = hints_of(solution, program, wanted)
    span = span_of(system, program, bounds)
    budget = Budget(runs=1000, events=10**7)
    found = attack(program, bounds, 0, budget, span, measures=wanted, hints=hints)
    assert 8_900_000 < found.seen[wanted[0]] <= bounds[wanted[0]]
