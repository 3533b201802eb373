"""What of one clock can meet at flow controllers and listeners (lemma clocked-counts)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check

WITHOUT = ddsrta.Refinements(clocked_counts=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}, n: {cores: [a, b]}}
network: [{from: n, to: m, delay: 0ns}]
delays: {flow_controller: {1kB: 1ms, 9kB: 6ms}, listener: {1kB: 1ms, 9kB: 2ms}}
topics: {fast: {size: 1kB, priority: 1}, large: {size: 9kB, priority: 2}}
flow_controllers: {F: {core: m/b, priority: 1, policy: POLICY}}
listeners: {L: {core: m/c, priority: 1}}
threads:
  p: {core: m/a, priority: 2, wcet: 1ms, arrival: {FAST}, publishes: [{topic: fast, flow_controller: F}]}
  q: {core: m/a, priority: 1, wcet: 1ms, arrival: {LARGE}, publishes: [{topic: large, flow_controller: F}]}
  s: {core: m/d, priority: 1, wcet: 1ms, subscribes: {topics: [fast, large], listener: L}}
chains: {way: {path: [p, fast, s]}}
"""
FAST = "period: 10ms, offset: 0ms"


def system(large, fast=FAST, policy="FIFO"):
    text = TEXT.replace("LARGE", large).replace("FAST", fast).replace("POLICY", policy)
    return ddsrta.loads(text)


def sample(system, refinements=None):
    """The response of the sample of `fast`, in ms; confirmed."""
    result = ddsrta.analyze(system, refinements=refinements or ddsrta.Refinements())
    assert (result.check.status, result.check.without) == ("confirmed", ())
    (message,) = (each for each in result.messages if each.topic == "fast")
    return message.flow_controller / 1_000_000


@pytest.mark.parametrize("policy", ["FIFO", "HIGH_PRIORITY", "ROUND_ROBIN"])
@pytest.mark.parametrize(
    ("large", "meets"),
    [
        ("period: 20ms, offset: 2ms", False),
        ("period: 20ms, offset: 12ms", False),
        ("period: 40ms, offset: 22ms", False),
        ("period: 20ms, offset: 1ms, jitter: 1ms", False),
        ("period: 20ms, offset: 2ms, jitter: 2ms", True),  # sent until 1 ms after the next `fast`
        ("period: 20ms, offset: 4ms", True),
        ("period: 20ms, offset: 10ms", True),
        ("period: 15ms, offset: 2ms", True),  # by and by it is anywhere, 5 ms apart
        ("period: 20ms", True),  # nothing is known of when
        ("sporadic: 20ms", True),
    ],
)
def test_a_large_message_is_there_only_where_its_offset_lets_it(large, meets, policy) -> None:
    given = system(large, policy=policy)
    assert (sample(given) == 1) is not meets
    assert sample(given, WITHOUT) > 1


def test_jitter_of_ours_counts_on_both_sides() -> None:
    large = "period: 20ms, offset: 2ms"
    found = [sample(system(large, f"{FAST}, jitter: {time}ms")) for time in (0, 1, 2)]
    assert found[0] == found[1] == 1 < found[2]


def test_with_jitter_above_a_period_offsets_still_say_how_often() -> None:
    late = "period: 20ms, offset: 2ms, jitter: 21ms"
    assert sample(system(late)) <= sample(system(late), WITHOUT)


def test_two_machines_have_two_clocks() -> None:
    text = TEXT.replace("LARGE", "period: 20ms, offset: 2ms").replace("POLICY", "FIFO")
    text = text.replace("FAST", FAST)
    far = "p: {core: n/a, priority: 2, wcet: 1ms, arrival: {period: 10ms, offset: 0ms}, publishes: [{topic: fast, mode: sync, delay: 1ms}]}"
    lines = [f"  {far}" if line.startswith("  p:") else line for line in text.splitlines()]
    given = ddsrta.loads("\n".join(lines))
    message = ("message", "p", "fast", "s")
    assert solve(given).response(message) == solve(given, WITHOUT).response(message)


def test_what_follows_over_several_threads_keeps_its_clock() -> None:
    text = TEXT.replace("LARGE", "period: 20ms, offset: 2ms").replace("POLICY", "FIFO")
    text = text.replace("FAST", FAST)
    more = "  r: {core: m/a, priority: 1, wcet: 1ms, arrival: {period: 20ms, offset: 1ms}}\n"
    follows = "priority: 3, wcet: 1ms, follows: {threads: [r]}, publishes: [{topic: large"
    follower = more + f"  q: {{core: m/a, {follows}, flow_controller: F}}]}}"
    lines = [follower if line.startswith("  q:") else line for line in text.splitlines()]
    given = ddsrta.loads("\n".join(lines))
    assert sample(given) < sample(given, WITHOUT)


def test_an_explanation_says_so() -> None:
    explained = explain(system("period: 20ms, offset: 2ms"), "way")
    assert "what one clock releases counts at its offsets" in explained.stages[1].note
    explained = explain(system("period: 20ms"), "way")
    assert not any("clock" in stage.note for stage in explained.stages)


def test_the_checker_confirms_no_less() -> None:
    claims = certificate(system("period: 20ms, offset: 1ms, jitter: 1ms"))
    (stage,) = (each for each in claims["stages"] if each["stage"] == ["sample", "p", "fast"])
    assert check(claims).ok
    stage["response"] -= 1
    assert not check(claims).ok


@pytest.mark.parametrize(("offset", "holds"), [(12, True), (4, False)])
def test_the_checker_counts_by_itself_what_offsets_let_meet(offset, holds) -> None:
    claims = certificate(system("period: 20ms, offset: 2ms"))
    other = certificate(system(f"period: 20ms, offset: {offset}ms"))
    assert check({**other, "stages": claims["stages"]}).ok is holds
