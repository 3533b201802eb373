"""ddsrta measure, with a harness of shell scripts in place of the real one."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
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
if pathlib.Path("slow").exists():
    import time
    time.sleep(float(pathlib.Path("slow").read_text()))
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


def test_the_trace_of_an_earlier_run_passes_for_no_other(folder: Path) -> None:
    earlier = folder / "earlier"
    earlier.write_text("of an earlier run")
    (folder / "trace").symlink_to(earlier)
    (folder / "bad.yaml").write_text("ddsrta: 1\n")
    assert measure("application", "bad.yaml", "--output", "trace") == 2
    assert earlier.exists()  # nothing was to run
    (folder / "h/Makefile").write_text("all:\n\tfalse\n")
    assert measure("application", "system.yaml", "--output", "trace") == 2
    assert not earlier.exists()


def test_a_campaign_that_is_killed_at_any_instant_loses_at_most_one_block(folder: Path) -> None:
    (folder / "slow").write_text("0.1")
    call = [sys.executable, "-m", "ddsrta", "measure", "--harness", "h", "delays", "--output", "d"]
    call += ["--sizes", "1kB,3kB,5kB,24kB", "--samples", "7"]
    path = os.pathsep.join(part or os.getcwd() for part in sys.path)
    instants, kills = random.Random(1), 0
    while True:
        process = subprocess.Popen(
            call, env={**os.environ, "PYTHONPATH": path}, start_new_session=True
        )
        try:
            status = process.wait(instants.uniform(0.3, 1.2) + kills)
            break
        except subprocess.TimeoutExpired:
            whole = set((folder / "d").glob("*.csv"))
            os.killpg(process.pid, signal.SIGKILL)  # the programs of the harness, too
            process.wait()
            kills += 1
            assert whole <= set((folder / "d").glob("*.csv"))
    assert status == 0
    text = (folder / "d/udp.yaml").read_text()
    assert text.count("of 7 samples") == 12  # three stages, four sizes
    calls = (folder / "calls").read_text().splitlines()
    assert len(set(calls)) == 8
    assert len(calls) <= 8 + kills  # nothing whole was measured again
    assert not list((folder / "d").glob(".block.*"))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: text[:-20], "cut off"),
        (lambda text: "", "cut off"),
        (lambda text: text.replace(",1000,3,", ",1000,4,"), "checksum is another"),
        (lambda text: "x" * 5000, "cut off"),
        (lambda text: text + "more\n", "goes on after its end"),
    ],
)
def test_a_damaged_block_is_measured_again_with_a_reason(
    damage: Callable[[str], str], reason: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert delays("--samples", "7") == 0
    file = folder / "d/udp-sync-1000.csv"
    file.write_text(damage(file.read_text()))
    capsys.readouterr()
    assert delays("--samples", "7") == 0
    err = capsys.readouterr().err
    assert "udp-sync-1000.csv is not used: it " in err
    assert reason in err
    assert "udp-async-1000.csv is there already" in err


def test_a_block_of_another_campaign_is_not_used(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert delays("--samples", "7") == 0
    shutil.copy(folder / "d/udp-sync-3000.csv", folder / "d/udp-sync-1000.csv")
    assert delays("--samples", "7") == 0
    err = capsys.readouterr().err
    assert "not used: it is of something else than 7 samples of 1000 B" in err
