"""By default Fast DDS lets whoever sends do what readers of its process do: else it is assumed."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check

SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {listener: {1kB: 1ms}, publisher: {1kB: 10us}}
topics: {x: {size: 1kB, history: 9}}
listeners: {L: {core: m/b, priority: 9, queue: 9}, M: {core: m/b, priority: 8, queue: 9}}
processes: {p: {listener: L}, q: {listener: M}}
threads:
  source: {core: m/a, priority: 5, wcet: 1ms, period: 10ms, process: p, publishes: [{topic: x, mode: sync}]}
  other: {core: m/a, priority: 4, wcet: 1ms, period: 10ms}
  sink: {core: m/c, priority: 5, wcet: 1ms, process: p, subscribes: {topics: [x]}}
"""
APART = (
    "sink: {core: m/c, priority: 5, wcet: 1ms, process: p",
    "sink: {core: m/c, priority: 5, wcet: 1ms, process: q",
)


def rules(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    return {one.rule: one for one in result.assumptions}


def test_messages_of_the_middleware_within_a_process_are_assumed_to_be_received():
    one = rules(SYSTEM)["listeners-receive"]
    assert "messages on 'x' within process 'p' are received by its listener" in one.message
    assert one.position[1] == 6


@pytest.mark.parametrize(
    ("old", "new"),
    [
        APART,
        ("processes: {p: {listener: L}", "processes: {p: {listener: L, intra_process: true}"),
        (", process: p, publishes", ", publishes"),
        ("subscribes: {topics: [x]}", "period: 10ms"),
    ],
)
def test_where_there_are_none_nothing_is_assumed(old, new):
    assert old in SYSTEM
    text = SYSTEM.replace(old, new)
    if new.startswith(", publishes"):
        text = text.replace(
            "process: p, subscribes: {topics: [x]}", "subscribes: {topics: [x], listener: L}"
        )
    assert "listeners-receive" not in rules(text)


def test_a_certificate_has_to_say_it():
    claims = certificate(ddsrta.loads(SYSTEM))
    assert check(claims).assuming == ("listeners-receive",)
    del claims["assumptions"]
    assert "rest on 'listeners-receive', which is not said to be assumed" in check(claims).failure
