"""Systems of the soundness campaign: what the analysis claims, theory alone confirms."""

import random

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta_kernel import COMPILED
from tests.checker.varied import varied_system
from tests.effort import draws
from tests.kernel.random_systems import random_system
from tests.soundness.draw import drawn


@pytest.mark.skipif(not COMPILED, reason="overloaded systems take long without compiling")
@pytest.mark.parametrize("block", range(5))
def test_random_systems_are_confirmed(block):
    each = draws(5, of=20)
    for seed in range(1001 + each * block, 1001 + each * (block + 1)):
        verdict = check(certificate(random_system(seed, 0.2)))
        assert verdict.ok, (seed, verdict.failure)


@pytest.mark.skipif(not COMPILED, reason="overloaded systems take long without compiling")
@pytest.mark.parametrize("kind", ["small", "focused"])
@pytest.mark.parametrize("block", range(5))
def test_campaign_systems_are_confirmed(kind, block):
    each = draws(2, of=6)
    for seed in range(each * block, each * (block + 1)):
        verdict = check(certificate(drawn(seed, kind)))
        assert verdict.ok, (seed, verdict.failure)


# Of 104 a thread that is served has a bound by budgets of others, and less by what these have to do.
@pytest.mark.parametrize("seed", sorted({*range(100, 100 + draws(8, of=21))} - {104}))
def test_a_sampled_claim_of_one_nanosecond_less_is_refuted(seed):
    claims = certificate(varied_system(seed, 0.3))
    places = [(stage, key) for stage in claims["stages"] for key in ("response", "latency")]
    places += [(message, "ddl") for message in claims["messages"]]
    numbers = [(place, key) for place, key in places if place[key] is not None]
    for place, key in random.Random(seed).sample(numbers, min(4, len(numbers))):
        place[key] -= 1
        assert not check(claims).ok, (place, key)
        place[key] += 1
