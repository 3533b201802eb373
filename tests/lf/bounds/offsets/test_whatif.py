"""What more `after` buys: wanted latencies, and the curve of offsets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.bounds.offsets.least import offsets
from ddsrta.lf.bounds.offsets.links import network
from ddsrta.lf.bounds.offsets.tradeoff import tradeoff
from ddsrta.lf.bounds.offsets.whatif import what_if
from ddsrta.lf.program.reader import loads
from ddsrta.lf.program.tags import Shift
from tests.lf.bounds.offsets.test_stp import drawn, federations, ring
from tests.lf.federations import MS, text

# A fast chain a → b → c, whose last federate also waits for a slow one.
SLOW = text(
    {"a": "1ms", "b": "1ms", "slow": "30ms", "c": "1ms"},
    [("a", "b"), ("b", "c"), ("slow", "c")],
    delay="1ms",
    chains="chains: {fast: {from: a.r, to: c.r}}\n",
)


def test_the_chain_waits_for_the_slow_one_until_it_takes_its_older_value() -> None:
    federation = loads(SLOW)
    assert judge(federation).chains["fast"].latency == 32 * MS  # 31 waits, 1 to run
    answer = what_if(federation, federation.chains["fast"], 10 * MS)
    assert answer.floor == 5 * MS
    assert answer.more == {2: 22 * MS}
    assert answer.possible
    assert answer.waits == {"a": 5 * MS, "b": 7 * MS, "c": 9 * MS}


@pytest.mark.parametrize("wanted", [5, 6, 20, 31, 32])
def test_the_answer_holds_and_is_the_least(wanted: int) -> None:
    federation = loads(SLOW)
    answer = what_if(federation, federation.chains["fast"], wanted * MS)
    assert answer.possible

    def latency(more: int) -> int:
        slow = replace(federation.connections[2], shift=Shift(more))
        connections = (*federation.connections[:2], slow)
        found = judge(replace(federation, connections=connections)).chains["fast"].latency
        assert found is not None
        return found

    more = answer.more.get(2, 0)
    assert latency(more) <= wanted * MS
    assert not more or latency(more - 1) > wanted * MS


def test_less_than_the_chain_takes_alone_is_impossible() -> None:
    federation = loads(SLOW)
    answer = what_if(federation, federation.chains["fast"], 5 * MS - 1)
    assert (answer.possible, answer.floor, answer.more) == (False, 5 * MS, {})


def test_a_way_from_the_chain_back_into_it_counts_too() -> None:
    """b → side → c: the side way needs more `after`, the chain does not."""
    federation = loads(
        text(
            {"a": "1ms", "b": "1ms", "side": "9ms", "c": "1ms"},
            [("a", "b"), ("b", "c"), ("b", "side"), ("side", "c")],
            chains="chains: {fast: {from: a.r, to: c.r}}\n",
        )
    )
    sides = replace(federation.federates["side"], reactions={})
    federation = replace(federation, federates={**federation.federates, "side": sides})
    answer = what_if(federation, federation.chains["fast"], 3 * MS)
    assert answer.possible


# The curve of offsets


def test_the_curve_of_a_chain_and_a_branch() -> None:
    """c: max(4 - 2x, 1 + … ) by hand: over a, b 2 + 2 - 2x, over slow 3 - x."""
    federation = loads(
        text({"a": "2ms", "b": "2ms", "slow": "3ms", "c": "0ms"},
             [("a", "b"), ("b", "c"), ("slow", "c")])
    )  # fmt: skip
    curves = {curve.federate: curve for curve in tradeoff(network(federation)).curves}
    assert curves["c"].points == ((0, 4 * MS), (MS, 2 * MS), (3 * MS, 0))
    assert curves["b"].points == ((0, 2 * MS), (2 * MS, 0), (3 * MS, 0))


def test_a_positive_circle_needs_its_mean() -> None:
    assert tradeoff(network(ring("4ms"))).least == -(-2 * MS // 3)
    assert tradeoff(network(ring("6ms"))).least == 0


@settings(max_examples=40, deadline=None)
@given(federations)
def test_between_its_points_the_curve_is_never_too_low(
    case: tuple[list[int], list[tuple[int, int, int]]],
) -> None:
    found = network(drawn(*case))
    trade = tradeoff(found)
    indices = [link.index for link in found.links]
    if trade.least:
        assert offsets(found, dict.fromkeys(indices, trade.least - 1)).circles
    for curve in trade.curves:
        last = curve.points[-1][0]
        for added in {trade.least, last, last + 5, *range(trade.least, last, max(1, last // 7))}:
            exact = offsets(found, dict.fromkeys(indices, added)).offsets[curve.federate].value
            assert exact is not None
            assert 0 <= curve.at(added) - exact <= len(indices) + 1


TWO_MICROSTEPS = """\
federation: 1
coordination: decentralized
hosts: {h: {cores: 8}}
network: [{from: h, to: h, delay: 1ms}]
federates:
  quick:
    host: h
    timers: {t: {period: 20ms}}
    outputs: [out]
    reactions: {r: {triggers: [t], effects: [out], wcet: 1ms}}
  slow:
    host: h
    timers: {tick: {period: 20ms}}
    actions: {later: {}}
    outputs: [out]
    reactions:
      a: {triggers: [tick, later], effects: [out], wcet: 5ms}
      b: {triggers: [tick], effects: [later], wcet: 1ms}
  sink:
    host: h
    inputs: [q, s]
    reactions: {act: {triggers: [q, s], wcet: 1ms}}
connections: [{from: quick.out, to: sink.q}, {from: slow.out, to: sink.s}]
chains: {c: {from: quick.r, to: sink.act}}
"""


def test_no_after_that_makes_two_messages_one_tag() -> None:
    """With 6 ms more the chain would take 8 ms, but of two messages of a time one is tardy."""
    federation = loads(TWO_MICROSTEPS, "f.yaml")
    assert not what_if(federation, federation.chains["c"], 8_000_000).possible
    once = loads(TWO_MICROSTEPS.replace("triggers: [tick, later]", "triggers: [tick]"), "f.yaml")
    answer = what_if(once, once.chains["c"], 5_000_000)
    assert answer.possible and set(answer.more) == {1}
