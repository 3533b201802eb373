"""Pools of SCHED_OTHER (lemma fair-pools): known answers, what is refused, and certificates."""

from __future__ import annotations

import re

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.checker import check
from ddsrta.models.document import digest
from tests.soundness.pools import fair_pool_system

TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {publisher: {1B: 1ns}, listener: {1B: 1ns}}
topics: {x: {size: 1B}, y: {size: 1B}}
listeners: {L: {core: m/c, priority: 9}}
executors: {E: {cores: [m/a, m/b], policy: other, kind: multi_threaded, release: iron}}
threads:
  hi: {core: m/a, priority: 9, wcet: 5ns, period: 1us}
  left: {core: m/a, policy: other, wcet: 20ns, period: 1us}
  right: {core: m/b, policy: other, nice: -20, wcet: 10ns, period: 1us}
  away: {core: m/d, policy: other, wcet: 99ns, period: 1us}
  p: {core: m/d, priority: 1, wcet: 2ns, period: 1us, publishes: [{topic: x, mode: sync}, {topic: y, mode: sync}]}
callbacks:
  one: {executor: E, wcet: 7ns, timer: 1us, group: g}
  two: {executor: E, wcet: 9ns, timer: 1us, group: g}
  far: {executor: E, wcet: 30ns, timer: 1us, group: h}
  set: {executor: E, wcet: 3ns, group: h, subscribes: {topics: [x, y], listener: L, activation: and}}
chains: {way: {path: [p, x, set]}}
"""


def bounds(text=TEXT, refinements=None):
    result = ddsrta.analyze(ddsrta.loads(text), refinements=refinements)
    assert result.check.status == "confirmed"
    return {name: one.wcrt for name, one in (result.threads | result.callbacks).items()}


ALL = 5 + 20 + 10 + 7 + 9 + 30 + 2 + 3  # with both subscriptions of set

# When `peer` comes, `first` is at work, and goes on for 2. Then `second` takes the other thread and
# `z` waits for peer: 4, 2 of its own, and peer again, 4, before the last one.
WAITING = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
executors: {E: {cores: [m/a, m/b], policy: other, kind: multi_threaded, release: humble}}
threads: {peer: {core: m/a, policy: other, wcet: 4ns, period: 8ns}}
callbacks:
  z: {executor: E, group: g, wcet: 3ns, timer: 40ns}
  first: {executor: E, group: h, wcet: 2ns, timer: 40ns}
  second: {executor: E, group: h, wcet: 9ns, timer: 40ns}
"""


def test_a_callback_waits_for_all_that_runs_while_equals_wait():
    found = bounds()
    assert found["hi"] == 5 and found["away"] == 99 + 4  # p takes 2 and sends for 2
    assert found["one"] == found["two"] == found["far"] == ALL


@pytest.mark.parametrize("group", ("group: h", "reentrant: true"))
def test_what_other_groups_did_while_an_equal_waited_is_counted(group):
    assert bounds(WAITING.replace("group: h", group))["z"] >= 4 + 2 + 4 + 1


def test_other_groups_run_beside_where_no_equal_waits():
    assert bounds(WAITING.replace("policy: other, wcet: 4ns", "priority: 1, wcet: 4ns"))["z"] == 7


def test_the_window_of_an_inline_callback_opens_with_that_of_its_group():
    # equals may have waited when its subscription ended: not 5 + 20 + 10 + 3 from there alone
    found = certificate(ddsrta.loads(TEXT), Refinements.none())
    (inline,) = [one for one in found["stages"] if one["stage"] == ["job", "set"]]
    assert inline["response"] == ALL


@pytest.mark.parametrize("figure", ("response", "latency"))
@pytest.mark.parametrize("job", ("one", "far", "set", "left", "right"))
def test_a_nanosecond_less_is_refuted(job, figure):
    found = certificate(ddsrta.loads(TEXT))
    assert check(found).ok
    next(one for one in found["stages"] if one["stage"] == ["job", job])[figure] -= 1
    assert not check(found).ok


@pytest.mark.parametrize("seed", range(12))
def test_certificates_of_drawn_systems_are_confirmed(seed):
    verdict = check(certificate(fair_pool_system(seed)))
    assert verdict.ok, verdict.failure


SPINS = "lets an idle thread of 'E' spin, which takes time from 'left' on its core"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (", release: iron", "", SPINS),
        ("release: iron", "release: jazzy", SPINS),
        ("release: iron", "release: iron, pinned: false", "of SCHED_OTHER that move between cores"),
        ("cores: [m/a, m/b], policy", "core: m/a, threads: 2, policy", "not modelled on one core"),
        ("cores: [m/a, m/b], policy", "core: m/a, threads: 1, policy", "not modelled on one core"),
        ("policy: other, kind", "policy: other, priority: 3, kind", "SCHED_OTHER has no priority"),
    ],
)
def test_what_is_refused(before, after, message):
    with pytest.raises(ddsrta.InputError) as error:
        ddsrta.loads(TEXT.replace(before, after))
    assert message in str(error.value)


@pytest.mark.parametrize("group", ["", ", group: g"])
def test_the_checker_finds_who_may_spin(group):
    """Callbacks that name no group are in one, too."""
    claims = certificate(ddsrta.loads(re.sub(", group: .", group, TEXT)))
    assert check(claims).ok
    claims["system"]["executors"]["E"]["release"] = "jazzy"
    claims |= {"digest": digest(claims["system"])}
    claims["assumptions"].append("free-groups")
    assert check(claims).failure == "the verdict is claimed to be met, and is error"


def test_threads_that_may_spin_may_be_alone():
    alone = "\n".join(
        line for line in TEXT.splitlines() if "left:" not in line and "right:" not in line
    )
    assert bounds(alone.replace("release: iron", "release: jazzy"))["one"] == 5 + 7 + 9


def test_each_core_of_the_pool_rests_on_what_is_assumed_of_sched_other():
    result = ddsrta.analyze(ddsrta.loads(TEXT))
    (said,) = [one for one in result.assumptions if one.rule == "fair-threads"]
    assert "(and 2 more)" in said.message
