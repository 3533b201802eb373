"""What other programs read: JUnit, SARIF, annotations."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from ddsrta.base.diagnostics import Diagnostic, Position
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.deadlines import unbounded_findings
from ddsrta.examples import two_threads
from ddsrta.models.reader import loads
from ddsrta.report.github import diagnostic_annotations, result_annotations
from ddsrta.report.junit import result_junit
from ddsrta.report.sarif import MEANINGS, result_sarif
from tests.docs.console import ROOT
from tests.report import results

LATE = """ddsrta: 1
machines: {m: {cores: [c, d]}}
delays: {listener: {1kB: 1ms}, publisher: {1kB: 1ms}}
topics: {x: {size: 1kB}, unused: {size: 1kB}}
listeners: {L: {core: m/c, priority: 3}}
threads:
  s: {core: m/d, priority: 2, wcet: 1ms, period: 9ms, publishes: [{topic: x, mode: sync}]}
  t: {core: m/c, priority: 2, wcet: 9ms, period: 99ms}
  r: {core: m/c, priority: 1, wcet: 2ms, subscribes: {topics: [x], listener: L}}
chains: {c: {path: [s, x, r], deadline: 2ms}}
"""
MAKERS = [results.result, results.late, results.overloaded, results.hostile]


@pytest.mark.parametrize("make", MAKERS)
def test_junit_has_one_case_for_each_deadline_and_each_error(make):
    result = make()
    suites = ElementTree.fromstring(result_junit(result))
    cases = list(suites.iter("testcase"))
    errors = sum(finding.severity == "error" for finding in result.warnings)
    errors += len(unbounded_findings(result))
    asked = sum(chain.deadline is not None for chain in result.chains.values())
    assert len(cases) == asked + errors
    assert len(list(suites.iter("error"))) == errors == int(suites.get("errors"))
    assert len(cases) == int(suites.get("tests")) == int(suites[0].get("tests"))
    failures = list(suites.iter("failure"))
    assert len(failures) == int(suites.get("failures"))
    assert len(failures) == sum(c.met is False for c in result.chains.values())


def test_junit_says_why_a_case_failed():
    [failure] = ElementTree.fromstring(result_junit(results.late())).iter("failure")
    assert failure.get("type") == "missed"
    assert failure.get("message") == "latency 25 ms is above the deadline 20 ms by 5 ms"
    [failure] = ElementTree.fromstring(result_junit(results.overloaded())).iter("failure")
    assert failure.get("type") == "unbounded"
    assert "core ecu1/c0 is overloaded" in failure.get("message")


def test_junit_and_sarif_know_where_a_deadline_was_written():
    chains = {"control loop": results.chain(9_000_000, 8_000_000)}
    result = results.result(verdict="missed", chains=chains, model=two_threads())
    [case] = ElementTree.fromstring(result_junit(result)).iter("testcase")
    assert (case.get("file"), case.get("line")) == ("two_threads.yaml", "28")
    [found] = json.loads(result_sarif(result))["runs"][0]["results"]
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "two_threads.yaml"
    assert place["region"] == {"startLine": 28, "startColumn": 60}


@pytest.mark.parametrize("make", MAKERS)
def test_sarif_results_point_at_their_rules(make):
    [run] = json.loads(result_sarif(make()))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for found in run["results"]:
        assert rules[found["ruleIndex"]]["id"] == found["ruleId"]
        assert found["level"] in ("error", "warning", "note")
        assert found["message"]["text"]


def test_sarif_names_pages_that_know_the_rule():
    """Rules of findings stand on one page, and of assumptions on another: once all had the first."""
    [run] = json.loads(result_sarif(analyze(loads(LATE))))["runs"]
    pages = {each["id"]: each["help"]["text"].split()[0] for each in run["tool"]["driver"]["rules"]}
    assert {"unused", "no-keys", "deadline-missed"} <= set(pages)
    for rule, page in pages.items():
        text = (ROOT / page).read_text()
        assert rule in MEANINGS or f"| `{rule}` |" in text


def test_sarif_lists_broken_deadlines_and_findings():
    [run] = json.loads(result_sarif(results.late()))["runs"]
    assert [found["ruleId"] for found in run["results"]] == [
        "deadline-missed", "queue-overflow", "history", "unused",
    ]  # fmt: skip
    assert "locations" not in run["results"][3]


def test_sarif_has_what_its_schema_requires():
    jsonschema = pytest.importorskip("jsonschema")
    text = {"type": "object", "required": ["text"]}
    place = {
        "type": "object",
        "required": ["physicalLocation"],
        "properties": {
            "physicalLocation": {
                "properties": {
                    "artifactLocation": {
                        "properties": {"uri": {"type": "string", "pattern": r"^[!-~]*$"}}
                    },
                    "region": {"properties": {"startLine": {"minimum": 1}}},
                }
            }
        },
    }
    found = {
        "type": "object",
        "required": ["message"],
        "properties": {"message": text, "locations": {"type": "array", "items": place}},
    }
    run = {
        "type": "object",
        "required": ["tool"],
        "properties": {
            "tool": {"required": ["driver"], "properties": {"driver": {"required": ["name"]}}},
            "results": {"type": "array", "items": found},
        },
    }
    schema = {
        "required": ["version", "runs"],
        "properties": {"version": {"const": "2.1.0"}, "runs": {"type": "array", "items": run}},
    }
    for make in MAKERS:
        jsonschema.validate(json.loads(result_sarif(make())), schema)


def test_annotations_are_one_command_a_line():
    lines = result_annotations(results.late())
    assert lines[0].startswith("::error title=ddsrta deadline-missed::chain steer: latency 25 ms")
    assert lines[1].startswith("::error file=s.yaml,line=12,col=3,title=ddsrta queue-overflow::")
    assert lines[2].startswith("::warning ")
    assert lines[3].startswith("::notice ")


def test_a_name_cannot_forge_an_annotation():
    for line in result_annotations(results.hostile()):
        assert len(line.splitlines()) == 1
        _, properties, _ = line.split("::", 2)
        assert {p.split("=")[0] for p in properties.split(" ", 1)[1].split(",")} <= {
            "file", "line", "col", "title",
        }  # fmt: skip
        assert "%" not in line.replace("%25", "").replace("%3A", "").replace("%2C", "")


def test_what_is_wrong_with_an_input_is_annotated():
    [line] = diagnostic_annotations([Diagnostic(Position("a.yaml", 3, 5), "bad", "do good")])
    assert line == "::error file=a.yaml,line=3,col=5,title=ddsrta input::bad; do good"


def test_what_is_confirmed_makes_no_annotation():
    result = analyze(two_threads())
    assert result.check.status == "confirmed" and result_annotations(result) == []
    said = result_annotations(replace(result, check=None, certificate=None))
    assert said == ["::notice title=ddsrta check::not checked"]
