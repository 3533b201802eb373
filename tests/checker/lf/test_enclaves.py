"""Certificates of `ddsrta lf enclaves`: what is true is confirmed, and nothing better than that."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from ddsrta.__main__ import main
from ddsrta.checker import CertificateError, check, check_result
from ddsrta.lf.bounds.checked import self_check
from ddsrta.lf.bounds.enclaves.certificate import enclaves_certificate
from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
from ddsrta.lf.bounds.enclaves.partition import applied
from ddsrta.lf.bounds.enclaves.search import search
from ddsrta.lf.program.examples import ENCLAVES
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from ddsrta.models.document import digest
from ddsrta.report.lf.enclaves import report_dict
from tests.checker.lf.test_stp import leaves, put
from tests.effort import draws
from tests.lf.bounds.enclaves.random_programs import system

CROWDED = ENCLAVES.replace("cores: 3", "cores: 1").replace("5ms", "20ms")
ASKED = """\
federation: 1
coordination: decentralized
target: Cpp
hosts: {h: {cores: 2}}
federates:
  f:
    host: h
    overhead: 1ms
    timers: {slow: {period: 100ms}, fast: {period: 10ms}}
    inputs: [b.in]
    outputs: [a.out]
    reactions:
      a: {reactor: a, triggers: [slow], effects: [a.out], wcet: 1ms, deadline: 50ms}
      b: {reactor: b, triggers: [b.in, fast], wcet: 2ms}
    connections: [{from: a.out, to: b.in}]
    enclaves: {one: {reactors: [a]}, two: {reactors: [b]}}
chains:
  way: {from: f.a, to: f.b, latency: 90ms}
"""
LONG_RUN = ASKED.replace("cores: 2", "cores: 1").replace("period: 10ms", "period: 40ms")


def certificate(source: str | Federation, budget: int | None = None) -> dict[str, Any]:
    federation = loads(source, "f.yaml") if isinstance(source, str) else source
    if budget is None:
        claimed = enclaves_certificate(judge_enclaves(federation))
    else:
        found = search(federation, budget)
        claimed = enclaves_certificate(found.report, found)
    plain: dict[str, Any] = json.loads(json.dumps(claimed))
    return plain


def result(source: str, budget: int | None = None) -> dict[str, Any]:
    federation = loads(source, "f.yaml")
    found = None if budget is None else search(federation, budget)
    report = judge_enclaves(federation) if found is None else found.report
    evidence = enclaves_certificate(report, found)
    document = report_dict(report, found)
    document |= {"check": asdict(self_check(evidence)), "evidence": evidence}
    plain: dict[str, Any] = json.loads(json.dumps(document))
    return plain


def ways(claimed: dict[str, Any]) -> list[str]:
    return [way["way"] for way in claimed["shared"]]


def test_known_lags_are_confirmed() -> None:
    verdict = check(certificate(ENCLAVES))
    assert (verdict.status, verdict.claims, verdict.assuming) == (
        "confirmed", "claimed: met; 2 of 2 deadlines and chains met", ("enclave-waits", "own-cores"),
    )  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), [
    (CROWDED, ["in step", "long run", "one core"]), (LONG_RUN, ["long run"]),
])  # fmt: skip
def test_each_way_to_share_cores_is_confirmed(source: str, expected: list[str]) -> None:
    claimed = certificate(source)
    assert ways(claimed) == expected
    assert check(claimed).ok
    for index in range(len(expected)):
        rest = [way for at, way in enumerate(claimed["shared"]) if at != index]
        assert check({**claimed, "shared": rest}).status in ("confirmed", "refuted")
    assert check({**claimed, "shared": []}).status == "refuted"


def test_what_is_found_is_never_refuted() -> None:
    statuses: Counter[str] = Counter()
    systems = draws(20, of=60)
    for seed in range(systems):
        verdict = check(certificate(system(seed)))
        assert verdict.status != "refuted", (seed, verdict.failure)
        statuses[verdict.status] += 1
    assert statuses["confirmed"] > systems - 4


@pytest.mark.parametrize("source", [ENCLAVES, ASKED, CROWDED, LONG_RUN])
def test_nothing_better_is_confirmed(source: str) -> None:
    """Each figure 1 ns less, each truth another."""
    claimed = certificate(source)
    assert check(claimed).ok
    tried = 0
    claims = {key: claimed[key] for key in ("enclaves", "deadlines", "chains", "shared")}
    for path, value in leaves(claims):
        if isinstance(value, bool):
            better: Any = not value
        elif isinstance(value, int) and value:
            slack = (
                source == LONG_RUN and path[0] == "deadlines"
            )  # one figure for all that is slower
            better = value // 2 if slack else value - 1
        else:
            continue
        tried += 1
        forged = put(claimed, path, better)
        # A smaller burst or start in the hints is refused, or not needed.
        expected = {"refuted", "confirmed"} if path[0] == "shared" else {"refuted"}
        assert check(forged).status in expected, path
    assert tried >= 10


@pytest.mark.parametrize("source", [ENCLAVES, ASKED, CROWDED, LONG_RUN])
def test_a_harder_federation_is_not_bounded_by_that(source: str) -> None:
    claimed = certificate(source)
    for old, new in (("wcet: 1ms", "wcet: 1001us"), ("wcet: 2", "wcet: 3")):
        if old in source:
            document = certificate(source.replace(old, new))["federation"]
            forged = {**claimed, "federation": document, "digest": digest(document)}
            assert check(forged).status == "refuted"


@pytest.mark.parametrize(("source", "budget"), [(ENCLAVES, None), (ASKED, None), (CROWDED, None), (ASKED, 9)])  # fmt: skip
def test_each_figure_and_word_of_a_result_is_compared(source: str, budget: int | None) -> None:
    document = result(source, budget)
    assert check_result(document).ok
    free = {
        "ddsrta",  # of another version: an error, and no answer
        "check",
        "evidence",
        "findings",
        "unbounded",
        "path",
        "unbounded_because",
        "tried",
        "seed",
    }
    tried = 0
    for path, value in leaves(document):
        if free & set(path):
            continue
        if isinstance(value, bool):
            better: Any = not value
            if path[-1] == "met" and value:
                continue  # to say that it is missed claims nothing
        elif isinstance(value, int):
            better = value - 1
        elif value is None:
            better = 0
        else:
            better = "met" if path[-1] == "verdict" else f"{value}x"
        if better == value:
            continue
        tried += 1
        assert check_result(put(document, path, better)).status == "refuted", path
    assert tried > 20


def test_a_search_has_evidence_of_what_it_found() -> None:
    claimed = certificate(ASKED, 9)
    assert check(claimed).ok
    assert claimed["search"]["better"]
    for key, value in (("verdict", "nothing"), ("better", 1)):
        with pytest.raises(CertificateError):
            check(put(claimed, ("search", key), value))
    forged = put(claimed, ("search", "better"), False)
    assert check(forged).status == "refuted"
    name = next(iter(claimed["search"]["enclaves"]))
    done = claimed["search"]["enclaves"][name]["done"]
    assert check(put(claimed, ("search", "enclaves", name, "done"), done - 1)).status == "refuted"


def test_what_is_called_better_has_to_be() -> None:
    """The file has the best partition, and its own is called better."""
    asked = loads(ASKED)
    found = search(asked, 9)
    first = judge_enclaves(applied(asked, found.first.cuts))
    turned = replace(found, first=found.best, best=replace(found.first, report=first))
    verdict = check(json.loads(json.dumps(enclaves_certificate(turned.report, turned))))
    assert verdict.status == "refuted"
    assert "no better than that of the file" in (verdict.failure or "")


def test_who_is_asked_by_an_enclave_without_a_bound_has_none() -> None:
    """Questions of an overloaded enclave come any time later, perhaps right before a tag."""
    source = ASKED.replace("wcet: 2ms", "wcet: 8ms").replace("cores: 2", "cores: 8")
    claimed = certificate(source)
    assert claimed["enclaves"]["f.one"]["done"] is None
    assert check(claimed).ok
    row = {"waits": 0, "tag_barrier": 0, "work": 2_000_000, "level_barrier": 0, "others": 0, "done": 2_000_000}  # fmt: skip
    verdict = check(put(claimed, ("enclaves", "f.one"), row))
    assert verdict.status == "refuted"
    assert "any time later" in (verdict.failure or "")


def test_nothing_is_known_of_pinned_workers_in_each_others_way() -> None:
    source = ENCLAVES.replace("    host: board\n", "    host: board\n    core: 1\n")
    claimed = certificate(source)
    assert [row["done"] for row in claimed["enclaves"].values()] == [None, None]
    assert claimed["verdict"] == "unbounded"
    assert check(claimed).ok
    for row in claimed["enclaves"].values():
        row.update(waits=10**9, done=10**9 + row["work"])
    assert "pinned" in (check(claimed).failure or "")


@pytest.mark.parametrize("source", [ENCLAVES, CROWDED])
def test_assumptions_are_said(source: str) -> None:
    claimed, document = certificate(source), result(source)
    cores = "own-cores" if source == ENCLAVES else "work-conserving"
    assert claimed["assumptions"] == sorted(["enclave-waits", cores])
    for rule in claimed["assumptions"]:
        forged = {**claimed, "assumptions": [one for one in claimed["assumptions"] if one != rule]}
        assert rule in (check(forged).failure or "")
    document["findings"] = []
    assert check_result(document).status == "refuted"


def test_hostile_certificates_are_undecided_at_last() -> None:
    assert check(certificate(ASKED), work=3).status == "undecided"


def test_the_command_line_checks_and_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.yaml").write_text(ENCLAVES)
    assert main(["lf", "enclaves", "f.yaml", "--certificate", "c.json"]) == 0
    assert "checked: confirmed, certificate " in capsys.readouterr().out
    assert main(["verify", "c.json"]) == 0
    call = ["lf", "enclaves", "f.yaml", "--search", "--format", "json", "--output", "r.json"]
    assert main(call) == 0
    assert main(["verify", "r.json"]) == 0
    assert "confirmed: " in capsys.readouterr().out


def test_what_is_refused_or_undecided_is_not_met(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.yaml").write_text(ENCLAVES)
    for status, shown in (("undecided", "UNCHECKED: why"), ("refuted", "refused by the checker")):
        verdict = check(certificate(ENCLAVES))
        object.__setattr__(verdict, "status", status)
        object.__setattr__(verdict, "failure", "why")
        monkeypatch.setattr("ddsrta.lf.bounds.checked.check", lambda _, found=verdict: found)
        assert main(["lf", "enclaves", "f.yaml"]) == 1
        assert shown in capsys.readouterr().out
        allowed = main(["lf", "enclaves", "f.yaml", "--allow", "unchecked"])
        assert allowed == (0 if status == "undecided" else 1)
