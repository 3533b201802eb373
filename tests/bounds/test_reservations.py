"""Reservations: what their gaps let pass, and what a core cannot keep."""

from __future__ import annotations

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.models.reader import loads
from ddsrta.simulation import Run, program_of, worst_choices

EXHAUSTED = """\
ddsrta: 1
machines:
  m: {cores: {c: {reservation: {budget: 4ns, period: 10ns}}, d: {}, e: {}}}
delays:
  listener: {1B: 1ns}
topics:
  urgent: {size: 1B, priority: 0}
  patient: {size: 1B, priority: 5}
flow_controllers:
  F: {core: m/c, priority: 50, policy: HIGH_PRIORITY}
listeners:
  L: {core: m/e, priority: 50}
threads:
  U: {core: m/d, priority: 90, wcet: 1ns, period: 18ns,
      publishes: [{topic: urgent, flow_controller: F, delay: 4ns}]}
  P: {core: m/d, priority: 80, wcet: 1ns, period: 1us,
      publishes: [{topic: patient, flow_controller: F, delay: 1ns}]}
  R: {core: m/e, priority: 40, wcet: 1ns,
      subscribes: {topics: [urgent, patient], listener: L}}
"""


def test_what_comes_while_the_budget_is_used_up_still_goes_first() -> None:
    system = loads(EXHAUSTED)
    program = program_of(system)
    choices = worst_choices(program)
    choices.source_moment[program.sources.index("U")] = 1  # P at 0, U at 1, 19, …
    # the budget is used up at 1 and then late in each period
    for number, budget in enumerate(program.supply_budget):
        choices.supply_phase[number] = -3 if budget else 0
    run = Run(program, choices)
    run.advance(200)
    seen = dict(zip(program.measures, run.worst, strict=True))
    observed = seen["response", ("sample", "P", "patient")]
    bounds = {m.publisher: m.flow_controller for m in ddsrta.analyze(system).messages}
    # time(4) = 16 is no start: the budget is used up, and the next opens at 22 only
    assert observed == 33
    assert bounds["P"] == 34 - 1
    claims = certificate(system)
    assert check(claims).ok
    for stage in claims["stages"]:
        if stage["stage"] == ["sample", "P", "patient"]:
            stage["response"] -= 1
    assert not check(claims).ok


OVERCOMMITTED = """\
ddsrta: 1
machines: {m: {cores: {c: {partitions: {A: {budget: 6ms, period: 10ms}, B: {budget: %s, period: 10ms}}}}}}
threads:
  a: {core: m/c, partition: A, priority: 5, wcet: 1ms, period: 20ms}
  b: {core: m/c, partition: B, priority: 5, wcet: 1ms, period: 20ms}
"""


def test_partitions_that_a_core_cannot_keep_give_no_bound() -> None:
    assert ddsrta.analyze(loads(OVERCOMMITTED % "4ms")).verdict == "met"
    result = ddsrta.analyze(loads(OVERCOMMITTED % "6ms"))
    assert result.verdict == "unbounded"
    because = result.threads["a"].unbounded_because
    share = "the reservations on core m/c add up to 120 % of it"
    assert because == f"{share}; make their budgets smaller, or their periods longer"
