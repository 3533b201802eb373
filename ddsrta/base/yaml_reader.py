"""Files and texts of YAML as trees, read in bounded time and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, expect, expect_files
from ddsrta.base.yaml_builder import build
from ddsrta.base.yaml_errors import end_of
from ddsrta.base.yaml_tree import LARGEST_FILE, Tree

if TYPE_CHECKING:
    from pathlib import Path


def read_file(path: str | Path, may_be_list: bool = False) -> Tree:
    """The tree of a file; raises InputError with a position for whatever is wrong with it.

    A system is a mapping; `may_be_list` is for files of other tools.
    """
    return read_text(read_bytes(path), str(path), may_be_list)


def read_bytes(path: str | Path) -> bytes:
    """What is in a file, up to what makes it too large; raises InputError where it has none."""
    expect_files(source=path)
    if isinstance(path, str) and "\n" in path:
        raise InputError([Diagnostic(None, "a text is no file", "give it to loads()")])
    try:
        with open(path, "rb") as stream:
            return stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "cannot be read"
        raise InputError([Diagnostic(Position(str(path), 1, 1), reason)]) from error


def read_text(text: bytes | str, name: str = "<text>", may_be_list: bool = False) -> Tree:
    """The tree of a text; raises InputError as `read_file` does."""
    expect("text", text, isinstance(text, str | bytes), "what a file says")
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    if len(text) > LARGEST_FILE:
        limit = f"the limit is {LARGEST_FILE >> 20} MiB"
        raise InputError([Diagnostic(Position(name, 1, 1), f"the file is too large: {limit}")])
    return Tree(name, build(text, name, may_be_list), end_of(text, name))
