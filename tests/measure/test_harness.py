"""The harness and ddsrta understand each other's files."""

import json
import subprocess
import zlib
from pathlib import Path

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.formats.harness_plan import plan

PROGRAMS = Path(__file__).parents[2] / "harness/build/bin"


def _run(program: str, *arguments: object, status: int = 0) -> None:
    if not (PROGRAMS / program).exists():
        pytest.skip("the harness is not built: make -C harness")
    call = [PROGRAMS / program, *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == status, done.stderr


def _is_whole(text: str) -> bool:
    body, mark, end = text.rpartition("# end ")
    return bool(mark) and end.endswith(f"crc32={zlib.crc32(body.encode()):08x}\n")


def test_measured_delays_are_those_of_a_system_file(tmp_path):
    _run("delays", "--samples", 20, "--sizes", "1kB,3kB", "--output", tmp_path)
    measured = (tmp_path / "udp.yaml").read_text()
    assert _is_whole(measured)
    start, rest = TWO_THREADS.index("delays:"), TWO_THREADS.index("topics:")
    system = ddsrta.loads(TWO_THREADS[:start] + measured + TWO_THREADS[rest:])
    for rows in (system.delays.flow_controller, system.delays.listener, system.delays.publisher):
        assert [size for size, _ in rows] == [1000, 3000]
        assert all(cost.worst > 1000 for _, cost in rows)


def test_a_translated_system_runs_and_its_trace_is_whole(tmp_path):
    (tmp_path / "plan").write_text(plan(two_threads()))
    _run("application", tmp_path / "plan", "--output", tmp_path / "trace", "--jobs", 20)
    trace = (tmp_path / "trace").read_text()
    assert _is_whole(trace)
    assert not _is_whole(trace[: len(trace) // 2])
    assert not _is_whole(trace.replace("publish", "enqueue"))
    lines = [line for line in trace.splitlines() if not line.startswith("#")]
    assert lines[0] == ("time_ns,cpu_ns,event,who,job,topic,writer,number,reader,waits,stops")
    events = [line.split(",")[2] for line in lines[1:]]
    assert {name: events.count(name) for name in ("release", "publish", "sent", "delivered")} == {
        "release": 20, "publish": 20, "sent": 20, "delivered": 20,
    }  # fmt: skip
    assert events.count("complete") == 40


def test_a_real_trace_can_be_held_against_bounds(tmp_path, capsys):
    """Whether they hold depends on the machine; that each message and job is found does not."""
    (tmp_path / "plan").write_text(plan(two_threads()))
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    _run("application", tmp_path / "plan", "--output", tmp_path / "trace", "--jobs", 20)
    call = ["validate", str(tmp_path / "system.yaml"), "--trace", str(tmp_path / "trace")]
    status = main([*call, "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    assert (document["verdict"] == "ok") == (status == 0)
    assert [row["measured"]["count"] for row in document["rows"]] == [20] * 4
    assert all(row["measured"]["min"] > 0 for row in document["rows"])
    assert not document["unmatched"]
    assert not document["not_measured"]
    assert not any("not that of this system" in note for note in document["notes"])
    late = [row["above"] for row in document["rows"] if row["violated"]]
    assert all(above["causes"] for above in late)  # a trace of the harness says enough to tell
