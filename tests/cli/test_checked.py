"""What the command line says where the checker refuses bounds, or cannot decide."""

import json
from io import BytesIO, TextIOWrapper
from xml.etree import ElementTree

import pytest

import ddsrta
from casestudies.analyses import loaded
from ddsrta.__main__ import main
from ddsrta.bounds.evidence import checked
from ddsrta.examples import TWO_THREADS
from ddsrta.models.document import digest
from ddsrta.report.baseline import load_result
from ddsrta.report.html import result_html
from ddsrta.report.terminal import result_text
from tests.bounds.test_checked import (
    FROM_END_TO_END_WINDOWS,
    low_responses,  # noqa: F401
    low_windows,  # noqa: F401
    misread_unit,  # noqa: F401
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "s.yaml").write_text(TWO_THREADS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(capsys):
    def run(*arguments):
        status = main(list(arguments))
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return status, out

    return run


@pytest.fixture
def no_work(monkeypatch):
    monkeypatch.setattr(checked, "WORK", 0)


def last(text):
    return text.splitlines()[-1]


COMMANDS = [
    ("analyze", "s.yaml"),
    ("check", "s.yaml"),
    ("explain", "s.yaml", "control loop"),
    ("order", "s.yaml"),
    ("simulate", "s.yaml", "--horizon", "1s"),
    ("simulate", "s.yaml", "--attack", "--runs", "2"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_text_says_that_it_is_checked(call, command):
    status, text = call(*command)
    assert status == 0
    assert "checked: confirmed, " in text


def test_the_certificate_that_is_written_is_the_one_that_was_checked(call, folder):
    status, text = call("analyze", "s.yaml", "--certificate", "c.json", "--format", "json")
    written, document = json.loads((folder / "c.json").read_text()), json.loads(text)
    assert status == 0
    assert document["evidence"] == written
    assert document["check"]["certificate"] == digest(written)
    assert call("verify", "c.json")[0] == 0


@pytest.mark.parametrize("command", COMMANDS[:4], ids=" ".join)
@pytest.mark.usefixtures("no_work")
def test_what_is_unchecked_is_not_met(call, command):
    status, text = call(*command)
    assert status == 1
    assert "UNCHECKED: " in text


@pytest.mark.usefixtures("no_work")
def test_check_passes_unchecked_bounds_only_where_that_is_allowed(call, folder):
    assert last(call("check", "s.yaml")[1]).startswith("failed: ")
    status, text = call("check", "s.yaml", "--allow", "unchecked", "--junit", "j.xml",
                        "--sarif", "s.sarif", "--github")  # fmt: skip
    assert status == 0
    assert last(text).startswith("passed: ")
    assert "UNCHECKED: " in text
    assert "passed: 1 of 1 deadline met; unchecked" in text
    assert "::warning title=ddsrta unchecked::" in text
    properties = ElementTree.parse(folder / "j.xml").iter("property")
    assert {p.get("name"): p.get("value") for p in properties}["check"] == "unchecked"
    (run,) = json.loads((folder / "s.sarif").read_text())["runs"]
    assert run["properties"]["check"] == "unchecked"
    assert [one["ruleId"] for one in run["results"]] == ["unchecked"]


def test_only_orders_that_are_wanted_are_said_to_be_checked(call):
    assert "checked: confirmed, but for orders that " in call("order", "s.yaml")[1]
    assert "but for orders" not in call("analyze", "s.yaml")[1]
    result = ddsrta.analyze(loaded("xronos_order", "one_queue"))
    assert "checked: confirmed, certificate " in result_text(result)
    assert "checked: confirmed, certificate " in result_html(result)


@pytest.fixture
def measured(folder):
    (folder / "m.csv").write_text("name,latency_ns\ncontrol loop,3000000\n")
    return ("validate", "s.yaml", "--trace", "m.csv")


def test_what_was_measured_is_held_against_checked_bounds(call, measured):
    status, text = call(*measured)
    assert (status, text.startswith("OK  two threads: ")) == (0, True)
    assert last(text).startswith("checked: confirmed, certificate ")


@pytest.mark.usefixtures("no_work")
def test_nothing_measured_makes_unchecked_bounds_ok(call, measured):
    status, text = call(*measured)
    assert (status, text.startswith("UNCHECKED  two threads: ")) == (1, True)
    assert json.loads(call(*measured, "--format", "json")[1])["verdict"] == "unchecked"


@pytest.mark.usefixtures("no_work")
def test_a_simulation_makes_unchecked_bounds_not_ok(call):
    status, text = call("simulate", "s.yaml", "--horizon", "1s")
    assert (status, text.startswith("UNCHECKED  two threads: ")) == (1, True)


@pytest.mark.usefixtures("low_responses")
def test_what_is_refused_is_no_bound_of_what_was_measured(call, measured):
    status, text = call(*measured)
    assert (status, text.startswith("VACUOUS  two threads: ")) == (1, True)
    assert last(text).startswith("REFUTED: ")


@pytest.mark.usefixtures("no_work")
def test_an_unchecked_baseline_says_so(call):
    call("analyze", "s.yaml", "--format", "json", "--output", "old.json")
    assert load_result("old.json").check.status == "unchecked"
    text = call("check", "s.yaml", "--allow", "unchecked", "--baseline", "old.json")[1]
    assert "note: the bounds of the baseline are unchecked" in text


def test_an_older_baseline_has_no_check(call, folder):
    document = json.loads(call("analyze", "s.yaml", "--format", "json")[1])
    del document["check"], document["evidence"]
    (folder / "old.json").write_text(json.dumps(document))
    assert load_result("old.json").check is None
    status, text = call("check", "s.yaml", "--baseline", "old.json", "--fail-on-worse")
    assert status == 0
    assert "nothing is worse" in text


@pytest.mark.usefixtures("low_windows")
def test_fewer_refinements_are_said_everywhere(call):
    status, text = call("analyze", "s.yaml")
    assert status == 0
    fewer = f"without {', '.join(FROM_END_TO_END_WINDOWS)}"
    assert f"warning: these bounds are {fewer}: " in text
    assert f"checked: confirmed {fewer}, " in last(text)
    assert f"confirmed {fewer}" in call("explain", "s.yaml", "control loop")[1]
    document = json.loads(call("analyze", "s.yaml", "--format", "json")[1])
    assert document["check"]["without"] == list(FROM_END_TO_END_WINDOWS)


@pytest.mark.parametrize("command", COMMANDS[:4], ids=" ".join)
@pytest.mark.usefixtures("low_responses")
def test_nothing_stands_that_the_checker_refuses(call, command):
    status, text = call(*command)
    assert status == 1
    assert "REFUTED: " in text
    assert "3.286 ms" not in text


@pytest.mark.usefixtures("low_responses")
def test_what_is_refused_cannot_be_allowed(call):
    assert call("check", "s.yaml", "--allow", "refuted", "--allow", "unchecked")[0] == 1


def test_a_checker_that_breaks_leaves_no_traceback(call, monkeypatch):
    def fail(document, work=None, is_over=None):
        raise KeyError("stage")

    monkeypatch.setattr("ddsrta.checker.check_unsealed", fail)
    status, text = call("check", "s.yaml")
    assert status == 1
    assert "the checker failed: KeyError" in text


def test_the_published_profile_says_that_it_is_not_checked(call):
    _, text = call("analyze", "s.yaml", "--profile", "published")
    assert last(text) == "not checked: the published analysis has no certificates"


@pytest.mark.parametrize("command", COMMANDS[:4], ids=" ".join)
@pytest.mark.usefixtures("misread_unit")
def test_a_misread_unit_is_seen(call, command):
    status, text = call(*command)
    assert status == 1
    assert "it reads the file differently" in text


@pytest.mark.usefixtures("misread_unit")
def test_a_system_from_stdin_is_read_twice(call, monkeypatch):
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(TWO_THREADS.encode())))
    assert call("analyze", "-")[0] == 1
