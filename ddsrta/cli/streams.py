"""What goes in and out: systems from files or stdin, data to stdout or files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.files_read import was_read
from ddsrta.cli.places import STANDARD
from ddsrta.report.style import PLAIN, Style, style_for

if TYPE_CHECKING:
    from ddsrta.lf.program.federation import Federation
    from ddsrta.models.system import System

_ASCII = str.maketrans(
    {"→": "->", "≤": "<=", "–": "-", "…": "...", "µ": "u", "∞": "inf", "δ": "delta"}
)


def read_system(path: str) -> System:
    """The system in a file, or on stdin where the path is '-'."""
    from ddsrta.models.reader import load, loads

    _refuse_program(path)
    return load(path) if path != "-" else loads(_stdin(), "<stdin>")


def read_federation(path: str) -> Federation:
    """The federation in a file, or on stdin where the path is '-'."""
    from ddsrta.lf.program.reader import load, loads

    _refuse_program(path)
    return load(path) if path != "-" else loads(_stdin(), "<stdin>")


def _refuse_program(path: str) -> None:
    """A program of Lingua Franca is no document that is misspelt."""
    if path.endswith(".lf"):
        message = f"{path}: this is a program, and no document"
        raise InputError([Diagnostic(None, message, "'ddsrta import' makes a federation of it")])


def read_bytes(path: str) -> bytes:
    """What is in a file, or on stdin where the path is '-', as far as systems are read."""
    from ddsrta.base.yaml_reader import read_bytes as bytes_of
    from ddsrta.base.yaml_tree import LARGEST_FILE

    if path != "-":
        return bytes_of(path)
    if sys.stdin is None:
        raise InputError([Diagnostic(None, "cannot read stdin: it is closed", "name a file")])
    return sys.stdin.buffer.read(LARGEST_FILE + 1)


def _stdin() -> str:
    # What is not UTF-8 survives as surrogates, for the reader to name its position.
    return read_bytes("-").decode("utf-8", "surrogateescape")


def output_style() -> Style:
    """How to paint what goes to stdout."""
    return style_for(sys.stdout)


def put(text: str) -> None:
    """Data to stdout; a terminal that cannot show a character gets a plainer one."""
    if sys.stdout is None:
        return
    try:
        text.encode(sys.stdout.encoding or "utf-8", sys.stdout.errors or "strict")
    except UnicodeEncodeError:
        plain = text.translate(_ASCII)
        text = plain.encode("ascii", "backslashreplace").decode("ascii")
    sys.stdout.write(text)


def put_or_write(text: str, path: str | None) -> None:
    """Data to a file if one is named, else (or for '-') to stdout."""
    if path is None or path == STANDARD:
        put(text)
    else:
        write(path, text)


def write(path: str, text: str) -> None:
    """Write a text whole or not at all; a place that cannot be written is a wrong call."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: str, data: bytes) -> None:
    """The same with what is no text."""
    from ddsrta.base.files import atomic_write_bytes

    if was_read(path):
        message = f"'{path}' is a file that the input names, and would be overwritten"
        raise InputError([Diagnostic(None, message, "write to another file")])
    try:
        atomic_write_bytes(path, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError([Diagnostic(None, f"cannot write '{path}': {reason}")]) from error


def style_of(path: str | None) -> Style:
    """Files are not painted."""
    return output_style() if path is None or path == STANDARD else PLAIN
