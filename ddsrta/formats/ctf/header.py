"""What stands before each event: its number and the low bits of its time."""

from __future__ import annotations

import struct
from collections.abc import Callable

from ddsrta.formats.ctf.decode import Compiler, UnresolvedError, shown_names
from ddsrta.formats.ctf.leaves import Scope
from ddsrta.formats.ctf.types import Enum, Integer, Struct, Type, Variant

# (bytes, position, clock, scopes) to (number of the event, clock, position)
Header = Callable[[bytes, int, int, list[Scope]], tuple[int, int, int]]


def advance(clock: int, value: int, size: int) -> int:
    """The clock at its next reading, of which only the low `size` bits were written.

    >>> hex(advance(0x1FE, 0xFF, 8)), hex(advance(0x1FE, 0x01, 8)), advance(9, 8, 64)
    ('0x1ff', '0x201', 8)
    """
    if size == 64:
        return value
    low = clock & ((1 << size) - 1)
    return clock - low + value + ((1 << size) if value < low else 0)


def compile_header(declared: Struct, compiler: Compiler) -> tuple[Header, str]:
    """A function that reads headers, and the name of the clock they are of."""
    steps = compiler.root(declared)
    clock = next((name for name in _clocks(declared) if name), None)
    if clock is None or not declared.shape.least:
        raise UnresolvedError("its events have no time that a clock is mapped to")
    order = ">" if compiler.byte_order == "be" else "<"
    for (number, time, align), fast in _LTTNG.items():
        if _is_lttng(declared, number, time, align, order):
            return fast(order), clock
    numbers, times = _paths(declared)

    def read(data: bytes, at: int, now: int, scopes: list[Scope]) -> tuple[int, int, int]:
        scope: Scope = {}
        scopes[2] = scope
        for step in steps:
            at = step(data, at, scope, scopes)
        event = 0
        for number in numbers:
            event = number(scope, event)
        for time in times:
            now = time(scope, now)
        return event, now, at

    return read, clock


def _is_lttng(declared: Struct, number: int, time: int, align: int, order: str) -> bool:
    """Whether this is LTTng's compact or large header, of these sizes and in the usual order."""
    fields = [type_ for _, type_ in declared.fields]
    if len(fields) != 2 or declared.shape.align != 8:
        return False
    tag, variant = fields
    if not isinstance(tag, Enum) or not isinstance(variant, Variant):
        return False
    last = (1 << number) - 1
    if tag.ranges != (("compact", 0, last - 1), ("extended", last, last)):
        return False
    leaves: list[Type] = [tag.container]
    names = []
    for name, option in variant.options:
        if not isinstance(option, Struct):
            return False
        names.append((name, [inner for inner, _ in option.fields]))
        leaves += [type_ for _, type_ in option.fields]
    expected = [("compact", ["timestamp"]), ("extended", ["id", "timestamp"])]
    sizes = [(number, align), (time, align), (32, 8), (64, 8)]
    native = "be" if order == ">" else "le"
    found = [
        (leaf.size, leaf.align)
        for leaf in leaves
        if isinstance(leaf, Integer) and not leaf.signed and leaf.order in (None, native)
    ]
    mapped = all(isinstance(leaves[i], Integer) and leaves[i].clock for i in (1, -1))  # type: ignore[union-attr]
    return names == expected and found == sizes and len(leaves) == 4 and mapped


def _compact(order: str) -> Header:
    """5 bits of number and 27 of time; or 31, then 32 and 64."""
    unpack = struct.Struct(f"{order}I").unpack_from
    extended = struct.Struct(f"{order}IQ").unpack_from
    little = order == "<"

    def read(data: bytes, at: int, now: int, _scopes: list[Scope]) -> tuple[int, int, int]:
        start = (at + 7) >> 3
        number = data[start] & 31 if little else data[start] >> 3
        if number == 31:
            number, now = extended(data, start + 1)
            return number, now, (start + 13) << 3
        word = unpack(data, start)[0]
        value = word >> 5 if little else word & 0x7FFFFFF
        low = now & 0x7FFFFFF
        now += value - low + (0x8000000 if value < low else 0)
        return number, now, (start + 4) << 3

    return read


def _large(order: str) -> Header:
    """16 bits of number and 32 of time; or 65535, then 32 and 64."""
    unpack = struct.Struct(f"{order}HI").unpack_from
    extended = struct.Struct(f"{order}2xIQ").unpack_from

    def read(data: bytes, at: int, now: int, _scopes: list[Scope]) -> tuple[int, int, int]:
        start = (at + 7) >> 3
        number, value = unpack(data, start)
        if number == 65535:
            number, now = extended(data, start)
            return number, now, (start + 14) << 3
        low = now & 0xFFFFFFFF
        now += value - low + (0x100000000 if value < low else 0)
        return number, now, (start + 6) << 3

    return read


_LTTNG = {(5, 27, 1): _compact, (16, 32, 8): _large}


def _clocks(type_: Type) -> list[str | None]:
    if isinstance(type_, Struct):
        return [name for _, inner in type_.fields for name in _clocks(inner)]
    if isinstance(type_, Variant):
        return [name for _, inner in type_.options for name in _clocks(inner)]
    if isinstance(type_, Enum):
        type_ = type_.container
    return [type_.clock] if isinstance(type_, Integer) else []


Update = Callable[[Scope, int], int]


def _paths(declared: Struct) -> tuple[list[Update], list[Update]]:
    """What in a header sets the number of the event, and what its time, in order."""
    numbers: list[Update] = []
    times: list[Update] = []
    types = dict(declared.fields)
    names = shown_names(declared)
    for name, type_ in declared.fields:
        shown = names[name]
        if isinstance(type_, Variant) and type_.tag:
            tag = types.get(type_.tag[-1])
            if isinstance(tag, Enum):
                for updates, pick in ((numbers, 0), (times, 1)):
                    updates.append(_chosen(type_, tag, names[type_.tag[-1]], shown, pick))
        else:
            _leaf(name, shown, type_, numbers, times)
    return numbers, times


def _leaf(name: str, shown: str, type_: Type, numbers: list[Update], times: list[Update]) -> None:
    integer = type_.container if isinstance(type_, Enum) else type_
    if not isinstance(integer, Integer):
        return
    if name in ("id", "_id"):
        numbers.append(lambda scope, _number: int(scope[shown]))
    if integer.clock:
        size = integer.size
        times.append(lambda scope, now: advance(now, scope[shown] & ((1 << size) - 1), size))


def _chosen(variant: Variant, tag: Enum, tag_name: str, shown: str, pick: int) -> Update:
    """The same within the option that the tag selects."""
    options = {}
    for label, option in variant.options:
        if isinstance(option, Struct):
            options[label] = _paths(option)[pick]

    def update(scope: Scope, value: int) -> int:
        for label in tag.labels(scope[tag_name]):
            if label in options:
                for inner in options[label]:
                    value = inner(scope[shown], value)
                break
        return value

    return update
