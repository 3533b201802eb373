"""An explanation adds up exactly: terms to stages, stages to the bound."""

from __future__ import annotations

from ddsrta.analysis.chains import segments
from ddsrta.analysis.explain import explain_path
from ddsrta.analysis.paths import named_paths
from ddsrta.analysis.present import chain_result
from ddsrta.analysis.solve import solve
from ddsrta.models.reader import loads
from tests.soundness.generator import random_system


def test_explanations_of_random_systems_add_up() -> None:
    explained = crossing = 0
    for seed in range(120):
        system = random_system(seed)
        solution = solve(system)
        for path in named_paths(system)[0]:
            result = chain_result(solution, path)
            explanation = explain_path(solution, path)
            if explanation.bound is None:
                assert explanation.reason == result.unbounded_because
                assert explanation.reason, (seed, path.name)
                continue
            explained += 1
            crossing += len(segments(solution, path.start, path.hops)) > 1
            assert sum(stage.total for stage in explanation.stages) == explanation.bound
            for stage in explanation.stages:
                assert sum(term.time for term in stage.terms) == stage.total, (seed, stage)
    assert explained > 200
    assert crossing > 20


JOIN = """\
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
threads:
  left: {core: m/a, priority: 50, wcet: 1ms, bcet: 1ms, period: 10ms}
  slow: {core: m/b, priority: 50, wcet: 5ms, bcet: 0ms, period: 10ms}
  right: {core: m/c, priority: 50, wcet: 1ms, bcet: 0ms, follows: {threads: [slow], delay: 25ms, best: 25ms}}
  both: {core: m/d, priority: 50, wcet: 2ms, follows: {threads: [left, right], activation: and}}
chains:
  left: {path: [left, both]}
"""


def test_a_token_waits_for_its_number_not_for_the_next_arrival() -> None:
    """The other branch takes 25 to 31 ms and may start a period late: its first token comes at up to
    10 + 31 = 41 ms, ours at the earliest after 1 ms. Its arrivals are at most 16 ms apart, and that
    does not bound the wait: every later token waits as long as the first."""
    result = solve(loads(JOIN))
    chain = chain_result(result, named_paths(result.system)[0][0])
    assert chain.latency == 3_000_000
    assert chain.data_latency == 1_000_000 + 40_000_000 + 2_000_000


def test_a_slower_partner_never_catches_up() -> None:
    text = JOIN.replace("wcet: 5ms, bcet: 0ms, period: 10ms", "wcet: 5ms, period: 11ms")
    solution = solve(loads(text))
    chain = chain_result(solution, named_paths(solution.system)[0][0])
    assert chain.latency is not None
    assert chain.data_latency is None
    assert "keep pace" in (chain.unbounded_because or "")


REGISTER = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  sensor: {core: m/a, priority: 50, wcet: 2ms, period: 7ms}
  filter: {core: m/b, priority: 50, wcet: 3ms, arrival: {period: 10ms, jitter: 1ms}, follows: {threads: [sensor]}}
  actor: {core: m/c, priority: 50, wcet: 4ms, period: 25ms, follows: {threads: [filter]}}
chains:
  age: {path: [sensor, filter, actor], deadline: 27ms, constraint: data_age}
  reaction: {path: [sensor, filter, actor], deadline: 51ms, constraint: reaction_time}
"""


def test_age_and_reaction_across_registers_of_unrelated_periods() -> None:
    """Age: 2 + 7 until the next value is there, 3 + 11, and 4. Reaction: a stimulus just missed waits
    7, is read and there after 2, waits for a release for 11, 3, 25, and 4."""
    solution = solve(loads(REGISTER))
    age, reaction = (chain_result(solution, path) for path in named_paths(solution.system)[0])
    assert age.latency is None
    assert age.data_age == (2 + 7 + 3 + 11 + 4) * 1_000_000
    assert age.met
    assert reaction.reaction_time == (7 + 2 + 11 + 3 + 25 + 4) * 1_000_000
    assert not reaction.met
