"""Stages are done no later than the path to them takes (lemma latest-by-path)."""

import copy

import pytest

import ddsrta
from ddsrta.bounds.end_to_end_window.ceilings import starts
from ddsrta.bounds.end_to_end_window.windows import ways_back
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.evidence.explained import explain
from ddsrta.bounds.solve import solve
from ddsrta.checker import check
from ddsrta_kernel.problem import MOST_BACK
from tests.bounds.test_one_at_a_time import CALM, robot

WITHOUT = ddsrta.Refinements(latest_by_paths=False)
CIRCLE = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  p0: {core: m/a, priority: 5, wcet: 4ms, period: 20ms}
  p1: {core: m/a, priority: 9, wcet: 2ms, follows: {threads: [p0]}}
  p2: {core: m/c, priority: 3, wcet: 1ms, follows: {threads: [p1]}}
  p3: {core: m/a, priority: 4, wcet: 3ms, follows: {threads: [p2]}}
  q0: {core: m/a, priority: 10, wcet: 5ms, period: 30ms}
  q1: {core: m/b, priority: 6, wcet: 5ms, follows: {threads: [q0]}}
  q2: {core: m/c, priority: 8, wcet: 2ms, follows: {threads: [q1]}}
chains: {p: {path: [p0, p1, p2, p3]}}
"""

LATER = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  p0: {core: m/b, priority: 5, wcet: 30ms, period: 100ms}
  p1: {core: m/a, priority: 5, wcet: 2ms, follows: {threads: [p0]}}
  p2: {core: m/c, priority: 5, wcet: 1ms, follows: {threads: [p1]}}
  p3: {core: m/a, priority: 4, wcet: 3ms, follows: {threads: [p2]}}
  q: {core: m/a, priority: 9, wcet: 5ms, period: 30ms}
chains: {p: {path: [p0, p1, p2, p3]}}
"""


def test_a_thread_is_done_when_the_path_to_it_is():
    system = ddsrta.loads(CIRCLE)
    latency = [solve(system, some).latency(("job", "p3")) for some in (WITHOUT, None)]
    assert latency == [28_000_000, 17_000_000]  # 4 + 2 + 3 + 5 on a, 1 + 2 on c


def test_what_comes_late_counts_from_there():
    system = ddsrta.loads(LATER)
    latency = [solve(system, some).latency(("job", "p3")) for some in (WITHOUT, None)]
    # from p0 on, 46 ms, q comes twice; from p1 on, 11 ms, once: 30 + (5 + 2 + 3) on a + 1 on c
    assert latency == [46_000_000, 41_000_000]
    found = explain(system, "p").explanations[0]
    assert [(stage.stage, stage.total) for stage in found.stages] == [
        ("thread p0", 30_000_000),
        ("thread p3", 11_000_000),
    ]


def test_windows_begin_with_the_first_stage_and_near_the_last():
    assert list(starts(4)) == [0, 1, 2]
    assert list(starts(MOST_BACK + 3)) == [0, *range(3, MOST_BACK + 2)]


def test_chains_through_one_listener_come_closer_to_their_runs():
    system = robot(CALM, 600)
    found, plain = ddsrta.analyze(system), ddsrta.analyze(system, refinements=WITHOUT)
    assert found.check.status == plain.check.status == "confirmed"
    pairs = [(chain.latency, plain.chains[name].latency) for name, chain in found.chains.items()]
    assert all(now <= before for now, before in pairs)
    assert sum(now for now, _ in pairs) < sum(before for _, before in pairs)


@pytest.mark.parametrize("text", [CIRCLE, LATER])
def test_a_nanosecond_less_is_refuted(text):
    given = certificate(ddsrta.loads(text))
    assert check(given).status == "confirmed"
    for stage in given["stages"]:
        if stage.get("path"):
            wrong = copy.deepcopy(given)
            (claim,) = (one for one in wrong["stages"] if one["stage"] == stage["stage"])
            claim["latency"] -= 1
            assert check(wrong).status == "refuted"
    assert any(stage.get("path") for stage in given["stages"])


def test_where_several_ways_meet_none_of_them_says_it():
    both = CIRCLE.replace("follows: {threads: [p2]}", "follows: {threads: [p2, q2]}")
    compiled = solve(ddsrta.loads(both)).compiled
    assert compiled.stage_number["job", "p3"] not in ways_back(compiled)
