"""Which options name files that are read or written, and which files cannot be both.

The type of an option's value says what the command does with the file; what is checked before any
work follows from the types alone.
"""

from __future__ import annotations

import errno
import os
import stat
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError

STANDARD = "-"
OUTPUT = "-o", "--output"
_STDIN, _STDOUT, _STDERR = 0, 1, 2


class Input(str):
    """A file or folder that is read; '-' is stdin where the command says so."""

    __slots__ = ()


class Output(str):
    """A file that is written."""

    __slots__ = ()


class Printed(Output):
    """A file for what goes to stdout otherwise; '-' is stdout."""

    __slots__ = ()


class Folder(Output):
    """A folder in which files are written."""

    __slots__ = ()


class _Place(NamedTuple):
    """Two places with the same identity are one file."""

    name: str
    identity: object


def check(options: Namespace) -> None:
    """Refuse what would overwrite an input or another output, or cannot be written."""
    values = list(_values(options))
    inputs = [value for value in values if isinstance(value, Input)]
    outputs = [value for value in values if isinstance(value, Output)]
    named = [value for value in outputs if not (isinstance(value, Printed) and value == STANDARD)]
    found = [wrong for value in named if (wrong := _unwritable(value)) is not None]
    found += _shared(inputs, named)
    if found:
        raise InputError(found)


def _values(options: Namespace) -> Iterator[object]:
    for value in vars(options).values():
        yield from value if isinstance(value, list) else [value]


def _shared(inputs: list[Input], outputs: list[Output]) -> Iterator[Diagnostic]:
    read = [_place(value) for value in inputs if value != STANDARD]
    if STANDARD in inputs:
        read.append(_redirected(_STDIN, "stdin"))
    written = [_redirected(_STDOUT, "stdout"), _redirected(_STDERR, "stderr")]
    for place in written:
        for source in read:
            if _same(place, source):
                message = f"'{source.name}' is an input, and {place.name} goes there"
                yield Diagnostic(None, message, "write to another file")
    for output in outputs:
        place = _place(output)
        for source in read:
            if _same(place, source) or _inside(output, source.name):
                message = f"'{output}' is an input and would be overwritten"
                yield Diagnostic(None, message, "write to another file")
        for other in written:
            if _same(place, other):
                message = f"'{output}' is named for two outputs: one would overwrite the other"
                yield Diagnostic(None, message, "give each a file of its own")
        written.append(place)


def _place(name: str) -> _Place:
    """A file is its inode, one that is not there its path; devices are written by many."""
    from ddsrta.base.files import descriptor_of

    if descriptor_of(name) is not None:
        return _Place(name, None)
    try:
        found = os.stat(name)
    except (OSError, ValueError):
        return _Place(name, os.path.realpath(name) if "\0" not in name else None)
    return _Place(name, _identity(found))


def _redirected(descriptor: int, name: str) -> _Place:
    """What the shell put in place of a standard stream, if that is a regular file."""
    try:
        found = os.fstat(descriptor)
    except OSError:
        return _Place(name, None)
    return _Place(name, _identity(found) if stat.S_ISREG(found.st_mode) else None)


def _identity(found: os.stat_result) -> object:
    return None if stat.S_ISCHR(found.st_mode) else (found.st_dev, found.st_ino)


def _same(one: _Place, other: _Place) -> bool:
    return one.identity is not None and one.identity == other.identity


def _inside(output: str, folder: str) -> bool:
    """Whether an output is one of the files of an input that is a folder."""
    if not (os.path.isdir(folder) and os.path.isfile(output)):
        return False
    root = os.path.join(os.path.realpath(folder), "")
    return os.path.realpath(output).startswith(root)


def _unwritable(output: Output) -> Diagnostic | None:
    """What can be known before the work; the disk may still be full afterwards."""
    if output == STANDARD and not isinstance(output, Folder):
        message = "only what --output writes can go to stdout"
        return Diagnostic(None, message, "name a file for the rest")
    number = _obstacle(output)
    if number is None:
        return None
    return Diagnostic(None, f"cannot write '{output}': {os.strerror(number)}")


def _obstacle(output: Output) -> int | None:
    from ddsrta.base.files import descriptor_of

    if descriptor_of(output) is not None or isinstance(output, Folder):
        return None
    if "\0" in output:
        return errno.EINVAL
    try:
        mode = os.stat(output).st_mode
    except FileNotFoundError:
        return _beside(output)
    except OSError as error:
        return error.errno
    if stat.S_ISDIR(mode):
        return errno.EISDIR
    if not os.access(output, os.W_OK):
        return errno.EACCES
    return _beside(output) if stat.S_ISREG(mode) else None


def _beside(output: str) -> int | None:
    """Files are written beside their place and then renamed."""
    folder = os.path.dirname(os.path.realpath(output))
    try:
        if not stat.S_ISDIR(os.stat(folder).st_mode):
            return errno.ENOTDIR
    except OSError as error:
        return error.errno
    return None if os.access(folder, os.W_OK | os.X_OK) else errno.EACCES


def output_arguments(parser: ArgumentParser, what: str = "tables, or the whole result") -> None:
    """In which form to print, and where."""
    parser.add_argument("--format", choices=("text", "json"), default="text", help=what)
    output_argument(parser)


def output_argument(parser: ArgumentParser) -> None:
    """Where to print."""
    text = "write there instead of to stdout"
    parser.add_argument(*OUTPUT, metavar="FILE", type=Printed, help=text)
