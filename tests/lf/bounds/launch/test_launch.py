"""Launch lags: what can run before a message leaves, and what is left over from earlier tags."""

from __future__ import annotations

import pytest

from ddsrta.lf.bounds.launch.lags import UnknownLagError
from ddsrta.lf.bounds.offsets.links import network
from ddsrta.lf.program.reader import loads
from tests.lf.federations import US

HEAD = """\
federation: 1
coordination: decentralized
hosts: {h: }
network: [{from: h, to: h, delay: 0 ms}]
federates:
  sink: {host: h, inputs: [in]}
  f:
    host: h
"""
TAIL = "connections: [{from: f.out, to: sink.in}]\n"


def lag(body: str, more: str = "") -> int:
    """The launch lag of f.out."""
    federation = loads(HEAD + body + TAIL + more)
    return network(federation).launches["f"].of_output("out", 0)


def test_reactions_of_a_reactor_run_in_their_order() -> None:
    body = """\
    timers: {t: {period: 10ms}}
    outputs: [out]
    reactions:
      first: {triggers: [t], wcet: 300us}
      second: {triggers: [t], effects: [out], wcet: 200us}
      third: {triggers: [t], wcet: 5us}
"""
    assert lag(body) == 505 * US  # third is on the level on which the message is sent
    assert lag(body.replace("[t], wcet: 5us", "[t], wcet: 5us, level: 7")) == 500 * US
    assert lag(body.replace("third: {", "third: {reactor: x, level: 7, ")) == 500 * US


def test_whoever_is_on_the_same_level_may_run_before() -> None:
    body = """\
    timers: {t: {period: 10ms}}
    outputs: [out]
    reactions:
      send: {triggers: [t], effects: [out], wcet: 200us}
      other: {reactor: a, triggers: [t], wcet: 900us}
      after: {reactor: a, triggers: [t], wcet: 70us}
      last: {reactor: a, triggers: [t], wcet: 1us, level: 2}
"""
    assert lag(body) == 1170 * US
    late = body.replace("after: {reactor: a", "after: {reactor: b, level: 5")
    assert lag(late.replace("last: {reactor: a", "last: {reactor: c")) == 1100 * US


def test_workers_share_a_level_but_not_a_reaction() -> None:
    """Two of 600 us on one level: one worker needs 1.2 ms, two need 600 us."""
    body = """\
    workers: {w}
    scheduler: {s}
    timers: {{t: {{period: 10ms}}}}
    outputs: [out]
    reactions:
      one: {{reactor: a, triggers: [t], effects: [out], wcet: 600us}}
      two: {{reactor: b, triggers: [t], wcet: 600us}}
"""
    assert lag(body.format(w=1, s="NP")) == 1200 * US
    assert lag(body.format(w=2, s="NP")) == 900 * US  # Graham: (1200 + 600) / 2
    assert lag(body.format(w=2, s="ADAPTIVE")) == 1200 * US


def test_a_reaction_that_only_one_enables_may_run_ahead_of_its_level() -> None:
    """`next` is on level 3, but is run at once after `start`, which runs before the sender."""
    body = """\
    timers: {t: {period: 10ms}}
    outputs: [out, x]
    reactions:
      start: {reactor: a, triggers: [t], effects: [x], wcet: 1us}
      next: {reactor: b, triggers: [x], wcet: 700us, level: 3}
      send: {reactor: c, triggers: [t], effects: [out], wcet: 20us}
"""
    assert lag(body) == 721 * US


def test_who_receives_has_other_levels_than_it_seems() -> None:
    """The reaction of the compiler that receives lifts `send`, so that `third` comes first."""
    body = """\
    workers: 2
    timers: {t: {period: 10ms}}
    outputs: [out]
    inputs: [in]
    reactions:
      send: {reactor: a, triggers: [t], sources: [in], effects: [out], wcet: 20us}
      first: {reactor: b, triggers: [t], wcet: 100us}
      second: {reactor: b, triggers: [t], wcet: 100us}
      third: {reactor: b, triggers: [t], wcet: 100us}
"""
    alone = lag(body.replace("    inputs: [in]\n", "").replace("sources: [in], ", ""))
    assert alone == 210 * US  # (220 + 200) / 2: the first two levels
    federation = loads(
        HEAD.replace("inputs: [in]}", "inputs: [in], outputs: [back]}")
        + body
        + TAIL.replace("]\n", ", {from: sink.back, to: f.in, after: 10ms}]\n")
    )
    assert network(federation).launches["f"].of_output("out", 0) == 320 * US


def test_outputs_without_delay_have_an_order_of_their_own() -> None:
    body = """\
    timers: {t: {period: 10ms}}
    outputs: [out, two]
    reactions:
      send: {reactor: a, triggers: [t], effects: [out], wcet: 20us}
      slow: {reactor: b, triggers: [t], effects: [two], wcet: 100us, level: 4}
"""
    assert lag(body) == 20 * US
    both = HEAD.replace("inputs: [in]", "inputs: [in, other]") + body
    both += TAIL.replace("]\n", ", {from: f.two, to: sink.other}]\n")
    assert network(loads(both)).launches["f"].of_output("out", 0) == 120 * US


def test_tags_that_come_close_leave_work_over() -> None:
    """A tick of 3 ms each 7 ms can be 1 ms before one of each 5 ms."""
    body = """\
    timers: {five: {period: 5ms}, seven: {period: 7ms}}
    outputs: [out]
    reactions:
      send: {reactor: a, triggers: [five], effects: [out], wcet: 1ms}
      slow: {reactor: b, triggers: [seven], wcet: 3ms}
"""
    assert lag(body) == 6000 * US  # 2 ms left over, 1 + 3 at the tag
    assert lag(body.replace("7ms", "10ms")) == 4000 * US
    shifted = body.replace("{period: 7ms}", "{period: 10ms, offset: 3ms}")
    assert lag(shifted) == 2000 * US  # 2 ms before, 3 ms long; never at the same tag


def test_too_much_work_has_no_lag() -> None:
    body = """\
    timers: {t: {period: 10ms}}
    actions: {a: {kind: physical, min_spacing: 4ms}}
    outputs: [out]
    reactions:
      send: {reactor: a, triggers: [t], effects: [out], wcet: 7ms}
      hear: {reactor: b, triggers: [a], wcet: 2ms}
"""
    with pytest.raises(UnknownLagError, match="120 %"):
        lag(body)
    assert lag(body.replace("4ms", "8ms")) > 0
    with pytest.raises(UnknownLagError, match=r"f\.a has no min_spacing"):
        lag(body.replace("min_spacing: 4ms", "min_delay: 4ms"))


@pytest.mark.parametrize("delay", ["0 ms", "7ms"])
def test_a_loop_of_actions_has_no_end_without_a_spacing(delay: str) -> None:
    body = f"""\
    timers: {{t: {{period: 10ms}}}}
    actions: {{a: {{min_delay: {delay}}}}}
    outputs: [out]
    reactions:
      send: {{triggers: [t, a], effects: [out, a], wcet: 1us}}
"""
    if delay == "7ms":  # comes to the same tags again after ten rounds
        assert lag(body) == 1 * US
    else:
        with pytest.raises(UnknownLagError, match="give a 'min_spacing'"):
            lag(body)
    assert lag(body.replace("}}\n    outputs", ", min_spacing: 1ms}}\n    outputs")) >= US


def test_what_follows_an_endless_loop_has_no_lag_either() -> None:
    body = """\
    timers: {t: {period: 10ms}}
    actions: {a: {min_delay: 0 ms}}
    outputs: [out]
    reactions:
      send: {triggers: [t, a], effects: [out, a], wcet: 1us}
"""
    federation = loads(
        HEAD.replace("inputs: [in]}", "inputs: [in], outputs: [on], reactions: {r: {triggers: [in],"
                     " effects: [on], wcet: 1us}}}") + body + TAIL
    )  # fmt: skip
    with pytest.raises(UnknownLagError, match="more moments"):
        network(federation).launches["sink"].of_output("on", 0)


def test_the_operating_system_and_other_messages_count() -> None:
    body = """\
    overhead: 40us
    timers: {t: {period: 10ms}}
    outputs: [out, two]
    reactions:
      send: {triggers: [t], effects: [out, two], wcet: 100us}
"""
    federation = loads(
        HEAD.replace("inputs: [in]", "inputs: [in, other]")
        + body
        + "connections:\n  - {from: f.out, to: sink.in, send: 7us}\n"
        + "  - {from: f.two, to: sink.other, send: 30us}\n"
    )
    links = network(federation).links
    assert [link.lag for link in links] == [170 * US, 147 * US]
    assert [link.latency for link in links] == [7 * US, 30 * US]
