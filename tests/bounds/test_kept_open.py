"""What comes next on the same core keeps a window open (lemma kept-open)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.bounds.no_less import confirms_no_less_of
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of

WITHOUT = ddsrta.Refinements(kept_open=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: {a: {reservation: {budget: BUDGETns, period: 20ns}}, b: {}, c: {}}}}
topics: {t: {size: 1B, priority: 0}, u: {size: 1B, priority: 1}}
flow_controllers: {F: {core: m/a, priority: 3, policy: HIGH_PRIORITY}}
listeners: {L: {core: m/a, priority: ABOVE}, K: {core: m/c, priority: 1}}
threads:
  p: {core: m/b, priority: 2, wcet: 1ns, period: 100ns, publishes: [{topic: t, flow_controller: F, delay: 2ns}]}
  q: {core: m/c, priority: 3, wcet: 1ns, period: 100ns, publishes: [{topic: u, flow_controller: F, count: 3, delay: 3ns}]}
  h: {core: m/a, priority: 9, wcet: 4ns, period: PERIODns}
  r: {core: m/b, priority: 1, wcet: 1ns, subscribes: {topics: [t], listener: L, delay: LASTns}}
  s: {core: m/c, priority: 2, wcet: 1ns, subscribes: {topics: [u], listener: K, delay: 1ns}}
  OTHER
"""


def system_of(budget=10, last=1, above=5, period=50, other=""):
    text = TEXT.replace("BUDGET", str(budget)).replace("LAST", str(last))
    text = text.replace("PERIOD", str(period))
    return ddsrta.loads(text.replace("ABOVE", str(above)).replace("OTHER", other))


def ddl(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert (result.check.status, result.check.without) == ("confirmed", ())
    return int(next(message.ddl for message in result.messages if message.topic == "t"))


def taken(budget, work):
    """How long a reservation of 20 takes at most."""
    full, rest = divmod(work - 1, budget)
    return full * 20 + 2 * (20 - budget) + rest + 1


@pytest.mark.parametrize("budget", [8, 10, 14])
@pytest.mark.parametrize("last", [1, 2])
def test_both_stages_share_one_window(budget, last):
    # behind u, 3, and h, 4, which comes once in less than 50
    time = taken(budget, 3 + 4 + 2 + last)
    assert ddl(system_of(budget, last)) == time < 50
    assert ddl(system_of(budget, last), WITHOUT) > time


def test_what_comes_just_as_the_first_is_done_counts():
    # F may be done when h comes again: then h goes before the message
    done = taken(10, 3 + 4 + 2)
    assert ddl(system_of(period=done)) == taken(10, 3 + 2 * 4 + 2 + 1)
    assert ddl(system_of(period=done + 2)) == taken(10, 3 + 4 + 2 + 1)


def test_nothing_is_gained_where_another_may_come_between():
    less_urgent = system_of(above=2)
    assert ddl(less_urgent) == ddl(less_urgent, WITHOUT)
    way = system_of(other="x: {core: m/a, priority: 4, wcet: 3ns, period: 100ns}")
    assert ddl(way) == taken(10, 3 + 2 + 4 + 3 + 1)  # x preempts F, and counts for both


@pytest.mark.parametrize("budget", [8, 10, 14])
def test_no_run_takes_longer(budget):
    system = system_of(budget, 2)
    program, result = program_of(system), ddsrta.analyze(system)
    bounds = bounds_of(program, result)
    worst = attack(program, bounds, 3, Budget(runs=150), span_of(system, program, bounds))
    assert all(seen <= bound for seen, bound in zip(worst.seen, bounds, strict=True))


def test_the_checker_confirms_it_and_nothing_below():
    claims = certificate(system_of())
    claim = claims["messages"][0]
    assert claim["ddl"] == 30
    confirms_no_less_of(claims, claim)
