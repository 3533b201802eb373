"""ANDs that match by number come no more often than their slowest input (lemmas slowest-input and
slowest-release)."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.slowest_input.waits import MOST_ROUNDS
from ddsrta.bounds.slowest_input.ways import MOST_TOKENS, behind
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of

WITHOUT = ddsrta.Refinements(slowest_inputs=False)
UNRELEASED = ddsrta.Refinements(slowest_releases=False)
MS = 1_000_000
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
threads:
  fast: {core: m/a, priority: 1, wcet: 1ms, FAST}
  slow: {core: m/b, priority: 1, wcet: 2ms, SLOW}
  more: {core: m/d, priority: 1, wcet: 1ms, period: 30ms}
  both: {core: m/c, priority: 2, wcet: 4ms, follows: {threads: [fast, slow], activation: and}}
  all: {core: m/e, priority: 2, wcet: 4ms, follows: {threads: [both, LAST], activation: HOW}}
  other: {core: m/c, priority: 1, wcet: 20ms, period: 100ms}
  last: {core: m/e, priority: 1, wcet: 20ms, period: 100ms}
chains: {way: {path: [other]}}
"""


def system_of(fast="period: 10ms", slow="period: 50ms", last="more", how="and", **changes):
    """Two joins in a row, before threads that they preempt."""
    text = TEXT.replace("FAST", fast).replace("SLOW", slow).replace("LAST", last)
    for old, new in changes.items():
        text = text.replace(old, new)
    return ddsrta.loads(text.replace("HOW", how))


def responses(system, refinements=None):
    """Of the threads that the joins preempt, in ms."""
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed" and result.check.without == ()
    return tuple(result.threads[name].wcrt / MS for name in ("other", "last"))


def test_a_join_preempts_as_often_as_its_slowest_input_comes():
    # both: in 24 ms the slow one comes once, also if its token waits for 11 ms. all: likewise, with
    # 11 + 4 + 4 more at most; by the fastest inputs each 10 ms.
    assert responses(system_of()) == (24, 24)
    assert responses(system_of(), WITHOUT) == (36, 40)


def test_what_waits_for_longer_comes_at_once():
    # The first token of fast comes by 10 + 60 + 1 ms: two of slow may wait for it by then.
    assert responses(system_of(fast="arrival: {period: 10ms, jitter: 60ms}"))[0] == 28


def test_one_nanosecond_less_is_refuted():
    claims = ddsrta.analyze(system_of()).certificate
    assert check(claims).ok
    (claim,) = [one for one in claims["stages"] if one["stage"] == ["job", "other"]]
    claim["response"] -= 1
    assert check(claims).status == "refuted"


@pytest.mark.parametrize(
    "change",
    [
        {"fast": "arrival: {sporadic: 10ms}"},  # of which no next one has to come
        {"slow": "arrival: {burst: {count: 2, distance: 1ms, period: 100ms}}"},
    ],
)
def test_sources_that_keep_no_period_say_nothing(change):
    system = system_of(**change)
    assert not solve(system).compiled.slowest
    assert responses(system) == responses(system, WITHOUT)


def test_a_sporadic_source_may_be_the_slowest():
    assert responses(system_of(slow="arrival: {sporadic: 50ms}")) == (24, 24)


def test_a_fast_source_that_has_to_come_keeps_up():
    assert responses(system_of(fast="arrival: {sporadic: 5ms, max_distance: 10ms}"))[0] == 24


def test_an_or_job_brings_as_much_as_any_of_its_inputs():
    # Of fast nobody knows when it comes. But slow brings a token to `both` each 20 ms, which is
    # there 20 + 2 + 8 ms later than that of `more`: two of these may wait.
    text = {"[fast, slow], activation: and": "[fast, slow], activation: or"}
    system = system_of(fast="arrival: {sporadic: 10ms}", slow="period: 20ms", **text)
    (slowest,) = solve(system).compiled.slowest.values()
    assert slowest.times == 1 and not slowest.due.inputs[0][1].needs_all
    assert responses(system)[1] == 28 < responses(system, WITHOUT)[1]


def test_behind_an_or_job_no_source_is_the_slowest():
    text = {"[fast, slow], activation: and": "[fast, slow], activation: or"}
    system = system_of(fast="period: 60ms", slow="period: 70ms", **text)
    assert not solve(system).compiled.slowest


def test_the_load_is_that_of_the_slowest_input():
    for refinements, share in ((None, 0.28), (WITHOUT, 0.6)):
        cores = ddsrta.analyze(system_of(), refinements=refinements).cores
        assert cores["m/c"].utilization == pytest.approx(share)


def test_a_load_that_is_too_small_is_refuted():
    claims = ddsrta.analyze(system_of()).certificate
    claims["cores"]["m/c"]["utilization"] = 0.27
    assert check(claims).status == "refuted"


def test_more_work_than_there_is_time_for_at_the_fastest_input_is_none():
    system = system_of(fast="period: 4ms", slow="period: 60ms")
    assert responses(system) == (24, 24)
    assert ddsrta.analyze(system, refinements=WITHOUT).threads["other"].wcrt is None


def test_responses_rest_on_the_common_start():
    text = TEXT.split("chains", maxsplit=1)[0]
    for old, new in (("FAST", "period: 10ms"), ("SLOW", "period: 50ms"), ("LAST", "more")):
        text = text.replace(old, new)
    result = ddsrta.analyze(ddsrta.loads(text.replace("HOW", "and")))
    assert [one.rule for one in result.assumptions] == ["common-start"]
    claims = result.certificate
    claims["assumptions"] = []
    assert "rest on 'common-start'" in str(check(claims).failure)


def test_explain_says_what_a_join_waits_for():
    (stage,) = explain(system_of(), "way").stages
    (term,) = [one for one in stage.terms if "both" in one.label]
    assert term.detail == "1 × 4 ms, both waits for slow each time"


def test_tokens_of_a_turn_are_compared_one_by_one():
    for seed in range(300):
        random = Random(seed)
        times, slow_times = random.randint(1, 6), random.randint(1, 6)
        period = random.randint(1, 40)
        slow = -(-period * slow_times // times) + random.randint(0, 9)
        found = behind((period, times), (slow, slow_times))
        most = max(r // times * period - r // slow_times * slow for r in range(300))
        assert found == most
    assert behind((1, MOST_TOKENS + 1), (1, 1)) >= 0


# Sources of one base, by their known offsets: a release comes after the beat that it is counted by.
BEATS = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  THREADS
  both: {core: m/c, priority: 2, wcet: COST, bcet: COST, follows: {threads: [x, y], activation: and}}
  low: {core: m/c, priority: 1, wcet: LOW, period: 400ms}
chains: {way: {path: [low]}}
"""
JITTER = """\
x: {core: m/a, priority: 2, wcet: 1ms, bcet: 1ms, arrival: {period: 100ms, offset: 0ms, jitter: 99ms}}
  z: {core: m/a, priority: 1, wcet: 1us, arrival: {period: 100ms, offset: 0ms}}
  y: {core: m/b, priority: 1, wcet: 100us, period: 10ms}"""
OFFSET = """\
x: {core: m/a, priority: 2, wcet: 1us, bcet: 1us, period: 50ms}
  y: {core: m/b, priority: 2, wcet: 1us, bcet: 1us, arrival: {period: 40ms, offset: 39ms}}
  z: {core: m/b, priority: 1, wcet: 1us, arrival: {period: 40ms, offset: 0ms}}"""


@pytest.mark.parametrize("threads, cost, low, seen", [(JITTER, 40, 5, 85), (OFFSET, 34, 34, 238)])
def test_what_is_released_comes_after_its_beat(threads, cost, low, seen):
    """Once wrong: 47.5 ms of 85, and 204.011 of 238 that runs take, both confirmed, as closed windows
    took a release to come with its beat."""
    text = BEATS.replace("THREADS", threads).replace("COST", f"{cost}ms").replace("LOW", f"{low}ms")
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.threads["low"].wcrt == seen * 1_000_000
    assert result.check.status == "confirmed"


def test_closed_windows_count_by_what_the_slowest_source_releases():
    # One by one: (L / 10) · 1 + (L / 50) · 2 + ((L + 10) / 50) · 4 + 20, each rounded up.
    for refinements, length in ((None, 29), (UNRELEASED, 47)):
        solution = solve(system_of(), refinements)
        window = solution.closed_windows.of(solution.number(("job", "other")))
        assert window.length == length * MS


# Each job of both delays fast, for which it waits: responses make waits longer, and these responses.
CIRCLE = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  fast: {core: m/c, priority: 1, wcet: 6ms, period: 20ms}
  slow: {core: m/b, priority: 1, wcet: 2ms, period: 44ms}
  both: {core: m/c, priority: 2, wcet: 17ms, follows: {threads: [fast, slow], activation: and}}
"""


def test_what_waits_for_itself_is_bounded_by_releases():
    # In 48 ms: (48 / 20) · 6 + (48 / 44) · 2 + ((48 + 20) / 44) · 17, each rounded up, are 56; so in 56.
    uncounted = ddsrta.Refinements(closed_counts=False)
    result = ddsrta.analyze(ddsrta.loads(CIRCLE), refinements=uncounted)
    assert result.threads["fast"].wcrt == 56 * MS and result.check.status == "confirmed"
    unreleased = ddsrta.Refinements(closed_counts=False, slowest_releases=False)
    result = ddsrta.analyze(ddsrta.loads(CIRCLE), refinements=unreleased)
    assert result.threads["fast"].wcrt == 74 * MS


def test_one_nanosecond_less_of_a_circle_is_refuted():
    claims = ddsrta.analyze(ddsrta.loads(CIRCLE)).certificate
    (claim,) = [one for one in claims["stages"] if one["stage"] == ["job", "fast"]]
    claim["response"] -= 1
    assert check(claims).status == "refuted"


def test_waits_that_grow_without_end_are_not_used():
    # Each job of both delays fast by more than it is late already.
    text = TEXT.replace(
        "fast: {core: m/a, priority: 1, wcet: 1ms, FAST}",
        "fast: {core: m/c, priority: 1, wcet: 6ms, period: 10ms}",
    )
    for old, new in (("SLOW", "period: 11ms"), ("LAST", "more"), ("HOW", "and")):
        text = text.replace(old, new)
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.threads["fast"].wcrt is None and result.check.status == "confirmed"
    assert MOST_ROUNDS < 100


@pytest.mark.parametrize("seed", range(6))
def test_no_run_is_above_a_bound(seed):
    random = Random(f"slowest {seed}")
    jitter = random.choice((0, 10, 30, 70))
    system = system_of(
        fast=f"arrival: {{period: {random.choice((10, 20))}ms, jitter: {jitter}ms}}",
        slow=f"arrival: {{period: {random.choice((30, 50))}ms, jitter: {random.choice((0, 60))}ms}}",
    )
    program, solution = program_of(system), solve(system)
    bounds = bounds_of(program, present(solution))
    span = span_of(system, program, bounds)
    seen = attack(program, bounds, seed, Budget(runs=60, events=60_000), span).seen
    assert all(s <= b for s, b in zip(seen, bounds, strict=True) if b >= 0)
