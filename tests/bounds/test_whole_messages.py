"""Fast DDS sends large samples in fragments: that a listener receives a message as a whole is
assumed."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.simulation.attack import attack
from ddsrta_simulator import Measure

RULE = "whole-messages"
# The image has been sent after 16 ms, and the pose comes after 10.
SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays:
  listener: {1kB: 10us, 64kB: 200us, 1024kB: 3200us}
  publisher: {1kB: 10us, 64kB: {worst: 1ms, best: 1ms}, 1024kB: {worst: 16ms, best: 16ms}}
topics: {image: {size: 1024kB}, pose: {size: 1kB}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  camera: {core: m/a, priority: 5, wcet: 1us, arrival: {period: 100ms, offset: 0ms}, publishes: [{topic: image, mode: sync}]}
  gps: {core: m/c, priority: 5, wcet: 100us, arrival: {period: 100ms, offset: 10ms}, publishes: [{topic: pose, mode: sync}]}
  load: {core: m/b, priority: 10, wcet: 10ms, arrival: {period: 100ms, offset: 0ms}}
  show: {core: m/d, priority: 5, wcet: 1us, subscribes: {topics: [image], listener: L}}
  drive: {core: m/d, priority: 6, wcet: 1us, subscribes: {topics: [pose], listener: L}}
chains: {way: {path: [gps, pose, drive]}}
"""
SMALL = SYSTEM.replace("image: {size: 1024kB}", "image: {size: 64kB}")
PIECES = SMALL.replace("{topic: image, mode: sync}", "{topic: image, mode: sync, count: 16}")


def test_a_large_message_is_assumed_to_be_received_as_a_whole():
    result = ddsrta.analyze(ddsrta.loads(SYSTEM))
    (one,) = (one for one in result.assumptions if one.rule == RULE)
    assert "listener 'L' receives each message on 'image' when all of it has come" in one.message
    assert one.position[1] == 6
    assert result.check.status == "confirmed"


@pytest.mark.parametrize(
    "text",
    [SMALL, SYSTEM.replace("  show: {core: m/d, priority: 5, wcet: 1us, subscribes", "  # ")],
)
def test_of_small_messages_and_without_readers_nothing_is(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert RULE not in {one.rule for one in result.assumptions}
    assert result.check.status == "confirmed"


def test_a_certificate_has_to_say_it():
    claims = certificate(ddsrta.loads(SYSTEM))
    claims["assumptions"] = [one for one in claims["assumptions"] if one != RULE]
    assert f"rest on '{RULE}', which is not said to be assumed" in check(claims).failure


def test_fragments_go_before_a_message_that_the_whole_does_not_meet():
    whole, pieces = (ddsrta.loads(text) for text in (SYSTEM, PIECES))
    bounds = [ddsrta.analyze(one).chains["way"].latency for one in (whole, pieces)]
    found = attack(pieces, Measure("latency", ("gps", "pose", "drive")), 1, runs=50).worst
    assert bounds[0] < found <= bounds[1]
