"""No command writes over what it reads, nor one output over another; options are found by type."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.cli.commands import COMMANDS
from ddsrta.cli.parser import module_of
from ddsrta.cli.places import Folder, Input, Output, Printed
from ddsrta.examples import TWO_THREADS

PATHS = ("FILE", "FOLDER", "DIR", "SYSTEM", "FEDERATION")
NOT_DATA = {"--harness"}  # sources of programs
Action = argparse.Action


def calls(
    parser: argparse.ArgumentParser, words: list[str]
) -> list[tuple[list[str], list[Action]]]:
    """Each command and subcommand with its options."""
    own = [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    subs = [action for action in own if isinstance(action, argparse._SubParsersAction)]
    if not subs:
        return [(words, own)]
    own.remove(subs[0])
    return [
        (found, [*own, *actions])
        for name, sub in subs[0].choices.items()
        for found, actions in calls(sub, [*words, name])
    ]


def all_calls() -> list[tuple[list[str], list[Action]]]:
    found = []
    for name in COMMANDS:
        parser = argparse.ArgumentParser()
        import_module(module_of(name)).arguments(parser)
        found += calls(parser, [name])
    return found


def kind(action: Action) -> type:
    return action.type if isinstance(action.type, type) else str


def word(action: Action) -> str:
    return action.option_strings[-1] if action.option_strings else action.dest


CALLS = all_calls()
IDS = [" ".join(words) for words, _ in CALLS]
SHARED = [
    pytest.param(words, actions, one, other, id=f"{' '.join(words)} {word(one)} {word(other)}")
    for words, actions in CALLS
    for one in actions
    for other in actions
    if issubclass(kind(one), Output)
    and (
        issubclass(kind(other), Input)
        or (issubclass(kind(other), Output) and word(one) < word(other))
    )
]


def call(words: list[str], actions: list[Action], values: dict[str, str]) -> list[str]:
    """The shortest call with these values."""
    line = list(words)
    for action in actions:
        value = values.get(word(action))
        needed = action.required and action.nargs not in ("?", "*")
        if value is None and not needed:
            continue
        if value is None:
            value = next(iter(action.choices)) if action.choices else "1ms"
            value = "system.yaml" if issubclass(kind(action), Input) else value
            value = "other.out" if issubclass(kind(action), Output) else value
        line += [*action.option_strings[-1:], value]
    return line


@pytest.mark.parametrize(("words", "actions"), CALLS, ids=IDS)
def test_every_option_for_a_file_says_whether_it_is_read_or_written(
    words: list[str], actions: list[Action]
) -> None:
    for action in actions:
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        if metavar.split()[-1:] and metavar.split()[-1] in PATHS and word(action) not in NOT_DATA:
            assert issubclass(kind(action), Input | Output), (words, word(action))


@pytest.mark.parametrize("spelling", ["same", "link", "hard link"])
@pytest.mark.parametrize(("words", "actions", "one", "other"), SHARED)
def test_what_is_named_twice_is_refused_before_any_work(
    words: list[str],
    actions: list[Action],
    one: Action,
    other: Action,
    spelling: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("system.yaml").write_text(TWO_THREADS)
    Path("shared").write_text("what nobody may lose")
    if spelling == "link":
        os.symlink("shared", "again")
    elif spelling == "hard link":
        os.link("shared", "again")
    names = {word(one): "again" if spelling != "same" else f"{tmp_path}/./shared"}
    before = sorted(os.listdir())
    status = main(call(words, actions, {word(other): "shared"} | names))
    captured = capsys.readouterr()
    assert (status, captured.out) == (2, "")
    wanted = "is an input" if issubclass(kind(other), Input) else "two outputs"
    assert wanted in captured.err
    assert Path("shared").read_text() == "what nobody may lose"
    assert sorted(os.listdir()) == before


def test_two_outputs_that_are_not_there_yet_are_told_apart_by_their_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(TWO_THREADS)
    os.symlink(tmp_path, "here")
    twice = ["analyze", "s.yaml", "--output", "new", "--certificate"]
    assert main([*twice, "here/new"]) == 2
    assert "two outputs" in capsys.readouterr().err
    assert not Path("new").exists()
    assert main([*twice, "newer"]) == 0
    assert main(["analyze", "s.yaml", "--output", "/dev/null", "--certificate", "/dev/null"]) == 0


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("none/out", "No such file or directory"),
        ("s.yaml/out", "Not a directory"),
        (".", "Is a directory"),
        ("x" * 300, "File name too long"),
    ],
)
@pytest.mark.parametrize("option", ["--trace", "--output", "--checkpoint"])
def test_a_place_that_cannot_be_written_is_said_before_a_long_run(
    option: str,
    place: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(TWO_THREADS)
    assert main(["simulate", "s.yaml", "--horizon", "100000h", option, place]) == 2
    assert f"cannot write '{place}': {reason}" in capsys.readouterr().err


def test_what_the_input_names_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("releases.txt").write_text("0\n10000000\n20000000\n")
    named = TWO_THREADS.replace("period: 10ms", "arrival: {trace: releases.txt}")
    Path("s.yaml").write_text(named)
    assert main(["analyze", "s.yaml", "--output", "releases.txt"]) == 2
    assert "the input names" in capsys.readouterr().err
    assert Path("releases.txt").read_text().startswith("0\n")
    assert main(["analyze", "s.yaml", "--output", "result.txt"]) in (0, 1)


def test_a_file_of_a_folder_that_is_read_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(TWO_THREADS)
    Path("trace").mkdir()
    Path("trace/metadata").write_text("/* CTF 1.8 */")
    call = ["validate", "s.yaml", "--trace", "trace", "--html", "trace/metadata"]
    assert main(call) == 2
    assert "is an input" in capsys.readouterr().err
    assert Path("trace/metadata").read_text() == "/* CTF 1.8 */"


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    call = line.replace("ddsrta", f"{sys.executable} -m ddsrta")
    return subprocess.run(
        ["sh", "-c", call], check=False, cwd=folder, capture_output=True, text=True
    )


def test_standard_streams_that_the_shell_put_elsewhere_are_places_too(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(TWO_THREADS)
    done = shell("ddsrta analyze - --output s.yaml < s.yaml", tmp_path)
    assert (done.returncode, (tmp_path / "s.yaml").read_text()) == (2, TWO_THREADS)
    assert shell("ddsrta check s.yaml --junit log > log", tmp_path).returncode == 2
    assert shell("ddsrta analyze s.yaml >> s.yaml", tmp_path).returncode == 2
    assert (tmp_path / "s.yaml").read_text() == TWO_THREADS
    assert shell("ddsrta check s.yaml --junit /dev/stdout > log", tmp_path).returncode == 0
    log = (tmp_path / "log").read_text()
    assert "<testsuites" in log
    assert "passed: " in log


def test_a_minus_is_stdout_for_what_is_printed_and_for_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(TWO_THREADS)
    assert main(["analyze", "s.yaml", "--output", "-"]) == 0
    assert capsys.readouterr().out.startswith("MET  ")
    assert main(["analyze", "s.yaml", "--certificate", "-"]) == 2
    assert os.listdir() == ["s.yaml"]
    assert issubclass(Printed, Output)
    assert issubclass(Folder, Output)
