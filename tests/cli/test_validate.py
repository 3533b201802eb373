"""ddsrta validate: 0 nothing above its bound, 1 something was, 2 nothing can be concluded."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS
from tests.formats.ros2_trace.test_draft import recorded
from tests.validation.harness_trace import two_threads_trace
from tests.validation.test_late import STOP, Late, trace_of, with_evidence


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    two_threads_trace().write(tmp_path / "good")
    two_threads_trace(delay=2_000_000).write(tmp_path / "late")
    (tmp_path / "cut").write_text(two_threads_trace().text()[:900])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments: str) -> int:
    return main(["validate", "system.yaml", "--trace", *arguments])


def test_bounds_that_held(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("good") == 0
    out = capsys.readouterr().out
    assert out.startswith("OK  two threads: 4 bounds against a run, nothing measured above")
    line = next(line for line in out.splitlines() if line.startswith("  control loop"))
    assert " ".join(line.split()[2:]) == "chain latency 3.286 ms 2.91 ms +12.9 % 2.91 ms 3"
    assert "VIOLATION" not in out


def test_a_violation_is_said_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("late") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "VIOLATION  two threads: 4 bounds against a run, 2 of them exceeded"
    assert lines[1] == (
        "  VIOLATION  chain control loop, latency: 4.41 ms measured, above the bound of 3.286 ms "
        "(job 0 at 4.41 ms)"
    )
    assert "message sensor → speed → control, async: 2 ms measured" in lines[2]
    table = [line.split()[0] for line in lines[5:9]]
    assert table == ["control", "sensor", "sensor", "control"]


@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_trace_that_is_cut_off_gives_a_reason_and_no_number(
    capsys: pytest.CaptureFixture[str], format_: str, folder: Path
) -> None:
    assert call("cut", "--format", format_, "--html", "page.html") == 2
    out, err = capsys.readouterr()
    assert "inconclusive: cut off or damaged" in err
    assert not (folder / "page.html").exists()
    if format_ == "json":
        document = json.loads(out)
        assert document.keys() == {"ddsrta", "verdict", "reasons"}
        assert document["verdict"] == "inconclusive"
    else:
        assert out == ""


def test_a_ros2_trace_that_lost_events_is_inconclusive(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert call(str(recorded(folder, discarded=3)), "--format", "json") == 2
    out, err = capsys.readouterr()
    assert "inconclusive: 3 events lost" in err
    assert json.loads(out)["verdict"] == "inconclusive"


def test_everything_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("late", "--format", "json") == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["verdict"], document["format"]) == ("violation", "harness")
    row = document["rows"][0]
    assert (row["name"], row["bound"], row["violated"]) == ("control loop", 3_286_000, True)
    assert row["difference"] == pytest.approx((3.286 - 4.41) / 4.41)
    assert (row["measured"]["max"], row["measured"]["count"]) == (4_410_000, 3)
    assert sum(count for _, count in row["measured"]["histogram"]) == 3
    assert row["worst"] == {"time": 4_410_000, "what": "job 0", "idle": None}


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))


def test_a_page_has_the_bound_over_each_distribution(folder: Path) -> None:
    assert call("late", "--html", "page.html") == 1
    text = (folder / "page.html").read_text()
    page = Page()
    page.feed(text)
    tags = [tag for tag, _ in page.tags]
    assert tags.count("svg") == tags.count("line") == 4
    bound = next(float(a["x1"] or 0) for tag, a in page.tags if tag == "line")
    bar = next(a for tag, a in page.tags if tag == "rect")
    assert float(bar["x"] or 0) > bound  # what was measured lies right of the bound
    assert "script" not in tags
    assert "VIOLATION" in text


def test_names_in_a_page_are_escaped(folder: Path) -> None:
    evil = TWO_THREADS.replace("control loop", '"<script>x</script>"')
    (folder / "system.yaml").write_text(evil)
    assert call("good", "--html", "page.html") == 0
    assert "<script" not in (folder / "page.html").read_text()


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("nowhere") == 2
    assert "nowhere: No such file" in capsys.readouterr().err


def test_the_trace_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "system.yaml"]) == 2
    assert "--trace" in capsys.readouterr().err


def test_the_output_goes_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("good", "--output", "table.txt") == 0
    assert capsys.readouterr().out == ""
    assert (folder / "table.txt").read_text().startswith("OK  ")


def test_a_thread_that_was_kept_from_running_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = two_threads_trace(1)
    trace.see(50_000_000, "release", 0, 1)
    trace.see(50_000_010, "start", 0, 1, cpu=1_000_000)
    trace.see(54_000_010, "complete", 0, 1, cpu=1_900_000)
    trace.write(folder / "stopped")
    assert call("stopped") == 1
    told = "response sensor: 4.00001 ms measured, above the bound of 1 ms (job 1 at 54.00001 ms; "
    told += "a thread at work on it did not run for 3.1 ms: preempted, blocked or stopped)"
    assert told in capsys.readouterr().out


def test_what_the_trace_has_evidence_for_is_shown_and_not_ok(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_evidence(trace_of(Late(waking=3_100_000)), (0, *STOP)).write(folder / "stopped")
    assert call("stopped") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "DISTURBED  two threads: 4 bounds against a run, 2 of them exceeded, "
        "each time with evidence of the machine"
    )
    assert lines[1].startswith("  MACHINE  chain control loop, latency: ")
    assert lines[2] == "    1 of 3 above the bound: 1 the machine"
    assert lines[3].startswith("    the longest: the machine: others than the system ran on CPUs")
    assert any(line.split()[:2] == ["control", "loop"] for line in lines[7:])  # the table, too
    assert call("stopped", "--format", "json") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "disturbed"
    above = document["rows"][0]["above"]
    assert (above["count"], above["causes"]) == (1, {"machine": 1})
    assert above["longest"]["cause"] == "machine"
