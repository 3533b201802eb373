"""Attacks find the worst cases that are known, and nothing beyond a bound."""

from __future__ import annotations

import subprocess
import sys
from array import array
from random import Random

import pytest

import ddsrta
from ddsrta.bounds.solve import solve
from ddsrta.exploration.critical_instant import hints_of
from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from ddsrta.simulation.attack import Budget, attack, attack_all
from ddsrta.simulation.attack.apart import MOST, Apart
from ddsrta.simulation.attack.attack import horizon_of
from ddsrta.simulation.attack.search import CLIMBED, Search
from ddsrta_simulator import Choices, Measure
from ddsrta_simulator.program import COMPLETED, RECORD, TRACE
from tests.effort import draws
from tests.soundness import draw
from tests.soundness.bounds import bounds_of
from tests.soundness.focused import focused_system
from tests.soundness.generator import random_system

HEAD = """
ddsrta: 1
name: attacked
machines: {m: {cores: [a, b, c]}}
"""


def job(name):
    return Measure("response", ("job", name))


def threads(*lines):
    return ddsrta.loads(HEAD + "threads:\n" + "".join(f"  {line}\n" for line in lines))


def test_the_critical_instants_of_textbook_sets_are_found():
    liu_and_layland = threads(
        "t1: {core: m/a, priority: 3, wcet: 40us, period: 100us}",
        "t2: {core: m/a, priority: 2, wcet: 40us, period: 150us}",
        "t3: {core: m/a, priority: 1, wcet: 100us, period: 350us}",
    )
    worst = [attack(liu_and_layland, job(name), 1, runs=50).worst for name in ("t1", "t2", "t3")]
    assert worst == [40_000, 80_000, 300_000]


def test_what_comes_rarely_is_quiet_until_much_waits_for_it():
    """Four of `slow` have come when `rare` begins; then `both` runs for each."""
    joined = threads(
        "slow: {core: m/a, priority: 1, wcet: 1us, bcet: 1us, period: 100us}",
        "rare: {core: m/b, priority: 1, wcet: 1us, bcet: 1us, arrival: {sporadic: 10us}}",
        "both: {core: m/c, priority: 2, wcet: 20us, follows: {threads: [slow, rare], "
        "activation: and}}",
    )
    assert attack(joined, job("both"), 1, runs=200).worst >= 50_000  # 20, 20 - 10 + 20, and so on


def test_the_worst_job_need_not_be_the_first_of_its_window():
    lehoczky = threads(
        "t1: {core: m/a, priority: 2, wcet: 26us, period: 70us}",
        "t2: {core: m/a, priority: 1, wcet: 62us, period: 100us}",
    )
    assert attack(lehoczky, job("t2"), 1, runs=50).worst == 118_000


def test_jitter_is_used_up_just_before_the_burst():
    # The urgent one comes at 0 and, as its jitter was used up, at 10 - 6: 3 + 4 + 3 = 10.
    system = threads(
        "urgent: {core: m/a, priority: 2, wcet: 3us, bcet: 1us,"
        " arrival: {period: 10us, jitter: 6us}}",
        "slow: {core: m/a, priority: 1, wcet: 4us, period: 100us}",
    )
    assert attack(system, job("slow"), 1, runs=50).worst == 10_000


CONTROLLED = (
    HEAD
    + """
topics: {A: {size: 1B, priority: 1}, B: {size: 1B, priority: 2}}
flow_controllers: {F: {core: m/b, priority: 9, policy: %s}}
listeners: {L: {core: m/c, priority: 9}}
threads:
  pa: {core: m/a, priority: 2, wcet: 1us, period: 1ms,
       publishes: [{topic: A, mode: async, flow_controller: F, delay: 10us}]}
  pb: {core: m/a, priority: 1, wcet: 3us, period: 1ms,
       publishes: [{topic: B, mode: async, flow_controller: F, delay: 100us}]}
  r: {core: m/c, priority: 1, wcet: 1us, subscribes: {topics: [A, B], listener: L, delay: 1us}}
"""
)


@pytest.mark.parametrize("policy", ["FIFO", "HIGH_PRIORITY", "ROUND_ROBIN"])
def test_a_long_sample_that_was_first_is_waited_for(policy):
    """B of 100 us begins just before A of 10 us is handed over, whatever comes next in turn."""
    system = ddsrta.loads(CONTROLLED % policy)
    sample = Measure("response", ("sample", "pa", "A"))
    message = next(m for m in ddsrta.analyze(system).messages if m.topic == "A")
    assert 109_000 <= attack(system, sample, 1, runs=400).worst <= message.flow_controller


def test_the_published_bound_of_a_sample_served_in_turn_is_refuted():
    system = ddsrta.loads(CONTROLLED % "ROUND_ROBIN")
    published = ddsrta.analyze(system, profile="published")
    claimed = next(m for m in published.messages if m.topic == "A").flow_controller
    found = attack(system, Measure("response", ("sample", "pa", "A")), 1, runs=400)
    assert claimed < found.worst


def test_all_of_a_fifo_burst_is_waited_for():
    rows = "".join(
        f"  p{i}: {{core: m/{core}, priority: {i}, wcet: 1us, bcet: 1us, period: 1ms, publishes: "
        f"[{{topic: T, mode: async, flow_controller: F, delay: 10us}}]}}\n"
        for i, core in enumerate("abc", 1)
    )
    system = ddsrta.loads(
        "ddsrta: 1\nname: burst\nmachines: {m: {cores: [a, b, c, d, e]}}\n"
        "topics: {T: {size: 1B}}\n"
        "flow_controllers: {F: {core: m/d, priority: 9, policy: FIFO}}\n"
        "listeners: {L: {core: m/e, priority: 9}}\n"
        f"threads:\n{rows}"
        "  r: {core: m/e, priority: 1, wcet: 1us,"
        " subscribes: {topics: [T], listener: L, delay: 1us}}\n"
    )
    for publisher in ("p1", "p2", "p3"):
        sample = Measure("response", ("sample", publisher, "T"))
        assert attack(system, sample, 1, runs=200).worst == 30_000


def drawn(seed):
    return random_system(seed) if seed % 2 else focused_system(seed)


def responses(result):
    jobs = {**result.threads, **result.callbacks}
    return {job(name): found.wcrt for name, found in jobs.items()} | {
        Measure("ddl", (m.publisher, m.topic, m.subscriber)): m.ddl for m in result.messages
    }


def test_no_bound_is_exceeded():
    seen = 0
    for seed in range(draws(10, of=25)):
        system = drawn(seed)
        program = program_of(system)
        bounds = [-1] * len(program.measures)
        for measure, bound in responses(ddsrta.analyze(system)).items():
            bounds[program.measures.index(measure)] = -1 if bound is None else int(bound)
        wanted = [number for number, bound in enumerate(bounds) if bound >= 0]
        for found in attack_all(program, wanted, seed, Budget(runs=100), bounds=bounds):
            assert found.worst <= bounds[found.number], (seed, found.measure)
            seen += found.worst > 0
    assert seen > 40


def test_the_same_seed_finds_the_same():
    systems = (drawn(seed) for seed in range(1, 20))
    system = next(s for s in systems if any(s.readers(topic) for topic in s.topics))
    measures = [m for m in program_of(system).measures if m.kind == "ddl"]
    one, two = (attack(system, measures[0], 5, runs=80) for _ in range(2))
    assert one == two
    assert one.choices != attack(system, measures[0], 6, runs=80).choices


def test_a_search_goes_on_from_what_is_known():
    program = program_of(drawn(1))
    one, *others = range(len(program.measures))
    first = attack_all(program, [one, *others], 1, Budget(runs=60))
    (again, *rest) = attack_all(program, [one], 2, Budget(runs=5), known=first)
    assert [again.number, *(found.number for found in rest)] == [one, *others]
    assert all(new.worst >= old.worst for new, old in zip((again, *rest), first, strict=True))
    assert all(found.replay().worst[found.number] == found.worst for found in (again, *rest))


def test_critical_instants_of_many_wait_until_these_were_climbed():
    class Counted(Search):
        gathered: tuple[int, ...] = ()

        def gather(self, measure):
            self.gathered += (measure,)
            super().gather(measure)

    program = program_of(drawn(1))
    search = Counted(program, range(len(program.measures)), 1, horizon_of(program))
    search.begin()
    assert not search.gathered
    for _ in range(100 * len(search.wanted)):
        search.step()
    often = [measure for measure, climbs in enumerate(search.climbs) if climbs >= CLIMBED]
    assert sorted(search.gathered) == often
    assert often


def test_an_attack_on_one_finds_more_than_random_runs():
    """Of messages that random runs do not take to their bounds, as many events for each."""
    events, better, worse = 30_000, 0, 0
    for seed in range(0, draws(16, of=40), 2):
        system = drawn(seed)
        program = program_of(system)
        horizon = horizon_of(program)
        at_random = [-1] * len(program.measures)
        spent = number = 0
        while spent < events:
            run = Run(program, random_choices(program, number, horizon), histograms=False)
            run.advance(horizon)
            at_random = list(map(max, at_random, run.worst))
            spent += run.events + 50
            number += 1
        result = responses(ddsrta.analyze(system))
        open_ones = [
            (i, bound)
            for i, measure in enumerate(program.measures)
            if (bound := result.get(measure)) is not None and 0 < at_random[i] < bound
        ]
        for i, _ in open_ones[:1]:
            hints = hints_of(solve(system), program, [i])
            (found,) = attack_all(program, [i], 1, Budget(events=events), hints=hints)
            better += found.worst > at_random[i]
            worse += found.worst < at_random[i]
    assert better > 2 * worse


def test_a_replay_shows_the_worst_instance():
    system = drawn(3)
    measure = next(m for m in program_of(system).measures if m.kind == "response")
    found = attack(system, measure, 1, runs=40)
    run = found.replay()
    assert run.worst[found.number] == found.worst
    rows = run.take_trace()
    stage = found.program.stages.index(measure.of)
    ends = [
        rows[i]
        for i in range(0, len(rows), TRACE)
        if tuple(rows[i + 1 : i + 3]) == (COMPLETED, stage)
    ]
    assert found.end in ends
    assert found.begin == found.end - found.worst


def test_an_attack_needs_nothing_of_the_analysis():
    """Else a mistake of the analysis could hide from the runs that are to show it."""
    code = (
        "import sys, ddsrta.simulation.attack; "
        "sys.exit(any(name.startswith('ddsrta.bounds') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_single_instance_may_take_something_else():
    """The second job alone is short, and the third release alone comes after a pause."""
    system = threads("t: {core: m/a, priority: 1, wcet: 4us, bcet: 1us, arrival: {sporadic: 10us}}")
    program = program_of(system)
    choices = worst_choices(program)
    for of, number, value in ((0, 1, 2_000), (-2, 1, 5_000), (0, 2, 99_000)):
        choices.apart_of.append(of)
        choices.apart_number.append(number)
        choices.apart_value.append(value)
    with pytest.raises(ValueError, match="apart"):
        Run(program, choices)
    choices.aparts = 3
    run = Run(program, choices, records=100)
    run.advance(40_000)
    rows = run.take_records()
    ends = [(rows[at + 1], rows[at + 2]) for at in range(0, len(rows), RECORD)]
    assert sorted(set(ends)) == [(4_000, 4_000), (12_000, 2_000), (29_000, 4_000), (39_000, 4_000)]


def test_who_is_stuck_changes_single_instances():
    """What is found so is found again, and the habits of the others are as they were."""
    system = draw.drawn(46)
    program = program_of(system)
    bounds = bounds_of(program, ddsrta.analyze(system))
    wanted = [m for m, bound in enumerate(bounds) if bound >= 0]
    found = attack_all(program, wanted, 1, Budget(runs=1500), bounds=bounds)
    apart = [one for one in found if one.choices.aparts]
    assert apart
    for one in apart:
        assert one.replay().worst[one.number] == one.worst
        assert one.choices.aparts <= MOST


def test_instances_apart_are_changed_within_what_may_be():
    """Only those near the worst one; in place of others where there are many."""
    change = Apart(Random(1), lambda: 3)
    noted = array("q")
    for number in range(100):
        noted.extend((number % 2, number, 10 * number, 2, 9, 9))
    choices = Choices()
    for _ in range(200):
        change.change(choices, noted, 700, 900)
    assert len(choices.apart_of) == choices.aparts == MOST
    assert min(choices.apart_number) >= 30  # 700 - 2 · 200
    assert set(choices.apart_value) <= set(range(2, 10))
    assert len(set(choices.apart_value)) > 4
