"""Registers whose writers and readers one clock releases (lemma clocked-registers)."""

from __future__ import annotations

from itertools import pairwise
from math import lcm
from random import Random

import pytest

import ddsrta
from ddsrta.bounds.paths.clocked import Clock, sampled
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.terms.explain import explain

SYSTEM = """\
ddsrta: 1
machines: {{m: {{cores: [a, b, c]}}, n: {{cores: [a]}}}}
network: [{{from: m, to: n, delay: 1ms}}, {{from: n, to: m, delay: 1ms}}]
delays: {{publisher: {{1kB: 1ms}}, listener: {{1kB: 1ms}}}}
topics: {{x: {{size: 1kB}}}}
listeners: {{L: {{core: {machine}/a, priority: 9}}}}
threads:
  writer: {{core: m/b, priority: 1, wcet: 1ms, arrival: {{period: 100ms, {writer}}},
      publishes: [{{topic: x, mode: sync}}]}}
  reader: {{core: {core}, priority: 1, wcet: 5ms, arrival: {{period: {period}ms, {reader}}},
      subscribes: {{topics: [x], listener: L}}}}
chains: {{age: {{path: [writer, x, reader], constraint: {constraint}}}}}
"""


def system(writer="offset: 0ms", reader="offset: 10ms", period=100, **more):
    given = {"machine": "m", "core": "m/c", "constraint": "data_age", **more}
    return ddsrta.loads(SYSTEM.format(writer=writer, reader=reader, period=period, **given))


def figures(given):
    result = ddsrta.analyze(given)
    assert result.check.status == "confirmed"
    chain = result.chains["age"]
    return chain.data_age / 10**6, chain.reaction_time / 10**6


@pytest.mark.parametrize(
    ("given", "age", "reaction"),
    [
        (system(), 15, 115),
        (system(reader="offset: 4ms"), 9, 109),
        (system(reader="offset: 3ms"), 108, 208),  # it may come just before the value
        (system(reader="offset: 10ms", period=50), 65, 115),
        (system(reader="offset: 10ms", period=200), 15, 215),
        (system(reader="offset: 10ms, jitter: 2ms"), 17, 117),
        (system(writer="offset: 0ms, jitter: 6ms"), 15, 115),
        # as if nothing were known
        (system(writer="offset: 0ms, jitter: 7ms"), 115, 208 + 7),
        (system(reader="jitter: 0ms"), 108, 208),
        (system(core="n/a", machine="n"), 110, 220),
    ],
)
def test_a_value_is_as_old_as_its_writer_s_last_release_that_is_surely_there(
    given, age, reaction
) -> None:
    assert figures(given) == (age, reaction)


def test_it_can_be_left_out() -> None:
    chain = ddsrta.analyze(system(), refinements=Refinements(offsets=False)).chains["age"]
    assert (chain.data_age, chain.reaction_time) == (108 * 10**6, 218 * 10**6)


@pytest.mark.parametrize("constraint", ["data_age", "reaction_time"])
def test_an_explanation_adds_up(constraint: str) -> None:
    explanation = explain(system(constraint=constraint), "age")
    terms = [term for stage in explanation.stages for term in stage.terms]
    assert sum(term.time for term in terms) == explanation.bound
    assert (constraint == "data_age") == any("by the offsets" in term.label for term in terms)


def seen(clocks, ways, random):
    """The largest age and reaction, without what the last reader takes, of a run."""
    end = 6 * lcm(*(one.period for one in clocks)) + 5 * sum(ways) + 200
    late = random.choice((lambda most: 0, lambda most: most, lambda most: random.randint(0, most)))
    written: list[tuple[int, int]] = []  # when, and of which release of the first
    first: list[int] = []
    for one, way in zip(clocks, [*ways, 0], strict=True):
        found, last = [], 0
        for nominal in range(one.offset, end, one.period):
            release = last = max(last, nominal + late(one.jitter))
            if one is clocks[0]:
                first.append(release)
                found.append((release + way, release))
            elif known := [origin for when, origin in written if when < release]:
                found.append((release + way, known[-1]))
        written = found
    ages = [when - origin for when, origin in written]
    waits = [
        min(when for when, origin in written if origin >= release) - missed
        for missed, release in pairwise(first)
        if release <= end // 2
    ]
    return max(ages), max(waits)


@pytest.mark.parametrize("jitter", [0, 7])
@pytest.mark.parametrize("seed", range(10))
def test_runs_reach_the_bounds_and_are_never_above(seed: int, jitter: int) -> None:
    random = Random(seed)
    periods = [random.choice((2, 3, 4, 6, 8, 12)) for _ in range(random.randint(2, 4))]
    clocks = [Clock("m", random.randrange(T), T, random.randint(0, jitter)) for T in periods]
    ways = [random.randint(1, 2 * one.period) for one in clocks[1:]]
    bound = sampled(clocks, ways)
    assert bound is not None
    runs = [seen(clocks, ways, random) for _ in range(3)]
    most = max(age for age, _ in runs), max(wait for _, wait in runs)
    assert most[0] <= bound
    assert most[1] <= bound + clocks[-1].period
    if not jitter:
        assert most == (bound, bound + clocks[-1].period)
