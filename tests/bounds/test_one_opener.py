"""Of all less urgent stages of a core, one unit released what opened a window (lemma one-opener)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.things import explain_message
from ddsrta.checker import check
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.bounds.no_less import confirms_no_less_of
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of

TIGHT = "{reservation: {budget: 6ns, period: 9ns}}"
WITHOUT = ddsrta.Refinements(one_opener=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: {net: HOW, act: {}, c: {}}}}
delays: {flow_controller: {1B: 4ns}, listener: {1B: 2ns}}
topics: {t: {size: 1B}, u: {size: 1B}, v: {size: 1B}}
flow_controllers: {F: {core: m/net, priority: URGENT}}
listeners: {L: {core: m/act, priority: 1}}
threads:
  p: {core: m/net, priority: 3, wcet: 2ns, bcet: 1ns, period: 150ns, publishes: [{topic: t, flow_controller: F}]}
  q: {core: WHERE, priority: 2, wcet: 2ns, bcet: 1ns, period: 150ns, publishes: [{topic: u, flow_controller: F, count: 2}]}
  o: {core: WHERE, priority: 1, wcet: 2ns, bcet: 1ns, period: 150ns, publishes: [{topic: v, flow_controller: F, count: 3}]}
  r: {core: m/c, priority: 1, wcet: 1ns, subscribes: {topics: [t, u, v], listener: L}}
"""


def system_of(urgent=9, where="m/net", how="{}"):
    """Jobs below, between or above the flow controller, or elsewhere."""
    text = TEXT.replace("URGENT", str(urgent)).replace("WHERE", where)
    return ddsrta.loads(text.replace("HOW", how))


def ddls(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert (result.check.status, result.check.without) == ("confirmed", ())
    return {message.topic: int(message.ddl) for message in result.messages}


def test_samples_of_one_job_are_there_and_no_others():
    # F sends two of u, 8, or three of v, 12; then L reads the last, and for u what may be left there
    assert ddls(system_of()) == {"t": 11, "u": 8 + 4, "v": 3 * 4 + 2}
    assert ddls(system_of(), WITHOUT) == {"t": 11, "u": 8 + 7, "v": 3 * 4 + 7}


@pytest.mark.parametrize("urgent", [1, 2, 3, 9])
@pytest.mark.parametrize("where", ["m/net", "m/c"])
@pytest.mark.parametrize("how", ["{}", TIGHT])
def test_no_run_takes_longer(urgent, where, how):
    system = system_of(urgent, where, how)
    bounds, without = ddls(system), ddls(system, WITHOUT)
    assert all(bounds[topic] <= without[topic] for topic in bounds)
    program, result = program_of(system), ddsrta.analyze(system)
    most = bounds_of(program, result)
    seen = attack(program, most, 3, Budget(runs=60), span_of(system, program, most)).seen
    for number, measure in enumerate(program.measures):
        if measure.kind == "ddl":
            assert seen[number] <= bounds[measure.of[1]]


def test_each_opener_is_looked_at_by_itself():
    compiled = compile_system(system_of())
    p, stages, stage_of = compiled.problem, compiled.stages, compiled.placement.stage_of
    unit = compiled.unit_of[compiled.stage_number["sample", "q", "u"]]
    rows = range(p.opener_start[unit], p.opener_start[unit + 1])
    names = [stages[stage_of[p.opener_unit[row]]].key[2] for row in rows]
    found = dict(zip(names, (p.opener_most[row] for row in rows), strict=True))
    assert {stage_of[p.opener_who[row]] for row in rows} == {compiled.stage_number["job", "q"]}
    assert found == {"t": 0, "u": 2, "v": 0}


def test_none_is_known_elsewhere_nor_with_fresh_budgets_nor_of_peers():
    for system in (
        system_of(where="m/c", urgent=3),
        ddsrta.loads(
            TEXT.replace("priority: URGENT", "reservation: {budget: 6ns, period: 9ns}")
            .replace("WHERE", "m/c")
            .replace("HOW", "{}")
        ),
    ):
        assert not compile_system(system).problem.opener_who


def test_what_is_explained_adds_up():
    for system in (system_of(), system_of(how=TIGHT)):
        for who, topic in (("p", "t"), ("q", "u"), ("o", "v")):
            way = [("sample", who, topic), ("message", who, topic, "r")]
            told = explain_message(solve(system), way)
            assert told.bound == ddls(system)[topic]
            assert sum(stage.total for stage in told.stages) == told.bound


def test_the_checker_confirms_it_and_nothing_below():
    claims = certificate(system_of())
    claim = next(one for one in claims["messages"] if one["topic"] == "t")
    confirms_no_less_of(claims, claim)


TURNS = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {listener: {1B: 1ns}, publisher: {1B: 1ns}}
topics: {w: {size: 1B}, x: {size: 1B}, y: {size: 1B}}
listeners: {L: {core: m/b, priority: 1}}
processes: {n: {listener: L, intra_process: true}}
executors:
  E: {core: m/c, priority: 9, kind: events, process: n}
  E0: {core: m/c, priority: 1, kind: events, process: n}
  E1: {core: m/a, priority: 2, kind: events, process: n}
  E2: {core: m/c, priority: 3, kind: events, process: n}
  E3: {core: m/c, priority: 4, kind: events, process: n}
threads:
  p: {core: m/b, priority: 3, wcet: 1ns, period: 100ns, publishes: [{topic: w, mode: sync}]}
  q: {core: m/b, priority: 2, wcet: 1ns, period: 50ns, publishes: [{topic: w, mode: sync}]}
callbacks:
  i: {executor: E0, timer: 60ns, wcet: 2ns, publishes: [{topic: y, mode: sync, count: 2}]}
  j: {executor: E1, timer: 20ns, wcet: 1ns, publishes: [{topic: x, mode: sync, count: 3}]}
  k: {executor: E2, timer: 25ns, wcet: 2ns, publishes: [{topic: x, mode: sync, count: 2}]}
  l: {executor: E3, timer: 12ns, wcet: 2ns, publishes: [{topic: x, mode: sync}]}
  w: {executor: E, wcet: 2ns, subscribes: {topics: [w], order: ORDER}}
  x: {executor: E, wcet: 1ns, subscribes: {topics: [x]}}
  y: {executor: E, wcet: 3ns, subscribes: {topics: [y]}}
"""


@pytest.mark.parametrize(("order", "least"), [("arrival", 18), ("any", 19)])
def test_none_is_known_of_what_is_taken_in_any_order(order, least):
    claims = certificate(ddsrta.loads(TURNS.replace("ORDER", order)))
    (job,) = (one for one in claims["stages"] if one["stage"] == ["job", "w"])
    assert (job["response"], "taken" in job) == (least, order == "any")
    assert check(claims).ok
    job["response"] -= 1
    verdict = check(claims)
    assert not verdict.ok
    assert "lemma busy-window" in verdict.failure
