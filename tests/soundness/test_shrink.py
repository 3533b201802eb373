"""Counterexamples get small, and stay counterexamples."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice

import pytest

import ddsrta
from tests.soundness.draw import KINDS, drawn
from tests.soundness.shrink import Shrinker
from tests.soundness.simpler import candidates, complexity
from tests.soundness.simpler_numbers import simpler_numbers
from tests.soundness.yaml_text import to_yaml

pytestmark = pytest.mark.usefixtures("soon_over")


class Says(Shrinker):
    """Any property in the place of a violation."""

    def __init__(self, holds):
        super().__init__(("response", "job"), seconds=math.inf)
        self.holds = holds

    def violation(self, system):
        ddsrta.analyze(system, check=False)  # raises where the system contradicts itself
        return self.holds(system) or None


@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_matter_goes(kind):
    def has_a_job_of_three(system):
        return any(thread.wcet >= 3 and thread.arrival for thread in system.threads.values())

    large = next(filter(has_a_job_of_three, (drawn(seed, kind) for seed in range(3, 99))))
    small = Says(has_a_job_of_three).shrink(large)
    (thread,) = small.threads.values()
    assert thread.wcet in (5, 10)  # rounder than 3
    assert not (small.chains or small.topics or small.flow_controllers or small.listeners)
    assert len(small.cores) == 1
    assert len(to_yaml(small).splitlines()) <= 6


def test_what_matters_stays():
    def two_copies(system):
        return any(
            p.mode == "async" and len(system.readers(p.topic)) > 1
            for thread in system.threads.values()
            for p in thread.publishes
        )

    seed = next(seed for seed in range(50) if two_copies(drawn(seed, "any")))
    small = Says(two_copies).shrink(drawn(seed, "any"))
    assert two_copies(small)
    assert len(small.threads) == 3 and len(small.topics) == 1


def test_a_system_that_does_not_fail_is_left_alone():
    system = drawn(7)
    assert Says(lambda candidate: False).shrink(system) is system


def test_candidates_are_other_systems():
    for kind in KINDS:
        system = drawn(11, kind)
        most = complexity(system)
        simpler = (c for c in candidates(system) if complexity(c) < most)
        assert len([*islice(simpler, 21)]) == 21


def test_round_numbers_are_simpler():
    assert next(simpler_numbers(357, 100)) == 100
    assert 350 in simpler_numbers(357)
    assert all(number < 17 or number % 10 == 0 for number in simpler_numbers(17))
    assert list(simpler_numbers(1)) == []


def test_complexity_counts_what_a_reader_sees():
    system = drawn(5, "any")
    name = next(iter(system.threads))
    assert complexity(system.altered("threads", name, wcet=1000)) < complexity(
        system.altered("threads", name, wcet=987)
    )
    without_chains = replace(system, chains={})
    assert complexity(without_chains) < complexity(system)
