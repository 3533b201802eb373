"""Readers of Fast DDS sort what waits by when it was written: that jobs keep the order in which
messages arrive is assumed where a topic has several publishers."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check

# h has the core for 11 ms as one of p comes, behind which two of q come that were written before:
# sorted by that, r takes it last of three, 20 ms after it came. As they come, it is at 17 at most.
SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, c, l]}, n: {cores: [d]}}
network: [{from: n, to: m, delay: 20ms, best: 20ms}]
delays: {listener: {1kB: 1us}, publisher: {1kB: 1us}}
topics: {x: {size: 1kB, history: 9}, y: {size: 1kB, history: 9}}
listeners: {L: {core: m/l, priority: 9, queue: 9}}
threads:
  p: {core: m/a, priority: 5, wcet: 1us, period: 100ms, publishes: [{topic: x, mode: sync}]}
  q: {core: n/d, priority: 5, wcet: 1us, period: 10ms, publishes: [{topic: x, mode: sync}]}
  h: {core: m/c, priority: 9, wcet: 11ms, period: 100ms}
  r: {core: m/c, priority: 5, wcet: 3ms, subscribes: {topics: [x], listener: L}}
chains: {way: {path: [p, x, r], deadline: 18ms}}
"""


def assumed(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    return [one for one in result.assumptions if one.rule == "arrival-order"]


def test_what_is_met_by_the_order_of_arrival_alone_says_so():
    (one,) = assumed(SYSTEM)
    assert "messages on 'x', which several publish, are taken by 'r' in the order" in one.message
    assert one.position[1] == 11
    latency = ddsrta.analyze(ddsrta.loads(SYSTEM)).chains["way"].latency
    assert 17_000_000 < latency < 18_000_000  # where 20 ms and more can be


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("10ms, publishes: [{topic: x", "10ms, publishes: [{topic: y"),
        ("wcet: 3ms, subscribes", "wcet: 3ms, period: 100ms, subscribes"),  # the newest counts
    ],
)
def test_where_there_is_no_such_order_nothing_is_assumed(old, new):
    assert old in SYSTEM
    text = SYSTEM.replace(old, new)
    if "period: 100ms, subscribes" in new:
        text = text.replace("deadline: 18ms", "deadline: 1s, constraint: data_age")
    assert not assumed(text)


def test_a_thread_that_any_of_several_topics_releases_takes_them_in_order():
    text = SYSTEM.replace("10ms, publishes: [{topic: x", "10ms, publishes: [{topic: y")
    text = text.replace("subscribes: {topics: [x]", "subscribes: {topics: [x, y]")
    (one,) = assumed(text)
    assert "messages on 'x' and 'y' are taken by 'r' in the order" in one.message
    assert not assumed(text.replace("topics: [x, y]", "topics: [x, y], activation: and"))


def test_requests_of_several_clients_are_messages_of_several():
    text = """ddsrta: 1
machines: {m: {cores: [a, b, l]}}
delays: {listener: {1kB: 1us}, publisher: {1kB: 1us}}
listeners: {L: {core: m/l, priority: 9, queue: 9}}
executors: {E: {core: m/a, priority: 5}, F: {core: m/b, priority: 5}}
services: {s: {request: 1kB, reply: 1kB, history: 9}}
callbacks:
  one: {executor: E, wcet: 1ms, timer: 50ms, calls: [{service: s, mode: sync}]}
  two: {executor: E, wcet: 1ms, timer: 50ms, calls: [{service: s, mode: sync}]}
  server: {executor: F, wcet: 1ms, serves: {service: s, listener: L, reply: {mode: sync}}}
"""
    assert len(assumed(text)) == 1
    assert not assumed(text.replace("timer: 50ms, calls: [{service: s, mode: sync}]}\n  server", "timer: 50ms}\n  server"))  # fmt: skip


def test_a_certificate_has_to_say_it():
    claims = certificate(ddsrta.loads(SYSTEM))
    assert check(claims).assuming == ("arrival-order", "delivery", "one-port")
    claims["assumptions"] = [one for one in claims["assumptions"] if one != "arrival-order"]
    assert "rest on 'arrival-order', which is not said to be assumed" in check(claims).failure
