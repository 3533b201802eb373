"""What a trace says of itself: its clock, its streams, and the events in them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from ddsrta.base.diagnostics import shown
from ddsrta.formats.ctf.block_parser import Attribute
from ddsrta.formats.ctf.tokens import Source, read_metadata
from ddsrta.formats.ctf.type_parser import TypeParser
from ddsrta.formats.ctf.types import Struct, Type, UnaffordableError

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_BILLION = 1_000_000_000


@dataclass(frozen=True)
class Clock:
    """Cycles of `frequency` Hz; `offset` cycles after the epoch plus `offset_seconds`.

    >>> Clock("monotonic", 1_000_000_000, 5).nanoseconds(7)
    12
    >>> Clock("tsc", 3_000_000_000, 0, 1).nanoseconds(4)
    1000000001
    """

    name: str
    frequency: int = _BILLION
    offset: int = 0
    offset_seconds: int = 0

    def nanoseconds(self, cycles: int) -> int:
        """The time since the epoch at a value of the clock, rounded down."""
        return self.offset_seconds * _BILLION + (self.offset + cycles) * _BILLION // self.frequency


@dataclass(frozen=True, eq=False)
class EventType:
    """An event that a stream may hold: its name and the types of its context and its fields."""

    name: str
    number: int
    context: Struct
    fields: Struct


@dataclass(frozen=True, eq=False)
class StreamType:
    """What all packets and events of a stream have in common; `events` by number."""

    number: int
    packet_context: Struct
    event_header: Struct
    event_context: Struct
    events: dict[int, EventType] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Metadata:
    """A whole metadata file, read."""

    file: str
    byte_order: str
    uuid: bytes | None
    packet_header: Struct
    clocks: dict[str, Clock]
    streams: dict[int, StreamType]
    environment: dict[str, int | str]


def load_metadata(path: Path) -> Metadata:
    """Read the metadata file of a trace."""
    return parse_metadata(read_metadata(path))


def parse_metadata(source: Source) -> Metadata:
    """Read the text of a metadata file.

    >>> text = '/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = be; };'
    >>> parse_metadata(Source("metadata", text)).byte_order
    'be'
    """
    parser = _MetadataParser(source)
    try:
        return parser.metadata()
    except UnaffordableError as error:
        parser.fail(f"{error} cannot be read")


class _Block:
    """The `key = value` and `key := type` of a block."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.said: dict[str, Attribute] = {}
        self.types: dict[str, Type] = {}


class _MetadataParser(TypeParser):
    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.trace: _Block | None = None
        self.clocks: dict[str, Clock] = {}
        self.streams: dict[int, StreamType] = {}
        self.environment: dict[str, int | str] = {}
        self.late: list[_Block] = []  # events, which may stand before their stream

    def metadata(self) -> Metadata:
        while self.token.kind != "end":
            self._declaration()
        if self.trace is None:
            self.fail("the metadata has no trace block")
        order = self._said(self.trace, "byte_order", "")
        if order not in ("le", "be"):
            self.fail("byte_order of the trace is neither le nor be", start=self.trace.start)
        for block in self.late:
            self._event(block)
        return Metadata(
            self.source.file,
            str(order),
            self._uuid(self.trace),
            self._struct_of(self.trace, "packet.header"),
            self.clocks,
            self.streams,
            self.environment,
        )

    def _declaration(self) -> None:
        start = self.token.start
        if self.declares_type():
            return
        if self.takes("env"):
            self.environment |= {key: said.value for key, said in self.attributes().items()}
        elif self.takes("trace"):
            if self.trace:
                self.fail("a second trace block", start=start)
            self.trace = self._block(start)
            self._check_version(self.trace)
        elif self.takes("clock"):
            self._clock(self._block(start))
        elif self.takes("stream"):
            self._stream(self._block(start))
        elif self.takes("event"):
            self.late.append(self._block(start))
        elif self.takes("callsite"):
            self._block(start)
        elif self.sees("struct") or self.sees("variant") or self.sees("enum"):
            self.type()
        else:
            self.fail(f"expected a declaration, found {self.found()}")
        self.expect(";")

    def _block(self, start: int) -> _Block:
        block = _Block(start)
        with self.block():
            while not self.sees("}"):
                if self.declares_type():
                    continue
                place = self.token.start
                key = self.path()
                if key in block.said or key in block.types:
                    self.fail(f"{shown(key)} is said twice", start=place)
                if self.takes(":="):
                    block.types[key] = self.type()
                else:
                    self.expect("=")
                    block.said[key] = Attribute(self.value(), place)
                self.expect(";")
        return block

    def _check_version(self, block: _Block) -> None:
        version = (self._said(block, "major", 1), self._said(block, "minor", 8))
        if version != (1, 8):
            message = f"CTF {version[0]}.{version[1]} is not supported, only 1.8"
            self.fail(message, start=block.start)

    def _clock(self, block: _Block) -> None:
        name = str(self._said(block, "name", ""))
        frequency = self._whole(block, "freq", _BILLION)
        if not 1 <= frequency <= 1 << 63:
            self.fail(f"a clock of {frequency} Hz", start=block.start)
        if name in self.clocks:
            self.fail(f"the clock {shown(name)} is declared twice", start=block.start)
        offset, seconds = self._whole(block, "offset", 0), self._whole(block, "offset_s", 0)
        self.clocks[name] = Clock(name, frequency, offset, seconds)

    def _stream(self, block: _Block) -> None:
        number = self._whole(block, "id", 0)
        if number in self.streams:
            self.fail(f"the stream {number} is declared twice", start=block.start)
        self.streams[number] = StreamType(
            number,
            self._struct_of(block, "packet.context"),
            self._struct_of(block, "event.header"),
            self._struct_of(block, "event.context"),
        )

    def _event(self, block: _Block) -> None:
        number = self._whole(block, "stream_id", 0)
        stream = self.streams.get(number)
        if stream is None:
            self.fail(f"an event of stream {number}, which is not declared", start=block.start)
        event = EventType(
            str(self._said(block, "name", "")),
            self._whole(block, "id", 0),
            self._struct_of(block, "context"),
            self._struct_of(block, "fields"),
        )
        if event.number in stream.events:
            message = f"the event {event.number} of stream {number} is declared twice"
            self.fail(message, start=block.start)
        stream.events[event.number] = event

    def _struct_of(self, block: _Block, key: str) -> Struct:
        found = block.types.get(key, Struct(()))
        if not isinstance(found, Struct):
            self.fail(f"{shown(key)} is no struct", start=block.start)
        return found

    def _said(self, block: _Block, key: str, default: int | str) -> int | str:
        return block.said[key].value if key in block.said else default

    def _whole(self, block: _Block, key: str, default: int) -> int:
        value = self._said(block, key, default)
        if not isinstance(value, int):
            self.fail(f"{shown(key)} is {shown(value)}, not an integer", start=block.start)
        return value

    def _uuid(self, block: _Block) -> bytes | None:
        said = str(self._said(block, "uuid", ""))
        if not said:
            return None
        if not _UUID.fullmatch(said):
            self.fail(f"uuid is {shown(said)}", start=block.start)
        return bytes.fromhex(said.replace("-", ""))
