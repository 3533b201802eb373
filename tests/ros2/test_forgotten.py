"""What rclcpp of humble forgets: messages within a process to a busy group of a pool."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest

SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {listener: {1kB: 10us}, publisher: {1kB: 10us}}
topics: {x: {size: 1kB}}
listeners: {L: {core: m/c, priority: 9}}
processes: {p: {listener: L, intra_process: true}}
executors: {E: {cores: [m/a, m/b], priority: 5, kind: multi_threaded, process: p, release: iron}}
callbacks:
  source: {executor: E, wcet: 1ms, timer: 10ms, group: s, publishes: [{topic: x, mode: sync}]}
  tick: {executor: E, wcet: 2ms, timer: 10ms, group: g}
  sink: {executor: E, wcet: 1ms, group: g, subscribes: {topics: [x]}}
chains: {way: {path: [source, x, sink], deadline: 20ms}}
"""
HUMBLE = ("release: iron", "release: humble")


def test_a_message_that_a_busy_group_forgets_has_no_bound():
    for release in ("release: humble", ""):
        text = SYSTEM.replace(", release: iron", f", {release}" if release else "")
        with pytest.raises(ddsrta.InputError) as found:
            ddsrta.loads(text)
        (problem,) = found.value.diagnostics
        assert "forgotten that come to 'sink'" in problem.message


@pytest.mark.parametrize(
    "changes",
    [
        [],  # iron keeps them
        [("release: iron", "release: jazzy")],
        [HUMBLE, ("intra_process: true", "intra_process: false")],
        [HUMBLE, ("sink: {executor: E, wcet: 1ms, group: g", "sink: {executor: E, wcet: 1ms, group: h")],
        [HUMBLE, ("sink: {executor: E, wcet: 1ms, group: g", "sink: {executor: E, wcet: 1ms, reentrant: true")],
        [HUMBLE, ("cores: [m/a, m/b]", "core: m/a, threads: 2")],  # none runs beside another
        [HUMBLE, ("cores: [m/a, m/b]", "core: m/a"), ("multi_threaded", "single_threaded")],
    ],
)  # fmt: skip
def test_others_are_bounded(changes):
    text = SYSTEM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    assert result.chains["way"].latency <= 20_000_000


@pytest.mark.parametrize("release", ("humble", None))
def test_the_checker_refuses_it_too(release):
    claims = certificate(ddsrta.loads(SYSTEM))
    assert check(claims).ok
    claims["system"]["executors"]["E"]["release"] = release
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match="messages to 'sink' may be forgotten"):
        check(claims)
