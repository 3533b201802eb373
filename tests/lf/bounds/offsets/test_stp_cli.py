"""ddsrta lf stp as a user calls it: output, exit status, files, errors."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ddsrta.__main__ import main
from ddsrta.lf.program.examples import TWO_FEDERATES

Output = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "f.yaml"
    path.write_text(TWO_FEDERATES)
    return path


def call(*arguments: str) -> int:
    try:
        return main(list(arguments))
    except SystemExit as stop:
        return int(str(stop.code))


def test_offsets_are_shown_and_all_is_well(file: Path, capsys: Output) -> None:
    assert call("lf", "stp", "f.yaml") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "MET  two federates: 2 federates, 1 connection, largest offset 1.65 ms"
    assert "  sink      1.65 ms  source → sink" in lines


def test_a_violation_and_a_circle_end_with_1(file: Path, capsys: Output) -> None:
    file.write_text(TWO_FEDERATES.replace("inputs: [in]", "inputs: [in]\n    maxwait: 0"))
    assert call("lf", "stp", "f.yaml") == 1
    assert "can be tardy" in capsys.readouterr().out
    back = "    inputs: [in]\n    outputs: [back]"
    text = TWO_FEDERATES.replace("    inputs: [in]", back).replace(
        "    outputs: [out]", "    outputs: [out]\n    inputs: [hear]"
    )
    text = text.replace("chains:", "  - {from: sink.back, to: source.hear, latency: 1ms}\nchains:")
    file.write_text(text)
    assert call("lf", "stp", "f.yaml") == 1
    output = capsys.readouterr().out
    assert "no offsets exist for the circle" in output
    assert "offsets exist with more 'after':" in output


def test_json_has_integers_and_null(file: Path, capsys: Output) -> None:
    assert call("lf", "stp", "f.yaml", "--format", "json", "--latency", "control=1ms") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "met"
    assert document["federates"]["sink"] == {
        "offset": 1650000,
        "path": ["source.out → sink.in"],
        "unbounded_because": None,
        "maxwait": None,
        "wait": 1650000,
        "physical_actions": False,
    }
    (link,) = document["connections"]
    assert link["x"] == link["absent"] + link["launch_lag"] + link["latency"] + 150_000
    (answer,) = document["what_if"]
    assert (answer["possible"], answer["floor"]) == (False, 1850000)


def test_the_plot_is_a_page_with_a_curve(file: Path, capsys: Output) -> None:
    file.write_text(TWO_FEDERATES.replace("sink", '"<sink>"').replace('"<sink>".', "<sink>."))
    assert call("lf", "stp", "f.yaml", "--plot", "p.html") == 0
    page = (file.parent / "p.html").read_text()
    svg = page[page.index("<svg") : page.index("</svg>") + 6]
    curve = ElementTree.fromstring(svg)
    assert len(curve.findall(".//{http://www.w3.org/2000/svg}polyline")) == 1
    assert "<sink>" not in page
    assert "&lt;sink&gt;" in page


def test_wrong_input_and_wrong_calls_end_with_2(file: Path, capsys: Output) -> None:
    file.write_text(TWO_FEDERATES.replace("wcet: 500us", "wcet: 500"))
    assert call("lf", "stp", "f.yaml") == 2
    assert "f.yaml:15:57: '500' has no unit" in capsys.readouterr().err
    file.write_text(TWO_FEDERATES)
    for arguments, message in (
        (("--latency", "control"), "expected CHAIN=TIME"),
        (("--latency", "contrl=1ms"), "did you mean 'control'?"),
        (("--latency", "control=1"), "'1' has no unit"),
        (("--plot", "no/such/folder.html"), "cannot write"),
    ):
        assert call("lf", "stp", "f.yaml", *arguments) == 2
        assert message in capsys.readouterr().err
    assert call("lf", "stp", "none.yaml") == 2
    assert call("lf") == 2
    assert call("lf", "spt", "f.yaml") == 2


def test_a_system_is_not_a_federation(file: Path, capsys: Output) -> None:
    assert call("analyze", "f.yaml") == 2
    assert "this is a federation, not a system; use 'ddsrta lf'" in capsys.readouterr().err


def test_a_program_is_no_federation(file: Path, capsys: Output) -> None:
    file.with_name("Car.lf").write_text("target C { timeout: 1 s }\n")
    for command in (("lf", "stp"), ("analyze",)):
        assert call(*command, "Car.lf") == 2
        assert "'ddsrta import' makes a federation of it" in capsys.readouterr().err


def test_the_schema_of_a_federation(capsys: Output) -> None:
    assert call("schema", "federation") == 0
    assert json.loads(capsys.readouterr().out)["title"] == "ddsrta federation"
    assert call("schema") == 0
    assert json.loads(capsys.readouterr().out)["title"] == "ddsrta system"


def test_names_cannot_repaint_the_terminal(file: Path, capsys: Output) -> None:
    file.write_text(TWO_FEDERATES.replace("name: two federates", 'name: "a\\u202eb"'))
    status = call("lf", "stp", "f.yaml")
    captured = capsys.readouterr()
    assert "\u202e" not in captured.out + captured.err
    assert status in (0, 2)
