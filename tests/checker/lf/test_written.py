"""The checker's own reader of federation.yaml: it says what ddsrta.lf says, and verify compares."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from ddsrta.__main__ import main
from ddsrta.base.diagnostics import InputError
from ddsrta.checker import CertificateError
from ddsrta.checker.yaml import NotReadError, read_document
from ddsrta.lf.program.document import to_document
from ddsrta.lf.program.examples import CENTRALIZED, ENCLAVES, TWO_FEDERATES
from ddsrta.lf.program.reader import loads
from tests.checker.respelled import respelled
from tests.lf.bounds.enclaves.random_programs import program

ROOT = Path(__file__).resolve().parents[3]
FULL = (ROOT / "tests/lf/program/full.yaml").read_text("utf-8")
KNOWN = [TWO_FEDERATES, CENTRALIZED, ENCLAVES, FULL, *(program(seed) for seed in range(8))]
HEAD = "federation: 1\ncoordination: decentralized\nhosts: {h: }\n"


def test_both_readers_agree() -> None:
    page = (ROOT / "docs/lf.md").read_text("utf-8")
    blocks = re.findall(r"^```yaml [a-z]+\.yaml\n(federation: 1.*?)^```", page, re.M | re.S)
    assert len(blocks) > 2
    for text in [*KNOWN, *blocks]:
        assert read_document(text, "f.yaml") == to_document(loads(text))


def test_both_readers_agree_on_other_spellings() -> None:
    compared = 0
    for seed, text in enumerate(KNOWN):
        for number in range(3):
            other = respelled(text, Random(10 * seed + number))
            try:
                document = to_document(loads(other))
            except InputError:  # a word that quotes make another one
                continue
            compared += 1
            assert read_document(other, "f.yaml") == document, other
    assert compared > 2 * len(KNOWN)


@pytest.mark.parametrize("more", [
    "federates: {f: {host: h, maxwait: '0'}}", "federates: {f: {host: h, maxwait: 'forever'}}",
    "federates: {f: {host: h, inputs: }}", "federates: {f.g: {host: h}}", "federates: {f: }",
    "federates: {}\nconnections: ", "federates: {f: {host: h, inputs: [a, a]}}",
    "federates: {f: {host: h, timers: {t: {period: 0 ms}}}}", "federates: {f: {host: h, core: -1}}",
    "federates: {f: {host: h, workers: 0}}", "federates: {}\nrti: {hop: {worst: 1ms, best: 2ms}}",
    "federates: {}\nchains: {c: {from: f, to: f.r}}", "federates: {}\nrti: ",
])  # fmt: skip
def test_what_is_no_federation(more: str) -> None:
    with pytest.raises(CertificateError, match=r"^f\.yaml:\d+:\d+: "):
        read_document(HEAD + more, "f.yaml")


def test_what_it_does_not_know_is_said() -> None:
    with pytest.raises(NotReadError, match="the key 'programs' of a federation"):
        read_document(f"{HEAD}federates: {{}}\nprograms: [a.lf]\n", "f.yaml")


@pytest.mark.parametrize("command", ["stp", "rti", "schedule", "enclaves"])
def test_a_certificate_is_of_its_file(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    text = {"enclaves": ENCLAVES, "rti": CENTRALIZED}.get(command, TWO_FEDERATES)
    Path("f.yaml").write_text(text)
    Path("other.yaml").write_text(text.replace("wcet: 200us", "wcet: 201us"))
    Path("system.yaml").write_text("ddsrta: 1\nmachines: {m: {cores: [c]}}\nthreads: {}\n")
    main(
        [
            "lf",
            command,
            "f.yaml",
            "--certificate",
            "c.json",
            "--format",
            "json",
            "--output",
            "r.json",
        ]
    )
    for name in ("c.json", "r.json"):
        assert main(["verify", name, "--system", "f.yaml"]) == main(["verify", name]) == 0
        capsys.readouterr()
        assert main(["verify", name, "--system", "other.yaml"]) == 1
        said = "refuted: the certificate is not of this federation: its digest differs\n"
        assert capsys.readouterr().out == said
        assert main(["verify", name, "--system", "system.yaml"]) == 1
        said = "refuted: the certificate is of a federation, and the file has a system\n"
        assert capsys.readouterr().out == said


def test_programs_are_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.lf").write_text("target C\nmain reactor { }\n")
    assert main(["verify", "c.json", "--system", "p.lf"]) == 2
    assert "programs are not compared" in capsys.readouterr().err
