"""Writes small `.lft` files: header, table of names, blocks of records."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ddsrta.lf.run.traces.events import TABLES

START = 1_700_000_000_000_000_000
FOREVER, NEVER = (1 << 63) - 1, -(1 << 63)
Event = tuple[
    str, int, int, int, int | None, int
]  # event, object, source, destination, time, physical

# What every federate and every RTI does first.
JOIN = ("send_FED_ID", 0, 1, -1, 0, -9)
ACCEPT = [
    ("receive_FED_ID", 0, -1, 1, 0, -8), ("receive_TIMESTAMP", 0, -1, 1, 0, -7),
    ("send_TIMESTAMP", 0, -1, 1, 0, -6),
]  # fmt: skip


def header(names: Sequence[str] = (), order: str = "<") -> bytes:
    """Objects have the addresses 1, 2, …; a name with a dot is a trigger with 100 more."""
    data = struct.pack(order + "qi", START, len(names))
    for address, name in enumerate(names, 1):
        trigger = address + 100 if "." in name else 0
        data += struct.pack(order + "QQi", address, trigger, int("." in name))
        data += name.encode() + b"\0"
    return data


def block(
    events: Sequence[Event], version: str = "0.12", order: str = "<", extra: int = NEVER
) -> bytes:
    data = struct.pack(order + "i", len(events))
    for event, pointer, source, target, time, physical in events:
        tag = FOREVER if time is None else START + time
        data += struct.pack(
            order + "i4xQiiqqqQq", TABLES[version].index(event), pointer, source, target, tag, 0,
            START + physical, 0, extra,
        )  # fmt: skip
    return data
