"""Results of systems that differ a little are those of an analysis of the whole."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from random import Random

import pytest

import ddsrta
from benchmarks.systems import generate, to_system
from ddsrta.bounds.evidence import checked
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import MOST_CLOSED
from ddsrta.bounds.update import again
from ddsrta.bounds.update.parts import untouched
from ddsrta.checker import check
from ddsrta.checker.parts import check_parts
from ddsrta.models.document import digest
from tests.bounds.drawn_changes import changed, side_by_side
from tests.effort import calls
from tests.soundness.draw import drawn

pytestmark = pytest.mark.usefixtures("soon_over")

ROBOT = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 50us}, listener: {1kB: 100us}}
topics: {speed: {size: 1kB}}
flow_controllers: {F: {core: m/a, priority: 80}}
listeners: {L: {core: m/b, priority: 90}}
threads:
  sensor: {core: m/a, priority: 85, wcet: 1ms, period: 10ms,
           publishes: [{topic: speed, flow_controller: F}]}
  control: {core: m/b, priority: 70, wcet: 2ms, subscribes: {topics: [speed], listener: L}}
chains: {loop: {path: [sensor, speed, control], deadline: 8ms}}
"""


def robots(count):
    return side_by_side([ddsrta.loads(ROBOT)] * count)


@pytest.mark.parametrize("seed", range(12))
def test_drawn_changes_of_drawn_systems(seed):
    random, system = Random(seed), drawn(seed)
    try:
        before = side_by_side([system, changed(system, random), changed(system, random)])
        result = ddsrta.analyze(before)
    except ddsrta.InputError:
        return
    for _ in range(3):
        after = changed(before, random)
        try:
            whole = ddsrta.analyze(after)
        except ddsrta.InputError as error:
            with pytest.raises(ddsrta.InputError, match=re.escape(str(error))):
                result.update(after)
            continue
        result = result.update(after)
        assert result == whole
        assert json.dumps(result.to_dict()) == json.dumps(whole.to_dict())
        assert result.basis == whole.basis
        before = after


def test_parts_of_a_large_system_are_as_of_a_large_system():
    """Of more than some stages not all is looked at: no more in an update."""
    parts = [to_system(generate(10, seed)) for seed in range(1, MOST_CLOSED // 10 + 2)]
    system = side_by_side(parts)
    result = ddsrta.analyze(system, check=False)
    for name in ("3.t5", "4.t1", "7.t8"):
        after = system.altered("threads", name, priority=20)
        assert result.update(after) == ddsrta.analyze(after, check=False)


def test_only_what_a_change_reaches_is_analysed(monkeypatch):
    system = robots(30)
    result = ddsrta.analyze(system)
    seen = []
    honest = again.analyze_checked

    def spied(part, *arguments, **more):
        seen.append(sorted(part.threads))
        return honest(part, *arguments, **more)

    monkeypatch.setattr(again, "analyze_checked", spied)
    after = result.update(system.altered("threads", "7.sensor", wcet=3_000_000))
    assert seen == [["7.control", "7.sensor"]]
    assert after.chains["7.loop"].latency > result.chains["7.loop"].latency
    assert after.chains["8.loop"] is result.chains["8.loop"]
    assert after.check.status == "confirmed"


def test_it_is_less_work_than_an_analysis():
    system = robots(100)
    result = ddsrta.analyze(system)
    changes = system.altered("threads", "7.sensor", wcet=3_000_000)
    assert calls(lambda: result.update(changes)) < calls(lambda: ddsrta.analyze(changes)) / 3


def test_unchecked_results_stay_so():
    system = robots(3)
    result = ddsrta.analyze(system, check=False)
    slower = system.altered("threads", "1.sensor", wcet=3_000_000)
    assert result.update(slower) == ddsrta.analyze(slower, check=False)


def test_refinements_stay_those_that_were_asked_for():
    none = Refinements.none()
    system = robots(3)
    slower = system.altered("threads", "1.sensor", wcet=3_000_000)
    result = ddsrta.analyze(system, refinements=none).update(slower)
    assert result == ddsrta.analyze(slower, refinements=none)


@pytest.mark.parametrize("count", [1, 3])
def test_what_the_checker_refused_once_is_asked_for_again(monkeypatch, count):
    """And said to be left out again, or not: whatever an analysis of the whole says."""
    honest, refusing = checked._Checker.judge, True

    def judge(self, result, refinements, ended=None):
        if refusing and refinements.tandem:
            return checked._Judged("refuted", "it does not hold")
        return honest(self, result, refinements, ended)

    monkeypatch.setattr(checked._Checker, "judge", judge)
    system = robots(count)
    slower = system.altered("threads", "0.sensor", wcet=3_000_000)
    before, whole = ddsrta.analyze(system), ddsrta.analyze(slower)
    assert "tandem" in before.check.without and "tandem" in whole.check.without
    assert before.update(slower) == whole and before.basis.refinements == Refinements.all()
    refusing = False
    after = before.update(slower)
    assert after == ddsrta.analyze(slower) and after.check.without == ()
    assert after.basis == ddsrta.analyze(slower).basis


def test_what_comes_to_share_a_core_is_one_part():
    system = ddsrta.loads("""
ddsrta: 1
machines: {m: {cores: [c, d, e]}}
threads:
  a: {core: m/c, priority: 1, wcet: 1ms, period: 10ms}
  b: {core: m/d, priority: 2, wcet: 1ms, period: 10ms}
  x: {core: m/e, priority: 3, wcet: 1ms, period: 10ms}
""")
    moved = system.altered("threads", "b", core="m/c")
    assert untouched(system, moved) == {("threads", "x"), ("cores", "m/e")}
    result = ddsrta.analyze(system).update(moved)
    assert result == ddsrta.analyze(moved)
    assert result.threads["a"].wcrt == 2_000_000
    assert result.update(system) == ddsrta.analyze(system)


def test_what_was_unchecked_is_analysed_as_a_whole():
    system = robots(3)
    result = ddsrta.analyze(system)
    vague = replace(result, check=replace(result.check, status="unchecked", because="?"))
    slower = system.altered("threads", "1.sensor", wcet=3_000_000)
    assert vague.update(slower) == ddsrta.analyze(slower)


class Parts:
    """Certificates of a change that leaves two of three robots alone."""

    def __init__(self):
        system = robots(3)
        self.before = ddsrta.analyze(system).certificate
        after = system.altered("threads", "1.sensor", wcet=3_000_000)
        part = again.rest_of(after, untouched(system, after))
        self.part = ddsrta.analyze(part).certificate
        self.whole = json.loads(json.dumps(ddsrta.analyze(after).certificate))

    def verdict(self):
        return check_parts(self.whole, self.before, self.part)


def test_the_checker_knows_parts():
    verdict = Parts().verdict()
    assert (verdict.status, verdict.outcome.met) == ("confirmed", 3)


def lower_kept(parts):
    next(s for s in parts.whole["stages"] if s["stage"] == ["job", "0.sensor"])["response"] -= 1


def lower_new(parts):
    next(s for s in parts.whole["stages"] if s["stage"] == ["job", "1.sensor"])["response"] -= 1


def lower_chain(parts):
    parts.whole["chains"]["0.loop"]["latency"] -= 1


def drop_stage(parts):
    del parts.whole["stages"][0]


def drop_queue(parts):
    del parts.whole["queues"]["0.L"]


def old_figures(parts):
    """Those of before, of what changed."""
    parts.whole["chains"]["1.loop"] = parts.before["chains"]["1.loop"]


def other_system(parts):
    parts.whole["system"]["threads"]["0.sensor"]["wcet"] -= 1
    parts.whole["digest"] = digest(parts.whole["system"])


def moved(parts):
    """What is kept, onto a core of the part."""
    parts.whole["system"]["threads"]["0.sensor"]["core"] = "1.m/a"
    parts.whole["digest"] = digest(parts.whole["system"])


def never_confirmed(parts):
    parts.before = json.loads(json.dumps(parts.before))
    next(iter(parts.before["stages"]))["response"] -= 1
    next(s for s in parts.whole["stages"] if s["stage"] == ["job", "0.sensor"])["response"] -= 1


def better_verdict(parts):
    late = parts.whole["system"]["chains"]
    assert late
    parts.whole["verdict"] = "none"


def more_claims(parts):
    parts.whole["links"] = {}


TAMPERED = (lower_kept, lower_new, lower_chain, drop_stage, drop_queue, old_figures, other_system,
            moved, never_confirmed, better_verdict, more_claims)  # fmt: skip


@pytest.mark.parametrize("tamper", TAMPERED, ids=lambda each: each.__name__)
def test_what_is_of_no_part_is_not_confirmed(tamper):
    parts = Parts()
    tamper(parts)
    assert parts.verdict().status != "confirmed"


def test_a_part_that_had_to_do_with_the_rest_is_none():
    """Confirmed bounds of threads that a change leaves on a core with what is new there."""
    system = ddsrta.loads("""
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  a: {core: m/c, priority: 1, wcet: 1ms, period: 10ms}
""")
    extended = replace(system, threads={
        **system.threads, "b": replace(system.threads["a"], name="b", priority=2)
    })  # fmt: skip
    alone = replace(extended, threads={"b": extended.threads["b"]})
    before, part = ddsrta.analyze(system).certificate, ddsrta.analyze(alone).certificate
    whole = json.loads(json.dumps(ddsrta.analyze(extended).certificate))
    for one in whole["stages"]:
        given = before if one["stage"][1] == "a" else part
        one.update(next(s for s in given["stages"] if s["stage"] == one["stage"]))
    assert check(whole).status == "refuted"
    assert check_parts(whole, before, part).status != "confirmed"


APART = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
executors: {E: {core: m/a, priority: 1}}
threads:
  often: {core: m/b, priority: 3, wcet: 1ms, period: 10ms}
  rare: {core: m/b, priority: 2, wcet: 1ms, period: 50ms}
  both: {core: m/b, priority: 1, wcet: 1ms, follows: {threads: [often, rare], activation: and}}
callbacks:
  long: {executor: E, timer: 100ms, wcet: 15ms}
  tick: {executor: E, timer: 10ms, wcet: 1ms}
chains: {way: {path: [often, both]}}
"""


@pytest.mark.parametrize(("source", "named"), [("often", False), ("tick", True)])
def test_a_reason_names_no_skipping_timer_that_has_nothing_to_do_with_it(source, named):
    system = ddsrta.loads(APART.replace("often, ", source + ", "))
    before = ddsrta.analyze(system)
    assert ("(releases that are skipped: tick)" in before.chains["way"].unbounded_because) == named
    after = system.replace("threads", "rare", wcet="2 ms")
    assert before.update(after) == ddsrta.analyze(after)


LINE = """
ddsrta: 1
machines: {m: {cores: [a, b, f, l]}, n: {cores: [p, q]}}
delays: {flow_controller: {1kB: 1ms}, listener: {1kB: 100us}}
topics: {x: {size: 1kB}, y: {size: 1kB}, u: {size: 1kB}}
flow_controllers: {F: {core: m/f, priority: 9, policy: FIFO}}
listeners: {L: {core: m/l, priority: 9}}
threads:
  t0: {core: m/a, priority: 4, wcet: 1ms, period: 20ms, publishes: [{topic: x, flow_controller: F}]}
  t1: {core: m/a, priority: 3, wcet: 1ms, subscribes: {topics: [x], listener: L},
       publishes: [{topic: y, flow_controller: F}]}
  t2: {core: m/a, priority: 1, wcet: 1ms, subscribes: {topics: [y], listener: L}}
  other: {core: m/b, priority: 1, wcet: 1ms, period: 30ms,
          publishes: [{topic: u, flow_controller: F}]}
  reader: {core: m/b, priority: 2, wcet: 1ms, subscribes: {topics: [u], listener: L}}
  alone: {core: n/p, priority: 1, wcet: 1ms, period: 10ms}
"""
POOL = """
executors: {E: {cores: [n/p, n/q], priority: 9, kind: multi_threaded}}
callbacks: {tick: {executor: E, timer: 100ms, wcet: 1ms}}
"""


@pytest.mark.parametrize("check", [True, False])
def test_what_runs_on_several_cores_keeps_all_others_from_lines(check):
    """So a part without it has other bounds beside it than alone (lemma one-at-a-time)."""
    pooled, plain = ddsrta.loads(LINE + POOL), ddsrta.loads(LINE)
    systems = [plain, pooled]
    systems += [system.altered("threads", "other", wcet=2_000_000) for system in systems]
    systems += [system.altered("threads", "alone", wcet=2_000_000) for system in systems]
    results = [ddsrta.analyze(system, check=check) for system in systems]
    assert results[0].messages[2].flow_controller < results[1].messages[2].flow_controller
    for before in results:
        for after, system in zip(results, systems, strict=True):
            assert before.update(system) == after
