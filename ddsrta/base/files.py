"""Writing files so that a reader sees the old content or the new one, and never half of it."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_DESCRIPTOR = re.compile(r"/(?:dev|proc/(?:self|[0-9]+))/fd/([0-9]+)\Z")
_MOST_LINKS = 40


def atomic_write(path: str | Path, text: str) -> None:
    """Write a text so that there is all of it or none."""
    atomic_write_bytes(path, text.encode("utf-8", "backslashreplace"))


def atomic_write_bytes(path: str | Path, data: bytes) -> None:
    """Write to a temporary file of the same folder, then rename it. What an earlier writer to the
    same output left there when it was killed is removed first.

    A link is followed. What is no regular file (a pipe, a device) is written directly, because
    replacing it would not be what was asked for; and so is /dev/stdout, whatever it stands for.
    """
    descriptor = descriptor_of(path)
    if descriptor is not None:
        _write_open(descriptor, data)
        return
    target = os.path.realpath(path)
    before = _status(target)
    if before is not None and not stat.S_ISREG(before.st_mode):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    _replace(target, before, data)


def descriptor_of(path: str | Path) -> int | None:
    """The open file that a name such as /dev/stdout stands for; None for all other names.

    >>> descriptor_of("/dev/stdout"), descriptor_of("out.txt")
    (1, None)
    """
    name = os.path.abspath(path) if "\0" not in str(path) else ""
    for _ in range(_MOST_LINKS):
        found = _DESCRIPTOR.match(name)
        if found:
            return int(found[1])
        if not os.path.islink(name):
            return None
        name = os.path.normpath(os.path.join(os.path.dirname(name), os.readlink(name)))
    return None


def _write_open(descriptor: int, data: bytes) -> None:
    """After what was printed so far."""
    for printed in (sys.stdout, sys.stderr):
        if printed is not None:
            printed.flush()
    with open(os.dup(descriptor), "wb") as stream:
        stream.write(data)


def _replace(target: str, before: os.stat_result | None, data: bytes) -> None:
    from zlib import crc32

    folder, name = os.path.split(target)
    prefix = f".ddsrta.{crc32(os.fsencode(name)):08x}."
    _remove_left(folder, prefix)
    handle, temporary = _temporary(folder, prefix)
    try:
        with open(handle, "wb") as stream:  # which is locked until the file has its name
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
            _permit(temporary, before)
            os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _keep_name(folder)


def _temporary(folder: str, prefix: str) -> tuple[int, str]:
    """A new file, locked as long as it is written, so that others see that it is not left over."""
    from tempfile import mkstemp

    while True:
        handle, temporary = mkstemp(prefix=prefix, dir=folder)
        locked = _locked(handle)
        if locked is None or (locked and os.fstat(handle).st_nlink):
            return handle, temporary
        os.close(handle)  # another writer took it for left over, and removes it


def _remove_left(folder: str, prefix: str) -> None:
    """Temporary files of earlier writers to the same output that were killed."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(prefix):
                _remove_unless_locked(os.path.join(folder, name))


def _remove_unless_locked(path: str) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW)
        try:
            if stat.S_ISREG(os.fstat(handle).st_mode) and _locked(handle):
                os.unlink(path)
        finally:
            os.close(handle)


def _locked(handle: int) -> bool | None:
    """Whether this process now has the file's lock and no other; None where there are no locks."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(handle, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def _permit(temporary: str, before: os.stat_result | None) -> None:
    """Owner and permissions as they were, or as those of any new file."""
    if before is None:
        os.chmod(temporary, 0o666 & ~_umask())
        return
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # only root may give files away
            os.chown(temporary, before.st_uid, before.st_gid)
    os.chmod(temporary, stat.S_IMODE(before.st_mode))


def _keep_name(folder: str) -> None:
    """The file is there already; let its new name survive a loss of power where that can be."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _umask() -> int:
    """The only way to read it is to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
