"""ddsrta measure, with a harness of shell scripts in place of the real one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS
from tests.validation.harness_trace import two_threads_trace

DELAYS = """#!/usr/bin/env python3
import pathlib, sys, zlib
options = dict(word[2:].split("=") for word in sys.argv[1:] if "=" in word)
pathlib.Path("calls").open("a").write(options["sizes"] + " " + options["modes"] + "\\n")
size, stage = int(options["sizes"][:-1]), {"async": "flow_controller", "sync": "publisher"}
if pathlib.Path("fails at").exists() and str(size) == pathlib.Path("fails at").read_text():
    sys.exit(1)
mode, count = options["modes"], int(options["samples"])
text = "# virtual machine: yes\\nstage,size,number,delay_ns,wall_ns,cpu_ns,idle_ns\\n"
for name in (stage[mode], "listener"):
    for i in range(count):
        text += f"{name},{size},{i},{size * 10 + i},0,0,0\\n"
text += f"# end records={2 * count} lost=0 crc32={zlib.crc32(text.encode()):08x}\\n"
path = pathlib.Path(options["output"]) / f"udp-{mode}-{size}.csv"
path.write_text(text)
"""
APPLICATION = """#!/bin/sh
cp "$1" plan.seen; for word; do case "$word" in --output=*) cp run "${word#--output=}";; esac; done
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("make") is None:
        pytest.skip("there is no make")
    (tmp_path / "h/build/bin").mkdir(parents=True)
    (tmp_path / "h/Makefile").write_text("all:\n")
    for name, text in (("delays", DELAYS), ("application", APPLICATION)):
        program = tmp_path / "h/build/bin" / name
        program.write_text(text)
        program.chmod(0o755)
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    two_threads_trace().write(tmp_path / "run")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def measure(*arguments: str) -> int:
    return main(["measure", "--harness", "h", *arguments])


def delays(*arguments: str) -> int:
    return measure("delays", "--output", "d", "--sizes", "1kB,3kB", *arguments)


def test_a_campaign_ends_with_the_delays_of_a_system(folder: Path) -> None:
    assert delays("--samples", "7") == 0
    text = (folder / "d/udp.yaml").read_text()
    start, rest = TWO_THREADS.index("delays:"), TWO_THREADS.index("topics:")
    system = ddsrta.loads(TWO_THREADS[:start] + text + TWO_THREADS[rest:])
    for rows in (system.delays.flow_controller, system.delays.listener, system.delays.publisher):
        assert [(size, cost.worst) for size, cost in rows] == [(1000, 11_000), (3000, 31_000)]
    assert "# virtual machine: yes" in text


def test_an_interrupted_campaign_goes_on_where_it_was(folder: Path) -> None:
    (folder / "fails at").write_text("3000")
    assert delays("--samples", "7") == 1
    assert not (folder / "d/udp.yaml").exists()
    assert sorted(p.name for p in (folder / "d").glob("*.csv")) == [
        "udp-async-1000.csv", "udp-sync-1000.csv",
    ]  # fmt: skip
    (folder / "fails at").unlink()
    (folder / "calls").unlink()
    damaged = folder / "d/udp-sync-1000.csv"
    damaged.write_text(damaged.read_text()[:-30])
    assert delays("--samples", "7") == 0
    assert (folder / "calls").read_text().splitlines() == [
        "1000B sync", "3000B async", "3000B sync",
    ]  # fmt: skip
    assert not list((folder / "d").glob(".block.*"))


def test_samples_of_other_settings_are_not_mixed(capsys: pytest.CaptureFixture[str]) -> None:
    assert delays("--samples", "7") == 0
    assert delays("--samples", "8") == 2
    assert "it has samples with other settings" in capsys.readouterr().err


def test_files_of_something_else_are_left_alone(folder: Path) -> None:
    (folder / "d").mkdir()
    (folder / "d/mine.csv").write_text("1")
    assert delays() == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["delays", "--output", "d", "--samples", "0"], "'0' is no number of samples"),
        (["delays", "--output", "d", "--samples", "1e3"], "is no number of samples"),
        (["delays", "--output", "d", "--sizes", "1parsec"], "parsec"),
        (["delays", "--output", "d", "--sizes", "1B"], "sizes are 32 B to 16 MB"),
        (["delays", "--output", "d", "--sizes", ""], "argument --sizes"),
        (["delays"], "--output"),
        (["nothing"], "nothing"),
        (["application", "nowhere.yaml", "--output", "t"], "nowhere.yaml"),
    ],
)
def test_nonsense_is_refused_before_anything_runs(
    arguments: list[str], says: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure(*arguments) == 2
    assert says in capsys.readouterr().err
    assert not (folder / "d").exists()


def test_a_harness_that_is_not_there_or_cannot_be_built(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measure", "--harness", "nowhere", "delays", "--output", "d"]) == 2
    assert "--harness FOLDER says where" in capsys.readouterr().err
    (folder / "h/Makefile").write_text("all:\n\techo no compiler >&2; false\n")
    assert delays() == 2
    assert "no compiler" in capsys.readouterr().err


def test_a_run_of_a_system_can_be_validated(folder: Path) -> None:
    assert measure("application", "system.yaml", "--output", "trace", "--jobs", "3") == 0
    assert (folder / "plan.seen").read_text().startswith("ddsrta-plan 1\nsystem two threads\n")
    assert main(["validate", "system.yaml", "--trace", "trace"]) == 0
