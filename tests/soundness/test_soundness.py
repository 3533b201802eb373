"""No run is worse than the bounds say; and the attack is strong enough to notice when one is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ddsrta
from ddsrta.models.arrivals import Periodic
from tests.soundness.campaign import attack, attack_seed, campaign
from tests.soundness.generator import random_system
from tests.soundness.yaml_text import to_yaml

SYSTEMS = 300
RUNS = 12
SMALL = {"threads": (1, 4), "machines": (1, 2)}


def test_no_run_is_worse_than_its_bound():
    compared = 0
    for outcome in campaign(range(SYSTEMS), RUNS, 2, SMALL):
        compared += len(outcome.worst)
        text = to_yaml(random_system(outcome.seed, **SMALL))
        assert not outcome.violations, f"{outcome.violations[0]}\n{text}"
    assert compared > 10 * SYSTEMS


def test_larger_systems_hold_too():
    for seed in range(12):
        assert not attack_seed((seed, 6, {"threads": (6, 10), "utilisation": 0.4})).violations


def lighter(system, change):
    """The system with a change to each of its threads."""
    return replace(system, threads={name: change(t) for name, t in system.threads.items()})


def without_jitter(thread):
    if isinstance(thread.arrival, Periodic):
        return replace(thread, arrival=Periodic(thread.arrival.period))
    return thread


def one_message_a_job(thread):
    return replace(thread, publishes=tuple(replace(p, count=1) for p in thread.publishes))


def more_urgent(thread):
    """Alone on its core."""
    return replace(thread, priority=1000) if not thread.reservation else thread


def served_fifo(system):
    controllers = {n: replace(f, policy="FIFO") for n, f in system.flow_controllers.items()}
    return replace(system, flow_controllers=controllers)


def on_whole_cores(system):
    return replace(
        system, cores={path: replace(core, reservation=None) for path, core in system.cores.items()}
    )


@pytest.mark.parametrize(
    "forget",
    [
        lambda system: lighter(system, without_jitter),
        lambda system: lighter(system, one_message_a_job),
        lambda system: lighter(system, more_urgent),
        lambda system: replace(
            system, links={k: replace(x, delay=0, best=0) for k, x in system.links.items()}
        ),
        served_fifo,
        on_whole_cores,
    ],
    ids=["jitter", "count", "priorities", "network", "policies", "reservations"],
)
def test_bounds_that_forget_something_fall(forget):
    for seed in range(60):
        system = random_system(seed, utilisation=0.5, crowded=True, **SMALL)
        forgetful = forget(system)
        if forgetful != system and attack(system, ddsrta.analyze(forgetful), 4, seed):
            return
    pytest.fail("60 systems were attacked and nothing was noticed")
