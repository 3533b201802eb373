"""While ours is being sent, less urgent threads of that core send nothing (lemma silent-senders)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from tests.bounds.no_less import confirms_no_less_of
from tests.bounds.test_held_back import ddl, worst

WITHOUT = ddsrta.Refinements(silent_senders=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: {a: {}, b: {}, c: {}, net: HOW, act: {}}}, n: {cores: [act]}}
network: [{from: m, to: n, delay: 3ns}]
topics: {t: {size: 1B}, v: {size: 1B}}
flow_controllers: {F: {core: m/net, priority: 2}, G: {core: m/net, priority: URGENT}}
listeners: {L: {core: WHERE/act, priority: 2}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ns, period: 100ns, publishes: [{topic: t, flow_controller: F, delay: {worst: 8ns, best: 8ns}}]}
  q: {core: SENDER, wcet: 1ns, period: 100ns, publishes: [{topic: v, SENT, count: COUNT, delay: {worst: 2ns, best: BEST}}]}
  r: {core: WHERE/act, priority: 1, wcet: 1ns, subscribes: {topics: [t, v], listener: L, delay: 4ns}}
"""


def system_of(urgent=1, best="2ns", count=5, how="{}", where="m", mode="async"):
    """With `mode: sync` it is the job of q, on the same core, that sends v."""
    text = TEXT.replace("URGENT", str(urgent)).replace("COUNT", str(count)).replace("HOW", how)
    sync = f"m/net, priority: {urgent}", "mode: sync"
    there = sync if mode == "sync" else ("m/b, priority: 1", "flow_controller: G")
    text = text.replace("SENDER", there[0]).replace("SENT", there[1])
    return ddsrta.loads(text.replace("BEST", best).replace("WHERE", where))


def test_what_was_sent_before_is_read_meanwhile():
    # Five of v are 20 ns of work at L. 12 of them are left when the last has come, and 4 when t has.
    system = system_of()
    assert ddl(system) == 8 + 4 + 4
    assert ddl(system, WITHOUT) == 8 + 4 + 4 + 8
    assert worst(system, 8 + 4 + 4) == 8 + 4 + 4


@pytest.mark.parametrize("mode", ["async", "sync"])
@pytest.mark.parametrize("urgent", [1, 2, 3])
@pytest.mark.parametrize("best", ["0ns", "1ns", "2ns"])
@pytest.mark.parametrize("how", ["{}", "{reservation: {budget: 6ns, period: 9ns}}"])
def test_no_run_takes_longer(mode, urgent, best, how):
    system = system_of(urgent, best, how=how, mode=mode)
    bound = ddl(system)
    assert worst(system, bound) <= bound <= ddl(system, WITHOUT)
    assert (bound < ddl(system, WITHOUT)) == (urgent == 1 and best != "0ns")


def test_nothing_is_said_of_a_network():
    system = system_of(where="n")
    assert ddl(system) == ddl(system, WITHOUT)
    assert worst(system, ddl(system)) <= ddl(system)


def test_the_checker_confirms_it_and_nothing_below():
    claims = certificate(system_of())
    claim = next(one for one in claims["messages"] if one["topic"] == "t")
    confirms_no_less_of(claims, claim)
