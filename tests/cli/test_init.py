"""ddsrta init: a first system out of a few words, which loads and can be analysed."""

from __future__ import annotations

import os
import pty
import re

import pytest

import ddsrta
from ddsrta.__main__ import main

ROBOT = (
    ("--node", "camera: 30 Hz -> image(1MB)"),
    ("--node", "detector: image -> objects"),
    ("--node", "/nav/planner: 10 Hz, objects, odom -> cmd"),
    ("--node", "motor: cmd"),
    ("--executor", "vision: camera, detector"),
    ("--deadline", "camera -> motor: 300 ms"),
)


def call(*words: tuple[str, str]) -> list[str]:
    return ["init", *(word for pair in words for word in pair)]


def draft(capsys, *words: tuple[str, str]) -> str:
    assert main(call(*words)) == 0
    return capsys.readouterr().out


def test_what_it_writes_loads_and_is_bounded_and_confirmed(capsys):
    result = ddsrta.analyze(ddsrta.loads(draft(capsys, *ROBOT)))
    assert result.verdict == "met" and result.check.status == "confirmed"
    (chain,) = result.chains.values()
    assert chain.constraint == "data_age" and chain.deadline == 300_000_000
    assert chain.path[0] == "camera.timer" and chain.path[-1] == "motor.on_cmd"


def test_every_guess_is_marked_and_told(capsys):
    assert main(call(*ROBOT)) == 0
    written, told = capsys.readouterr()
    lines = [line for line in written.splitlines() if not line.startswith("#")]
    for guess in ("placeholder: true", "wcet: 1ms", "priority: ", "core: ", "follows: "):
        assert all("# guessed: " in line for line in lines if line.strip().startswith(guess)), guess
    assert "guessed: nodes: 'wcet' of camera, detector" in told
    assert "size: 1MB" in written and "size: 1MB}  #" not in written


def test_nodes_of_an_executor_share_a_process_and_all_others_have_their_own(capsys):
    system = ddsrta.loads(draft(capsys, *ROBOT))
    of = {name: thread.executor for name, thread in system.threads.items()}
    assert of["camera.timer"] == of["detector.on_image"] == "vision"
    assert of["nav.planner.timer"] == "nav.planner"
    assert {executor.process for executor in system.executors.values()} >= {"vision", "motor"}


def test_what_nobody_publishes_comes_from_outside(capsys):
    system = ddsrta.loads(draft(capsys, *ROBOT))
    assert [writer.name for writer in system.writers("odom")] == ["outside.timer"]


def test_a_name_is_known_with_and_without_the_slash_of_ros_in_front(capsys):
    system = ddsrta.loads(
        draft(
            capsys,
            ("--node", "/front/camera: 20 Hz -> image"),
            ("--node", "log: image"),
            ("--executor", "all: /front/camera, /log"),
            ("--deadline", "/front/camera -> /log: 1 s"),
        )
    )
    assert {thread.executor for thread in system.threads.values()} == {"all"}
    assert {chain.ends for chain in system.chains.values()} == {
        ("front.camera.timer", "log.on_image")
    }


def test_a_topic_is_known_with_and_without_the_slash_of_ros_in_front(capsys):
    nodes = ("camera: 20 Hz -> /image(1MB)", "log: image", "show: /image")
    system = ddsrta.loads(draft(capsys, *(("--node", node) for node in nodes)))
    assert list(system.topics) == ["/image"] and system.topics["/image"].size == 1_000_000
    assert [chain.path[-1] for chain in ddsrta.analyze(system).chains.values()] == [
        "log.on_image", "show.on_image"
    ]  # fmt: skip
    assert main(call(("--node", "fusion: image & /image -> tracks"))) == 2
    assert "names 'image' twice" in capsys.readouterr().err


def test_without_deadlines_all_chains_from_sources_to_ends_are_asked(capsys):
    system = ddsrta.loads(draft(capsys, *ROBOT[:4]))
    assert {chain.ends for chain in system.chains.values()} == {
        ("camera.timer", "motor.on_cmd"), ("nav.planner.timer", "motor.on_cmd"),
        ("outside.timer", "motor.on_cmd"),
    }  # fmt: skip


def test_a_set_of_messages_and_two_machines(capsys):
    text = draft(
        capsys,
        ("--node", "camera: 20 Hz -> image"),
        ("--node", "lidar: 20 Hz -> scan"),
        ("--node", "fusion: image & scan -> tracks"),
        ("--node", "log: tracks"),
        ("--machine", "orin: 2"),
        ("--machine", "pi: 1"),
        ("--executor", "storage@pi: log"),
    )
    system = ddsrta.loads(text)
    assert set(system.cores) == {"orin/c0", "orin/c1", "pi/c0"} and len(system.links) == 2
    assert system.threads["log.on_tracks"].core == "pi/c0"
    assert system.threads["fusion.on_all"].activation == "and"
    assert ddsrta.analyze(system).check.status == "confirmed"


AMR = (
    ("--node", "lidar: 10 Hz -> points(1.5MB)"),
    ("--node", "filter: points -> scan(20kB)"),
    ("--node", "camera: 30 Hz -> raw(2.7MB)"),
    ("--node", "rectify: raw -> rect(2.7MB)"),
    ("--node", "detector: rect -> objects"),
    ("--node", "ekf: 50 Hz, scan, objects -> pose"),
    ("--node", "controller: 20 Hz, pose -> cmd"),
    ("--node", "base: cmd"),
    ("--deadline", "lidar -> base: 500 ms"),
)


def test_cores_are_guessed_so_that_none_is_full_while_others_are_idle(capsys):
    system = ddsrta.loads(draft(capsys, *AMR, ("--executor", "vision: camera, rectify, detector")))
    loads = [core.utilization for core in ddsrta.analyze(system).cores.values()]
    assert max(loads) < 0.7 and min(loads) > 0.05


def test_an_executor_may_have_several_threads(capsys):
    text = draft(capsys, *AMR, ("--executor", "vision(3): camera, rectify, detector"))
    vision = ddsrta.loads(text).executors["vision"]
    assert (vision.kind, vision.threads, len(vision.cores)) == ("multi_threaded", 3, 3)
    assert "pinned: false" in text


def test_a_set_of_messages_is_that_of_message_filters_also_where_threads_move(capsys):
    text = draft(
        capsys,
        ("--node", "camera: 20 Hz -> image"),
        ("--node", "lidar: 20 Hz -> scan"),
        ("--node", "fusion: image & scan -> tracks"),
        ("--executor", "perception(3): camera, lidar, fusion"),
    )
    system = ddsrta.loads(text)
    synchronizer = system.threads["fusion.on_all"].synchronizer
    assert synchronizer is not None and synchronizer.policy == "approximate_time"
    assert system.executors["perception"].threads == len(system.executors["perception"].cores) == 3
    assert ddsrta.analyze(system).check.status == "confirmed"


MANY = (
    ("--node", "camera: 20 Hz -> image(1MB)"),
    ("--node", "detector: image -> objects"),
    ("--node", "lidar: -> scan"),
    ("--node", "stereo: image & objects -> depth"),
    ("--node", "fusion: image & scan -> tracks"),
    ("--node", "/nav/planner: 10 Hz, depth, odom -> cmd, status"),
    ("--node", "motor: cmd"),
    ("--node", "log: status, tracks -> kept"),
    ("--node", "store: kept"),
    ("--machine", "orin: 5"),
    ("--machine", "pi: 1"),
    ("--executor", "vision(3): camera, detector"),
    ("--executor", "small(2)@pi: log"),
)
SAID_FOR = {  # what a comment offers, and the line with it instead
    "policy: other": (r"priority: \d+", "policy: other"),
    "latest": ("approximate_time", "latest"),
    "exact_time": ("approximate_time", "exact_time"),
    "reaction_time": ("data_age", "reaction_time"),
    "deadline: 100ms": (r"from: ([^,\n]*)", r"deadline: 100ms"),
}


def alternatives(text: str):
    """Each line with what its comment offers, and the file with that instead."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        code, _, comment = line.partition("  # ")
        if line.startswith("#"):
            continue
        for offered in re.findall(r"'([^']+: [^']+)'|(?<=or )([a-z_]+)(?=,|$)", comment):
            old, new = SAID_FOR["".join(offered)]
            at = number if re.search(old, code) else number + 1
            indent = " " * (len(lines[at]) - len(lines[at].lstrip()))
            if "deadline" in new and at == number:
                changed = code.replace("{from", f"{{{new}, from")
            elif "deadline" in new:
                changed = f"{indent}{new}\n{lines[at]}"
            else:
                changed = re.sub(old, new, code)
            yield new, "\n".join([*lines[:at], changed, *lines[at + 1 :]]) + "\n"


def test_what_its_comments_offer_can_be_written_there(capsys):
    """Each alone; and Linux' default in all places where it is offered."""
    text = draft(capsys, *MANY)
    before = ddsrta.analyze(ddsrta.loads(text))
    assert before.check.status == "confirmed" and before.verdict == "met"
    found = list(alternatives(text))
    assert {new for new, _ in found} == {new for _, new in SAID_FOR.values()}
    for new, changed in found:
        assert changed != text, new
        system = ddsrta.loads(changed)
        assert system != ddsrta.loads(text), new
        assert ddsrta.analyze(system).check.status == "confirmed", new
    everywhere = re.sub(r"priority: \d+  # [^\n]*'policy: other'.*", "policy: other", text)
    assert ddsrta.analyze(ddsrta.loads(everywhere)).check.status == "confirmed"


def test_linux_default_is_offered_where_it_is_modelled(capsys):
    """Not where threads move, or several share a core: that would be refused."""
    text = draft(capsys, *MANY)
    system = ddsrta.loads(text)
    moving = set(system.executors["vision"].cores)
    for name, executor in system.executors.items():
        said = text.partition("executors:")[2].partition(f"\n  {name}:")[2]
        offered = "'policy: other'" in said.partition("priority:")[2].partition("\n")[0]
        cores = {executor.core} if not executor.cores else set(executor.cores)
        assert offered == (executor.threads == 1 and moving.isdisjoint(cores)), name


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no node is given; give --node"),
        ((("--node", "camera"),), "'camera' has no name: write for example"),
        ((("--node", "cam: 30 -> x"),), "--node: '30' has no unit: write for example '30 ms' or '30 Hz'"),
        ((("--node", "cam: 30 Hz -> x(9)"),), "'9' has no unit"),
        ((("--node", "cam: a -> b -> c"),), "several arrows"),
        ((("--node", "cam: "),), "does nothing"),
        ((("--node", "c: 1 Hz"), ("--executor", "e: d")), "there is no node 'd'"),
        ((("--node", "c: 1 Hz"), ("--executor", "e(0): c")), "an executor has 1 to 256 threads"),
        ((("--node", "c: 1 Hz"), ("--executor", "e@m: c")), "there is no machine 'm'"),
        ((("--node", "c: 1 Hz"), ("--node", "c: 2 Hz")), "there are two nodes 'c'"),
        ((("--node", "c: 1 Hz"), ("--machine", "m: many")), "how many cores?"),
        ((("--node", "c: 1 Hz"), ("--deadline", "c: 1ms")), "is no deadline such as"),
        ((("--node", "c: 1 Hz"), ("--node", "d: 1 Hz"), ("--deadline", "c -> d: 1ms")), "no message leads from 'c' to 'd'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_what_to_write(words, said, capsys, monkeypatch):
    monkeypatch.setattr("ddsrta.cli.init._may_ask", lambda: False)
    assert main(call(*words)) == 2
    out, told = capsys.readouterr()
    assert not out and said in told


def test_on_a_terminal_it_asks_and_asks_again_what_it_cannot_read(capsys, monkeypatch):
    here, there = pty.openpty()
    answers = "rover\ncamera 30 Hz\ncamera: 30 Hz -> image\nlog: image\n\n\norin: 2\n\n\n"
    os.write(here, answers.encode())
    with os.fdopen(there, "r") as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        assert main(["init"]) == 0
    os.close(here)
    out, told = capsys.readouterr()
    assert "'camera 30 Hz' has no name" in told
    system = ddsrta.loads(out)
    assert system.name == "rover" and set(system.cores) == {"orin/c0", "orin/c1"}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("--name", "", "--node", "a: 1 Hz"), "--name is empty"),
        (("--node", "a: 1 Hz", "--executor", "x@b: a"), "give --machine 'b: 4'"),
    ],
)
def test_what_is_missing_is_said(
    call: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", *call]) == 2
    assert said in capsys.readouterr().err
