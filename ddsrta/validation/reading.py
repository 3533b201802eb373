"""Finds out what a file of measurements is, by its content, and reads it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.models.system import System
from ddsrta.validation.harness_file import FIRST
from ddsrta.validation.measured import InconclusiveError, Key, Measured
from ddsrta.validation.table import is_header

_FEDERATION = re.compile(rb"^(?:---[^\n]*\n)?[\"']?federation[\"']?\s*:", re.MULTILINE)

ADVICE = (
    "give a trace of the harness, the folder of a ros2_tracing trace, or a CSV file that begins "
    "with the line name,latency_ns"
)


def read_measured(
    path: str,
    system: System,
    chains: dict[str, tuple[str, ...]],
    limit_of: Callable[[Key], int | None] = lambda key: None,
) -> Measured:
    """What a trace or table shows; raises InputError where it cannot be read, and its kinds
    InconclusiveError and LossyTraceError where it is not all that happened. What is above its limit
    is counted, and of the harness' traces looked into."""
    if os.path.isdir(path):
        if any(name.endswith(".lft") for name in os.listdir(path)):
            message = f"{shown(path, 200)}: traces of Lingua Franca"
            raise InputError([Diagnostic(None, message, "give the federation instead of a system")])
        from ddsrta.validation.ros2 import read_ros2

        return read_ros2(path, system, limit_of)
    with open(path, "rb") as stream:
        begin = stream.readline(4096)
    if not begin:
        raise InconclusiveError(path, "the file is empty")
    if begin == FIRST:
        from ddsrta.validation.harness import follow

        return follow(Measured(path, "harness", limit_of=limit_of), system, chains)
    if is_header(begin):
        from ddsrta.validation.table import read_table

        return read_table(path)
    raise InputError([Diagnostic(None, f"{shown(path, 200)}: {_what_else(path, begin)}", ADVICE)])


def is_federation(path: str) -> bool:
    """Whether a document is a federation: by its key, at the start of a line."""
    if path == "-":
        return False
    with open(path, "rb") as stream:
        return _FEDERATION.search(stream.read(1 << 16)) is not None


def _what_else(path: str, begin: bytes) -> str:
    if begin.startswith(b"# ddsrta-trace"):
        return "a trace of the harness in a version that is not known"
    if path.endswith(".lft"):
        return "a trace of Lingua Franca: give the folder that it is in, and the federation"
    return "no format that is known"
