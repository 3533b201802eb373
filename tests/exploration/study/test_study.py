"""Studies: the front is that of all candidates by `analyze`, whoever looks for it, and confirmed."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.bounds.result import Check, Result
from ddsrta.exploration.study import subject as room
from ddsrta.exploration.study.study import Study
from tests.exploration.study.cases import BOTH, ORDER, TEXT, explored, system

SENT = {"publication": "threads/sensor/publishes/near", "values": ["sync", "F"]}
CORES = {"kind": "cores", "keep": ["sensor", "filter", "logger"]}


def figures(one: Result) -> tuple[int | None, ...]:
    return one.chains["filter"].latency, one.chains["loop"].latency


def front(found: Study) -> list[tuple[int | None, ...]]:
    return [member.goals for member in found.front]


def test_the_front_is_that_of_all_orders() -> None:
    """By hand: each order through `replace` and `analyze`."""
    results = []
    for order in permutations((30, 20, 10)):
        one = system()
        for name, priority in zip(("logger", "sensor", "filter"), order, strict=True):
            one = one.replace("threads", name, priority=priority)
        results.append(ddsrta.analyze(one))
    met = [figures(one) for one in results if one.verdict == "met"]
    best = {x for x in met if not any(y != x and y[0] <= x[0] and y[1] <= x[1] for y in met)}
    found = explored()
    assert found.is_whole and len(found.tried) == 6
    assert set(front(found)) == best and len(best) == 2
    assert all(member.result.check.status == "confirmed" for member in found.front)
    assert [figures(member.result) for member in found.front] == front(found)


@pytest.mark.parametrize("kind", ["grid", "random", "local", "priorities", "nsga2", "nsga3"])
def test_every_sampler_finds_it_and_tries_the_same_twice(kind: str) -> None:
    if kind.startswith("nsga"):
        pytest.importorskip("pymoo", reason="the explore extra is not installed")
    found, twice = (explored(sampler={"kind": kind, "batch": 2, "seed": 3}) for _ in range(2))
    assert found.tried == twice.tried and found.front == twice.front
    assert set(front(found)) == set(front(explored()))
    assert len({each.point for each in found.tried}) == len(found.tried)


@pytest.mark.parametrize("kind", ["nsga2", "nsga3"])
def test_genetic_algorithms_find_the_front_of_a_larger_space(kind: str) -> None:
    pytest.importorskip("pymoo", reason="the explore extra is not installed")
    parameters = {"order": ORDER, "near": SENT, "cores": CORES}
    sampler = {"kind": kind, "candidates": 48, "population": 12}
    found = explored(parameters=parameters, sampler=sampler)
    assert 12 <= len(found.tried) <= 48 and found.searched.ended == (
        f"'{kind}' found nothing new to try"
    )
    assert front(found) == front(explored(parameters=parameters, sampler="grid"))


def test_placements_even_out_the_load_the_best_first() -> None:
    pytest.importorskip("ortools", reason="the placement extra is not installed")
    cores = {"kind": "cores", "keep": ["L", "F", "sink"]}
    of = [{"minimize": "utilization"}]
    rules = {"deadlines": False, "apart": [["filter", "logger"]]}
    keys = {"parameters": {"all": cores}, "objectives": of, "constraints": rules}
    found = explored(**keys, sampler="placement")
    every = explored(**keys, sampler="grid")
    loads = [each.outcome.goals[0] for each in found.tried]
    assert loads == sorted(loads) and loads[0] == every.front[0].goals[0]
    assert {each.point for each in found.tried} == {each.point for each in every.tried}


@pytest.mark.parametrize(("kind", "package"), [("nsga2", "pymoo"), ("placement", "ortools")])
def test_a_package_that_is_missing_is_named(
    kind: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*sys.modules]:
        if name.split(".")[0] == package or "study.samplers." in name:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ddsrta.InputError, match=f"needs the package {package}; pip install"):
        explored(sampler=kind)


def test_a_search_that_was_cut_short_says_so() -> None:
    found = explored(sampler={"kind": "grid", "batch": 4}, candidates=4)
    assert len(found.tried) == 4 and not found.is_whole
    assert found.searched.ended == "it had tried 4 candidates"


def test_parameters_of_all_forms() -> None:
    period = {"from": "50ms", "to": "90ms", "step": "20ms"}
    found = explored(
        parameters={
            "order": ORDER,
            "near": SENT,
            "cores": CORES,
            "costs": {"places": ["threads/filter/wcet", "threads/sink/wcet"], "values": ["1 ms"]},
            "period": {"place": "threads/logger/period", "range": period},
        },
        sampler={"kind": "random", "candidates": 40},
    )
    assert [each.size for each in found.setup.space.parameters] == [6, 2, 2, 2, 2, 1, 3]
    assert found.setup.space.size == 6 * 2 * 2 * 2 * 2 * 3
    for each in found.tried:
        result = ddsrta.analyze(found.system(each.number))
        assert each.outcome.goals == figures(result)
        assert each.outcome.is_feasible == (result.verdict == "met")


def test_a_queue_that_nothing_uses_any_more_is_empty() -> None:
    sent = {
        name: {**SENT, "publication": f"threads/sensor/publishes/{name}"}
        for name in ("near", "far")
    }
    found = explored(parameters=sent, objectives=[{"minimize": "backlog", "of": "F"}])
    for each in found.tried:
        queues = ddsrta.analyze(found.system(each.number)).queues
        assert each.outcome.goals == (queues["F"].backlog if "F" in queues else 0,)
    assert found.front[0].goals == (0,) and not found.unconfirmed


def test_null_takes_a_key_away() -> None:
    bcet = {"place": "threads/sink/bcet", "values": [None, "500us"]}
    found = explored(parameters={"bcet": bcet})
    assert [each.outcome.refused for each in found.tried] == ["", ""]
    assert [found.system(n).threads["sink"].bcet for n in (1, 2)] == [
        system().threads["sink"].bcet,
        500_000,
    ]
    assert found.system(1) == system()


def test_entries_come_in_any_order() -> None:
    found = explored(parameters={"list": {"entries": "threads/sensor/publishes"}})
    assert [[p.topic for p in found.system(n).threads["sensor"].publishes] for n in (1, 2)] == [
        ["near", "far"],
        ["far", "near"],
    ]


def test_a_value_that_means_what_the_base_says_is_no_change() -> None:
    wcet = {"place": "threads/filter/wcet", "values": ["3000 us", "4ms"]}
    found = explored(parameters={"wcet": wcet}, objectives=[{"minimize": "changes"}])
    assert [each.outcome.goals for each in found.tried] == [(0,), (1,)]


@pytest.mark.parametrize(
    ("constraints", "count"),
    [
        ({"limits": [{"figure": "latency", "of": "loop", "at_most": "3ms"}]}, 2),
        ({"limits": [{"figure": "slack", "at_least": "3 ms"}]}, 4),
        ({"limits": [{"figure": "utilization", "of": "m/c", "at_most": "30 %"}]}, 0),
        ({"deadlines": False}, 6),
    ],
)
def test_limits_are_kept(constraints: dict[str, Any], count: int) -> None:
    found = explored(constraints=constraints)
    asked = constraints.get("limits", [{}])[0]
    fits = 0
    for each in found.tried:
        result = ddsrta.analyze(found.system(each.number))
        slacks = [chain.slack for chain in result.chains.values()]
        fits += {
            "latency": result.chains["loop"].latency <= 3_000_000,
            "slack": min(slacks) >= 3_000_000,
            "utilization": False,
            None: True,
        }[asked.get("figure")] and (result.verdict == "met" or not constraints.get("deadlines", 1))
    assert found.feasible == fits == count
    assert bool(found.front) == bool(count)
    assert (found.nearest is None) == bool(count)


def test_rules_leave_out_points_before_they_are_tried() -> None:
    a, b = (
        {"place": f"threads/{name}/core", "values": ["m/c", "m/d"]} for name in ("logger", "filter")
    )

    def points(**rules: Any) -> list[tuple[int, ...]]:
        found = explored(parameters={"a": a, "b": b}, constraints={"deadlines": False, **rules})
        assert found.is_whole and found.searched.excluded == 4 - len(found.tried)
        return [each.point for each in found.tried]

    assert points(equal=[["a", "b"]]) == [(0, 0), (1, 1)]
    assert points(same_core=[["logger", "filter"]]) == [(0, 0), (1, 1)]
    assert points(apart=[["logger", "filter"]]) == [(0, 1), (1, 0)]
    assert points(apart=[["logger", "sensor"]]) == [(1, 0), (1, 1)]
    assert points(forbidden=[{"a": "m/c", "b": "m/d"}]) == [(0, 0), (1, 0), (1, 1)]


EXECUTORS = """\
ddsrta: 1
machines: {m: {cores: [c, d]}}
executors: {ex: {core: m/c, priority: 9, kind: single_threaded}, io: {core: m/d, priority: 9}}
callbacks:
  slow: {executor: ex, wcet: 8ms, timer: 100ms}
  fast: {executor: ex, wcet: 1ms, timer: 10ms}
nodes:
  eye: {executor: io, callbacks: {see: {wcet: 1ms, timer: 20ms}}}
chains: {fast: {path: [fast], deadline: 9ms}, both: {path: [slow], deadline: 9ms}}
"""


def split(**keys: Any) -> Study:
    base = ddsrta.loads(EXECUTORS, "ex.yaml")
    two = [{"minimize": "latency", "of": "fast"}, {"minimize": "changes"}]
    return ddsrta.explore(base=base, parameters={"s": {"kind": "split"}}, objectives=two, **keys)


def test_an_executor_may_be_split() -> None:
    found = split()
    (parameter,) = found.setup.space.parameters
    assert parameter.name == "split of executor ex" and not found.refused
    assert [parameter.word(n) for n in range(3)] == [
        "not split", "slow → ex_2 on m/c, priority 10", "slow → ex_2 on m/c, priority 8",
    ]  # fmt: skip
    assert front(found) == [(1_000_000, 2), (9_000_000, 0)]
    written = ddsrta.loads(found.text(found.front[0].number), "new.yaml")
    assert written.executors.keys() == {"ex", "io", "ex_2"}
    assert ddsrta.analyze(written).chains["fast"].latency == 1_000_000


@pytest.mark.parametrize(
    ("rules", "cores"),
    [
        ({"apart": [["slow", "fast"]]}, [{"m/c", "m/d"}]),
        ({"same_core": [["fast", "eye.see"]]}, [{"m/c", "m/d"}]),
        ({"same_core": [["slow", "fast"]]}, [{"m/c"}]),
        ({"apart": [["fast", "eye.see"]]}, [{"m/c"}, {"m/c", "m/d"}]),
    ],
)
def test_rules_of_cores_follow_callbacks_into_executors_that_are_new_and_out_of_nodes(
    rules: dict[str, Any], cores: list[set[str]]
) -> None:
    found = split(constraints={"deadlines": False, **rules})
    seen = []
    for each in found.tried:
        one = found.system(each.number)
        where = {name: one.threads[name].core for name in ("slow", "fast", "eye.see")}
        (same,) = rules.get("same_core") or [[]]
        (apart,) = rules.get("apart") or [[]]
        assert len({where[name] for name in same}) <= 1
        assert len({where[name] for name in apart}) == len(apart)
        seen.append({where["slow"], where["fast"]})
    assert found.tried and len(found.tried) < 9 and all(each in seen for each in cores)


@pytest.mark.parametrize("figure", ["utilization", "imbalance", "cores"])
def test_loads_are_those_of_the_result(figure: str) -> None:
    core = {"place": "threads/logger/core", "values": ["m/c", "m/d"]}
    found = explored(parameters={"core": core}, objectives=[{"minimize": figure}])
    for each in found.tried:
        loads = [c.utilization for c in ddsrta.analyze(found.system(each.number)).cores.values()]
        wanted = {"utilization": max(loads), "imbalance": max(loads) - min(loads)}
        value = each.outcome.goals[0]
        assert value == 2 if figure == "cores" else abs(value / 1e6 - wanted[figure]) < 3e-6


def test_what_is_not_confirmed_is_not_on_the_front(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best one is refused: it is named, and the next one takes its place."""
    found = explored(objectives=BOTH[:1])
    first = found.front[0].number

    def refusing(one: Any) -> Result:
        result = ddsrta.analyze(one)
        if figures(result)[0] == found.front[0].goals[0]:
            return replace(result, check=Check("refuted", "0" * 64))
        return result

    monkeypatch.setattr(room, "analyze", refusing)
    other = explored(objectives=BOTH[:1])
    assert first in {each.number for each in other.unconfirmed}
    assert other.front and other.front[0].goals > found.front[0].goals


def test_what_analysis_and_search_disagree_about_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slower = system().replace("threads", "filter", wcet="3100 us")
    monkeypatch.setattr(room, "analyze", lambda one: ddsrta.analyze(slower))
    found = explored(objectives=BOTH[:1])
    assert not found.front and len(found.unconfirmed) == found.feasible
    assert found.unconfirmed[0].because.startswith("its analysis says")


def test_a_candidate_is_written_with_the_comments_of_the_base(tmp_path: Path) -> None:
    found = explored(parameters={"order": ORDER, "near": SENT})
    for each in found.tried:
        found.write(each.number, tmp_path / "out.yaml")
        text = (tmp_path / "out.yaml").read_text()
        assert "# by the vendor" in text
        assert ddsrta.loads(text, "out.yaml") == found.system(each.number)
    number = next(m.number for m in found.front if m.says)
    assert found.diff(number).changes


def test_the_best_of_each_goal_is_on_the_front() -> None:
    found = explored()
    assert {member.number for member in found.best} <= {member.number for member in found.front}
    for number, member in enumerate(found.best):
        assert member.goals[number] == min(each.goals[number] for each in found.front)


def test_the_command_says_what_is_best_and_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("three.yaml").write_text(TEXT)
    Path("study.yaml").write_text(
        "study: 1\nbase: three.yaml\nobjectives: [{minimize: latency}]\n"
        "parameters: {all: {kind: priorities, keep: [F, L, sink]}}\n"
    )
    assert main(["explore", "study.yaml", "--write", "out.yaml", "--why"]) == 0
    text = capsys.readouterr().out
    assert "whole: all 6 points" in text and "confirmed" in text and "why [" in text
    assert main(["check", "out.yaml"]) == 0
    assert main(["explore", "study.yaml", "--candidate", "7", "--write", "out.yaml"]) == 2
    assert "they are 1 … 6" in capsys.readouterr().err
    assert main(["explore", "study.yaml", "--write", "three.yaml"]) == 2
    assert "'three.yaml' is the base of the study" in capsys.readouterr().err
    assert Path("three.yaml").read_text() == TEXT
    assert main(["explore", "study.yaml", "--candidate", "2"]) == 2


@pytest.mark.parametrize("wrong", ["system.yaml", 3, {"ddsrta": 1}])
def test_what_is_no_base_and_what_is_no_study_is_told(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"wanted as base: a System, as of ddsrta.load\(FILE\)"):
        ddsrta.explore(base=wrong, parameters={}, objectives=[])
    with pytest.raises(TypeError, match=r"not System; a system is its base="):
        ddsrta.explore(system())  # type: ignore[arg-type]
