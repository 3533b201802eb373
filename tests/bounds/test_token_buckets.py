"""Bursts, curves and what several bring have a pace (lemma token-buckets)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.bounds.paced import EITHER, paced
from tests.soundness.attack import attack
from tests.soundness.bounds import bounds_of

WITHOUT = ddsrta.Refinements(token_buckets=False)
MS = 1_000_000
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
threads:
  left: {core: m/a, priority: 1, wcet: 1ms, LEFT}
  right: {core: m/b, priority: 1, wcet: 1ms, RIGHT}
  any: {core: m/c, priority: 1, wcet: 3ms, bcet: 1ms, follows: {threads: [left, right], delay: 17ms, best: 0ms}}
  third: {core: m/d, priority: 1, wcet: 3ms, bcet: 1ms, follows: {threads: [any]}}
  fourth: {core: m/e, priority: 1, wcet: 3ms, bcet: 1ms, follows: {threads: [third]}}
chains: {way: {path: [left, any, third, fourth]}}
"""
BURST = "arrival: {burst: {count: 3, distance: 1ms, period: 30ms}}"


def system_of(left="period: 10ms", right="period: 10ms", text=TEXT):
    return ddsrta.loads(text.replace("LEFT", left).replace("RIGHT", right))


def pace_of(solution, thread):
    """The pace of a thread's base and how late it may be, in ms; None without."""
    number = solution.number(("job", thread))
    late = solution.lateness(number)
    pace = solution.compiled.problem.node_pace[solution.compiled.streams.of[number].node]
    return None if late is None else (pace / MS, late / MS)


@pytest.mark.parametrize(
    ("arrival", "found"),
    [
        (BURST, (10, 18)),
        ("arrival: {curve: [0ms, 1ms, 9ms], repeat: 2, period: 20ms}", (10, 11)),
        ("arrival: {curve: [0ms, 10ms], repeat: 1, period: 10ms}", (10, 0)),
        ("arrival: {period: 10ms, jitter: 25ms}", (10, 25)),
    ],
)
def test_a_source_has_the_pace_of_its_long_run(arrival: str, found: tuple[int, int]) -> None:
    solution = solve(system_of(arrival))
    assert pace_of(solution, "left") == found
    plain = pace_of(solve(system_of(arrival), WITHOUT), "left")
    assert plain == (found if "jitter" in arrival else None)


def test_what_either_brings_shares_a_pace_and_is_as_late_as_both_in_the_mean() -> None:
    late = "arrival: {period: 20ms, jitter: 40ms}"
    assert pace_of(solve(system_of()), "any") == (5, 23)
    # 1/(1/10 + 1/20) = 6.666 ms; 18 of what comes each 10 ms, 58 of what comes each 20, and one more
    pace, most = pace_of(solve(system_of(right=late)), "any") or (0, 0)
    assert pace == 6.666666
    assert most == pytest.approx(18 * 2 / 3 + 58 / 3 + 20 / 3, abs=1e-5)
    assert pace_of(solve(system_of(), WITHOUT), "any") is None


@pytest.mark.parametrize("unit", [1, 1000, MS])
def test_what_is_late_by_whole_turns_is_as_late_at_any_scale(unit: int) -> None:
    """With 1 ns as the unit an input is late by a whole number of its periods."""
    system = ddsrta.loads(f"""
ddsrta: 1
machines: {{m: {{cores: [a, b]}}}}
threads:
  t0: {{core: m/a, priority: 2, wcet: {unit}ns, arrival: {{period: {4 * unit}ns, jitter: {4 * unit}ns}}}}
  t1: {{core: m/b, priority: 1, wcet: {2 * unit}ns, bcet: {2 * unit}ns, follows: {{threads: [t0]}}}}
  t2: {{core: m/a, priority: 1, wcet: {unit}ns, follows: {{threads: [t1, t0]}}}}
chains: {{way: {{path: [t0, t1, t2]}}}}
""")
    result = ddsrta.analyze(system)
    assert (result.chains["way"].latency, result.check.status) == (11 * unit, "confirmed")


def test_a_burst_is_paid_once_behind_an_or() -> None:
    for left in ("period: 10ms", BURST):
        plain, found = (
            ddsrta.analyze(system_of(left), refinements=some) for some in (WITHOUT, None)
        )
        assert found.check.status == plain.check.status == "confirmed"
        (before, after) = (each.chains["way"].latency for each in (plain, found))
        assert after < before


def test_events_of_an_executor_are_not_taken_as_they_came() -> None:
    assert pace_of(solve(ddsrta.loads(EITHER)), "either") is None


def test_the_checker_finds_the_same_pace_and_refutes_a_nanosecond_less() -> None:
    for left in ("period: 10ms", BURST):
        names = {stage["stage"][1] for stage in paced(certificate(system_of(left)))}
        assert {"third", "fourth"} <= names


def test_no_run_is_above() -> None:
    for left, right in ((BURST, "period: 10ms"), ("period: 10ms", "period: 15ms")):
        system = system_of(left, right)
        program = program_of(system)
        bounds = bounds_of(program, ddsrta.analyze(system))
        worst = attack(program, bounds, 0, Budget(runs=40, events=40_000), 300 * MS)
        assert all(
            seen <= bound for seen, bound in zip(worst.seen, bounds, strict=True) if bound >= 0
        )
