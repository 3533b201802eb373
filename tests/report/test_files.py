"""Files are written whole or not at all."""

import os

import pytest

from ddsrta.report.files import atomic_write


def test_the_file_is_replaced_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")
    atomic_write(path, "new → text")
    assert path.read_text(encoding="utf-8") == "new → text"
    assert os.listdir(tmp_path) == ["out.json"]


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("failure", [OSError("disk full"), KeyboardInterrupt()])
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
