"""What the tracer could not record: counted by itself, or missing between packets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddsrta.formats.ctf.errors import Loss
from ddsrta.formats.ctf.packets import Packet, StreamFile
from ddsrta.formats.ctf.types import Integer


class _Part(NamedTuple):
    """A file's share of a stream: its first and last packet, and what is lost between them."""

    file: StreamFile
    first: Packet
    last: Packet
    events: int
    packets: int


def losses(files: Iterable[StreamFile]) -> tuple[Loss, ...]:
    """What was lost, by file; a stream may go on from one file to the next.

    The counter of lost events begins with the stream: what the first packet says counts as well.
    """
    streams: dict[tuple[object, ...], list[_Part]] = {}
    for file in files:
        if part := _part(file):
            streams.setdefault(_identity(part), []).append(part)
    found = [loss for parts in streams.values() for loss in _of_stream(parts)]
    return tuple(loss for loss in found if loss.events or loss.packets)


def _part(file: StreamFile) -> _Part | None:
    first = last = None
    events = packets = 0
    for packet in file.packets():
        if last:
            events += _discarded(file, packet, last.context.get("events_discarded", 0))
            packets += _skipped(packet, last)
        first = first or packet
        last = packet
    return _Part(file, first, last, events, packets) if first and last else None


def _identity(part: _Part) -> tuple[object, ...]:
    """The stream that a file is of; one without packet numbers stands alone."""
    header, context = part.first.header, part.first.context
    if "packet_seq_num" not in context:
        return (part.file.name,)
    instance = header.get("stream_instance_id")
    which = ("cpu", context.get("cpu_id")) if instance is None else ("instance", instance)
    return (part.file.metadata.file, header.get("stream_id", 0), *which)


def _of_stream(parts: list[_Part]) -> Iterable[Loss]:
    """Files whose packet numbers overlap are no continuation of each other."""
    before: Packet | None = None
    for part in sorted(parts, key=lambda part: _number(part.first)):
        if before and _number(part.first) <= _number(before):
            before = None
        counted = before.context.get("events_discarded", 0) if before else 0
        events = part.events + _discarded(part.file, part.first, counted)
        packets = part.packets + (_skipped(part.first, before) if before else 0)
        yield Loss(part.file.name, events, packets)
        before = part.last


def _number(packet: Packet) -> int:
    return int(packet.context.get("packet_seq_num", 0))


def _skipped(packet: Packet, before: Packet) -> int:
    return max(0, _number(packet) - _number(before) - 1)


def _discarded(file: StreamFile, packet: Packet, before: int) -> int:
    """How far the counter has gone since the packet before; it may be narrow, and wrap."""
    if "events_discarded" not in packet.context:
        return 0
    fields = file.stream_of(packet).packet_context.fields
    counter = next(type_ for name, type_ in fields if name.lstrip("_") == "events_discarded")
    size = counter.size if isinstance(counter, Integer) else 64
    lost: int = (packet.context["events_discarded"] - before) % (1 << size)
    if lost >> (size - 1):
        file.fail(packet.offset, "the counter of discarded events goes backwards")
    return lost
