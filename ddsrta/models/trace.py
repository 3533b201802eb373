"""Release timestamps from a file, streamed: the least distances of up to 64 neighbours."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from decimal import Context, Decimal
from pathlib import Path
from typing import IO, NoReturn

from ddsrta.base import files_read
from ddsrta.base.diagnostics import Diagnostic, InputError, Position, shown
from ddsrta.base.units import LONGEST_DURATION, NANOSECONDS, format_duration
from ddsrta.models.arrivals import Curve, superadditive

NEIGHBOURS = 64
_LONGEST_LINE = 400
_LATEST = 1 << 63
_EXACT = Context(prec=100)
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,15})?")


def read_trace(path: Path, unit: str = "ns", gap: int | None = None) -> Curve:
    """The curve of the recorded releases: never less dense than the record, in memory of 64 stamps.

    Distances of more than 64 neighbours follow by superadditivity. That releases come at most a
    `gap` apart is not for a record to say, but one may refute it. A ValueError says that it does or
    that the file cannot be read, an InputError what is wrong in it.
    """
    try:
        if not path.is_file():
            raise FileNotFoundError(0, "no such file" if not path.exists() else "not a file")
        with open(path, encoding="utf-8-sig", errors="replace") as stream:
            files_read.note(path)
            return _curve(_stamps(stream, str(path), NANOSECONDS[unit]), str(path), gap)
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise ValueError(f"trace {shown(str(path), 200)}: {reason}") from error


def _curve(stamps: Iterator[int], file: str, gap: int | None) -> Curve:
    recent: deque[int] = deque(maxlen=NEIGHBOURS)  # the latest first
    least: list[int] = []
    largest_gap = 0
    for stamp in stamps:
        if recent:
            largest_gap = max(largest_gap, stamp - recent[0])
        for back, earlier in enumerate(recent):
            distance = stamp - earlier
            if back == len(least):
                least.append(distance)
            elif distance < least[back]:
                least[back] = distance
        recent.appendleft(stamp)
    if not least or least[-1] == 0:
        _fail(file, 1, "a trace needs at least two timestamps that differ")
    if gap is not None and largest_gap > gap:
        raise ValueError(
            f"max_distance is below what the trace has: {format_duration(largest_gap)} between two"
        )
    return superadditive((0, *least), gap, recorded=True)


def _stamps(stream: IO[str], file: str, scale: int) -> Iterator[int]:
    """The timestamps in nanoseconds, none before the one above it."""
    previous: int | None = None
    for number, line in enumerate(_lines(stream), 1):
        text = line.split("#", 1)[0].strip()
        if not text:
            continue
        stamp = _nanoseconds(text, scale, file, number)
        if previous is not None and stamp < previous:
            _fail(file, number, "the timestamps must not decrease")
        if previous is not None and stamp - previous > LONGEST_DURATION:
            _fail(file, number, "more than 104 days after the timestamp before")
        previous = stamp
        yield stamp


def _lines(stream: IO[str]) -> Iterator[str]:
    """Lines, of which no more than the beginning is kept; it says so where that is no comment."""
    while line := stream.readline(_LONGEST_LINE):
        rest, is_cut = line, False
        while rest and not rest.endswith("\n"):
            rest = stream.readline(_LONGEST_LINE)
            is_cut = is_cut or bool(rest)
        yield f"{line}…" if is_cut and "#" not in line else line


def _nanoseconds(text: str, scale: int, file: str, number: int) -> int:
    """A timestamp; rounding would make distances look larger than they were, so none is done."""
    if len(text) >= 60 or not _NUMBER.fullmatch(text):
        _fail(file, number, f"{shown(text)} is not a timestamp")
    value = Decimal(text)
    if value.adjusted() > 20:
        _fail(file, number, f"{shown(text)} is too large for a timestamp")
    if value and value.adjusted() < -20:
        _fail(file, number, f"{shown(text)} is finer than one nanosecond")
    scaled = _EXACT.multiply(value, Decimal(scale))
    if abs(scaled) > _LATEST:
        _fail(file, number, f"{shown(text)} is too large for a timestamp")
    if scaled != int(scaled):
        _fail(file, number, f"{shown(text)} is finer than one nanosecond")
    return int(scaled)


def _fail(file: str, line: int, message: str) -> NoReturn:
    raise InputError([Diagnostic(Position(file, line, 1), message)])
