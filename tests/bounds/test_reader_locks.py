"""Who takes a message has the lock of its reader: that no listener waits for it is assumed where
another message may come meanwhile; and where executors look at their readers, that neither waits
for the other."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from tests.bounds.test_keys import CALLBACK, SYSTEM, assumed

RULE = "reader-locks"
ONE = SYSTEM.replace(", count: 3", "")
SAMPLED = ONE.replace("wcet: 2ms, subscribes", "wcet: 2ms, period: 10ms, subscribes")


@pytest.mark.parametrize("text", [SYSTEM, SAMPLED])
def test_where_another_may_come_it_is_assumed(text):
    one = assumed(text)[RULE]
    said = "neither listener 'L', which brings messages, nor who takes them waits for the lock of"
    assert one.message.startswith(f"{said} reader 'r', which")
    assert one.position[1] == 5


def test_where_one_waits_or_within_rclcpp_no_listener_does():
    assert RULE not in assumed(ONE)
    assert assumed(CALLBACK)[RULE].message.startswith("neither executor 'E' nor 'p' waits")


def test_readers_are_counted():
    both = SYSTEM.replace("wcet: 1ms, subscribes", "wcet: 1ms, period: 50ms, subscribes")
    assert "'r' (and 1 more reader), which" in assumed(both)[RULE].message


@pytest.mark.parametrize("text", [SYSTEM, SAMPLED])
def test_a_certificate_has_to_say_it(text):
    claims = certificate(ddsrta.loads(text))
    claims["assumptions"] = [one for one in claims["assumptions"] if one != RULE]
    assert f"rest on '{RULE}', which is not said to be assumed" in check(claims).failure


BESIDE = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {publisher: {1kB: 20us}, listener: {1kB: 20us}}
topics: {x: {size: 1kB, history: 9}}
processes: {n: {listener: L, intraprocess_delivery: OFF}}
listeners: {L: {core: m/b, priority: 30}}
executors: {E: {core: m/b, priority: 10, process: n}}
threads:
  p: {core: m/a, priority: 25, wcet: 20us, period: 40ms, publishes: [{topic: x, mode: sync}]}
  slow: {core: m/b, priority: 9, wcet: 5ms, period: 20ms}
callbacks:
  heard: {executor: E, wcet: 20us, subscribes: {topics: [x], listener: L}}
  tick: {executor: E, wcet: 20us, timer: 10ms}
chains: {way: {path: [p, x, heard]}}
"""
LOCKED = [  # who may be kept from going on while the other waits
    ("slow: {core: m/b, priority: 9", "slow: {core: m/b, priority: 20"),
    ("slow: {core: m/b, priority: 9", "slow: {core: m/b, priority: 40"),
    ("slow: {core: m/b, priority: 9", "slow: {cores: [m/b, m/c], priority: 20"),
    ("L: {core: m/b, priority: 30}", "L: {core: m/b, priority: 30}, M: {core: m/b, priority: 31}"),
    ("L: {core: m/b, priority: 30}", "L: {core: m/a, priority: 30}"),
    ("L: {core: m/b, priority: 30}", "L: {core: m/b, priority: 5}"),
    ("E: {core: m/b, priority: 10", "E: {core: m/b, reservation: {budget: 5ms, period: 10ms}"),
    ("core: m/b, priority: 10,", "cores: [m/b, m/c], priority: 10, kind: multi_threaded,"),
]


def locked(text):
    system = ddsrta.loads(text)
    claims = certificate(system)
    found = [one for one in ddsrta.analyze(system).assumptions if one.rule == RULE]
    assert (RULE in check(claims).assuming) == bool(found)
    if found:
        claims["assumptions"] = [one for one in claims["assumptions"] if one != RULE]
        assert f"rest on '{RULE}', which is not said" in check(claims).failure
    return [one.message for one in found]


def test_a_listener_above_its_executor_alone_finds_all_locks_free():
    assert locked(BESIDE) == []


@pytest.mark.parametrize(("old", "new"), LOCKED)
def test_else_that_they_do_not_wait_for_each_other_is_assumed(old, new):
    assert old in BESIDE
    (message,) = locked(BESIDE.replace(old, new))
    assert message.startswith("neither executor 'E' nor listener 'L' waits for the other, ")


WITHIN = BESIDE.replace("intraprocess_delivery: OFF", "intra_process: true")


def test_nor_does_who_wakes_an_executor_in_its_process():
    assert locked(WITHIN) == []
    within = WITHIN.replace("p: {core: m/a,", "p: {core: m/a, process: n,")
    assert locked(within)[0].startswith("neither executor 'E' nor 'p' waits for the other")
    follower = BESIDE.replace(
        "  tick:", "  then: {executor: E, wcet: 1us, follows: {threads: [p]}}\n  tick:"
    )
    assert locked(follower)[0].startswith("neither executor 'E' nor 'p' waits for the other")


def test_what_an_executor_runs_itself_does_not_wait_for_it():
    own = "\n  p: {executor: E, wcet: 20us, timer: 40ms, publishes: [{topic: x, mode: sync}]}\n"
    outer = "  p: {core: m/a, priority: 25, wcet: 20us, period: 40ms, publishes: [{topic: x, mode: sync}]}\n"
    text = WITHIN.replace(outer, "").replace("callbacks:\n", "callbacks:" + own)
    then = "  then: {executor: E, wcet: 1us, follows: {threads: [p]}}\n  tick:"
    assert locked(text.replace("  tick:", then)) == []


def test_pairs_are_counted():
    two = BESIDE.replace("executors: {", "executors: {F: {core: m/c, priority: 5, process: n}, ")
    two = two.replace("L: {core: m/b, priority: 30}", "L: {core: m/a, priority: 30}")
    more = "  too: {executor: F, wcet: 1us, subscribes: {topics: [x], listener: L}}\n  tick:"
    assert "'L' (nor 1 more such pair) waits" in locked(two.replace("  tick:", more))[0]
