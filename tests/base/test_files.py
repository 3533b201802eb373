"""Files are written whole or not at all."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import threading

import pytest

from ddsrta.base.files import atomic_write


def test_the_file_is_replaced_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")
    atomic_write(path, "new → text")
    assert path.read_text(encoding="utf-8") == "new → text"
    assert os.listdir(tmp_path) == ["out.json"]


FULL = OSError(errno.ENOSPC, "No space left on device")
BROKEN = OSError(errno.EIO, "Input/output error")
STEPS = ("mkstemp", "write", "fsync", "chmod", "replace")


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("failure", [FULL, BROKEN, KeyboardInterrupt()])
def test_an_interrupted_write_leaves_the_old_file_and_no_rubbish(
    tmp_path, monkeypatch, step, failure
):
    path = tmp_path / "out.json"
    path.write_text("old")

    def fail(*arguments):
        raise failure

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(failure)):
        atomic_write(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_permissions_are_those_that_the_file_had_or_would_get(tmp_path):
    path = tmp_path / "out.json"
    previous = os.umask(0o027)
    try:
        atomic_write(path, "x")
    finally:
        os.umask(previous)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o604)
    atomic_write(path, "y")
    assert path.stat().st_mode & 0o777 == 0o604


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    atomic_write(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced():
    atomic_write("/dev/null", "x")
    assert not os.path.isfile("/dev/null")


def test_a_disk_that_is_full_while_writing_costs_nothing(tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    with pytest.raises(OSError, match="No space left"):
        atomic_write("/dev/full", "x")


def write_and_die(path, step):
    """In a process of its own, which is killed at a step."""
    program = f"""
import io, os, signal, tempfile
from ddsrta.base.files import atomic_write
def die(*arguments, **options): os.kill(os.getpid(), signal.SIGKILL)
class Stream(io.FileIO):
    write = die
import builtins
if {step!r} == "mkstemp": tempfile.mkstemp = die
elif {step!r} == "write": builtins.open = lambda name, mode: Stream(name, "w")
else: setattr(os, {step!r}, die)
atomic_write({str(path)!r}, "new")
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("step", STEPS)
def test_whoever_is_killed_on_the_way_leaves_the_old_file_and_the_next_one_tidies_up(
    tmp_path, step
):
    path, other = tmp_path / "out.json", tmp_path / "other.json"
    path.write_text("old")
    write_and_die(path, step)
    assert path.read_text() == "old"
    atomic_write(other, "of another output")
    assert (len(os.listdir(tmp_path)) > 2) == (step != "mkstemp")  # it is not its own
    atomic_write(path, "new")
    assert sorted(os.listdir(tmp_path)) == ["other.json", "out.json"]
    assert path.read_text() == "new"


def test_what_another_writer_is_about_to_name_is_not_left_over(tmp_path, monkeypatch):
    path, replace = tmp_path / "out.json", os.replace

    def meanwhile(temporary, target):
        monkeypatch.setattr(os, "replace", replace)
        atomic_write(path, "inner")
        assert path.read_text() == "inner"
        replace(temporary, target)

    monkeypatch.setattr(os, "replace", meanwhile)
    atomic_write(path, "outer")
    assert path.read_text() == "outer"
    assert os.listdir(tmp_path) == ["out.json"]


@pytest.mark.parametrize("keeps", [False, True])
def test_a_file_that_was_taken_for_left_over_before_it_was_locked_is_made_anew(
    tmp_path, monkeypatch, keeps
):
    """Another writer has removed it, or has it locked and is about to."""
    made, make, held = [], tempfile.mkstemp, []

    def mkstemp(**options):
        made.append(make(**options))
        if len(made) == 1:
            if keeps:
                held.append(os.open(made[0][1], os.O_RDWR))
                fcntl.flock(held[0], fcntl.LOCK_EX)
            os.unlink(made[0][1])
        return made[-1]

    monkeypatch.setattr(tempfile, "mkstemp", mkstemp)
    atomic_write(tmp_path / "out.json", "whole")
    for handle in held:
        os.close(handle)
    assert len(made) == 2
    assert (tmp_path / "out.json").read_text() == "whole"
    assert os.listdir(tmp_path) == ["out.json"]


def test_without_locks_nothing_is_removed(tmp_path, monkeypatch):
    def none(*arguments):
        raise OSError(errno.ENOLCK, "No locks available")

    path = tmp_path / "out.json"
    write_and_die(path, "replace")
    monkeypatch.setattr(fcntl, "flock", none)
    atomic_write(path, "new")
    assert path.read_text() == "new"
    assert len(os.listdir(tmp_path)) == 2


def test_a_pipe_gets_the_text_and_stays_a_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    atomic_write(path, "through")
    reader.join(timeout=600)
    assert read == ["through"]
    assert path.is_fifo()


def test_a_link_to_nothing_makes_what_it_names(tmp_path):
    (tmp_path / "link").symlink_to("new.json")
    atomic_write(tmp_path / "link", "x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new.json").read_text() == "x"


def test_a_long_name_of_wide_letters_is_no_obstacle(tmp_path):
    path = tmp_path / ("日" * 80)
    atomic_write(path, "x")
    assert os.listdir(tmp_path) == [path.name]


def test_an_open_file_is_written_to_where_it_stands(tmp_path):
    with open(tmp_path / "log", "wb") as stream:
        stream.write(b"before ")
        stream.flush()
        atomic_write(f"/dev/fd/{stream.fileno()}", "between ")
        stream.write(b"after")
    assert (tmp_path / "log").read_text() == "before between after"
