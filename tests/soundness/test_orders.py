"""No run shows an order that the analysis calls impossible, and most that it derives are real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ddsrta.bounds.order import compare
from ddsrta.bounds.order.sets import MOST_ORDERS, order_sets
from ddsrta.bounds.solve import solve
from ddsrta.models.validate import validate
from ddsrta.policies.policy import kept
from tests.effort import draws
from tests.soundness.deliveries import (
    first_orders,
    flow_of,
    seen_overtakings,
    sequences,
)
from tests.soundness.generator import random_system
from tests.soundness.order_systems import order_system

pytestmark = pytest.mark.usefixtures("soon_over")

HORIZON = 1200
RUNS = 6
KNOBS = {"machines": (1, 2), "cores": (1, 2), "threads": (2, 6), "timed": 0.2}


def sets_of(system):
    """The order sets of all subscribers, except where one job reads all."""
    solution = solve(system)
    found = [s for name in system.threads for s in order_sets(solution, name)]
    return [s for s in found if not s.together]


def faults(system):
    """What runs show and the sets exclude; and how much of the sets they show."""
    wrong, derived, shown = [], 0, 0
    sets = sets_of(system)
    logs = [flow_of(system, seed, HORIZON).deliveries for seed in range(RUNS if sets else 0)]
    for found in sets:
        possible = {(o.first, o.second, o.later) for o in found.overtakings if o.possible}
        orders = set()
        for log in logs:
            seen = seen_overtakings(log, found)
            wrong += [(found.subscriber, found.origin, *each) for each in seen - possible]
            orders |= first_orders(log, found).keys()
            if len(found.sequences) < MOST_ORDERS:
                unknown = sequences(log, found).keys() - {*found.sequences}
                wrong += [("sequence", sequence) for sequence in unknown]
        wrong += [("order", order) for order in orders - {*found.orders}]
        derived += len(found.orders)
        shown += len(orders)
    return wrong, derived, shown


@pytest.mark.parametrize(
    ("draw", "seeds", "least"),
    [
        (order_system, range(draws(25, of=75)), 0.5),
        (lambda seed: random_system(seed, **KNOBS), range(draws(15, of=40)), 0.5),
    ],
    ids=["close", "random"],
)
def test_every_order_that_a_run_shows_is_in_the_derived_set(draw, seeds, least):
    derived = shown = 0
    for seed in seeds:
        system = draw(seed)
        assert validate(system) == []
        wrong, more, seen = faults(system)
        assert not wrong, f"seed {seed}: {wrong[0]}"
        derived, shown = derived + more, shown + seen
    print(f"{shown} of {derived} derived orders were seen")
    assert shown >= least * derived


def test_a_job_that_reads_together_reads_messages_of_one_job_of_the_origin():
    jobs = 0
    for seed in range(draws(50, of=150)):
        system = order_system(seed)
        reader = replace(system.threads["S"], arrival=None, activation="and")
        system = replace(system, threads={**system.threads, "S": reader})
        origins = [s.origin for s in order_sets(solve(system), "S") if s.together]
        read = flow_of(system, seed, HORIZON).together if origins else []
        for name, tokens in read:
            for origin in origins if name == "S" else ():
                of = [
                    frozenset(job for job in causes if job[0] == origin)
                    for hop, causes in tokens.items()
                    if hop.topic is not None
                ]
                assert len({found for found in of if found}) == 1, f"seed {seed}"
                assert all(len(found) <= 1 for found in of)
                jobs += 1
    assert jobs > 150


def other_policy(system):
    """The same with FIFO controllers: an analysis of it forgets the policies."""
    controllers = {n: replace(f, policy="FIFO") for n, f in system.flow_controllers.items()}
    return replace(system, flow_controllers=controllers)


def constant_network(system):
    return replace(system, links={k: replace(v, best=v.delay) for k, v in system.links.items()})


def controllers_below(system):
    controllers = {n: replace(f, priority=1) for n, f in system.flow_controllers.items()}
    return replace(system, flow_controllers=controllers)


@pytest.mark.parametrize(
    "forget", [other_policy, constant_network, controllers_below], ids=lambda f: f.__name__
)
def test_sets_that_forget_something_are_noticed(forget, monkeypatch):
    monkeypatch.setitem(globals(), "solve", lambda system: solve_real(forget(system)))
    assert any(faults(order_system(seed))[0] for seed in range(100))


def test_sets_that_trust_every_order_are_noticed(monkeypatch):
    monkeypatch.setattr(compare, "leaves_first", lambda pair: kept("trust me"))
    assert any(faults(order_system(seed))[0] for seed in range(60))


solve_real = solve
