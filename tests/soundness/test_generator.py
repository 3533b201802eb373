"""Drawn systems are valid, varied and printable; the choices stay within the models."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import ddsrta
from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.validate import validate
from tests.soundness import releases, supplies
from tests.soundness.generator import random_system
from tests.soundness.simulator import simulate
from tests.soundness.yaml_text import to_yaml

SEEDS = range(400)


def test_every_drawn_system_is_valid_and_reads_back():
    for seed in SEEDS:
        system = random_system(seed)
        assert validate(system) == []
        assert ddsrta.loads(to_yaml(system)) == system, seed


def test_the_seed_decides():
    assert random_system(5) == random_system(5)
    assert random_system(5) != random_system(6)


def test_everything_that_can_be_described_is_drawn():
    seen = set()
    for seed in SEEDS:
        system = random_system(seed)
        seen |= {f.policy for f in system.flow_controllers.values()}
        for core in system.cores.values():
            seen |= {"core reservation"} if core.reservation else set()
            seen |= {"partitions"} if core.partitions else set()
        for thread in system.threads.values():
            seen |= {type(thread.arrival).__name__} | {p.mode for p in thread.publishes}
            seen |= {"own reservation"} if thread.reservation else set()
            if thread.arrival is None:
                seen |= {thread.activation}
            elif thread.subscribes or thread.follows:
                seen |= {"register"}
            seen |= {f"count {p.count}" for p in thread.publishes}
            seen |= {f"{min(3, len(system.readers(p.topic)))} readers" for p in thread.publishes}
    assert seen >= {
        "FIFO", "HIGH_PRIORITY", "ROUND_ROBIN", "core reservation", "partitions", "Periodic",
        "Sporadic", "Burst", "Curve", "async", "sync", "own reservation", "or", "and", "register",
        "count 2", "count 3", "1 readers", "2 readers", "3 readers",
    }  # fmt: skip


@pytest.mark.parametrize(
    "arrival",
    [
        Periodic(10),
        Periodic(10, 25, 2),
        Periodic(10, 3),
        Sporadic(10, 12),
        Burst(3, 2, 20),
        Burst(3, 30, 90),
        Curve((0, 1, 10), 2, 10),
        Curve((0, 0, 7, 8), 1, 5),
    ],
    ids=str,
)
def test_releases_keep_their_distances(arrival):
    random = Random(1)

    def uniform(below):
        return random.randrange(below)

    ways = [releases.dense(arrival, 0, 400), releases.dense(arrival, 17, 400)]
    ways += [releases.aligned(arrival, burst, 400, uniform) for burst in (0, 5, 33, 100)]
    ways += [releases.wild(arrival, 3, 400, uniform) for _ in range(20)]
    for times in ways:
        assert times and times[0] >= 0 and times[-1] < 400
        for i, early in enumerate(times):
            for j in range(i, len(times)):
                assert times[j] - early >= arrival.least_distance(j - i + 1)
        if arrival.largest_gap is not None:
            gaps = [late - early for early, late in pairwise(times)]
            assert max(gaps) <= arrival.largest_gap
            assert times[0] <= arrival.largest_gap or times == ways[1]


def test_a_burst_comes_after_what_prepares_it():
    times = releases.aligned(Periodic(10, jitter=15), 40, 80, lambda below: 0)
    # nominal 5, 15, ... each 15 late up to the one at 40, then none
    assert times == [20, 30, 40, 40, 45, 55, 65, 75]
    assert releases.dense(Periodic(10, jitter=15), 0, 30) == [0, 0, 5, 15, 25]


@pytest.mark.parametrize("habit", ["early", "late", "gap", "random", "either"])
def test_reservations_have_their_budget_in_each_period(habit):
    random = Random(2)
    reservations = [(3, 10), (5, 12), (2, 25)]
    wishes = [(random.randrange(period), habit, 50) for _, period in reservations]
    placed = supplies.place(reservations, wishes, 600, random.randrange)
    served = [set() for _ in reservations]
    for moments, intervals in zip(served, placed, strict=True):
        for begin, end in intervals:
            moments |= set(range(begin, end))
    assert not served[0] & served[1] and not served[1] & served[2] and not served[0] & served[2]
    for (budget, period), (phase, _, _), moments in zip(reservations, wishes, served, strict=True):
        for start in range(phase, 600 - period, period):
            assert len(moments & set(range(start, start + period))) == budget


def test_reservations_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="cannot honour"):
        supplies.place([(6, 10), (6, 10)], [(0, "early", 0)] * 2, 100, lambda below: 0)


def test_drawn_systems_run():
    events = sum(simulate(random_system(seed), 2000).events for seed in range(30))
    assert events > 1000
