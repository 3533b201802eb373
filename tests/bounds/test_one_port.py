"""Fast DDS has a thread for each transport, and with data sharing for each reader: that a listener is
one thread is assumed."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.simulation.attack import attack
from ddsrta_simulator import Measure

RULE = "one-port"
SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b, c]}, n: {cores: [a]}}
network: [{from: n, to: m, delay: 3ms, best: 0ms}]
delays: {listener: {1kB: 1ms}, publisher: {1kB: 10us}}
topics: {here: {size: 1kB}, there: {size: 1kB}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  near: {core: m/a, priority: 5, wcet: 1ms, period: 100ms, publishes: [{topic: here, mode: sync}]}
  far: {core: n/a, priority: 5, wcet: 100us, period: 1200us, publishes: [{topic: there, mode: sync}]}
  sink: {core: m/c, priority: 5, wcet: 100us, subscribes: {topics: [here], listener: L}}
  other: {core: m/c, priority: 4, wcet: 100us, subscribes: {topics: [there], listener: L}}
chains: {way: {path: [near, here, sink]}}
"""
TWO = SYSTEM.replace("L: {core", "M: {core: m/b, priority: 9}, L: {core").replace(
    "[there], listener: L", "[there], listener: M"
)

# Both from the machine of the listener, and in bursts.
NEAR = SYSTEM.replace("far: {core: n/a", "far: {core: m/a").replace(
    "priority: 5, wcet: 100us, period: 1200us",
    "priority: 6, wcet: 100us, arrival: {period: 1200us, jitter: 3ms}",
)
NEAR_TWO = NEAR.replace("L: {core", "M: {core: m/b, priority: 9}, L: {core").replace(
    "[there], listener: L", "[there], listener: M"
)
CALLBACKS = (
    NEAR.replace("threads:", "executors: {E: {core: m/c, priority: 5}}\nthreads:")
    .replace("  sink: {core: m/c, priority: 5,", "callbacks:\n  sink: {executor: E,")
    .replace("other: {core: m/c, priority: 4,", "other: {executor: E,")
)


def rules(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    return {one.rule: one for one in result.assumptions}


def test_one_thread_for_both_ways_is_assumed():
    one = rules(SYSTEM)[RULE]
    assert "what listener 'L' receives comes in at one port" in one.message
    assert one.position[1] == 6


@pytest.mark.parametrize(
    "text",
    [
        TWO,
        NEAR_TWO,
        CALLBACKS,
        SYSTEM.replace("near: {core: m/a", "near: {core: n/a"),
    ],
)
def test_where_all_comes_by_one_way_nothing_is(text):
    assert RULE not in rules(text)


def test_that_no_data_is_shared_is_assumed():
    assert "UDPv4" not in rules(NEAR)[RULE].message
    assert "one port, without data sharing" in rules(NEAR)[RULE].message


def test_both_are_said_at_once():
    both = SYSTEM.replace(
        "  sink:",
        "  more: {core: m/c, priority: 3, wcet: 1us, subscribes: {topics: [here], listener: L}}\n  sink:",
    )
    message = rules(both)[RULE].message
    assert "alone, without a list of interfaces) and without data sharing" in message
    assert "for what shared memory brings from the same machine and for each reader" in message


@pytest.mark.parametrize("text", [SYSTEM, NEAR])
def test_a_certificate_has_to_say_it(text):
    claims = certificate(ddsrta.loads(text))
    claims["assumptions"] = [one for one in claims["assumptions"] if one != RULE]
    assert f"rest on '{RULE}', which is not said to be assumed" in check(claims).failure


@pytest.mark.parametrize(("together", "apart"), [(SYSTEM, TWO), (NEAR, NEAR_TWO)])
def test_with_a_thread_for_each_way_runs_are_above_the_bound_of_one(together, apart):
    system = ddsrta.loads(apart)
    one, two = (ddsrta.analyze(ddsrta.loads(t)).chains["way"].latency for t in (together, apart))
    measure = Measure("latency", ("near", "here", "sink"))
    found = attack(system, measure, 1, runs=300).worst
    assert one < found <= two


MODE = "topics: {", 'middleware: {fastdds: "2.9", write: 10us}\ntopics: {'


@pytest.mark.parametrize("text", [NEAR_TWO, CALLBACKS])
def test_fast_dds_sends_by_both_ways_what_stays_on_a_machine(text):
    """In 2.9.1, 10 best-effort samples to another process: 10 sends of UDP, 10 received by UDP and 10
    by shared memory; of a reliable writer none by UDP. In 3.6.2 none by UDP of either: since 2.9.2
    and 2.10.2 a writer knows what addresses its participant has."""
    text = text.replace(*MODE)
    message = rules(text)[RULE].message
    assert "transport UDPv4 alone" in message
    assert message.endswith("sent by both ways to the same machine, and received by both threads")
    for version in ("2.6", "2.14", "3.2", "3.6"):
        others = rules(text.replace('"2.9"', f'"{version}"'))
        assert RULE not in others or "UDPv4" not in others[RULE].message
    assert rules(text.replace('"2.9"', '"2.10"'))[RULE].message == message


def test_what_comes_from_other_machines_comes_by_one_way():
    text = SYSTEM.replace("near: {core: m/a, priority: 5", "near: {core: n/a, priority: 6")
    assert RULE not in rules(text.replace(*MODE))
