"""ddsrta import: YAML on stdout, what to know about it on stderr, 2 where a file is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddsrta.__main__ import main
from tests.formats.profiles import PROFILES
from tests.formats.test_caret import ROBOT
from tests.formats.test_fastdds_merge import SYSTEM

TOPOLOGY = """
 {"nodes": [{"node_name": "a", "publishers": [
   {"topic_name": "t", "msg_type": "stamped10b", "period_ms": 10}]}]}
"""
FILES = {"caret": ROBOT, "irobot": TOPOLOGY, "fastdds": PROFILES}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, text in FILES.items():
        (tmp_path / f"{kind}.txt").write_text(text)
    (tmp_path / "system.yaml").write_text(SYSTEM)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", FILES)
def test_each_format_is_named_or_detected(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for call in ([kind, f"{kind}.txt"], [f"{kind}.txt"], ["--format", kind, f"{kind}.txt"]):
        assert main(["import", *call]) == 0
        outputs.append(capsys.readouterr())
    assert outputs[0] == outputs[1] == outputs[2]
    out, err = outputs[0]
    assert "\nddsrta: 1\n" in out
    assert all(line.startswith(("guessed: ", "left out: ")) for line in err.splitlines())
    assert "guessed: callbacks: 'wcet' of " in err or "guessed: threads: 'wcet' of " in err


PROGRAM = """target C
reactor Source { output out: int  timer t(0, 5 ms)  reaction(t) -> out {= =} }
federated reactor { s = new Source() }
"""


def test_a_program_of_lingua_franca_is_a_federation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "Two.lf").write_text(PROGRAM)
    (tmp_path / "notes.yaml").write_text("annotations: 1\nreactions: {Source.reaction_1: 3ms}\n")
    assert main(["import", "Two.lf"]) == 0
    out, err = capsys.readouterr()
    assert "\nfederation: 1\nname: Two\ncoordination: centralized\n" in out
    assert "guessed: federates: 'wcet' of s: not in the program: a placeholder" in err.splitlines()
    options = ["--annotations", "notes.yaml", "--lf-version", "0.12.1"]
    assert main(["import", "lf", "Two.lf", *options]) == 0
    assert "wcet: 3ms}" in capsys.readouterr().out


def test_the_wrong_format_is_a_wrong_file(capsys: pytest.CaptureFixture[str]) -> None:
    for kind, file in (
        ("fastdds", "caret.txt"),
        ("irobot", "fastdds.txt"),
        ("caret", "irobot.txt"),
    ):
        assert main(["import", kind, file]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"{file}:")


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (["carot", "caret.txt"], "there is no format 'carot'; did you mean 'caret'?"),
        (["caret"], "no file is given"),
        (["caret", "none.yaml"], "none.yaml:1:1: No such file or directory"),
        (["none.yaml"], "none.yaml:1:1: No such file or directory"),
        (
            ["caret", "caret.txt", "--into", "system.yaml"],
            "--into goes with fastdds, not with caret",
        ),
        (
            ["caret", "caret.txt", "--lf-version", "0.13"],
            "--lf-version goes with lf, not with caret",
        ),
        (["lf", "caret.txt"], "caret.txt:1:1: expected 'reactor'"),
        (["none.lf"], "none.lf"),
        (["lf", "a.lf", "b.lf"], "one program at a time"),
        (["fastdds", "fastdds.txt", "--into", "none.yaml"], "none.yaml"),
        (["fastdds", "fastdds.txt", "--into", "irobot.txt"], "irobot.txt:2:"),
    ],
)
def test_a_wrong_call_ends_with_2(
    call: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", *call]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert reason in err
    assert "internal error" not in err


def test_profiles_go_into_a_system(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["import", "fastdds", "fastdds.txt", "--into", "system.yaml"]) == 0
    out, err = capsys.readouterr()
    assert "  speed: {size: 1kB, history: 2, priority: -3}  # of the wheels\n" in out
    assert "put in: threads.sensor.publishes.0.mode: async (was sync)" in err.splitlines()
    assert (tmp_path / "system.yaml").read_text() == SYSTEM
    (tmp_path / "merged.yaml").write_text(out)
    assert main(["analyze", "merged.yaml"]) == 1  # its controller above the writer is a livelock
    assert "[livelock]" in capsys.readouterr().out


def test_a_system_that_is_written_anew_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = SYSTEM.replace("speed: {", "speed: &t {").replace("door:\n    size: 1kB", "door: *t")
    (tmp_path / "system.yaml").write_text(text)
    assert main(["import", "fastdds", "fastdds.txt", "--into", "system.yaml"]) == 0
    assert "its comments and layout are lost" in capsys.readouterr().err


def test_a_merged_system_that_cannot_be_analysed_says_why(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    limit = "<max_bytes_per_period>10</max_bytes_per_period>"
    text = PROFILES.replace("HIGH_PRIORITY</scheduler>", f"HIGH_PRIORITY</scheduler>{limit}")
    (tmp_path / "fastdds.txt").write_text(text)
    assert main(["import", "fastdds", "fastdds.txt", "--into", "system.yaml"]) == 0
    assert "not valid yet: the merged system:" in capsys.readouterr().err


def test_what_is_imported_can_be_written_to_a_file(tmp_path, capsys):
    topology, there = tmp_path / "t.json", tmp_path / "system.yaml"
    topology.write_text(TOPOLOGY)
    assert main(["import", "irobot", str(topology), "--output", str(there)]) == 0
    assert there.read_text().startswith("# Drafted from")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["bringup.launch.py", "robot_launch.xml", "r.launch.yaml"])
def test_a_launch_file_is_no_system_and_what_to_do_is_told(name, tmp_path, capsys):
    (tmp_path / name).write_text("<launch/>")
    assert main(["import", name]) == 2
    err = capsys.readouterr().err
    assert f"'{name}': a launch file says which nodes run" in err and "'ros2 trace'" in err


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0"?>\n<launch>\n</launch>',
        "launch:\n- node: {pkg: demo, exec: talker}\n",
        "from launch import LaunchDescription\n\n\ndef generate_launch_description():\n    pass\n",
    ],
)
def test_a_launch_file_is_known_by_what_it_has_under_any_name(text, tmp_path, capsys):
    (tmp_path / "bringup").write_text(text)
    assert main(["import", str(tmp_path / "bringup")]) == 2
    assert "a launch file says which nodes run" in capsys.readouterr().err


def test_many_dashes_on_one_line_do_not_hold_up_the_guess_of_a_format(tmp_path, capsys):
    (tmp_path / "dashes").write_text("-- a " * 800)
    assert main(["import", str(tmp_path / "dashes")]) == 2
    assert "dashes:1:" in capsys.readouterr().err
