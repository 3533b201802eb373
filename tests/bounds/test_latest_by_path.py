"""Stages are done no later than the path to them takes (lemma latest-by-path)."""

import copy

import ddsrta
from ddsrta.bounds.end_to_end_window.windows import ways_back
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.checker import check
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


def test_a_thread_is_done_when_the_path_to_it_is():
    system = ddsrta.loads(CIRCLE)
    latency = [solve(system, some).latency(("job", "p3")) for some in (WITHOUT, None)]
    assert latency == [28_000_000, 17_000_000]  # 4 + 2 + 3 + 5 on a, 1 + 2 on c


def test_chains_through_one_listener_come_closer_to_their_runs():
    system = robot(CALM, 600)
    found, plain = ddsrta.analyze(system), ddsrta.analyze(system, refinements=WITHOUT)
    assert found.check.status == plain.check.status == "confirmed"
    pairs = [(chain.latency, plain.chains[name].latency) for name, chain in found.chains.items()]
    assert all(now <= before for now, before in pairs)
    assert sum(now for now, _ in pairs) < sum(before for _, before in pairs)


def test_a_nanosecond_less_is_refuted():
    given = certificate(ddsrta.loads(CIRCLE))
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
