"""Files are written whole or not at all."""

import errno
import os
import signal
import subprocess
import sys
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


@pytest.mark.parametrize("step", STEPS)
def test_whoever_is_killed_on_the_way_leaves_the_old_file(tmp_path, step):
    path = tmp_path / "out.json"
    path.write_text("old")
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
    assert path.read_text() == "old"


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
