"""The program from end to end, as its own process, with the real analysis."""

import json
from xml.etree import ElementTree

import pytest

from ddsrta.examples import TWO_THREADS
from tests.cli.test_start import ddsrta


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fast.yaml").write_text(TWO_THREADS)
    (tmp_path / "late.yaml").write_text(TWO_THREADS.replace("deadline: 8ms", "deadline: 3ms"))
    (tmp_path / "full.yaml").write_text(TWO_THREADS.replace("period: 10ms", "period: 1ms"))
    return tmp_path


@pytest.mark.parametrize(
    ("file", "status", "verdict"),
    [("fast.yaml", 0, "met"), ("late.yaml", 1, "missed"), ("full.yaml", 1, "unbounded")],
)
def test_analyze(folder, file, status, verdict):
    text = ddsrta("analyze", file, cwd=folder)
    assert text.returncode == status
    assert text.stdout.decode().startswith(f"{verdict.upper()}  two threads: ")
    document = ddsrta("analyze", file, "--format", "json", cwd=folder)
    assert document.returncode == status
    assert json.loads(document.stdout)["verdict"] == verdict
    assert text.stderr == document.stderr == b""


def test_stdin_is_a_system_too():
    done = ddsrta("analyze", "-", input=TWO_THREADS.encode())
    assert (done.returncode, done.stderr) == (0, b"")


def test_check_against_an_earlier_result(folder):
    ddsrta("analyze", "fast.yaml", "--format", "json", "--output", "old.json", cwd=folder)
    same = ddsrta("check", "fast.yaml", "--baseline", "old.json", "--fail-on-worse", cwd=folder)
    assert same.returncode == 0
    assert "nothing is worse than old.json" in same.stdout.decode()
    (folder / "slow.yaml").write_text(TWO_THREADS.replace("wcet: 2ms", "wcet: 3ms"))
    call = ("check", "slow.yaml", "--baseline", "old.json", "--junit", "j.xml")
    slow = ddsrta(*call, cwd=folder)
    assert slow.returncode == 0
    assert (
        "chain control loop: latency 3.286 ms → 4.286 ms (+1 ms, +30.5 %)" in slow.stdout.decode()
    )
    assert ddsrta(*call, "--fail-on-worse", cwd=folder).returncode == 1
    counts = ElementTree.parse(folder / "j.xml").getroot()
    assert (counts.get("tests"), counts.get("failures")) == ("3", "2")  # the deadline is met


def test_annotations_point_at_the_deadline(folder):
    done = ddsrta("check", "late.yaml", "--github", cwd=folder)
    assert done.returncode == 1
    assert b"::error file=late.yaml,line=28,col=60,title=ddsrta deadline-missed::" in done.stdout


def test_a_certificate_is_confirmed_and_a_better_bound_is_refuted(folder):
    assert ddsrta("analyze", "fast.yaml", "--certificate", "c.json", cwd=folder).returncode == 0
    confirmed = ddsrta("verify", "c.json", "--system", "fast.yaml", cwd=folder)
    assert confirmed.stderr == b""
    assert (confirmed.returncode, confirmed.stdout[:9]) == (0, b"confirmed")
    claims = json.loads((folder / "c.json").read_text())
    claims["stages"][0]["response"] -= 1
    (folder / "c.json").write_text(json.dumps(claims))
    refuted = ddsrta("verify", "c.json", cwd=folder)
    assert (refuted.returncode, refuted.stdout[:7]) == (1, b"refuted")
    assert ddsrta("verify", "fast.yaml", cwd=folder).returncode == 2
