"""What the kernel says of a system by itself is what `solve` and `present` find."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace
from pathlib import Path
from random import Random

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.brief import analyze_briefly, brief_of
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.result import Result
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta.models.system import System
from ddsrta_kernel.solver import Solver as Interpreted
from tests.soundness.worth import system_of

LIMIT = Path(__file__).parents[1] / "soundness" / "corpus" / "limit_that_never_binds.yaml"
ARS = Path(__file__).resolve().parents[2] / "casestudies" / "ars" / "F.yaml"
KINDS = ("focused", "fixed_priority", "multi_threaded", "static")
DRAWN = [system_of(kind, seed, 0.7) for kind in KINDS for seed in range(4)]


def whole(system: System, refinements: Refinements | None = None) -> Result:
    """The result without what the kernel says by itself."""
    return present(solve(system, refinements), refinements or Refinements.all())


def is_brief(system: System) -> bool:
    return brief_of(compile_system(system)) is not None


def robot(deadline: str = "100ms", cost: str = "2ms", priority: int = 10) -> System:
    """Two sensors whose messages one executor takes, sent by one flow controller."""
    return ddsrta.loads(f"""
ddsrta: 1
machines: {{m: {{cores: [c0, c1]}}}}
delays: {{flow_controller: {{1kB: 60us}}, listener: {{1kB: 100us}}}}
topics: {{imu: {{size: 1kB}}, scan: {{size: 1kB}}}}
flow_controllers: {{F: {{core: m/c0, priority: {priority}, policy: FIFO}}}}
listeners: {{L: {{core: m/c1, priority: 80}}}}
threads:
  fast: {{core: m/c0, priority: 61, wcet: 1ms, period: 10ms,
    publishes: [{{topic: imu, flow_controller: F}}]}}
  slow: {{core: m/c0, priority: 60, wcet: {cost}, period: 30ms,
    publishes: [{{topic: scan, flow_controller: F}}]}}
executors: {{X: {{core: m/c1, priority: 50, kind: single_threaded}}}}
callbacks:
  balance: {{executor: X, wcet: 2ms, subscribes: {{topics: [imu], listener: L}}}}
  map: {{executor: X, wcet: 5ms, subscribes: {{topics: [scan], listener: L}}}}
chains: {{react: {{path: [fast, imu, balance], deadline: {deadline}}}}}
""")


def alone() -> System:
    """What one sensor brings is done before it sends again; two threads join it."""
    return ddsrta.loads("""
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
delays: {flow_controller: {1kB: 60us}, listener: {1kB: 100us}}
topics: {near: {size: 1kB, priority: 3}, far: {size: 1kB}, there: {size: 1kB}}
flow_controllers: {F: {core: m/c0, priority: 9, policy: FIFO}}
listeners: {L: {core: m/c1, priority: 80}}
threads:
  sensor: {core: m/c0, priority: 60, wcet: 1ms, period: 30ms,
    publishes: [{topic: near, flow_controller: F}, {topic: far, flow_controller: F, count: 2}]}
  one: {core: m/c2, priority: 50, wcet: 2ms, subscribes: {topics: [near], listener: L},
    publishes: [{topic: there, flow_controller: F}]}
  other: {core: m/c2, priority: 40, wcet: 3ms,
    subscribes: {topics: [near, there], listener: L, activation: and}}
chains: {way: {path: [sensor, near, one, there, other]}, direct: {path: [sensor, near, other]}}
""")


def test_what_is_alone_is_the_same() -> None:
    system, without = alone(), replace(Refinements(), events_alone=False)
    assert is_brief(system)
    assert analyze_briefly(system) == whole(system)
    assert analyze_briefly(system, without).chains != whole(system).chains


def test_results_of_drawn_systems_are_the_same() -> None:
    assert sum(map(is_brief, DRAWN)) > 4
    for system in DRAWN:
        assert analyze_briefly(system) == whole(system)


def test_results_with_fewer_refinements_are_the_same() -> None:
    names = [each.name for each in fields(Refinements)]
    for number, system in enumerate(filter(is_brief, DRAWN)):
        rnd = Random(number)
        left_out = rnd.sample(names, rnd.randint(1, len(names)))
        chosen = replace(Refinements.all(), **dict.fromkeys(left_out, False))
        assert analyze_briefly(system, chosen) == whole(system, chosen), left_out


def test_the_reference_system_is_the_same() -> None:
    system = ddsrta.load(ARS)
    assert is_brief(system)
    assert analyze_briefly(system) == whole(system)


def test_ceilings_of_the_kernel_are_those_of_the_solution() -> None:
    for system in (ddsrta.load(ARS), *DRAWN):
        compiled = compile_system(system)
        if (brief := brief_of(compiled)) is not None:
            assert lengths(brief.solution()) == lengths(solve(system))


def lengths(solution: Solution) -> tuple[object, ...]:
    """All that bounds the stages of a solution, by unit and by stage."""
    return (
        list(solution.solver.response),
        list(solution.solver.latency),
        {number: window.length for number, window in solution.ceilings.items()},
        {number: (one.response, one.instead) for number, one in solution.pendings.items()},
        solution.joint,
        set(solution.latest),
    )


def test_a_system_without_threads_is_the_same() -> None:
    system = replace(robot(), threads={}, executors={}, chains={})
    assert ddsrta.analyze(system, check=False) == whole(system)


def test_what_has_limits_that_are_idle_is_the_same() -> None:
    system = ddsrta.load(LIMIT)
    assert ddsrta.analyze(system, check=False) == whole(system)


def test_interpreted_the_kernel_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddsrta.bounds.unaided.Solver", Interpreted)
    for system in (robot(), alone(), *[one for one in DRAWN if len(one.threads) < 6][:3]):
        assert analyze_briefly(system) == whole(system)


def test_each_verdict_is_the_same() -> None:
    asked = ("met", robot()), ("missed", robot("5ms")), ("unbounded", robot(cost="60ms"))
    for verdict, system in (*asked, ("error", robot(priority=90))):  # spins on a lock
        assert is_brief(system)
        brief, all_of_it = ddsrta.analyze(system, check=False), whole(system)
        assert brief.verdict == all_of_it.verdict == verdict
        assert brief.chains == all_of_it.chains


def test_nothing_is_explained_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    result = ddsrta.analyze(robot(), check=False)
    with monkeypatch.context() as patched:
        patched.setattr("ddsrta.bounds.brief.solve", None)
        assert (result.verdict, result.chains["react"].met) == ("met", True)
    assert [hop.stage for hop in result.chains["react"].hops][-1] == "callback balance"


def test_no_path_is_walked_along_for_a_whole_result(monkeypatch: pytest.MonkeyPatch) -> None:
    system = ddsrta.load(ARS)
    expected = whole(system)
    assert expected.assumptions  # which come last
    monkeypatch.setattr("ddsrta.bounds.paths.walk.Walk", None)
    assert analyze_briefly(system) == expected


def test_windows_of_messages_are_looked_for_once_a_result_is_asked_for() -> None:
    brief = brief_of(compile_system(alone()))
    assert brief is not None
    ways = brief.answers.told
    first = ways.first[brief.answers.exact]
    before = ways.steps[:]
    assert brief.solution() is not None
    assert ways.steps[:first] == before[:first]
    assert sum(ways.steps[first:]) < sum(before[first:])


def test_a_verdict_asks_for_no_way_that_only_makes_a_bound_less() -> None:
    system = ddsrta.load(ARS)
    brief = brief_of(compile_system(system))
    assert brief is not None
    solution = brief.solution()
    assert solution is not None
    assert solution.told is not None
    asked, told = brief.answers.told.numbers, solution.told.numbers
    joins = [("job", n) for n, one in system.threads.items() if one.activation == "and"]
    stages = solution.compiled.stages
    more = [[stages[number].key for number in way] for way, _ in told.keys() - asked.keys()]
    assert joins
    assert {way[1] for way in more} == {*joins}  # from the end of a subscription
    assert [*told][: len(asked)] == [*asked]


def test_a_brief_result_can_be_sent() -> None:
    result = ddsrta.analyze(robot(), check=False)
    chain = result.chains["react"]
    assert pickle.loads(pickle.dumps(chain)) == chain
    assert pickle.loads(pickle.dumps(result)) == result
