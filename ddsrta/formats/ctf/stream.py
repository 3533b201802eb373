"""The events of one stream file, in the order in which they were written."""

from __future__ import annotations

import struct
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ddsrta.formats.ctf.decode import Compiler, UnresolvedError
from ddsrta.formats.ctf.errors import TraceError
from ddsrta.formats.ctf.header import compile_header
from ddsrta.formats.ctf.leaves import BrokenError, Reader, Scope, Step
from ddsrta.formats.ctf.metadata import Clock, EventType, Metadata, StreamType
from ddsrta.formats.ctf.packets import Packet, StreamFile


class Event(NamedTuple):
    """Something that happened: `time` in ns since the epoch, and the fields with their context.

    A field of the event hides a field of the same name of its context. Enums are their values.
    """

    time: int
    name: str
    cpu: int | None
    fields: dict[str, Any]


class StreamDecoder:
    """The events of packets of one declared stream."""

    def __init__(self, metadata: Metadata, stream: StreamType) -> None:
        self.metadata = metadata
        self.stream = stream
        compiler = self._compiler()
        try:
            self.header, clock = compile_header(stream.event_header, compiler)
            if clock not in metadata.clocks:
                raise UnresolvedError(f"the clock '{clock}' is not declared")
        except UnresolvedError as error:
            message = f"stream {stream.number}: {error}"
            raise TraceError(metadata.file, None, message) from None
        self.clock: Clock = metadata.clocks[clock]
        self.known: dict[int, tuple[str, Reader]] = {}

    def decoder(self, number: int) -> tuple[str, Reader]:
        """Name and decoder of an event, which is kept in `known` from then on."""
        event = self.stream.events.get(number)
        if event is None:
            raise BrokenError(f"its number is {number}, which is not declared")
        try:
            self.known[number] = event.name, self._compiled(event)
        except UnresolvedError as error:
            message = f"event '{event.name}': {error}"
            raise TraceError(self.metadata.file, None, message) from None
        return self.known[number]

    def _compiler(self) -> Compiler:
        compiler = Compiler(self.metadata.byte_order)
        compiler.root(self.metadata.packet_header)
        compiler.root(self.stream.packet_context)
        return compiler

    def _compiled(self, event: EventType) -> Reader:
        parts = (self.stream.event_context, event.context, event.fields)
        flat = Compiler(self.metadata.byte_order).flat(parts)
        if flat is not None:
            return flat
        compiler = self._compiler()
        compiler.root(self.stream.event_header)
        return _scoped([compiler.root(part) for part in parts])


def _scoped(parts: list[list[Step]]) -> Reader:
    def read(data: bytes, at: int, scopes: list[Scope]) -> tuple[Scope, int]:
        fields: Scope = {}
        scopes = scopes[:3]
        for steps in parts:
            scope: Scope = {}
            scopes.append(scope)
            for step in steps:
                at = step(data, at, scope, scopes)
            fields |= scope
        return fields, at

    return read


class Stream:
    """One stream file, ready to be read."""

    def __init__(self, path: Path, metadata: Metadata) -> None:
        self.file = StreamFile(path, metadata)
        self.metadata = metadata
        self._decoders: dict[int, StreamDecoder] = {}

    def events(self) -> Iterator[Event]:
        """Its events, one packet in memory at a time.

        Time that goes back would put events of other streams into a wrong order: an error.
        """
        last = -1 << 200
        for packet in self.file.packets():
            last = yield from self._decode(packet, last)

    def _decode(self, packet: Packet, last: int) -> Generator[Event, None, int]:
        """The events of a packet that begins after `last`; the time of its last one."""
        decoder = self._decoder(packet)
        data, at, end = self.file.read(packet), packet.first, packet.end
        scopes: list[Scope] = [packet.header, packet.context, {}]
        now: int = packet.context.get("timestamp_begin", 0)
        cpu = packet.context.get("cpu_id")
        header, known, clock = decoder.header, decoder.known, decoder.clock
        plain = clock.frequency == 1_000_000_000
        offset = clock.nanoseconds(0)
        start = at
        new = tuple.__new__  # half the time of calling Event, for each of millions
        try:
            while at < end:
                start = at
                number, now, at = header(data, at, now, scopes)
                name, read = known.get(number) or decoder.decoder(number)
                fields, at = read(data, at, scopes)
                if at > end:
                    raise BrokenError("it goes beyond the content of its packet")
                time = now + offset if plain else clock.nanoseconds(now)
                if time < last:
                    raise BrokenError(f"time goes back by {last - time} ns")
                last = time
                yield new(Event, (time, name, cpu, fields))
        except (struct.error, BrokenError, IndexError) as error:
            message = f"this event cannot be read: {error}"
            raise TraceError(self.file.name, packet.offset + (start >> 3), message) from None
        return last

    def _decoder(self, packet: Packet) -> StreamDecoder:
        stream = self.file.stream_of(packet)
        if stream.number not in self._decoders:
            self._decoders[stream.number] = StreamDecoder(self.metadata, stream)
        return self._decoders[stream.number]
