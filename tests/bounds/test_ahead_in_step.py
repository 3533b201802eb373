"""What an event brings later is not ahead of what it brings first (lemma ahead-in-step)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of

WITHOUT = ddsrta.Refinements(ahead_in_step=False)
CLOCK = """
ddsrta: 1
machines: {m: {cores: [a, b, f, l, d]}}
topics: {map: {size: 1B}, scan: {size: 1B}}
flow_controllers: {F: {core: m/f, priority: 1}}
listeners: {L: {core: m/l, priority: 1}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ns, arrival: {period: 200ns, offset: 0ns},
      publishes: [{topic: map, flow_controller: F, delay: 20ns, count: 4}]}
  q: {core: m/b, priority: 1, wcet: 1ns, bcet: 1ns, arrival: {period: 200ns, offset: OFFSETns},
      publishes: [{topic: scan, flow_controller: F, delay: 10ns}]}
  s: {core: m/d, priority: 1, wcet: 1ns, subscribes: {topics: [map, scan], listener: L, delay: 5ns}}
"""
BEHIND = """
ddsrta: 1
machines: {m: {cores: [a, b, f, l, d, e]}}
topics: {ask: {size: 1B}, answer: {size: 1B}}
flow_controllers: {F: {core: m/f, priority: 5}}
listeners: {L: {core: m/l, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 40ns, bcet: 1ns, arrival: {period: 100ns, jitter: 60ns},
      publishes: [{topic: ask, flow_controller: F, delay: {worst: 8ns, best: 8ns}, count: COUNT}]}
  w: {core: m/d, priority: 1, wcet: 2ns, subscribes: {topics: [ask], listener: L, delay: 5ns},
      publishes: [{topic: answer, flow_controller: F, delay: 9ns}]}
  r: {core: m/e, priority: 1, wcet: 1ns, subscribes: {topics: [answer], listener: L, delay: 9ns}}
"""


def ddls(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed"
    return {message.topic: int(message.ddl) for message in result.messages}


def seen(system):
    program, result = program_of(system), ddsrta.analyze(system)
    bounds = bounds_of(program, result)
    worst = attack(program, bounds, 5, Budget(runs=400), span_of(system, program, bounds))
    measures = [(n, one) for n, one in enumerate(program.measures) if one.kind == "ddl"]
    return {measure.of[1]: worst.seen[number] for number, measure in measures}


@pytest.mark.parametrize(("offset", "most"), [(50, 85), (1, 85), (0, 95)])
def test_what_one_clock_releases_later_is_behind(offset, most):
    system = ddsrta.loads(CLOCK.replace("OFFSET", str(offset)))
    assert ddls(system)["map"] == seen(system)["map"] == most
    assert ddls(system, WITHOUT)["map"] == 95


def test_an_answer_is_not_ahead_of_what_it_answers():
    system = ddsrta.loads(BEHIND.replace("COUNT", "1"))  # of two messages that come at once
    assert seen(system)["ask"] <= ddls(system)["ask"] == 30
    assert ddls(system, WITHOUT)["ask"] == 30 + 9
    several = ddsrta.loads(BEHIND.replace("COUNT", "2"))  # the answer to the first may be ahead
    assert seen(several)["ask"] <= ddls(several)["ask"] == ddls(several, WITHOUT)["ask"]


def test_the_checker_confirms_no_less():
    claims = certificate(ddsrta.loads(CLOCK.replace("OFFSET", "50")))
    assert check(claims).ok
    claims["messages"][0]["ddl"] -= 1
    assert not check(claims).ok
