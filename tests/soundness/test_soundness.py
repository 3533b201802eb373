"""No run is worse than the bounds say; and the attack is strong enough to notice when one is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ddsrta
from ddsrta.models.arrivals import Periodic
from tests.soundness.campaign import attack, campaign, drawn
from tests.soundness.choices import Choices
from tests.soundness.focused import focused_system
from tests.soundness.simulator import simulate
from tests.soundness.yaml_text import to_yaml

SMALL = {"threads": (1, 5), "machines": (1, 2)}
KINDS = {
    "small": (150, 10, SMALL),
    "large": (30, 6, {"threads": (6, 10), "utilisation": 0.4}),
    "focused": (120, 16, {"focused": True}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_run_is_worse_than_its_bound(kind):
    systems, runs, knobs = KINDS[kind]
    compared = 0
    for outcome in campaign(range(systems), runs, 2, knobs):
        compared += len(outcome.worst)
        text = to_yaml(drawn(outcome.seed, knobs))
        assert not outcome.violations, f"{outcome.violations[0]}\n{text}"
    assert compared > 10 * systems


OR_BEFORE_REGISTER = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
threads:
  stimulus: {core: m/c0, priority: 2, wcet: 1ns, period: 100ns}
  other: {core: m/c0, priority: 1, wcet: 1ns, period: 100ns}
  merge: {core: m/c1, priority: 1, wcet: 1ns, follows: {threads: [stimulus, other], activation: or}}
  reader: {core: m/c2, priority: 1, wcet: 1ns, period: 100ns, follows: {threads: [merge]}}
chains:
  c: {path: [stimulus, merge, reader], deadline: 1us, constraint: reaction_time}
"""


class OtherLast(Choices):
    """`other` comes between the stimulus and the reader, in each period but the last ones."""

    def releases(self, thread, arrival, horizon):
        first, last = {"stimulus": (0, horizon), "other": (10, 900), "reader": (50, horizon)}[
            thread
        ]
        return list(range(first, last, 100))


def test_a_register_behind_an_or_thread_may_miss_the_stimulus():
    system = ddsrta.loads(OR_BEFORE_REGISTER)
    bound = ddsrta.analyze(system).chains["c"].reaction_time
    seen = simulate(system, 2000, OtherLast()).reaction_time["stimulus", "merge", "reader"]
    assert seen == 951
    assert bound is None


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


def without_network(system):
    links = {pair: replace(link, delay=0, best=0) for pair, link in system.links.items()}
    return replace(system, links=links)


@pytest.mark.parametrize(
    ("forget", "knobs"),
    [
        (lambda system: lighter(system, without_jitter), {"focused": True}),
        (lambda system: lighter(system, one_message_a_job), {"focused": True}),
        (lambda system: lighter(system, more_urgent), {"focused": True}),
        (served_fifo, {"focused": True}),
        (on_whole_cores, {"focused": True}),
        (without_network, {"threads": (3, 6), "machines": (2, 3), "crowded": False}),
    ],
    ids=["jitter", "count", "priorities", "policies", "reservations", "network"],
)
def test_bounds_that_forget_something_fall(forget, knobs):
    for seed in range(60):
        system = drawn(seed, knobs)
        forgetful = forget(system)
        if forgetful != system and attack(system, ddsrta.analyze(forgetful), 12, seed):
            return
    pytest.fail("60 systems were attacked and nothing was noticed")


def test_bounds_that_are_known_to_fail_fall():
    for seed in range(30):
        system = focused_system(seed)
        if attack(system, ddsrta.analyze(system, profile="published"), 12, seed):
            return
    pytest.fail("the published bounds stood")
