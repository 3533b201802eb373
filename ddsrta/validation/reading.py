"""Finds out what a file of measurements is, by its content, and reads it."""

from __future__ import annotations

import os

from ddsrta.models.diagnostics import Diagnostic, InputError, shown
from ddsrta.models.system import System
from ddsrta.validation.harness_file import FIRST
from ddsrta.validation.measured import InconclusiveError, Measured
from ddsrta.validation.table import is_header

ADVICE = (
    "give a trace of the harness, the folder of a ros2_tracing trace, or a CSV file that begins "
    "with the line name,latency_ns"
)


def read_measured(path: str, system: System, chains: dict[str, tuple[str, ...]]) -> Measured:
    """What a trace or table shows; raises InputError where it cannot be read, and its kinds
    InconclusiveError and LossyTraceError where it is not all that happened."""
    if os.path.isdir(path):
        from ddsrta.validation.ros2 import read_ros2

        return read_ros2(path)
    with open(path, "rb") as stream:
        begin = stream.readline(4096)
    if not begin:
        raise InconclusiveError(path, "the file is empty")
    if begin == FIRST:
        from ddsrta.validation.harness import follow

        return follow(path, system, chains)
    if is_header(begin):
        from ddsrta.validation.table import read_table

        return read_table(path)
    raise InputError([Diagnostic(None, f"{shown(path, 200)}: {_what_else(path, begin)}", ADVICE)])


def _what_else(path: str, begin: bytes) -> str:
    if begin.startswith(b"# ddsrta-trace"):
        return "a trace of the harness in a version that is not known"
    if path.endswith(".lft"):
        return "a trace of Lingua Franca: its lags go into 'ddsrta import lf --trace'"
    return "no format that is known"
