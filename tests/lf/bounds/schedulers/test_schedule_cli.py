"""ddsrta lf schedule as a user calls it: tables, reasons, exit status, what is not modelled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.lf.bounds.launch.lags import Launch
from ddsrta.lf.bounds.offsets.links import network
from ddsrta.lf.bounds.schedulers.judge import schedule
from ddsrta.lf.program.examples import TWO_FEDERATES
from ddsrta.lf.program.reader import loads
from tests.effort import ends

Output = pytest.CaptureFixture[str]
TASKS = """\
federation: 1
name: tasks
coordination: decentralized
hosts: {h: {cores: 1}}
federates:
  slow:
    host: h
    timers: {t: {period: 50ms}}
    reactions: {work: {triggers: [t], wcet: 30ms, deadline: 40ms}}
  fast:
    host: h
    timers: {t: {period: 25ms}}
    reactions: {work: {triggers: [t], wcet: 5ms, deadline: 10ms}}
"""
ENCLAVES = """\
federation: 1
coordination: decentralized
hosts: {h: {cores: 2}}
federates:
  f:
    host: h
    timers: {t: {period: 50ms}, u: {period: 50ms}}
    outputs: [x.out, y.in]
    reactions:
      one: {reactor: x, triggers: [t], effects: [x.out], wcet: 1ms, deadline: 5ms}
      two: {reactor: y, triggers: [u, y.in], wcet: 1ms, deadline: 5ms}
    connections: [{from: x.out, to: y.in, after: 1ms}]
    enclaves: {a: {reactors: [x]}, b: {reactors: [y]}}
"""


def call(*arguments: str) -> int:
    try:
        return main(["lf", "schedule", *arguments])
    except SystemExit as stop:
        return int(str(stop.code))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "f.yaml"
    path.write_text(TASKS)
    return path


def test_all_schedulers_stand_side_by_side_with_reasons(file: Path, capsys: Output) -> None:
    assert call("f.yaml") == 1
    output = capsys.readouterr().out
    assert output.startswith("MISSED  tasks: 2 deadlines, met by deadline-monotonic, edf\n")
    assert "  fast.work starts 20 ms too late, at the tag 0 ms:\n    30 ms  slow: " in output
    assert "np:\n  unbounded: slow.work, fast.work: host h has fewer cores (1)" in output


@pytest.mark.parametrize(
    ("scheduler", "status"), [("fifo", 1), ("deadline-monotonic", 0), ("edf", 0), ("np", 1)]
)
def test_the_exit_status_is_that_of_the_scheduler(
    file: Path, capsys: Output, scheduler: str, status: int
) -> None:
    assert call("f.yaml", "--scheduler", scheduler) == status
    assert scheduler in capsys.readouterr().out


def test_workers_stand_side_by_side(file: Path, capsys: Output) -> None:
    two = "reactions: {a: {triggers: [t], wcet: 4ms}, b: {reactor: r, triggers: [t], wcet: 6ms, deadline: 5ms}"
    file.write_text(
        f"federation: 1\ncoordination: decentralized\nhosts: {{h: }}\nfederates:\n"
        f"  f: {{host: h, timers: {{t: {{period: 50ms}}}}, {two}}}}}\n"
    )
    assert call("f.yaml", "--scheduler", "np", "--workers", "1", "--workers", "4") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["latest", "start", "of", "deadline", "np", "×1", "np", "×4"]
    assert lines[3].split() == ["f.b", "5", "ms", "4", "ms", "≤", "1", "ms"]


def test_json_has_integers_and_reasons(file: Path, capsys: Output) -> None:
    assert call("f.yaml", "--format", "json", "--scheduler", "fifo", "--output", "o.json") == 1
    assert capsys.readouterr().out == ""
    document = json.loads((file.parent / "o.json").read_text())
    assert document["verdict"] == "missed"
    (column,) = document["schedulers"]
    slow, fast = column["reactions"]
    assert (slow["latest_start"], slow["met"], slow["exact"]) == (5_000_000, True, False)
    assert (fast["latest_start"], fast["exact"], fast["tag"]) == (30_000_000, True, 0)
    assert fast["blockers"][0]["name"] == "slow"
    assert fast["blockers"][0]["time"] == 30_000_000


def test_cores_of_its_own_keep_threads_apart(file: Path, capsys: Output) -> None:
    file.write_text(TASKS.replace("cores: 1", "cores: 2"))
    assert call("f.yaml") == 0
    file.write_text(
        TASKS.replace("cores: 1", "cores: 2").replace("host: h\n", "host: h\n    core: 1\n")
    )
    assert call("f.yaml", "--scheduler", "fifo") == 1
    assert "30 ms  slow" in capsys.readouterr().out


def test_where_threads_run_has_to_be_said(file: Path, capsys: Output) -> None:
    third = "  third: {host: h, reactions: {r: {triggers: [startup], wcet: 1ms}}}\n"
    file.write_text(TASKS.replace("cores: 1", "cores: 2") + third)
    assert call("f.yaml", "--scheduler", "fifo") == 1
    assert "has 2 cores for 3 threads; say on which 'core'" in capsys.readouterr().out
    file.write_text(TASKS.replace("host: h\n", "host: h\n    core: 1\n", 1))
    assert call("f.yaml") == 2
    assert "host 'h' has no core 1: it has 1" in capsys.readouterr().err


def test_enclaves_that_exchange_are_not_modelled(file: Path, capsys: Output) -> None:
    file.write_text(ENCLAVES)
    assert call("f.yaml") == 1
    assert "the enclaves f.a and f.b exchange messages: not modelled" in capsys.readouterr().out
    file.write_text(ENCLAVES.replace("[{from: x.out, to: y.in, after: 1ms}]", "[]"))
    assert call("f.yaml") == 0


def test_who_receives_waits_and_is_no_thread_of_linux(file: Path, capsys: Output) -> None:
    file.write_text(TWO_FEDERATES)
    own = ("--scheduler", "np", "--scheduler", "gedf-np")
    assert call("f.yaml", *own) == 0
    output = capsys.readouterr().out
    assert "1.65 ms" in output
    assert "checked: confirmed" in output
    assert call("f.yaml", "--scheduler", "fifo") == 1
    assert "sink waits for messages of others: not modelled" in capsys.readouterr().out


@pytest.mark.parametrize(
    "reaction",
    ["triggers: [t], deadline: 5ms", "triggers: [go], wcet: 1ms, deadline: 5ms"],
)
def test_what_is_not_known_has_no_bound(file: Path, capsys: Output, reaction: str) -> None:
    """No execution time, or any number of events at once."""
    file.write_text(
        "federation: 1\ncoordination: decentralized\nhosts: {h: {cores: 1}}\nfederates:\n"
        "  f: {host: h, timers: {t: {period: 50ms}}, actions: {go: {kind: physical}},\n"
        f"      reactions: {{r: {{{reaction}}}, s: {{triggers: [t], wcet: 1ms}}}}}}\n"
    )
    assert call("f.yaml") == 1
    output = capsys.readouterr().out
    assert output.startswith("UNBOUNDED")
    assert ("has no wcet" in output) or ("has no min_spacing" in output)


def test_without_deadlines_there_is_nothing_to_miss(file: Path, capsys: Output) -> None:
    file.write_text(TASKS.replace(", deadline: 40ms", "").replace(", deadline: 10ms", ""))
    assert call("f.yaml") == 0
    assert "no reaction has a deadline" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong",
    [["--workers", "0"], ["--workers", "x"], ["--scheduler", "rr"], ["--workers", "9" * 99]],
)
def test_a_wrong_call_ends_with_2(file: Path, capsys: Output, wrong: list[str]) -> None:
    assert call("f.yaml", *wrong) == 2
    assert capsys.readouterr().err


def test_periods_without_a_common_multiple_take_no_longer(file: Path) -> None:
    """The tags cannot be followed one by one: windows bound them."""
    lines = [TASKS.replace("50ms", "50000001ns").replace("25ms", "24999983ns")]
    for index in range(30):
        lines.append(
            f"  f{index}: {{host: h, timers: {{t: {{period: {1_000_003 + 2 * index}us}}}}, "
            f"reactions: {{r: {{triggers: [t], wcet: 1ms, deadline: 900ms}}}}}}\n"
        )
    with ends():
        report = schedule(loads("".join(lines)))
    for column in report.columns:
        if column.scheduler == "deadline-monotonic":
            assert report.verdict_of(column) == "met"
            assert not any(latest.exact for latest in column.latest.values())


def test_gedf_np_may_run_higher_levels_before_a_message_is_sent() -> None:
    """Deadlines first: join is on level 1, has the earlier deadline, and runs before send does."""
    federation = loads("""\
federation: 1
coordination: decentralized
hosts: {h: }
federates:
  f:
    host: h
    scheduler: GEDF_NP
    timers: {t: {period: 50ms}}
    outputs: [a, b, out]
    reactions:
      one: {reactor: x, triggers: [t], effects: [a], wcet: 1ms}
      two: {reactor: y, triggers: [t], effects: [b], wcet: 1ms}
      join: {reactor: z, triggers: [a, b], wcet: 7ms, deadline: 5ms}
      send: {reactor: w, triggers: [t], effects: [out], wcet: 1ms}
""")
    launch = network(federation).launches["f"]
    assert isinstance(launch, Launch)
    assert launch.of_output("out", 0) == 10_000_000


def test_who_receives_with_several_workers_is_not_modelled_either(
    file: Path, capsys: Output
) -> None:
    file.write_text(TWO_FEDERATES.replace("    inputs: [in]", "    workers: 2\n    inputs: [in]"))
    assert call("f.yaml", "--scheduler", "fifo") == 1
    assert "sink waits for messages of others: not modelled" in capsys.readouterr().out


def test_the_figures_are_checked_and_can_be_checked_again(file: Path, capsys: Output) -> None:
    chosen = ("--scheduler", "deadline-monotonic", "--scheduler", "edf")
    assert call("f.yaml", *chosen, "--certificate", "c.json") == 0
    assert "\nchecked: confirmed, certificate " in capsys.readouterr().out
    assert main(["verify", "c.json"]) == 0
    assert call("f.yaml", *chosen, "--format", "json", "--output", "o.json") == 0
    document = json.loads((file.parent / "o.json").read_text())
    assert document["check"]["status"] == "confirmed"
    assert document["evidence"] == json.loads((file.parent / "c.json").read_text())


def test_what_is_refused_is_not_printed(
    file: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ddsrta.lf.bounds.schedulers.core_run._Run._start", lambda *_: None)
    assert call("f.yaml", "--scheduler", "edf", "--allow", "unchecked") == 1
    output = capsys.readouterr().out
    assert output.startswith("ERROR  tasks: refused by the checker")
    assert " ms" not in output
