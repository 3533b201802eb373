"""The command simulate, as its own process where signals and terminals matter."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.base.units import Duration
from ddsrta.bounds.analyze import analyze
from ddsrta.examples import TWO_THREADS
from ddsrta_simulator import COMPILED
from tests.cli.test_start import ROOT, ddsrta
from tests.simulation.ars import ars_yaml

OFTEN = (  # checkpoints every tenth of a second
    "import sys, ddsrta.simulation.simulate as s; s.EVERY = 0.1;"
    "from ddsrta.__main__ import main; sys.exit(main(sys.argv[1:]))"
)
SHOWN = (  # progress after each seed, however fast
    "import sys, ddsrta.cli.progress as p; p.REFRESH = 0;"
    "from ddsrta.__main__ import main; sys.exit(main(sys.argv[1:]))"
)
LONG = ("--horizon", "2min" if COMPILED else "20s")


def ended(number):
    """The program, a step at a time, ends itself and its workers as it saves for the third time
    from where a seed can go on."""
    return f"""
import os, sys, pytest, ddsrta.simulation.simulate as simulate
from ddsrta.__main__ import main
from tests.simulation.in_steps import in_steps
in_steps(pytest.MonkeyPatch())
keep, left = simulate.save, [3]
def save(ledger, path):
    keep(ledger, path)
    left[0] -= bool(ledger.starts)
    if left[0] == 0:
        os.killpg(0, {int(number)})
simulate.save = save
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "s.yaml").write_text(TWO_THREADS)
    (tmp_path / "ars.yaml").write_text(ars_yaml())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_verdict_comes_first_then_observations_beside_bounds(folder, capsys):
    assert main(["simulate", "s.yaml", "--horizon", "1s", "--choices", "worst"]) == 0
    text, errors = capsys.readouterr()
    lines = text.splitlines()
    assert lines[0].startswith("OK  two threads: 100 messages, ")
    assert lines[0].endswith(" events, no observation above its bound")
    assert lines[1] == "everything at its worst, horizon 1 s"
    row = next(line for line in lines if line.startswith("  control loop"))
    assert row.split()[2:] == [
        "latency",
        "3.286",
        "ms",
        "3.286",
        "ms",
        "3.286",
        "ms",
        "3.286",
        "ms",
        "100",
        "3.286",
        "ms",
        "100.0",
        "%",
    ]
    assert "upper edges" in lines[-2]
    assert errors == ""


def test_histograms_count_everything_that_was_seen(folder, capsys):
    assert main(["simulate", "s.yaml", "--horizon", "1s", "--histograms"]) == 0
    text = capsys.readouterr().out
    section = text.split("response time of thread control\n")[1].split("\n\n")[0]
    counts = [int(line.split()[2]) for line in section.splitlines()]
    assert sum(counts) == 100
    assert 1 < len(counts) <= 12
    assert "#" in section


def test_what_is_not_in_time_shows_in_the_exit_status(folder):
    (folder / "late.yaml").write_text(TWO_THREADS.replace("deadline: 8ms", "deadline: 3ms"))
    (folder / "full.yaml").write_text(TWO_THREADS.replace("period: 10ms", "period: 1ms"))
    assert main(["simulate", "late.yaml", "--horizon", "1s"]) == 1
    assert main(["simulate", "full.yaml", "--horizon", "1s"]) == 1


@pytest.mark.parametrize(("profile", "status"), [("busy-window", 3), ("published", 1)])
def test_an_observation_above_its_bound_is_loud(folder, capsys, monkeypatch, profile, status):
    def optimistic(system, profile):
        result = analyze(system, profile=profile)
        control = replace(result.threads["control"], wcrt=Duration(1_999_999))
        return replace(result, threads={**result.threads, "control": control})

    monkeypatch.setattr("ddsrta.simulation.simulate.analyze", optimistic)
    call = ["simulate", "s.yaml", "--horizon", "1s", "--choices", "worst", "--profile", profile]
    assert main(call) == status
    text, errors = capsys.readouterr()
    assert text.startswith("VIOLATION  two threads: ")
    assert (
        "response time of thread control: 2 ms with seed 1, above the bound of 1.999999 ms" in text
    )
    assert "100.1 %" in text
    assert ("defect in ddsrta" in errors) == (status == 3)
    assert main([*call, "--format", "json"]) == status
    violations = json.loads(capsys.readouterr().out)["violations"]
    assert [v["bound"] for v in violations] == [1_999_999]


@pytest.mark.parametrize(
    "call",
    [
        ["--horizon", "10"],
        ["--seeds", "0"],
        ["--jobs", "-1"],
        ["--resume"],
        ["--checkpoint", "s.yaml"],
        ["--checkpoint", "none", "--resume"],
        ["--choices", "worst", "--seeds", "3"],
    ],
)
def test_wrong_calls_do_not_start(folder, capsys, call):
    assert main(["simulate", "s.yaml", *call]) == 2
    assert (folder / "s.yaml").read_text() == TWO_THREADS
    assert capsys.readouterr().out == ""


def test_without_pyarrow_it_says_what_to_install(folder, capsys, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["simulate", "s.yaml", "--parquet", "rows"]) == 2
    assert "pip install 'ddsrta[parquet]'" in capsys.readouterr().err


def started(code, *call, cwd):
    """A process of its own, alone in its group, as a terminal would have it."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)]),
    }
    return subprocess.Popen(
        [sys.executable, "-c", code, "simulate", *call],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=environment,
        start_new_session=True,
    )


def under_way(process, checkpoint):
    """Wait until the first checkpoint is there."""
    deadline = time.monotonic() + 600
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert checkpoint.exists(), process.stderr.read()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """What a run shows that nobody disturbs."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "ars.yaml").write_text(ars_yaml())
    done = ddsrta("simulate", "ars.yaml", *LONG, "--seeds", "3", "--format", "json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_was_ended_goes_on_with_the_same_numbers(folder, uninterrupted, number, jobs):
    call = ("ars.yaml", *LONG, "--seeds", "3", "--checkpoint", "c", "--jobs", jobs)
    process = started(ended(number), *call, cwd=folder)
    text, errors = process.communicate(timeout=600)
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert errors == b""
        assert b"INTERRUPTED after " in text
        assert b"no observation above its bound" in text
    else:
        assert process.returncode == -signal.SIGKILL
    resumed = ("--checkpoint", "c", "--resume", "--jobs", jobs, "--format", "json")
    done = ddsrta("simulate", "ars.yaml", *resumed, cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == uninterrupted
    assert sorted(p.name for p in folder.iterdir() if p.name.startswith((".c", "c"))) == ["c"]


@pytest.mark.long
def test_workers_do_not_outlive_a_parent_that_was_killed(folder):
    process = started(
        OFTEN, "ars.yaml", "--horizon", "99h", "--seeds", "2", "--checkpoint", "c", "--jobs", "2",
        cwd=folder,
    )  # fmt: skip
    under_way(process, folder / "c")
    process.kill()
    process.communicate(timeout=600)  # ends when nobody holds the other ends of its pipes
    with pytest.raises(ProcessLookupError):
        for _ in range(30_000):
            os.killpg(process.pid, 0)
            time.sleep(0.02)


@pytest.mark.long
def test_progress_is_for_terminals(folder):
    main_end, other_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SHOWN, "simulate", "ars.yaml", "--horizon", "5s", "--seeds", "5"],
        stdout=subprocess.DEVNULL,
        stderr=other_end,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'cython_ext'}"},
    )
    os.close(other_end)
    written = b""
    try:
        while chunk := os.read(main_end, 65536):
            written += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    assert process.wait(600) == 0
    os.close(main_end)
    assert b" % [" in written
    assert b"million events/s" in written
    assert written.endswith(b"\r\x1b[K")


PEAK = (
    "import sys; from ddsrta.__main__ import main;"
    "assert main(sys.argv[1:]) == 0;"
    "print([line for line in open('/proc/self/status') if line.startswith('VmHWM')][0].split()[1])"
)


@pytest.mark.long
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_memory_does_not_grow_with_the_horizon(folder):
    peaks = []
    for horizon in ("20s", "20min" if COMPILED else "40s"):
        call = ("ars.yaml", "--horizon", horizon, "--output", "out")
        process = started(PEAK, *call, cwd=folder)
        text, errors = process.communicate(timeout=600)
        assert process.returncode == 0, errors
        peaks.append(int(text))
    assert peaks[1] < peaks[0] + 2048  # kB


def test_a_stop_at_the_limit_of_events_is_the_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(TWO_THREADS)
    assert main(["simulate", "s.yaml", "--events", "500", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["limited"], document["finished"], document["most_events"]) == (1, 0, 500)
    assert main(["simulate", "s.yaml", "--horizon", "1s"]) == 0
