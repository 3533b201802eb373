"""Writes traces in CTF 1.8 as a tracer would, for the tests of the reader. It shares no code with it."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

TRACE_UUID = UUID("0b5e8ad1-3d57-4f0e-9c55-6f4ad5a1a111")
MAGIC = 0xC1FC1FC1


class Bits:
    """Bits, appended in one byte order."""

    def __init__(self, order: str) -> None:
        self.order = order
        self.data = bytearray()
        self.at = 0

    def align(self, align: int) -> None:
        while self.at % align:
            self.bit(0)

    def bit(self, value: int) -> None:
        if self.at % 8 == 0:
            self.data.append(0)
        place = self.at % 8
        self.data[-1] |= value << (place if self.order == "le" else 7 - place)
        self.at += 1

    def integer(self, value: int, size: int, align: int, order: str | None = None) -> None:
        self.align(align)
        value &= (1 << size) - 1
        if self.at % 8 == 0 and size % 8 == 0:
            byte_order = "little" if (order or self.order) == "le" else "big"
            self.data += value.to_bytes(size // 8, byte_order)
            self.at += size
            return
        places = range(size) if self.order == "le" else reversed(range(size))
        for place in places:
            self.bit(value >> place & 1)

    def raw(self, data: bytes, align: int = 8) -> None:
        self.align(align)
        self.data += data
        self.at += 8 * len(data)


@dataclass
class Int:
    size: int
    signed: bool = False
    align: int = 8
    order: str | None = None
    text: bool = False
    clock: bool = False

    def tsdl(self) -> str:
        said = f"size = {self.size}; align = {self.align}; signed = {str(self.signed).lower()};"
        said += f" byte_order = {self.order};" if self.order else ""
        said += " encoding = UTF8;" if self.text else " encoding = none; base = 10;"
        said += " map = clock.main.value;" if self.clock else ""
        return f"integer {{ {said} }}"

    def write(self, bits: Bits, value: Any) -> None:
        bits.integer(value, self.size, self.align, self.order)


@dataclass
class Real:
    size: int

    def tsdl(self) -> str:
        digits = (8, 24) if self.size == 32 else (11, 53)
        return f"floating_point {{ exp_dig = {digits[0]}; mant_dig = {digits[1]}; align = 8; }}"

    def write(self, bits: Bits, value: Any) -> None:
        code = ("<" if bits.order == "le" else ">") + ("f" if self.size == 32 else "d")
        bits.raw(struct.pack(code, value))


class Str:
    def tsdl(self) -> str:
        return "string"

    def write(self, bits: Bits, value: Any) -> None:
        bits.raw(value.encode() + b"\0")


@dataclass
class Choice:
    """An enum."""

    container: Int
    ranges: dict[str, tuple[int, int]]

    def tsdl(self) -> str:
        ranges = ", ".join(f"{k} = {a} ... {b}" for k, (a, b) in self.ranges.items())
        return f"enum : {self.container.tsdl()} {{ {ranges} }}"

    def write(self, bits: Bits, value: Any) -> None:
        self.container.write(bits, value)


@dataclass
class Many:
    """An array of a fixed length, or a sequence: then a path to its length."""

    element: Any
    length: int | str

    def tsdl(self) -> str:
        return self.element.tsdl()

    def write(self, bits: Bits, value: Any) -> None:
        if isinstance(value, str):
            value = value.encode()
            if isinstance(self.length, int):
                value = value.ljust(self.length, b"\0")
        bits.align(alignment(self.element))  # also where there are no elements
        for one in value:
            self.element.write(bits, one)


@dataclass
class Group:
    """A struct."""

    fields: dict[str, Any]
    align: int = 1

    def tsdl(self) -> str:
        inner = " ".join(declared(name, kind) for name, kind in self.fields.items())
        return f"struct {{ {inner} }} align({self.align})"

    def alignment(self) -> int:
        return max([self.align, *(alignment(kind) for kind in self.fields.values())])

    def write(self, bits: Bits, value: Any) -> None:
        bits.align(self.alignment())
        for name, kind in self.fields.items():
            kind.write(bits, value[name])


@dataclass
class Either:
    """A variant; a value is (option, value)."""

    tag: str
    options: dict[str, Any]

    def tsdl(self) -> str:
        inner = " ".join(declared(name, kind) for name, kind in self.options.items())
        return f"variant <{self.tag}> {{ {inner} }}"

    def write(self, bits: Bits, value: Any) -> None:
        self.options[value[0]].write(bits, value[1])


def alignment(kind: Any) -> int:
    if isinstance(kind, Group):
        return kind.alignment()
    if isinstance(kind, Choice):
        return kind.container.align
    if isinstance(kind, Many):
        return alignment(kind.element)
    return kind.align if isinstance(kind, Int) else 1 if isinstance(kind, Either) else 8


def declared(name: str, kind: Any) -> str:
    brackets = ""
    one = kind
    while isinstance(one, Many):
        brackets += f"[{one.length}]"
        one = one.element
    return f"{one.tsdl()} {name}{brackets};"


HEADERS = {"compact": (5, 27, 1), "large": (16, 32, 8)}


@dataclass
class TraceWriter:
    """`kinds` are the fields of each event; events are written by `stream`."""

    kinds: dict[str, dict[str, Any]]
    order: str = "le"
    header: str = "large"  # or compact, or plain: 32 bits of number, 64 of time
    context: dict[str, Any] = field(default_factory=dict)
    frequency: int = 1_000_000_000
    offset: int = 0
    offset_seconds: int = 0
    discarded_bits: int = 64
    ids: dict[str, int] = field(default_factory=dict)

    def number(self, name: str) -> int:
        return self.ids.get(name, list(self.kinds).index(name))

    def metadata(self) -> str:
        uint = {n: Int(n).tsdl() for n in (8, 32, 64)}
        clock64 = Int(64, clock=True).tsdl()
        text = f"""/* CTF 1.8 */
trace {{ major = 1; minor = 8; uuid = "{TRACE_UUID}"; byte_order = {self.order};
  packet.header := struct {{ {uint[32]} magic; {uint[8]} uuid[16]; {uint[32]} stream_id; }}; }};
env {{ domain = "ust"; }};
clock {{ name = "main"; freq = {self.frequency}; offset_s = {self.offset_seconds}; offset = {self.offset}; }};
stream {{ id = 0;
  packet.context := struct {{ {clock64} timestamp_begin; {clock64} timestamp_end; {uint[64]} content_size;
    {uint[64]} packet_size; {uint[64]} packet_seq_num; {Int(self.discarded_bits).tsdl()} events_discarded;
    {uint[32]} cpu_id; }};
  event.header := {self.event_header()};
"""
        if self.context:
            text += f"  event.context := {Group(self.context).tsdl()};\n"
        text += "};\n"
        for name, fields in self.kinds.items():
            text += f'event {{ name = "{name}"; id = {self.number(name)}; stream_id = 0; loglevel = 13;\n'
            text += f"  fields := {Group(fields).tsdl()}; }};\n"
        return text

    def event_header(self) -> str:
        if self.header == "plain":
            return f"struct {{ {Int(32).tsdl()} id; {Int(64, clock=True).tsdl()} timestamp; }}"
        number, time, align = HEADERS[self.header]
        last = (1 << number) - 1
        return f"""struct {{
    enum : {Int(number, align=align).tsdl()} {{ compact = 0 ... {last - 1}, extended = {last} }} id;
    variant <id> {{ struct {{ {Int(time, align=align, clock=True).tsdl()} timestamp; }} compact;
      struct {{ {Int(32).tsdl()} id; {Int(64, clock=True).tsdl()} timestamp; }} extended; }} v;
  }} align(8)"""

    def write_metadata(self, folder: Path, packets: int = 0) -> None:
        """As plain text, or in packets of so many bytes of text."""
        folder.mkdir(parents=True, exist_ok=True)
        text = self.metadata().encode()
        if packets:
            order = "<" if self.order == "le" else ">"
            data = b""
            for start in range(0, len(text), packets):
                piece = text[start : start + packets]
                sizes = 8 * (37 + len(piece)), 8 * (37 + packets + 11)
                head = struct.pack(
                    f"{order}I16sIIIBBBBB", 0x75D11D57, TRACE_UUID.bytes, 0, *sizes, 0, 0, 0, 1, 8
                )
                data += (head + piece).ljust(sizes[1] // 8, b"\0")
            text = data
        (folder / "metadata").write_bytes(text)

    def packet(
        self, events: list[tuple[int, str, dict[str, Any]]], *, cpu: int = 0, discarded: int = 0,
        sequence: int = 0, padding: int = 0, extended: bool = False, begin: int | None = None,
        context: dict[str, Any] | None = None,
    ) -> bytes:  # fmt: skip
        """One packet of events (time in cycles, name, fields)."""
        bits = Bits(self.order)
        self._head(bits, events, cpu, discarded, sequence, (0, 0), begin)
        for time, name, fields in events:
            self._header(bits, self.number(name), time, extended)
            if self.context:
                Group(self.context).write(bits, context)
            Group(self.kinds[name]).write(bits, fields)
        content = bits.at
        size = (len(bits.data) + padding) * 8
        head = Bits(self.order)
        self._head(head, events, cpu, discarded, sequence, (content, size), begin)
        bits.data[: len(head.data)] = head.data
        return bytes(bits.data).ljust(size // 8, b"\0")

    def _head(self, bits: Bits, events: Any, cpu: int, discarded: int, sequence: int,
              sizes: tuple[int, int], begin: int | None) -> None:  # fmt: skip
        bits.integer(MAGIC, 32, 8)
        bits.raw(TRACE_UUID.bytes)
        bits.integer(0, 32, 8)
        times = [time for time, _, _ in events] or [0]
        first = times[0] if begin is None else begin
        for value in (first, times[-1], *sizes, sequence):
            bits.integer(value, 64, 8)
        bits.integer(discarded, self.discarded_bits, 8)
        bits.integer(cpu, 32, 8)

    def _header(self, bits: Bits, number: int, time: int, extended: bool) -> None:
        bits.align(8)
        if self.header == "plain":
            bits.integer(number, 32, 8)
            bits.integer(time, 64, 8)
            return
        small, low, align = HEADERS[self.header]
        last = (1 << small) - 1
        if number >= last or extended:
            bits.integer(last, small, align)
            bits.integer(number, 32, 8)
            bits.integer(time, 64, 8)
        else:
            bits.integer(number, small, align)
            bits.integer(time, low, align)


UST = {"vpid": Int(32, True), "procname": Many(Int(8, True, text=True), 17), "vtid": Int(32, True)}
CALLBACKS = {
    "ros2:callback_start": {"callback": Int(64), "is_intra_process": Int(32, True)},
    "ros2:callback_end": {"callback": Int(64)},
}


def write_large(folder: Path, events: int, streams: int = 4, a_packet: int = 4000) -> None:
    """Callback starts and ends as LTTng-UST writes them, fast enough for a million."""
    writer = TraceWriter(CALLBACKS, context={f"_{k}": v for k, v in UST.items()}, offset=10**18)
    writer.write_metadata(folder)
    start = struct.Struct("<HIi17siQi").pack
    end = struct.Struct("<HIi17siQ").pack
    for cpu in range(streams):
        with open(folder / f"ros2_{cpu}", "wb") as stream:
            count = events // streams
            for number, first in enumerate(range(0, count, a_packet)):
                pieces = []
                last = min(count, first + a_packet)
                for i in range(first, last):
                    low = (i * 10_000 + cpu * 2_500) & 0xFFFFFFFF
                    if i % 2:
                        pieces.append(end(1, low, 77, b"node", 80 + cpu, 0x55E2A3000000 + i % 64))
                    else:
                        pieces.append(
                            start(0, low, 77, b"node", 80 + cpu, 0x55E2A3000001 + i % 64, 0)
                        )
                body = b"".join(pieces)
                times = [(i * 10_000 + cpu * 2_500) for i in (first, last - 1)]
                head = struct.pack("<I16sI", MAGIC, TRACE_UUID.bytes, 0)
                size = 8 * (len(head) + 52 + len(body))
                stream.write(head + struct.pack("<6QI", *times, size, size, number, 0, cpu) + body)
