"""A reader takes the messages of a topic with keys one key after the other: that there are none is
assumed where several may wait."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check

RULE = "no-keys"
SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {listener: {1kB: 10us}, publisher: {1kB: 10us}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  p: {core: m/a, priority: 5, wcet: 1ms, period: 10ms, publishes: [{topic: x, mode: sync, count: 3}]}
  q: {core: m/a, priority: 4, wcet: 1ms, period: 50ms, publishes: [{topic: y, mode: sync}]}
  r: {core: m/c, priority: 5, wcet: 2ms, subscribes: {topics: [x], listener: L}}
  s: {core: m/c, priority: 6, wcet: 1ms, subscribes: {topics: [y], listener: L}}
chains: {way: {path: [p, x, r]}}
"""
LOCAL = SYSTEM.replace(
    "threads:", "processes: {n: {listener: L, intraprocess_delivery: FULL}}\nthreads:"
).replace("priority: 5, wcet", "priority: 5, process: n, wcet")
CALLBACK = (
    LOCAL.replace("intraprocess_delivery: FULL", "intra_process: true")
    .replace("threads:", "executors: {E: {core: m/c, priority: 5, process: n}}\nthreads:")
    .replace(
        "  r: {core: m/c, priority: 5, process: n, wcet: 2ms, subscribes: {topics: [x], listener: L}}\n",
        "",
    )
    .replace(
        "chains:",
        "callbacks:\n  r: {executor: E, wcet: 2ms, subscribes: {topics: [x], listener: L}}\nchains:",
    )
)


def assumed(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    return {one.rule: one for one in result.assumptions}


@pytest.mark.parametrize("text", [SYSTEM, LOCAL])
@pytest.mark.parametrize("history", ["", ", history: 100"])
def test_where_several_wait_it_is_assumed(text, history):
    one = assumed(text.replace("x: {size: 1kB", "x: {size: 1kB" + history))[RULE]
    assert "messages on 'x' have no keys, where several wait for 'r': of a topic" in one.message
    assert one.position[1] == 4


@pytest.mark.parametrize("text", [SYSTEM.replace(", count: 3", ""), CALLBACK])
def test_where_one_waits_or_within_rclcpp_nothing_is(text):
    assert RULE not in assumed(text)


def test_the_n_th_messages_of_several_topics_wait_for_each_other():
    joined = SYSTEM.replace(
        "topics: [x], listener: L", "topics: [x, y], listener: L, activation: and"
    )
    assert RULE in assumed(joined.replace("period: 50ms", "period: 10ms").replace(", count: 3", ""))


def test_readers_are_counted():
    text = SYSTEM.replace(
        "chains:",
        "  t: {core: m/c, priority: 4, wcet: 1ms, subscribes: {topics: [x], listener: L}}\nchains:",
    )
    assert "for 'r' (and in 1 more reader): of" in assumed(text)[RULE].message


@pytest.mark.parametrize("text", [SYSTEM, LOCAL, SYSTEM.replace("x: {", "x: {history: 100, ")])
def test_a_certificate_has_to_say_it(text):
    claims = certificate(ddsrta.loads(text))
    claims["assumptions"] = [one for one in claims["assumptions"] if one != RULE]
    assert f"rest on '{RULE}', which is not said to be assumed" in check(claims).failure
