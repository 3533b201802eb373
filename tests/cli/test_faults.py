"""A full disk, a broken one, no permission, a kill at any step: nothing half-written, ever.

Every output of every command, as the program itself registers them.
"""

from __future__ import annotations

import errno
import os
import re
import resource
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.exploration import sensitivity
from ddsrta.exploration.sensitivity import Sensitivity
from ddsrta.models.system import System
from tests.cli.faults import Steps, error, files, killed
from tests.cli.outputs import CALLS, OLD, Written, begin, fill, written
from tests.cli.test_places import all_calls

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)
each = pytest.mark.parametrize("option", written(), ids=lambda option: option.what)
command = pytest.mark.parametrize("name", CALLS)
has_full = pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs /dev/full")


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    fill(folder)
    return folder


@pytest.fixture(autouse=True, scope="module")
def _searched_once() -> Iterator[None]:
    """What takes a search is found once for each file: here it matters what becomes of it."""
    known: dict[str, Sensitivity] = {}

    def once(system: System, *rest: Any, **more: Any) -> Sensitivity:
        assert system.written is not None
        text = system.written.text
        if text not in known:
            known[text] = search(system, *rest, **more)
        return known[text]

    search = sensitivity.sensitivity
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sensitivity, "sensitivity", once)
        yield


@pytest.fixture(autouse=True)
def folder(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("make") is None:
        pytest.skip("there is no make")
    place = tmp_path / "here"
    shutil.copytree(inputs, place)
    monkeypatch.chdir(place)
    monkeypatch.setattr(tempfile, "tempdir", str(place / "tmp"))
    return place


def run(line: str) -> int:
    return main(shlex.split(line))


_Outcome = tuple[int, list[str], dict[str, bytes]]
_KNOWN: dict[Written, _Outcome] = {}  # which is the same in each folder


def outcome(option: Written, folder: Path) -> _Outcome:
    """Without a fault: the exit status, the steps, what is there."""
    if option not in _KNOWN:
        _KNOWN[option] = _outcome(option, folder)
    return _KNOWN[option]


def _outcome(option: Written, folder: Path) -> _Outcome:
    begin(folder, option)
    run(option.line)  # what is imported, or made at a first call, is no step
    begin(folder, option)
    steps = Steps()
    with pytest.MonkeyPatch.context() as patch:
        steps.install(patch)
        status = run(option.line)
    assert steps.seen
    return status, steps.seen, files(folder)


def is_old_or_new(option: Written, now: dict[str, bytes], new: dict[str, bytes]) -> None:
    """Each file is whole, and the output is the one of before or the one that was asked for."""
    if not option.anew:
        assert now["OUT"] in (OLD, new["OUT"])
    for name, content in now.items():
        hidden = any(part.startswith(".") or part == "tmp" for part in Path(name).parts)
        assert hidden or name == "OUT" or content == new[name], name


@each
def test_a_step_that_fails_is_said_and_leaves_the_old_file_or_the_new_one(
    option: Written, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, steps, new = outcome(option, folder)
    for at in range(len(steps)):
        number = ERRORS[at % len(ERRORS)]
        begin(folder, option)
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            Steps(at, error(number)).install(patch)
            ended = run(option.line)
        said, now = capsys.readouterr().err, files(folder)
        if ended == status:
            assert now == new, (at, steps[at])
            continue
        assert ended == 2
        assert os.strerror(number) in said, (at, steps[at])
        assert "internal error" not in said
        assert set(now) <= set(new)  # and no temporary file
        is_old_or_new(option, now, new)
        assert option.anew or now["OUT"] == OLD


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@each
def test_a_kill_at_any_step_leaves_the_old_file_or_the_new_one_and_the_call_works_again(
    option: Written, folder: Path
) -> None:
    status, steps, new = outcome(option, folder)
    begin(folder, option)
    left = []  # what is there at a step is what a kill leaves
    with pytest.MonkeyPatch.context() as patch:
        Steps(fault=lambda step: left.append(files(folder))).install(patch)
        run(option.line)
    assert len(left) == len(steps)
    for now in left:
        is_old_or_new(option, now, new)
    waits = "measure" in option.what  # for others, which might write
    for at in range(0 if waits else len(steps) - 2, len(steps)):
        begin(folder, option)
        assert killed(at, lambda: run(option.line)), steps[at]
        is_old_or_new(option, files(folder), new)
        shutil.rmtree(folder / "tmp")  # nobody could remove it
        (folder / "tmp").mkdir()
        is_last = at == len(steps) - 1  # what the kills before left is there, too
        if waits or (is_last and not option.anew):  # others refuse what is there
            assert run(option.line) == status
            assert files(folder) == new  # and no temporary file


@pytest.mark.parametrize("most", [0, 4, 1000])
def test_a_disk_that_gets_full_leaves_no_half_of_a_parquet_file(
    most: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    line = "simulate s.yaml --horizon 1s --parquet OUT"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, limits[1]))
    try:
        status = run(line)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert status == 2
    assert os.strerror(errno.EFBIG) in capsys.readouterr().err
    assert os.listdir("OUT") == []
    assert run(line) == 0


def full() -> TextIO:
    return open("/dev/full", "w")


def closed() -> TextIO:
    reader, writer = os.pipe()
    os.close(reader)
    return open(writer, "w")


def ends(name: str, stream: str, file: TextIO, patch: pytest.MonkeyPatch) -> int:
    patch.setattr(sys, stream, file)
    try:
        return run(CALLS[name])
    finally:
        file.close()  # nothing is left in it that would fail once more


@has_full
@pytest.mark.parametrize("name", [name for name in CALLS if not name.startswith("measure")])
def test_a_stdout_that_is_full_or_closed_is_said(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends(name, "stdout", full(), monkeypatch) == 2
    assert os.strerror(errno.ENOSPC) in capsys.readouterr().err
    assert ends(name, "stdout", closed(), monkeypatch) == 141  # as of SIGPIPE, for shells


@has_full
@pytest.mark.parametrize("open_", [full, closed, lambda: None], ids=["full", "closed", "none"])
def test_a_stderr_that_takes_nothing_changes_no_exit_status(
    open_: Callable[[], TextIO | None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    calls = ["analyze nowhere.yaml", "nonsense", "analyze", "import fastdds p.xml --into s.yaml"]
    clean = [run(line) for line in calls]
    capsys.readouterr()
    out = []
    for line in calls:
        stream = open_()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stderr", stream)
            out.append(run(line))
            if stream is not None:
                stream.close()
    assert out == clean
    assert "nowhere" not in capsys.readouterr().out


def test_what_goes_to_stderr_is_said_in_one_place() -> None:
    root = Path(ddsrta.__file__).parent
    other = re.compile(r"file=sys\.stderr|sys\.stderr\.write|sys\.__stderr__")
    found = [path.name for path in root.rglob("*.py") if other.search(path.read_text())]
    assert found == ["say.py"]


def test_each_command_has_a_call() -> None:
    assert set(CALLS) == {" ".join(words) for words, _ in all_calls()}


@command
def test_the_calls_are_right(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(CALLS[name]) in (0, 1)
    assert name.startswith("measure") == (not capsys.readouterr().out)
