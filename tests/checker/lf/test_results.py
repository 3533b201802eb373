"""Results of `ddsrta lf` are verified with their evidence: they may say no more than it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from ddsrta.__main__ import main
from ddsrta.checker import CertificateError, NothingError, check_result, verify_file
from ddsrta.lf.bounds.checked import self_check
from ddsrta.lf.bounds.offsets.certificate import stp_certificate
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.bounds.rti.certificate import rti_certificate
from ddsrta.lf.bounds.rti.judge import judge_rti
from ddsrta.lf.bounds.schedulers.certificate import schedule_certificate
from ddsrta.lf.bounds.schedulers.judge import SchedulerName, schedule
from ddsrta.lf.program.examples import CENTRALIZED, TWO_FEDERATES
from ddsrta.lf.program.federation import SHORT_WAIT, Federation
from ddsrta.lf.program.reader import loads
from ddsrta.report.lf.rti import report_dict as rti_dict
from ddsrta.report.lf.schedule import report_dict as schedule_dict
from ddsrta.report.lf.stp import report_dict as stp_dict
from tests.checker.lf.test_rti import DELAYED, drawn
from tests.checker.lf.test_schedule import CORES, TASKS
from tests.checker.lf.test_stp import ABSENT, RING, leaves, put

VERDICTS = ("met", "missed", "unbounded", "error")
WORDS = {
    "verdict": VERDICTS,
    "outcome": ("met", "alone", "between", "spaced", "shared", "violated", "unbounded"),
    "severity": ("error", "warning", "note"),
    "claim": ("exact", "at least", "observed"),
    "coordination": ("centralized", "decentralized"),
    "scheduler": ("np", "gedf-np", "fifo", "deadline-monotonic", "edf"),
}
FIGURES = (
    "met", "latest_start", "seen_start", "workers", "tag", "slack", "maxwait", "price",
    "latency", "wanted", "offset", "x", "wait", "lag", "delay", "grant_lag", "tag_takes",
)  # fmt: skip
SCHEDULERS: dict[str, list[SchedulerName]] = {
    "own": ["np", "gedf-np"],
    "linux": ["deadline-monotonic", "edf"],
    "fifo": ["fifo"],
}
CIRCLE = DELAYED.replace("after:", "send: 9ms, after:")


def result(source: str | Federation, command: str) -> dict[str, Any]:
    federation = loads(source, "f.yaml") if isinstance(source, str) else source
    federation = replace(federation, short_wait=SHORT_WAIT)
    if command == "stp":
        report = judge(federation)
        document, evidence = stp_dict(report), stp_certificate(report)
    elif command in SCHEDULERS:
        scheduled = schedule(federation, SCHEDULERS[command])
        document, evidence = schedule_dict(scheduled), schedule_certificate(scheduled)
    else:
        granted = judge_rti(federation)
        document, evidence = rti_dict(granted), rti_certificate(granted)
    document |= {"check": asdict(self_check(evidence)), "evidence": evidence}
    found: dict[str, Any] = json.loads(json.dumps(document))
    return found


@pytest.mark.parametrize("command", ["stp", "rti", "own", "linux"])
def test_what_is_printed_is_confirmed(command: str) -> None:
    for number, federation in enumerate(drawn()):
        if number % 5:
            continue
        document = result(federation, command)
        verdict = check_result(document)
        if document.get("repairs") or document["check"]["status"] == "unchecked":
            assert verdict.status == "undecided"
        else:
            assert (verdict.status, verdict.failure) == ("confirmed", None), number


@pytest.mark.parametrize(("source", "command"), [
    (TWO_FEDERATES, "stp"), (ABSENT, "stp"), (ABSENT.replace("2ms", "200us"), "stp"),
    (RING.replace("after: 5ms", "after: 8ms"), "stp"), (CENTRALIZED, "rti"), (DELAYED, "rti"),
    (CIRCLE, "rti"), (TASKS, "linux"),
    (TASKS.replace("deadline: 23ms", "deadline: 2ms"), "linux"),
    (CORES, "own"),
])  # fmt: skip
def test_nothing_else_is_said(source: str, command: str) -> None:
    """No number, no verdict and no word for one can be another one."""
    document = result(source, command)
    assert check_result(document).ok
    tried = 0
    for path, value in leaves({k: v for k, v in document.items() if k != "evidence"}):
        if path[0] == "findings" and path[-1] in ("line", "column", "message", "file"):
            continue  # where it is in the file, and words
        for other in others(value, path[-1]):
            tried += 1
            assert malformed(put(document, path, other)), (path, other)
    assert tried > 20


def others(value: object, key: object) -> list[object]:
    """What might stand there instead."""
    if isinstance(value, bool):
        return [not value, None, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1, 0 if value else 7, None, str(value), float(value) + 0.5]
    if value is None and key in FIGURES:
        return [0, 1, True]
    if isinstance(value, str) and key in WORDS:
        return [word for word in WORDS[str(key)] if word != value] + [None, 0]
    return []


def malformed(document: dict[str, Any]) -> bool:
    """Whether it is said to be refuted, or to be no result."""
    try:
        return check_result(document).status == "refuted"
    except CertificateError:
        return True


def test_words_are_no_better_than_the_evidence() -> None:
    missed = result(TWO_FEDERATES.replace("deadline: 10ms", "deadline: 1ms"), "stp")
    assert check_result(missed).ok
    assert check_result({**missed, "verdict": "met"}).status == "refuted"
    granted = result(DELAYED, "rti")
    assert check_result({**granted, "findings": []}).status == "refuted"
    del granted["federates"]["a"]["assumed_because"]
    assert check_result(granted).status == "refuted"


def test_what_the_evidence_does_not_have_is_undecided() -> None:
    document = result(TWO_FEDERATES, "stp")
    assert check_result({**document, "what_if": [{"possible": True}]}).status == "undecided"


@pytest.mark.parametrize("command", ["stp", "rti", "schedule"])
def test_the_command_line_takes_results(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = CENTRALIZED if command != "schedule" else CORES
    (tmp_path / "f.yaml").write_text(source)
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
