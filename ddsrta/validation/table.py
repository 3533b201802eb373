"""Latencies as a table: a line `name,latency_ns`, then a name and a number on each line."""

from __future__ import annotations

import csv
import re

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, shown
from ddsrta.base.units import LONGEST_DURATION
from ddsrta.validation.measured import InconclusiveError, Key, Measured, Worst

HEADER = ["name", "latency_ns"]
_LONGEST_LINE = 8192
_NUMBER = re.compile(r"[0-9]{1,19}")


def is_header(line: bytes) -> bool:
    """Whether a file that begins so is such a table."""
    text = line.decode("utf-8-sig", "replace").strip()
    return [word.strip() for word in text.split(",")] == HEADER


def read_table(path: str) -> Measured:
    """All latencies of a table; one line of it is in memory at a time."""
    measured = Measured(path, "csv")
    number = 0
    with open(path, "rb") as stream:
        while raw := stream.readline(_LONGEST_LINE):
            number += 1
            if not raw.endswith(b"\n"):
                reason = f"line {number} does not end: the file may be cut off in it"
                raise InconclusiveError(path, reason, "every line ends with a newline")
            if number == 1 or not raw.strip() or raw.startswith(b"#"):
                continue
            name, value = _row(path, number, raw)
            series = measured.of(Key("named", (name,)))
            if series.add(value):
                series.worst = Worst(-1, f"line {number}")
    return measured


def _row(path: str, number: int, raw: bytes) -> tuple[str, int]:
    place = Position(path, number, 1)
    try:
        words = next(csv.reader([raw.decode()], strict=True))
    except (UnicodeDecodeError, csv.Error, StopIteration):
        message = "this line is no CSV in UTF-8"
        raise InputError([Diagnostic(place, message)]) from None
    if len(words) != len(HEADER):
        message = f"{len(words)} columns instead of {len(HEADER)}"
        raise InputError([Diagnostic(place, message, "write name,latency_ns")])
    name, text = (word.strip() for word in words)
    if not (text.isascii() and _NUMBER.fullmatch(text)) or int(text) > LONGEST_DURATION:
        message = f"{shown(text)} is no latency"
        raise InputError([Diagnostic(place, message, "write whole nanoseconds, 0 or more")])
    if not name:
        raise InputError([Diagnostic(place, "the name is missing")])
    return name, int(text)
