"""ddsrta check beside a model: what changed is told first, budgets and exceptions are kept."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

import ddsrta
from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS
from tests.docs.console import ROOT

SLOWER = TWO_THREADS.replace("wcet: 2ms", "wcet: 2100us")
LATENCY = "chain control loop: latency"


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Calls the program in a folder with an old and a new system."""
    monkeypatch.chdir(tmp_path)
    Path("old.yaml").write_text(TWO_THREADS)
    Path("new.yaml").write_text(SLOWER)

    def run(*words):
        status = main(["check", *words])
        return status, capsys.readouterr()

    return run


def budgets(text):
    Path("budgets.yaml").write_text(text)
    return ("new.yaml", "--baseline", "old.yaml", "--budgets", "budgets.yaml")


def test_what_changed_in_the_model_comes_first(call):
    status, (out, _) = call("new.yaml", "--baseline", "old.yaml", "--fail-on-worse")
    assert status == 1
    lines = out.splitlines()
    assert lines[:3] == [
        "1 change of the model",
        "  [1]  control: wcet 2ms → 2100us  new.yaml:25",
        f"       raises 2 bounds, most of all {LATENCY} by 100 us",
    ]
    assert lines[-1] == "failed: 1 of 1 deadline met; 2 bounds worse"
    assert call("new.yaml", "--baseline", "old.yaml")[0] == 0


def test_a_priority_of_the_reference_system_is_named_with_the_chains_that_it_cost(call):
    """At the largest of the loads that the case study has; at the least no chain pays for it."""
    old = (ROOT / "casestudies/ars/F.yaml").read_text("utf-8").replace("0.229ms", "6ms")
    new = old.replace("L14: {core: pc/c2, priority: 76}", "L14: {core: pc/c2, priority: 95}")
    for name, text in (("old.yaml", old), ("new.yaml", new)):
        Path(name).write_text(text, "utf-8")
    status, (out, _) = call("new.yaml", "--baseline", "old.yaml", "--fail-on-worse")
    lines = out.splitlines()
    assert status == 1 and lines[-1].startswith("failed: ")
    assert lines[1] == "  [1]  listener L14: priority 76 → 95  new.yaml:42"
    assert ", and chains g0, g1, g2, g3, g4; " in lines[2]
    assert "  chain g0: latency 1.215894998 s → 1.217199998 s (+1.305 ms, +0.2 %)" in lines[:24]


def test_a_budget_for_all(call):
    assert call(*budgets("max_regression: 4 %"))[0] == 1
    assert call(*budgets("max_regression: 5 %"))[0] == 0


EXCEPTIONS = """\
max_regression: 4 %
exceptions:
  - {{bound: "thread control", max_regression: {most}, reason: agreed in review, until: {until}}}
"""


def test_an_exception_holds_until_its_day(call):
    status, (out, _) = call(*budgets(EXCEPTIONS.format(most="5 %", until="9999-12-31")))
    assert status == 0
    assert "accepted: thread control 2 ms → 2.1 ms" in out
    assert "agreed in review (until 9999-12-31)" in out
    status, (out, _) = call(*budgets(EXCEPTIONS.format(most="5 %", until="2001-01-01")))
    assert status == 1
    assert "budgets.yaml:3:5: the exception for thread control ended on 2001-01-01" in out
    assert call(*budgets(EXCEPTIONS.format(most="4 %", until="9999-12-31")))[0] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("max_regression: lots", "budgets.yaml:1:17"),
        ("exceptions: [{bound: x, reason: y}]", "'until' is missing"),
        ("exceptions: [{bound: x, reason: y, until: soon}]", "expected a day such as 2027-01-31"),
        ("budget: 3 %", "unknown key"),
        (
            EXCEPTIONS.format(most="3 %", until="9999-12-31"),
            "budgets.yaml:3:5: the exception for 'thread control' allows less than "
            "'max_regression' of all; make that of all smaller, and except the others",
        ),
        ("max_regression: 5", "expected a percentage such as '2.5 %', not '5'"),
        ("exceptions: [{bound: x, reason: y, until: 2027-W01-1}]", "expected a day"),
    ],
)
def test_budgets_that_say_nothing_are_refused(call, text, said):
    status, (_, err) = call(*budgets(text))
    assert status == 2 and said in err


def test_an_exception_for_a_bound_that_is_not_there_is_an_error(call):
    """Once it did nothing, and nobody saw that."""
    text = EXCEPTIONS.replace("thread control", "thread contrl").format(
        most="5 %", until="9999-12-31"
    )
    status, (_, err) = call(*budgets(text))
    assert status == 2
    assert (
        "budgets.yaml:3:5: there is no bound 'thread contrl'; did you mean 'thread control'?" in err
    )


def test_budgets_may_be_fractions_of_a_per_cent_and_more_than_all(call):
    """Once whole numbers up to 100 alone."""
    assert call(*budgets("max_regression: 4.5 %"))[0] == 1
    assert call(*budgets("max_regression: 5.5 %"))[0] == 0
    assert call(*budgets("max_regression: 150%"))[0] == 0


def test_a_revision_is_a_baseline_for_each_of_several_files(call):
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "first")):
        subprocess.run(["git", *command], check=True)
    Path("old.yaml").write_text(SLOWER)
    status, (out, _) = call("old.yaml", "new.yaml", "--baseline", "HEAD:", "--fail-on-worse")
    assert status == 1
    old, new = out.split("new.yaml\n")
    assert "old.yaml:25" in old and "the models say the same" in new
    Path("third.yaml").write_text(TWO_THREADS)
    status, (out, _) = call("third.yaml", "--baseline", "HEAD:")
    assert status == 0 and "changes" not in out
    assert "note: 'third.yaml' is new since 'HEAD:': nothing was compared\n" in out
    assert call("third.yaml", "--baseline", "nowhere:")[0] == 2


def test_a_regression_is_a_failed_case_with_the_place_of_its_change(call):
    call("new.yaml", "old.yaml", "--baseline", "old.yaml", "--junit", "j.xml")
    root = ElementTree.parse("j.xml").getroot()
    assert [suite.get("failures") for suite in root] == ["2", "0"] and root.get("failures") == "2"
    case = next(
        each for each in root.iter("testcase") if each.get("name") == f"{LATENCY} is no worse"
    )
    assert (case.get("file"), case.get("line")) == ("new.yaml", "25")
    failure = case.find("failure")
    assert failure is not None
    assert "by control: wcet 2ms → 2100us" in (failure.get("message") or "")


def test_sarif_says_what_the_baseline_has_too(call):
    late = SLOWER.replace("deadline: 8ms", "deadline: 3ms")
    Path("new.yaml").write_text(late)
    Path("old.yaml").write_text(TWO_THREADS.replace("deadline: 8ms", "deadline: 3200us"))
    call("new.yaml", "--baseline", "old.yaml", "--sarif", "s.json")
    results = json.loads(Path("s.json").read_text())["runs"][0]["results"]
    states = {each["ruleId"]: each["baselineState"] for each in results}
    assert states == {"regression": "new", "deadline-missed": "unchanged"}


def test_what_cannot_be_read_is_in_the_reports(call):
    Path("bad.yaml").write_text(TWO_THREADS.replace("wcet: 2ms", "wcet: 2"))
    status, (out, err) = call("bad.yaml", "new.yaml", "--junit", "j.xml", "--sarif", "s.json")
    assert status == 2 and "bad.yaml:25:11" in err
    assert "passed: 1 of 1 deadline met" in out
    root = ElementTree.parse("j.xml").getroot()
    assert root.get("errors") == "1"
    runs = json.loads(Path("s.json").read_text())["runs"]
    assert [len(run["results"]) for run in runs] == [0, 1]
    ids = [run["automationDetails"]["id"] for run in runs]
    assert ids == ["ddsrta/new.yaml/", "ddsrta/input/"]  # once none: code scanning refuses both
    place = runs[1]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "bad.yaml" and place["region"]["startLine"] == 25


def test_annotations_name_the_change(call):
    line = "file=new.yaml,line=25,col=11,title=ddsrta regression::chain control loop"
    _, (out, _) = call("new.yaml", "--baseline", "old.yaml", "--github")
    assert f"::warning {line}" in out
    _, (out, _) = call("new.yaml", "--baseline", "old.yaml", "--github", "--fail-on-worse")
    assert f"::error {line}" in out


def test_markdown_beside_a_model_and_beside_a_result(call):
    call("new.yaml", "--baseline", "old.yaml", "--markdown", "m.md")
    assert "| 1 | control: wcet 2ms → 2100us | new.yaml:25 |" in Path("m.md").read_text()
    main(["analyze", "old.yaml", "--format", "json", "--output", "old.json"])
    call("new.yaml", "--baseline", "old.json", "--markdown", "m.md")
    assert f"| {LATENCY} | 3.286 ms | 3.386 ms |" in Path("m.md").read_text()


def test_markdown_without_a_baseline_has_all_deadlines(call):
    status, _ = call("new.yaml", "--markdown", "m.md")
    page = Path("m.md").read_text()
    assert status == 0 and page.startswith(
        "## new.yaml\n\npassed: 1 of 1 deadline met\n\n| chain |"
    )
    assert "| control loop: latency | 3.386 ms | 8 ms | met |" in page
    assert "checked: confirmed, certificate " in page
    text = Path("new.yaml").read_text()
    Path("late.yaml").write_text(text.replace("deadline: 8ms", "deadline: 3ms"))
    status, _ = call("late.yaml", "--markdown", "m.md")
    page = Path("m.md").read_text()
    assert status == 1 and "| control loop: latency | 3.386 ms | 3 ms | missed |" in page
    assert "- chain control loop: latency 3.386 ms is above the deadline 3 ms by 386 us" in page


def test_markdown_without_a_baseline_has_what_bounds_rest_on(call):
    text = Path("new.yaml").read_text()
    Path("some.yaml").write_text(text.replace("mode: async,", "mode: async, jobs: 1 of 4,"))
    call("some.yaml", "--markdown", "m.md")
    assert "\n- assumed: jobs of sensor send 'speed' no more often" in Path("m.md").read_text()


def test_markdown_names_each_system_and_what_is_wrong(call):
    call("new.yaml", "old.yaml", "nowhere.yaml", "--baseline", "old.yaml", "--markdown", "m.md")
    page = Path("m.md").read_text()
    heads = [line for line in page.splitlines() if line.startswith("## ")]
    assert heads == ["## new.yaml", "## old.yaml", "## Wrong input"]
    assert "- nowhere.yaml:1:1: No such file" in page and "passed: 1 of 1 deadline met" in page


def test_what_asks_for_less_fails_in_every_report(call):
    text = Path("old.yaml").read_text()
    Path("lax.yaml").write_text(text.replace("deadline: 8ms", "deadline: 9ms"))
    assert Path("lax.yaml").read_text() != text
    files = ("--junit", "j.xml", "--sarif", "s.sarif", "--github", "--baseline", "old.yaml")
    status, (out, _) = call("lax.yaml", *files, "--fail-on-worse")
    assert status == 1 and "::error title=ddsrta relaxed::chain control loop" in out
    [error] = ElementTree.parse("j.xml").getroot().iter("error")
    assert error.get("type") == "relaxed"
    [run] = json.loads(Path("s.sarif").read_text())["runs"]
    assert "relaxed" in [each["ruleId"] for each in run["results"]]
    status, (out, _) = call("lax.yaml", *files)
    assert status == 0 and "::error" not in out


def test_suites_of_several_systems_have_the_names_of_their_files(call):
    call("new.yaml", "old.yaml", "--junit", "j.xml")
    suites = ElementTree.parse("j.xml").getroot()
    assert [each.get("name") for each in suites] == ["new.yaml", "old.yaml"]


def test_wrong_budgets_are_in_the_reports(call):
    files = ("--junit", "j.xml", "--sarif", "s.sarif", "--github")
    status, (out, _) = call(
        "new.yaml", "--budgets", "nowhere.yaml", "--baseline", "old.yaml", *files
    )
    assert status == 2 and "::error file=nowhere.yaml" in out
    assert Path("s.sarif").exists()
    [error] = ElementTree.parse("j.xml").getroot().iter("error")
    assert error.get("type") == "input"


def test_a_model_is_not_held_against_published_bounds(call):
    status, (_, err) = call("new.yaml", "--baseline", "old.yaml", "--profile", "published")
    assert status == 2 and "leave out --profile" in err


@pytest.mark.parametrize(("strict", "status"), [("false", 0), ("true", 1)])
def test_the_action_checks_and_writes_what_it_says(strict, status, call, tmp_path):
    """Its own script, as a runner would run it."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    script = action["runs"]["steps"][-1]
    assert set(script["env"]) == {"SYSTEMS", "BASELINE", "BUDGETS", "FAIL_ON_WORSE", "TIME_LIMIT"}
    given = {"SYSTEMS": "new.yaml", "BASELINE": "old.yaml", "BUDGETS": "", "FAIL_ON_WORSE": strict}
    given["TIME_LIMIT"] = "600"
    given |= {"GITHUB_STEP_SUMMARY": "summary.md", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    (tmp_path / "ddsrta").write_text(f'#!/bin/sh\nexec {sys.executable} -m ddsrta "$@"\n')
    (tmp_path / "ddsrta").chmod(0o755)
    given["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        ["bash", "-ec", script["run"]],
        env={**os.environ, **given},
        capture_output=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    assert b"file=new.yaml,line=25" in done.stdout
    outputs = [each["value"] for each in action["outputs"].values()]
    assert all((tmp_path / name).exists() for name in (*outputs, "summary.md"))


def test_the_action_takes_names_with_spaces_one_a_line(call, tmp_path):
    script = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"][-1]["run"]
    show = script.replace("ddsrta check", "printf '%s;'")
    for systems, last in (("a b\n", "--;a;b;"), ("a b\nc\n", "--;a b;c;")):
        given = {"SYSTEMS": systems, "BASELINE": "", "BUDGETS": "", "FAIL_ON_WORSE": "false"}
        given["TIME_LIMIT"] = ""
        done = subprocess.run(
            ["bash", "-ec", show], env={**os.environ, **given}, capture_output=True, check=False
        )
        assert done.stdout.decode().endswith(last)


def test_the_hook_is_a_call_that_is_understood(call, monkeypatch):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert re.search(hook["files"], "models/system_a.yaml")
    program, command, *words = shlex.split(hook["entry"])
    assert (program, command) == ("ddsrta", "check")
    subprocess.run(["git", "init", "-q"], check=True)
    assert call(*words, "new.yaml")[0] == 2  # no commit yet


def test_a_model_in_braces_is_a_model(call, capsys):
    """As `System.written.text` is after a change."""
    changed = ddsrta.load("old.yaml").replace("threads", "control", wcet="3ms").written
    assert changed is not None
    Path("braces.yaml").write_text(changed.text)
    assert Path("braces.yaml").read_text().startswith("{ddsrta: 1")
    status, (out, _) = call("old.yaml", "--baseline", "braces.yaml")
    assert status == 0 and "3 ms → 2 ms" in out
    assert main(["diff", "old.yaml", "braces.yaml"]) == 1
