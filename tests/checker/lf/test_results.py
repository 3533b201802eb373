"""Results of `ddsrta lf` are verified with their evidence: they may say no more than it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from ddsrta.__main__ import main
from ddsrta.checker import NothingError, check_result, verify_file
from ddsrta.lf.certificate import stp_certificate
from ddsrta.lf.checked import self_check
from ddsrta.lf.examples import CENTRALIZED, TWO_FEDERATES
from ddsrta.lf.federation import SHORT_WAIT, Federation
from ddsrta.lf.judge import judge
from ddsrta.lf.reader import loads
from ddsrta.lf.rti_certificate import rti_certificate
from ddsrta.lf.rti_judge import judge_rti
from ddsrta.report.lf_rti_json import report_dict as rti_dict
from ddsrta.report.lf_stp_json import report_dict as stp_dict
from tests.checker.lf.test_rti import DELAYED, drawn
from tests.checker.lf.test_stp import ABSENT, RING, leaves, put


def result(source: str | Federation, command: str) -> dict[str, Any]:
    federation = loads(source, "f.yaml") if isinstance(source, str) else source
    federation = replace(federation, short_wait=SHORT_WAIT)
    if command == "stp":
        report = judge(federation)
        document, evidence = stp_dict(report), stp_certificate(report)
    else:
        granted = judge_rti(federation)
        document, evidence = rti_dict(granted), rti_certificate(granted)
    document |= {"check": asdict(self_check(evidence)), "evidence": evidence}
    found: dict[str, Any] = json.loads(json.dumps(document))
    return found


@pytest.mark.parametrize("command", ["stp", "rti"])
def test_what_is_printed_is_confirmed(command: str) -> None:
    for number, federation in enumerate(drawn()):
        if number % 5:
            continue
        document = result(federation, command)
        verdict = check_result(document)
        if document.get("repairs"):
            assert verdict.status == "undecided"
        else:
            assert (verdict.status, verdict.failure) == ("confirmed", None), number


@pytest.mark.parametrize(("source", "command"), [
    (TWO_FEDERATES, "stp"), (ABSENT, "stp"), (RING.replace("after: 5ms", "after: 8ms"), "stp"), (CENTRALIZED, "rti"), (DELAYED, "rti"),
])  # fmt: skip
def test_nothing_better_is_said(source: str, command: str) -> None:
    document = result(source, command)
    figures = {k: v for k, v in document.items() if k not in ("check", "evidence", "findings")}
    tried = 0
    for path, value in leaves(figures):
        if isinstance(value, bool):
            better: Any = not value
            if path[-1] == "met" and value:
                continue  # to say that it is missed claims nothing
        elif isinstance(value, int) and "circles" not in path:
            better = value + 1 if path[-1] == "slack" else value - 1
        else:
            continue
        tried += 1
        assert check_result(put(document, path, better)).status == "refuted", path
    assert tried > 10


def test_words_are_no_better_than_the_evidence() -> None:
    missed = result(TWO_FEDERATES.replace("deadline: 10ms", "deadline: 1ms"), "stp")
    assert check_result(missed).ok
    assert check_result({**missed, "verdict": "met"}).status == "refuted"
    granted = result(DELAYED, "rti")
    assert check_result({**granted, "findings": []}).status == "refuted"
    del granted["federates"]["a"]["assumed_because"]
    assert check_result(granted).status == "refuted"


def test_a_result_of_which_no_figure_is_known_is_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The certificate itself is confirmed, and not the figures beside it."""
    source = TWO_FEDERATES[: TWO_FEDERATES.index("  sink:")].replace(
        "500us", "500us, deadline: 2ms"
    )
    (tmp_path / "f.yaml").write_text(source + "connections: []\n")
    found, alone = tmp_path / "result.json", tmp_path / "certificate.json"
    main(["lf", "schedule", str(tmp_path / "f.yaml"), "--format", "json", "--output", str(found)])
    document = json.loads(found.read_text())
    assert check_result(document).status == "undecided"
    alone.write_text(json.dumps(document["evidence"]))
    assert main(["verify", str(alone)]) == 0
    assert "confirmed: " in capsys.readouterr().out


def test_what_the_evidence_does_not_have_is_undecided() -> None:
    document = result(TWO_FEDERATES, "stp")
    assert check_result({**document, "what_if": [{"possible": True}]}).status == "undecided"


@pytest.mark.parametrize("command", ["stp", "rti"])
def test_the_command_line_takes_results(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.yaml").write_text(CENTRALIZED)
    found = str(tmp_path / "result.json")
    assert (
        main(["lf", command, str(tmp_path / "f.yaml"), "--format", "json", "--output", found]) == 0
    )
    assert verify_file(found).ok
    assert main(["verify", found]) == 0
    assert "confirmed: " in capsys.readouterr().out


def test_a_result_without_evidence_is_said_to_be_that() -> None:
    with pytest.raises(NothingError, match="no evidence: of federations, those of 'lf stp', 'rti'"):
        check_result({"ddsrta": 1, "federation": "f", "verdict": "met", "check": None})
