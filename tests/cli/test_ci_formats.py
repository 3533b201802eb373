"""What `check` writes for CI is what the published formats allow: JUnit as the schema that Jenkins
reads it by (junit-10.xsd), SARIF as its schema 2.1.0, of which the parts that are used stand here.
"""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS

_COUNTS = {"tests", "failures", "errors"}
_TOLD = ({"type", "message"}, set[str](), set[str]())
# Of each element: its attributes, those that it needs, and what may stand inside. GitLab and pytest
# know the file and line of a case, too; the schema does not, and Jenkins passes over them.
ELEMENTS = {
    "testsuites": ({"name", "time", *_COUNTS}, set(), {"testsuite"}),
    "testsuite": (
        {"name", *_COUNTS, "time", "file"},
        {"name", *_COUNTS},
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, {"name", "value"}, set()),
    "testcase": (
        {"name", "time", "classname", "group", "file", "line"},
        {"name"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": _TOLD,
    "error": _TOLD,
    "system-out": (set(), set(), set()),
}  # fmt: skip


def _object(needed: str, **properties: object) -> dict[str, object]:
    required = needed.split()
    return {"type": "object", "required": required, "properties": properties,
            "additionalProperties": False}  # fmt: skip


def _list(items: object) -> dict[str, object]:
    return {"type": "array", "items": items}


WORDS, COUNT = {"type": "string"}, {"type": "integer", "minimum": 1}
TEXT = _object("text", text=WORDS)
PLACE = _object(
    "artifactLocation",
    artifactLocation=_object("uri", uri={"type": "string", "format": "uri-reference"}),
    region=_object("startLine", startLine=COUNT, startColumn=COUNT),
)
SUPPRESSION = _object(
    "kind",
    kind={"enum": ["inSource", "external"]},
    status={"enum": ["accepted", "underReview", "rejected"]},
    justification=WORDS,
)
RESULT = _object(
    "message ruleId",
    ruleId=WORDS,
    ruleIndex={"type": "integer", "minimum": -1},
    level={"enum": ["none", "note", "warning", "error"]},
    message=TEXT,
    baselineState={"enum": ["new", "unchanged", "updated", "absent"]},
    suppressions=_list(SUPPRESSION),
    locations=_list(_object("physicalLocation", physicalLocation=PLACE)),
)
RULE = _object("id", id=WORDS, shortDescription=TEXT, help=TEXT)
DRIVER = _object(
    "name", name=WORDS, semanticVersion=WORDS, rules={**_list(RULE), "uniqueItems": True}
)
RUN = _object(
    "tool",
    tool=_object("driver", driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results=_list(RESULT),
    automationDetails=_object("id", id=WORDS),
    properties={"type": "object"},
)
LOG = _object(
    "version runs", **{"$schema": {"type": "string", "format": "uri"}},
    version={"enum": ["2.1.0"]}, runs=_list(RUN),
)  # fmt: skip
SLOW = TWO_THREADS.replace("wcet: 2ms", "wcet: 7ms")
ACCEPTED = """\
max_regression: 0 %
exceptions: [{bound: thread control, reason: known, until: 2999-01-01}]
"""
CALLS = {
    "met": ("old.yaml",),
    "worse": ("slow.yaml", "--baseline", "old.yaml", "--fail-on-worse"),
    "accepted": ("slow.yaml", "--baseline", "old.yaml", "--budgets", "budgets.yaml"),
    "better": ("old.yaml", "--baseline", "slow.yaml"),
    "invalid": ("wrong.yaml",),
    "missing": ("nowhere.yaml",),
    "several": ("old.yaml", "wrong.yaml", "slow.yaml"),
}


@pytest.fixture(params=CALLS)
def written(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = TWO_THREADS.replace("period:", "perod:")
    texts = {"old": TWO_THREADS, "slow": SLOW, "wrong": wrong, "budgets": ACCEPTED}
    for name, text in texts.items():
        Path(f"{name}.yaml").write_text(text, "utf-8")
    call = CALLS[request.param]
    status = main(["check", *call, "--junit", "j.xml", "--sarif", "s.sarif"])
    assert status == {"met": 0, "better": 0, "worse": 1, "accepted": 1}.get(request.param, 2)
    return request.param


def test_reports_are_what_their_formats_allow(written):
    root = ElementTree.parse("j.xml").getroot()
    assert root.tag == "testsuites"
    for each in root.iter():
        attributes, needed, inside = ELEMENTS[each.tag]
        assert needed <= set(each.attrib) <= attributes
        assert {child.tag for child in each} <= inside
    for suite in [root, *root]:
        cases = list(suite.iter("testcase"))
        for count, tag in (("failures", "failure"), ("errors", "error")):
            assert suite.get(count) == str(sum(case.find(tag) is not None for case in cases))
        assert suite.get("tests") == str(len(cases))

    log = json.loads(Path("s.sarif").read_text("utf-8"))
    jsonschema.validate(log, LOG, format_checker=jsonschema.FormatChecker())
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        states = {"baselineState" in each for each in run["results"]}
        assert len(states) < 2, "with a baseline each result has a state"
        known = [each.get("suppressions") for each in run["results"]]
        assert (written == "accepted") == ([] in known), "all results say it, or none"
        assert sum(map(bool, known)) == (written == "accepted")
        assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in run["results"])
    identities = [run.get("automationDetails", {}).get("id") for run in log["runs"]]
    assert len(set(identities)) == len(identities)
