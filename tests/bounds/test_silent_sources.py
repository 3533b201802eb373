"""What rests on the next release has a bound only where something says that it comes."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check
from ddsrta.models.arrivals import Arrival, Burst, Curve, Sporadic, superadditive
from ddsrta.models.system import System

TEXT = """ddsrta: 1
machines: {m: {cores: [c0, c1]}}
threads:
  a: {core: m/c0, priority: 2, wcet: 5ms, arrival: {sporadic: 10ms}}
  b: {core: m/c1, priority: 2, wcet: 5ms, period: 30ms, follows: {threads: [a]}}
chains:
  age: {path: [a, b], deadline: 1s, constraint: data_age}
"""
MS = 1_000_000
SILENT = [
    Sporadic(10 * MS),
    Sporadic(10 * MS, 4 * MS),
    Burst(2, 5 * MS, 20 * MS),
    Curve((0, 10 * MS), 1, 10 * MS),
    superadditive((0, 10 * MS, 20 * MS), recorded=True),
]


def system(arrival: Arrival) -> System:
    base = ddsrta.loads(TEXT)
    return base.altered("threads", "a", arrival=arrival)


@pytest.mark.parametrize("arrival", SILENT, ids=str)
def test_an_age_behind_a_source_that_may_stay_silent_is_unbounded(arrival: Arrival) -> None:
    result = ddsrta.analyze(system(arrival))
    chain = result.chains["age"]
    assert (chain.data_age, chain.reaction_time, chain.met) == (None, None, False)
    assert result.verdict == "unbounded"
    assert chain.unbounded_because == (
        "nothing bounds how long the next release of thread a takes; it wants a period, or 'max_distance'"
    )


@pytest.mark.parametrize("arrival", SILENT, ids=str)
def test_the_longest_time_without_a_release_bounds_it(arrival: Arrival) -> None:
    known = system(replace(arrival, gap=33 * MS))  # type: ignore[arg-type]
    chain = ddsrta.analyze(known).chains["age"]
    assert chain.data_age == (5 + 33 + 5) * MS
    assert chain.reaction_time == (33 + 5 + 30 + 5) * MS
    document = certificate(known)
    assert check(document).ok
    document["chains"]["age"]["data_age"] -= 1
    assert "data_age: up to" in str(check(document).failure)


@pytest.mark.parametrize("arrival", SILENT[:1], ids=str)
def test_a_certificate_may_not_invent_releases(arrival: Arrival) -> None:
    document = certificate(system(arrival))
    document["chains"]["age"]["data_age"] = 43 * MS
    assert "is unbounded" in str(check(document).failure)


def test_runs_use_the_longest_time_and_keep_to_the_bound() -> None:
    known = system(Sporadic(10 * MS, gap=33 * MS))
    seen = ddsrta.simulate(known, horizon=2_000 * MS, seeds=20)
    age = seen.chains["age"].data_age
    assert age is not None
    assert age.bound == 43 * MS
    assert age.max is not None
    assert 33 * MS < age.max <= 43 * MS
