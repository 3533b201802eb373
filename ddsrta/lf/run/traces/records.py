"""Reads `.lft` files record by record; whatever is cut off or damaged is told with its byte."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.lf.run.traces.events import NEWEST, TABLES, misfit, table_of

_RECORD = "i4xQiiqqqQq"
_SIZE = struct.calcsize("<" + _RECORD)
_MOST_OBJECTS = 1 << 16
_MOST_IN_BLOCK = 1 << 20
_LONGEST_NAME = 1 << 12
_READ_AT_ONCE = 2048
_MICROSTEP = 0xFFFFFFFF
_FAR = 1 << 61  # 73 years: FOREVER and NEVER less a start time are beyond it


class Record(NamedTuple):
    """An event. Times are ns since the start of the run; `time` None is before or after all tags.

    Of a reaction, `source` is the worker, `destination` its number in the reactor and `extra` its
    deadline; of a message, `source` is the federate itself and -1 the RTI.
    """

    event: str
    reactor: str
    source: int
    destination: int
    time: int | None
    microstep: int
    physical: int
    trigger: str
    extra: int


class TraceError(InputError):
    """A file that cannot be read, and the byte (or line) where it goes wrong."""

    def __init__(self, file: str, place: str, message: str, advice: str = "") -> None:
        self.file = file
        super().__init__([Diagnostic(None, f"{file}: {place}: {message}", advice)])


@dataclass(frozen=True)
class Header:
    """What stands in front: the start of the run, and names of reactors and of triggers."""

    start: int
    reactors: dict[int, str]
    triggers: dict[int, str]
    order: str  # '<' or '>'
    end: int  # the byte behind it


class Lft:
    """A `.lft` file.

    Its kinds of events are numbers, and the file does not tell which version of Lingua Franca wrote
    it: without `version`, the newest one is taken in which everything is possible.
    """

    def __init__(self, path: str, version: str | None = None) -> None:
        self.path = path
        self.name = os.path.basename(path).removesuffix(".lft")
        self.rti = self.name == "rti"
        with open(path, "rb") as stream:
            self.header = _Reader(stream, path).header()
        self.start: int | None = self.header.start
        self.table = self._table(version)

    def __iter__(self) -> Iterator[Record]:
        names = TABLES[self.table]
        reactors, triggers, start = self.header.reactors, self.header.triggers, self.header.start
        for kind, pointer, source, target, time, step, physical, trigger, extra in self._raw():
            tag = time - start
            yield Record(
                names[kind],
                reactors.get(pointer, ""),
                source,
                target,
                tag if -_FAR < tag < _FAR else None,
                step & _MICROSTEP,
                physical - start,
                triggers.get(trigger, ""),
                extra,
            )

    def _raw(self) -> Iterator[tuple[int, ...]]:
        with open(self.path, "rb") as stream:
            yield from _Reader(stream, self.path).records(self.header)

    def _table(self, version: str | None) -> str:
        """Which numbers the kinds of events have."""
        counts = dict[int, int]()
        for raw in self._raw():
            counts[raw[0]] = counts.get(raw[0], 0) + 1
        tables = list(TABLES)
        if version is not None:
            table = table_of(version)
            if table is None:
                message = f"no numbers of events are known for version {shown(version)}"
                raise TraceError(self.path, "byte 0", message, "0.5 is the first that is known")
            tables = [table]
        reasons: list[str] = []
        for table in tables:
            names = TABLES[table]
            unknown = [kind for kind in counts if kind >= len(names)]
            if unknown:
                reasons.append(f"it has no event with the number {unknown[0]}")
            elif reason := misfit([names[kind] for kind in counts], self.rti):
                reasons.append(reason)
            else:
                return table
        since = f"version {version}" if version else "any known version"
        message = f"these are not the events of {since}: {reasons[0]}"
        raise TraceError(self.path, f"byte {self.header.end}", message, "give another version")


class _Reader:
    """Walks through the bytes of a file."""

    def __init__(self, stream: BinaryIO, path: str) -> None:
        self.stream = stream
        self.path = path
        self.offset = 0

    def wrong(self, message: str, offset: int | None = None) -> TraceError:
        return TraceError(self.path, f"byte {self.offset if offset is None else offset}", message)

    def take(self, size: int, what: str) -> bytes:
        data = self.stream.read(size)
        if len(data) < size:
            raise self.wrong(f"the file ends within {what}", self.offset + len(data))
        self.offset += size
        return data

    def header(self) -> Header:
        """The start time and the table of names."""
        begin = self.take(12, "its first words")
        order = "<"
        start, count = struct.unpack("<qi", begin)
        if not 0 <= count <= _MOST_OBJECTS:
            order = ">"
            start, count = struct.unpack(">qi", begin)
        if not (0 <= count <= _MOST_OBJECTS and 0 <= start < 1 << 62):
            raise self.wrong("this is no trace: there is no start time and table of names", 0)
        reactors, triggers = dict[int, str](), dict[int, str]()
        for _ in range(count):
            at = self.offset
            pointer, trigger, kind = struct.unpack(order + "QQi", self.take(20, "the names"))
            name = self._name()
            if kind not in (0, 1, 2):
                raise self.wrong(f"there is no kind of object {kind}", at)
            if kind == 1:
                triggers.setdefault(trigger, name)
            else:
                reactors.setdefault(pointer, name)
        return Header(start, reactors, triggers, order, self.offset)

    def _name(self) -> str:
        at, name = self.offset, bytearray()
        while (byte := self.take(1, "a name")) != b"\0":
            name += byte
            if len(name) > _LONGEST_NAME:
                raise self.wrong("this name has no end", at)
        return name.decode("utf-8", "replace")

    def records(self, header: Header) -> Iterator[tuple[int, ...]]:
        """The records, in the order of the file: of each worker in the order of time."""
        self.stream.seek(header.end)
        self.offset = header.end
        record = struct.Struct(header.order + _RECORD)
        most = len(TABLES[NEWEST])
        while count := self._count(header.order):
            while count:
                part = min(count, _READ_AT_ONCE)
                at = self.offset
                for raw in record.iter_unpack(self.take(part * _SIZE, "a record")):
                    if not 0 <= raw[0] < most:
                        raise self.wrong(f"there is no kind of event {raw[0]}", at)
                    at += _SIZE
                    yield raw
                count -= part

    def _count(self, order: str) -> int:
        """How many records come next; none at the end of the file."""
        at, head = self.offset, self.stream.read(4)
        if not head:
            return 0
        if len(head) < 4:
            raise self.wrong("the file ends within a count of records", at + len(head))
        self.offset += 4
        (count,) = struct.unpack(order + "i", head)
        if not 0 < count <= _MOST_IN_BLOCK:
            raise self.wrong(f"{count} is no count of records", at)
        return int(count)
