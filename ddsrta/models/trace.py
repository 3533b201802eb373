"""Release timestamps from a file, streamed: the least distances of up to 64 neighbours."""

from __future__ import annotations

from collections import deque
from decimal import Decimal, InvalidOperation
from pathlib import Path

from ddsrta.models.arrivals import Curve, superadditive
from ddsrta.models.diagnostics import Diagnostic, InputError, Position
from ddsrta.models.units import LONGEST_DURATION, NANOSECONDS

NEIGHBOURS = 64


def read_trace(path: Path, unit: str = "ns") -> Curve:
    """The curve of the recorded releases: never less dense than the record, in memory of 64 stamps.

    Distances of more than 64 neighbours follow by superadditivity.
    """
    scale = NANOSECONDS[unit]
    recent: deque[int] = deque(maxlen=NEIGHBOURS)
    least: list[int] = []
    largest_gap = 0
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            number = 0
            while line := stream.readline(400):
                number += 1
                text = line.split("#", 1)[0].strip()
                if not text:
                    continue
                stamp = _nanoseconds(text, scale, Position(str(path), number, 1))
                if recent and stamp < recent[-1]:
                    place = Position(str(path), number, 1)
                    raise InputError([Diagnostic(place, "the timestamps must not decrease")])
                if recent:
                    largest_gap = max(largest_gap, stamp - recent[-1])
                for back, earlier in enumerate(reversed(recent)):
                    if back == len(least):
                        least.append(stamp - earlier)
                    elif stamp - earlier < least[back]:
                        least[back] = stamp - earlier
                recent.append(stamp)
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise InputError([Diagnostic(Position(str(path), 1, 1), f"trace: {reason}")]) from error
    if not least or least[-1] == 0:
        message = "a trace needs at least two timestamps that differ"
        raise InputError([Diagnostic(Position(str(path), 1, 1), message)])
    return superadditive((0, *least), largest_gap)


def _nanoseconds(text: str, scale: int, place: Position) -> int:
    """A timestamp; rounding would make distances look larger than they were, so none is done."""
    try:
        value = Decimal(text) if len(text) < 60 else Decimal("NaN")
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or abs(value) > (LONGEST_DURATION << 10):
        raise InputError([Diagnostic(place, f"'{text[:40]}' is not a timestamp")])
    scaled = value * scale
    if scaled != int(scaled):
        raise InputError([Diagnostic(place, f"'{text[:40]}' is finer than one nanosecond")])
    return int(scaled)
