"""ddsrta check as a CI job uses it."""

import json
import sys
from dataclasses import replace
from types import ModuleType
from xml.etree import ElementTree

import pytest

import ddsrta.exploration.difference.difference  # noqa: F401  # before its analysis is replaced
from ddsrta.__main__ import main
from ddsrta.bounds.result import Finding
from ddsrta.examples import TWO_THREADS
from tests.report import results


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """Run `check` on a system of which the analysis finds `result`."""
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    monkeypatch.chdir(tmp_path)

    def run(result, *options):
        module = ModuleType("ddsrta.bounds.analyze")
        module.analyze = lambda system, profile, time_limit: result
        monkeypatch.setitem(sys.modules, "ddsrta.bounds.analyze", module)
        status = main(["check", "system.yaml", *options])
        out, err = capsys.readouterr()
        assert err == ""
        return status, out.splitlines()

    return run


@pytest.fixture
def baseline(tmp_path):
    def write(result):
        (tmp_path / "old.json").write_text(json.dumps(result.to_dict()))
        return ("--baseline", "old.json")

    return write


def test_a_line_for_each_deadline_and_a_conclusion(check):
    status, lines = check(results.result())
    assert lines == [
        "ok    control  latency 5 ms ≤ 20 ms (slack 15 ms)",
        "not checked",
        "passed: 1 of 1 deadline met",
    ]
    assert status == 0


GRAVE = {"warnings": (Finding("livelock", "error", "F spins"),)}


@pytest.mark.parametrize("verdict", ["met", "missed", "unbounded"])
def test_nothing_is_met_next_to_an_error(check, verdict):
    result = results.result(verdict=verdict, **GRAVE)
    expected = "error" if verdict == "met" else verdict
    assert result.verdict == result.to_dict()["verdict"] == expected
    assert check(result)[0] == 1


def test_an_allowed_error_is_a_warning_and_the_rest_decides(check):
    assert check(results.result(**GRAVE), "--allow", "livelock")[0] == 0
    late = replace(results.late(), **GRAVE)
    assert check(late, "--allow", "livelock")[0] == 1


def test_the_conclusion_counts_what_failed(check):
    assert check(results.late())[1][-1] == "failed: 2 of 3 deadlines met, 1 missed; 1 error"
    assert check(results.overloaded())[1][-1] == "failed: 1 of 2 deadlines met, 1 unbounded"


def test_something_unbounded_fails_even_where_no_deadline_asks(check):
    no_deadline = results.result(
        verdict="unbounded", messages=(results.message(None),), chains={}, queues={}
    )
    status, lines = check(no_deadline)
    assert status == 1
    assert lines[0].startswith("????  message P → theta1 → S unbounded: core")
    assert lines[-1] == "failed: no deadlines; not everything is bounded"


def finding(rule="queue-overflow", severity="error"):
    return results.Finding(rule, severity, "F1 may overflow", results.Position("s.yaml", 1, 2))


def test_a_finding_of_level_error_fails_unless_it_is_allowed(check, tmp_path):
    flawed = results.result(warnings=(finding(), finding("priority-range")))
    status, lines = check(flawed)
    assert status == 1
    assert "FAIL  s.yaml:1:2: error: F1 may overflow [queue-overflow]" in lines
    assert check(flawed, "--allow", "priority-range")[0] == 1
    options = (
        "--allow",
        "priority-range",
        "--allow",
        "queue-overflow",
        "--github",
        "--sarif",
        "s.json",
    )
    status, lines = check(flawed, *options)
    assert status == 0
    assert not any(line.startswith(("FAIL", "::error")) for line in lines)
    [run] = json.loads((tmp_path / "s.json").read_text())["runs"]
    assert {found["level"] for found in run["results"]} == {"warning"}


@pytest.mark.parametrize("other", ["livelock", "priority-range"])
def test_unchecked_bounds_that_are_allowed_hide_no_other_error(check, other):
    both = results.result(warnings=(finding("unchecked"), finding(other)))
    status, lines = check(both, "--allow", "unchecked")
    assert status == 1
    assert f"FAIL  s.yaml:1:2: error: F1 may overflow [{other}]" in lines
    assert lines[-1].startswith("failed: ")
    assert check(both, "--allow", "unchecked", "--allow", other)[0] == 0


def test_a_warning_does_not_fail(check):
    assert check(results.result(warnings=(finding(severity="warning"),)))[0] == 0


def test_getting_worse_alone_fails_only_where_that_is_asked_for(check, baseline):
    old = baseline(results.result(chains={"control": results.chain(4_000_000, 20_000_000)}))
    status, lines = check(results.result(), *old)
    assert status == 0
    assert "  worse  chain control: latency 4 ms → 5 ms (+1 ms, +25.0 %)" in lines
    status, lines = check(results.result(), *old, "--fail-on-worse")
    assert status == 1
    assert lines[-1] == "failed: 1 of 1 deadline met; 1 bound worse"
    assert check(results.result(), *old, "--fail-on-worse", "--tolerance", "25%")[0] == 0
    assert check(results.result(), *old, "--fail-on-worse", "--tolerance", "24.9")[0] == 1


def test_reports_are_written(check, tmp_path):
    check(results.late(), "--junit", "junit.xml", "--sarif", "found.sarif")
    assert ElementTree.parse(tmp_path / "junit.xml").getroot().get("failures") == "1"
    assert json.loads((tmp_path / "found.sarif").read_text())["version"] == "2.1.0"


def test_a_foreign_baseline_is_a_wrong_call(tmp_path, capsys):
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    system = str(tmp_path / "system.yaml")
    (tmp_path / "package.json").write_text('{"name": "my-package"}')
    assert main(["check", system, "--baseline", str(tmp_path / "package.json")]) == 2
    assert "not a result of ddsrta" in capsys.readouterr().err


def test_an_unknown_rule_cannot_be_allowed(tmp_path, capsys):
    (tmp_path / "s.yaml").write_text(TWO_THREADS)
    path = str(tmp_path / "s.yaml")
    assert main(["check", path, "--allow", "livelock", "--allow", "lovelock"]) == 2
    err = capsys.readouterr().err
    assert "there is no rule 'lovelock'; did you mean 'livelock'?" in err


def test_what_has_no_bound_fails_in_every_report(tmp_path, capsys):
    """No deadline asks for it, and no finding tells it."""
    text = TWO_THREADS.partition("chains:")[0]
    text = text.replace("period: 10ms", "arrival: {sporadic: 2ms}")
    (tmp_path / "s.yaml").write_text(text)
    junit, sarif = tmp_path / "j.xml", tmp_path / "s.json"
    call = [str(tmp_path / "s.yaml"), "--allow", "core-load", "--github"]
    call += ["--junit", str(junit), "--sarif", str(sarif)]
    assert main(["check", *call]) == 1
    assert ",title=ddsrta unbounded::thread control has no bound: " in capsys.readouterr().out
    assert int(ElementTree.parse(junit).getroot().get("errors")) >= 1
    found = json.loads(sarif.read_text())["runs"][0]["results"]
    assert ("unbounded", "error") in {(one["ruleId"], one["level"]) for one in found}


def test_a_deadline_is_not_met_by_some_of_the_paths(tmp_path, capsys):
    text = TWO_THREADS.replace("publishes: [", "publishes: [{topic: slow, mode: sync}, ").replace(
        "topics: [speed]", "topics: [speed, slow]"
    )
    text = text.replace("topics:\n", "topics:\n  slow: {size: 1kB}\n", 1)
    text = text.replace("path: [sensor, speed, control]", "from: sensor, to: control, limit: 1")
    path, claims = tmp_path / "s.yaml", tmp_path / "c.json"
    path.write_text(text)
    assert main(["check", str(path)]) == 1
    assert "[paths-cut]" in capsys.readouterr().out
    assert main(["analyze", str(path), "--certificate", str(claims)]) == 1
    assert main(["verify", str(claims)]) == 1
    path.write_text(text.replace("deadline: 8ms, ", "").replace(", deadline: 8ms", ""))
    assert main(["check", str(path)]) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("deadline: 8ms", "deadline: 9ms"),
        (", deadline: 8ms", ""),
        ("deadline: 8ms", "deadline: 8ms, constraint: data_age"),
        ("control loop:", "other loop:"),
    ],
)
def test_what_asks_for_less_is_not_as_good_as_the_baseline(tmp_path, capsys, old, new):
    before, after, base = (tmp_path / name for name in ("a.yaml", "b.yaml", "base.json"))
    before.write_text(TWO_THREADS)
    after.write_text(TWO_THREADS.replace(old, new))
    main(["analyze", str(before), "--format", "json", "--output", str(base)])
    call = ["check", str(after), "--baseline", str(base)]
    assert main(call) == 0
    assert main([*call, "--fail-on-worse"]) == 1
    said = capsys.readouterr().out
    assert "relaxed: chain control loop: latency within 8 ms → " in said
    assert "; 1 demand relaxed" in said
    assert main(["check", str(before), "--baseline", str(base), "--fail-on-worse"]) == 0


def test_a_baseline_without_a_bound_of_the_system_is_told(tmp_path, capsys):
    (tmp_path / "a.yaml").write_text(TWO_THREADS)
    base = tmp_path / "base.json"
    main(["analyze", str(tmp_path / "a.yaml"), "--format", "json", "--output", str(base)])
    older = json.loads(base.read_text()) | {"chains": {}, "threads": {}, "messages": []}
    base.write_text(json.dumps(older))
    main(["check", str(tmp_path / "a.yaml"), "--baseline", str(base)])
    assert "no bound of this system: nothing was compared" in capsys.readouterr().out


def test_rows_of_the_published_analysis_that_do_not_hold_fail(tmp_path, capsys):
    (tmp_path / "a.yaml").write_text(TWO_THREADS.replace("priority: 85", "priority: 80"))
    call = ["check", str(tmp_path / "a.yaml"), "--profile", "published"]
    assert main(call) == 1
    assert "[published-equal-priorities]" in capsys.readouterr().out
    assert main([*call, "--allow", "published-equal-priorities"]) == 0
