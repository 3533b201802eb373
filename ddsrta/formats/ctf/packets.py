"""The packets of a stream file: where they are, and what their heads say."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

from ddsrta.formats.ctf.decode import Compiler, UnresolvedError, shown_names
from ddsrta.formats.ctf.errors import TraceError
from ddsrta.formats.ctf.leaves import BrokenError, Scope, Step
from ddsrta.formats.ctf.metadata import Metadata, StreamType
from ddsrta.formats.ctf.types import Integer, Struct

LARGEST_PACKET = 1 << 28
_MAGIC = 0xC1FC1FC1
_USED = (
    "magic", "stream_id", "content_size", "packet_size", "timestamp_begin", "events_discarded",
    "packet_seq_num", "cpu_id",
)  # fmt: skip
_FIRST_LOOK = 1 << 12
_LONGEST_HEAD = 1 << 20


class Packet(NamedTuple):
    """One packet: byte offset and size in the file, bit positions of its events, its scopes."""

    offset: int
    size: int
    first: int
    end: int
    header: Scope
    context: Scope


class StreamFile:
    """A file with the packets of one stream."""

    def __init__(self, path: Path, metadata: Metadata) -> None:
        self.path = path
        self.name = str(path)
        self.metadata = metadata
        self.header_steps = self._compiled(metadata.packet_header)
        self._context_steps: dict[int, list[Step]] = {}

    def packets(self) -> Iterator[Packet]:
        """Every packet, reading no more than its head."""
        offset = 0
        with open(self.path, "rb", buffering=0) as stream:
            size = stream.seek(0, 2)
        while offset < size:
            packet = self._packet(offset, size)
            yield packet
            offset += packet.size

    def stream_of(self, packet: Packet) -> StreamType:
        """The declaration that a packet refers to."""
        return self._stream(packet.header, packet.offset)

    def read(self, packet: Packet) -> bytes:
        """The content of a packet."""
        return self._bytes(packet.offset, (packet.end + 7) >> 3)

    def _bytes(self, offset: int, count: int) -> bytes:
        # Opened each time: a trace may have more streams than a process may have open files.
        with open(self.path, "rb", buffering=0) as stream:
            stream.seek(offset)
            data = stream.read(count)
            while data and len(data) < count:
                more = stream.read(count - len(data))
                if not more:
                    self.fail(offset + len(data), "the file became shorter while it was read")
                data += more
        return data

    def _packet(self, offset: int, size: int) -> Packet:
        look = min(_FIRST_LOOK, size - offset)
        while True:
            data = self._bytes(offset, look)
            scopes: list[Scope] = [{}, {}]
            try:
                first = self._head(data, scopes, offset)
                break
            except (struct.error, BrokenError, IndexError) as error:
                if look >= min(_LONGEST_HEAD, size - offset):
                    self.fail(offset, f"the head of this packet cannot be read: {error}")
                look = min(look * 16, size - offset)
        header, context = scopes[0], scopes[1]
        said = context.get("packet_size", context.get("content_size"))
        bits = (size - offset) * 8 if said is None else int(said)
        content = int(context.get("content_size", bits))
        if bits % 8 or bits <= 0 or not first <= content <= bits:
            message = f"a packet of {bits} bits with {content} bits of content, {first} in its head"
            self.fail(offset, message)
        if bits // 8 > size - offset:
            left = f"{bits // 8} bytes announced, {size - offset} left"
            self.fail(offset, f"the packet is cut off: {left}", "copy the trace again")
        if content // 8 > LARGEST_PACKET:
            self.fail(offset, f"a packet of more than {LARGEST_PACKET >> 20} MiB of events")
        return Packet(offset, bits // 8, first, content, header, context)

    def _head(self, data: bytes, scopes: list[Scope], offset: int) -> int:
        """Read header and context of a packet; the position behind them."""
        at = 0
        for step in self.header_steps:
            at = step(data, at, scopes[0], scopes)
        header = scopes[0]
        if header.get("magic", _MAGIC) != _MAGIC:
            self.fail(offset, "a packet does not start with the magic of CTF")
        uuid = self.metadata.uuid
        if uuid and header.get("uuid", list(uuid)) != list(uuid):
            self.fail(offset, "this packet is of another trace than the metadata beside it")
        stream = self._stream(header, offset)
        for step in self._context(stream):
            at = step(data, at, scopes[1], scopes)
        return at

    def _stream(self, header: Scope, offset: int) -> StreamType:
        number = header.get("stream_id", 0)
        found = self.metadata.streams.get(number)
        if found is None:
            self.fail(offset, f"a packet of stream {number}, which the metadata does not declare")
        return found

    def _context(self, stream: StreamType) -> list[Step]:
        if stream.number not in self._context_steps:
            steps = self._compiled(self.metadata.packet_header, stream.packet_context)
            self._context_steps[stream.number] = steps
        return self._context_steps[stream.number]

    def _compiled(self, *declared: Struct) -> list[Step]:
        """The steps of the last of these structs; what is used of it must be integers."""
        compiler = Compiler(self.metadata.byte_order)
        file = self.metadata.file
        for one in declared:
            try:
                steps = compiler.root(one)
            except UnresolvedError as error:
                raise TraceError(file, None, f"head of a packet: {error}") from None
            names = shown_names(one)
            for name, type_ in one.fields:
                if names[name] in _USED and not isinstance(type_, Integer):
                    message = f"'{names[name]}' in the head of a packet is no integer"
                    raise TraceError(file, None, message)
        return steps

    def fail(self, offset: int, message: str, advice: str = "") -> NoReturn:
        """Raise an error at a byte of the file."""
        raise TraceError(self.name, offset, message, advice)
