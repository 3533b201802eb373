"""ddsrta explain and ddsrta verify, as people call them."""

import re
import sys
from types import ModuleType, SimpleNamespace

import pytest

from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS
from ddsrta.report.explanation import explanation_text


@pytest.fixture
def system(tmp_path):
    path = tmp_path / "system.yaml"
    path.write_text(TWO_THREADS)
    return str(path)


def term(label, time, detail=""):
    return SimpleNamespace(label=label, time=time, detail=detail)


def explanation(bound=4_510_000, reason=None):
    stages = (
        SimpleNamespace(
            stage="thread sensor",
            where="ecu/c0",
            terms=(term("own work", 1_000_000, "wcet"), term("preempted by F", 62_000)),
            total=1_062_000,
        ),
        SimpleNamespace(
            stage="thread control", where="", terms=(term("rest", 3_448_000),), total=3_448_000
        ),
    )
    return SimpleNamespace(
        chain="control loop",
        path=("sensor", "speed", "control"),
        bound=bound,
        stages=stages,
        reason=reason,
    )


def test_the_terms_are_exact_and_line_up():
    lines = explanation_text(explanation()).splitlines()
    assert lines[0] == "control loop  sensor → speed → control"
    assert lines[2:5] == [
        "1.062 ms  thread sensor  ecu/c0",
        "    1.000 ms  own work        wcet",
        "    0.062 ms  preempted by F",
    ]
    assert lines[-1] == "4.510 ms  bound"


def test_no_bound_says_why():
    assert explanation_text(explanation(None, "overload")).endswith("unbounded: overload\n")


@pytest.mark.parametrize(("bound", "status"), [(4_510_000, 0), (None, 1)])
def test_explain_says_in_its_status_whether_there_is_a_bound(
    bound, status, system, monkeypatch, capsys
):
    module = ModuleType("ddsrta.analysis.explain")
    module.explain = lambda system, chain: explanation(bound)
    monkeypatch.setitem(sys.modules, "ddsrta.analysis.explain", module)
    assert main(["explain", system, "control loop"]) == status
    assert re.search(r"^1.062 ms  thread sensor", capsys.readouterr().out, re.MULTILINE)


def test_an_unknown_chain_is_a_wrong_call(system, monkeypatch, capsys):
    def explain(system, chain):
        raise KeyError(chain)

    module = ModuleType("ddsrta.analysis.explain")
    module.explain = explain
    monkeypatch.setitem(sys.modules, "ddsrta.analysis.explain", module)
    assert main(["explain", system, "control lop"]) == 2
    err = capsys.readouterr().err
    assert "there is no chain 'control lop'; did you mean 'control loop'?" in err


@pytest.fixture
def checker(monkeypatch):
    module = ModuleType("ddsrta.checker")
    module.CertificateError = type("CertificateError", (Exception,), {})
    monkeypatch.setitem(sys.modules, "ddsrta.checker", module)
    document = ModuleType("ddsrta.models.document")
    document.to_document = lambda system: {"name": system.name}
    monkeypatch.setitem(sys.modules, "ddsrta.models.document", document)
    return module


def test_a_certificate_is_confirmed_or_refuted(checker, capsys):
    checker.check_file = lambda path, document: SimpleNamespace(ok=True, confirmed=12, failure=None)
    assert main(["verify", "c.json"]) == 0
    assert capsys.readouterr().out == "confirmed: 12 inequalities hold\n"
    checker.check_file = lambda path, document: SimpleNamespace(
        ok=False, confirmed=1, failure="job P: response 3 < 4"
    )
    assert main(["verify", "c.json"]) == 1
    assert capsys.readouterr().out == "refuted: job P: response 3 < 4 (after 1 inequality)\n"


def test_a_foreign_certificate_is_a_wrong_call(checker, capsys):
    def check_file(path, document):
        raise checker.CertificateError("not a certificate")

    checker.check_file = check_file
    assert main(["verify", "c.json"]) == 2
    err = capsys.readouterr().err
    assert "c.json: not a certificate; a certificate is written by" in err


def test_a_certificate_can_be_held_against_a_system(checker, system):
    seen = []
    checker.check_file = lambda path, document: (
        seen.append(document) or SimpleNamespace(ok=True, confirmed=1, failure=None)
    )
    main(["verify", "c.json", "--system", system])
    assert seen == [{"name": "two threads"}]
