"""Limits of bytes that are never reached (lemma idle-limit): what is confirmed, and what not."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check

# Two samples of 1256 bytes may come within a period of 5 ms and a response.
TWO = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1kB: 20us}, listener: {1kB: 20us}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
flow_controllers: {F: {core: m/b, priority: 5, policy: %s, limit: {bytes: %dB, period: 5ms}}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 2, wcet: 1ms, period: 20ms, publishes: [{topic: x, flow_controller: F%s}]}
  q: {core: m/a, priority: 1, wcet: 1ms, period: 20ms, publishes: [{topic: y, flow_controller: F}]}
  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x, y], listener: L}}
"""

LIMIT = ", limit: {bytes: 64000B, period: 5ms}"


def two(size, policy="FIFO", share=""):
    return certificate(ddsrta.loads(TWO % (policy, size, share), "two"))


@pytest.mark.parametrize(("size", "idle"), [(3 * 1256, ["F"]), (3 * 1256 - 1, None)])
def test_a_limit_is_idle_where_there_is_room_for_one_more(size, idle):
    claims = two(size)
    assert claims.get("idle_limits") == idle
    assert check(claims).ok


def test_one_byte_less_is_not_confirmed():
    """The same bounds, of a limit that may be reached."""
    claims, less = two(3 * 1256), two(3 * 1256 - 1)
    kept = ("system", "digest")
    verdict = check({**claims, **{key: less[key] for key in kept}})
    assert not verdict.ok
    assert "its limit may be reached (lemma idle-limit)" in verdict.failure


def test_bounds_without_sleeps_need_the_limit_to_be_named():
    claims = two(3 * 1256)
    del claims["idle_limits"]
    assert not check(claims).ok


def test_a_response_that_says_nothing_leaves_the_limit():
    claims = two(3 * 1256)
    for stage in claims["stages"]:
        stage["response"] = stage["latency"] = stage["window"] = None
    assert "nothing says that the limit is never reached" in check(claims).failure


def test_where_a_writer_has_a_share_nothing_is_said():
    shared = two(64_000, "PRIORITY_WITH_RESERVATION", ", reservation: 30%")
    assert "idle_limits" not in shared
    assert "has a share" in check({**shared, "idle_limits": ["F"]}).failure


def test_only_flow_controllers_with_a_limit_are_named():
    with pytest.raises(CertificateError, match="'L' is no flow controller with a limit"):
        check({**two(64_000), "idle_limits": ["L"]})


def test_a_share_of_what_nobody_reads_does_not_matter():
    text = TWO % ("PRIORITY_WITH_RESERVATION", 3 * 1256, "")
    text = text.replace("y: {size: 1kB}}", "y: {size: 1kB}, none: {size: 1kB}}").replace(
        "[{topic: y, flow_controller: F}]",
        "[{topic: y, flow_controller: F}, {topic: none, flow_controller: F, reservation: 50%}]",
    )
    claims = certificate(ddsrta.loads(text))
    assert claims["idle_limits"] == ["F"]
    assert check(claims).ok


def test_it_holds_where_threads_wait_for_locks():
    text = TWO % ("FIFO", 64_000, "")
    text = text.replace("machines:", 'middleware: {fastdds: "2.9", write: 20us}\nmachines:')
    system = ddsrta.loads(text)
    claims = certificate(system)
    assert claims["idle_limits"] == ["F"]
    assert check(claims).ok
    with_limit, without = ddsrta.analyze(system), ddsrta.loads(text.replace(LIMIT, ""))
    bounds = [message.ddl for message in with_limit.messages]
    assert bounds == [message.ddl for message in ddsrta.analyze(without).messages]
    assert None not in bounds
