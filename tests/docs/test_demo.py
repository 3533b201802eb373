"""What newcomers see first is a system that is sound."""

from __future__ import annotations

import re

import pytest

from ddsrta.__main__ import main
from tests.docs.console import ROOT

DEMO = re.compile(r"^\t\S+/ddsrta (analyze \S+)$", re.MULTILINE)


def test_the_demo_meets_its_deadline_without_errors(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [call] = DEMO.findall(makefile)
    monkeypatch.chdir(ROOT)
    assert main(call.split()) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("MET  ")
    assert "error:" not in shown
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [stated] = re.findall(r"make demo +# .*: (\S+ ms of \S+ ms), MET$", readme, re.MULTILINE)
    latency, deadline = stated.split(" of ")
    assert re.search(rf" {latency} +{deadline} ", shown)
