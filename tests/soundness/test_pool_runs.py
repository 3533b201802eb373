"""Bounds of pools against runs that share nothing with the simulator."""

from random import Random

import pytest

import ddsrta
from tests.soundness.pool_runs import Pool, PoolRun, Source, drawn


def worst_of(pool, runs, seed):
    """The largest response of each callback in some runs, against one of them each."""
    random, worst = Random(seed), {}
    for _ in range(runs):
        against = random.choice(pool.callbacks).name
        for name, seen in PoolRun(pool, random, against).worst.items():
            worst[name] = max(worst.get(name, 0), seen)
    return worst


@pytest.mark.parametrize("seed", range(20))
def test_no_run_is_above_a_bound(seed):
    pool = drawn(seed)
    worst = worst_of(pool, 20, seed)
    for name, callback in ddsrta.analyze(pool.system()).callbacks.items():
        assert callback.wcrt is None or worst.get(name, 0) <= callback.wcrt, name


def test_an_idle_thread_that_is_kept_off_its_core_keeps_the_mutex():
    z, urgent = Source("z", 3, 200, group="g"), Source("u", 10, 200, core=0)
    pool = Pool(2, [z], [urgent])
    assert ddsrta.analyze(pool.system()).callbacks["z"].wcrt == 13
    assert worst_of(pool, 60, 1)["z"] == 13


def test_who_waits_for_both_threads():
    long, short = Source("long", 10, 200, group="g"), Source("short", 2, 200)
    pool = Pool(2, [long, short, Source("z", 1, 200, group="h")], [])
    bounds = ddsrta.analyze(pool.system()).callbacks
    assert {name: one.wcrt for name, one in bounds.items()} == worst_of(pool, 60, 2)
