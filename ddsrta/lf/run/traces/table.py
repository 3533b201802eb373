"""Reads and writes the CSV of trace_to_csv; it names events, so that the version plays no part."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.lf.run.traces.events import BY_CSV_NAME
from ddsrta.lf.run.traces.records import Record, TraceError

COLUMNS = (
    "Event", "Reactor", "Source", "Destination", "Elapsed Logical Time", "Microstep",
    "Elapsed Physical Time", "Trigger", "Extra Delay",
)  # fmt: skip
_NAMES = {name: csv for csv, name in BY_CSV_NAME.items()}
_NOBODY = {"NO REACTOR": "", "NO TRIGGER": ""}
_NUMBERS = (2, 3, 4, 5, 6, 8)
_LONGEST_LINE = 1 << 14
_FAR = 1 << 61
_FOREVER = (1 << 63) - 1
_MICROSTEP = 0xFFFFFFFF


class Table:
    """A CSV file; it does not tell when the run started."""

    start: int | None = None

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = os.path.basename(path).removesuffix(".csv")
        self.rti = self.name == "rti"

    def __iter__(self) -> Iterator[Record]:
        with open(self.path, encoding="utf-8", errors="replace") as stream:
            head = stream.readline(_LONGEST_LINE)
            if [part.strip() for part in head.split(",")] != list(COLUMNS):
                message = "this is no table of a trace: it does not begin with its columns"
                raise TraceError(self.path, "line 1", message, "make it with trace_to_csv")
            number = 1
            while line := stream.readline(_LONGEST_LINE):
                number += 1
                if line.strip():
                    yield self._record(line, number)

    def _record(self, line: str, number: int) -> Record:
        parts = [part.strip() for part in line.split(",")]
        if len(parts) != len(COLUMNS):
            message = f"{len(parts)} columns instead of {len(COLUMNS)}"
            raise TraceError(self.path, f"line {number}", message)
        values = dict[int, int]()
        for index in _NUMBERS:
            text = parts[index]
            digits = text.removeprefix("-")
            if not (digits.isascii() and digits.isdigit() and len(digits) < 21):
                message = f"'{COLUMNS[index]}' must be a whole number, not {shown(text)}"
                raise TraceError(self.path, f"line {number}", message)
            values[index] = int(text)
        event = BY_CSV_NAME.get(parts[0])
        if event is None:
            message = f"there is no event {shown(parts[0])}"
            advice = did_you_mean(parts[0], BY_CSV_NAME)
            raise TraceError(self.path, f"line {number}", message, advice)
        return Record(
            event,
            _NOBODY.get(parts[1], parts[1]),
            values[2],
            values[3],
            values[4] if -_FAR < values[4] < _FAR else None,
            values[5] & _MICROSTEP,
            values[6],
            _NOBODY.get(parts[7], parts[7]),
            values[8],
        )


def write(records: Iterable[Record]) -> Iterator[str]:
    """The lines of a table, as trace_to_csv has them.

    >>> print(*write([Record("send_NET", "", 0, -1, 5, 0, 7, "", 0)]), sep="")
    Event, Reactor, Source, Destination, Elapsed Logical Time, Microstep, Elapsed Physical Time, \
Trigger, Extra Delay
    Sending NET, NO REACTOR, 0, -1, 5, 0, 7, NO TRIGGER, 0
    <BLANKLINE>
    """
    yield ", ".join(COLUMNS) + "\n"
    for record in records:
        time = _FOREVER if record.time is None else record.time
        parts = (
            _NAMES[record.event], record.reactor or "NO REACTOR", record.source,
            record.destination, time, record.microstep, record.physical,
            record.trigger or "NO TRIGGER", record.extra,
        )  # fmt: skip
        yield ", ".join(map(str, parts)) + "\n"
