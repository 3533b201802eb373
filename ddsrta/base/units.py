"""Durations in integer nanoseconds and sizes in bytes: reading and printing them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.base.diagnostics import shown

if TYPE_CHECKING:
    from ddsrta.base.priorities import Own

    class Size(Own):
        """Bytes of a payload, which no time is and no count: what reckons with them says int()."""

    class Rate(Own):
        """Bits a second, likewise."""

else:
    Size = Rate = int

NANOSECONDS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "min": 60_000_000_000,
    "h": 3_600_000_000_000,
}
BYTES = {
    "B": 1,
    "kB": 1_000,
    "KB": 1_000,
    "MB": 1_000_000,
    "GB": 1_000_000_000,
    "KiB": 1 << 10,
    "MiB": 1 << 20,
    "GiB": 1 << 30,
}
BITS_PER_SECOND = {
    "bit/s": 1,
    "kbit/s": 1_000,
    "Mbit/s": 1_000_000,
    "Gbit/s": 1_000_000_000,
}
HERTZ = {"Hz": 1, "kHz": 1_000}
LONGEST_DURATION = 1 << 53  # 104 days: sums of many stay far below 2**63
LARGEST_SIZE = 1 << 50
HIGHEST_RATE = 10**12

# What people write instead; taken only to say what to write.
_SPELLINGS = {
    "nsec": "ns", "nanosecond": "ns", "usec": "us", "microsecond": "us", "msec": "ms",
    "millisecond": "ms", "sec": "s", "second": "s", "m": "min", "minute": "min", "hr": "h",
    "hour": "h", "byte": "B", "b": "B", "k": "kB", "kbyte": "kB", "kilobyte": "kB", "kib": "KiB",
    "mbyte": "MB", "megabyte": "MB", "gbyte": "GB", "bps": "bit/s", "kbps": "kbit/s",
    "kbit": "kbit/s", "mbps": "Mbit/s", "mbit": "Mbit/s", "gbps": "Gbit/s", "gbit": "Gbit/s",
    "hz": "Hz", "hertz": "Hz", "fps": "Hz",
}  # fmt: skip
_QUANTITY = re.compile(r"([+-]?)([0-9]{1,30})(?:\.([0-9]{1,30}))?\s*([A-Za-zµμ]+(?:/s)?)")
_BARE_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?")
_COMMA = re.compile(r"([0-9]+),([0-9]+\s*[A-Za-zµμ]+)")


class _Dimension(NamedTuple):
    units: dict[str, int]
    examples: tuple[str, str]
    largest: int
    limit: str
    smallest: str


_TIME = _Dimension(NANOSECONDS, ("us", "ms"), LONGEST_DURATION, "104 days", "nanosecond")
_PERIOD = _TIME._replace(units={**NANOSECONDS, **dict.fromkeys(HERTZ, 0)}, examples=("ms", "Hz"))
_SIZE = _Dimension(BYTES, ("B", "kB"), LARGEST_SIZE, "1 PiB", "byte")
_RATE = _Dimension(
    BITS_PER_SECOND, ("kbit/s", "Mbit/s"), HIGHEST_RATE, "1000 Gbit/s", "bit a second"
)


class Duration(int):
    """A time in nanoseconds that prints with its unit.

    >>> Duration(5_000_000)
    5 ms
    """

    def __repr__(self) -> str:
        return format_duration(self)

    __str__ = __repr__


class Rounded(int):
    """The period of a rate that is no whole number of nanoseconds, rounded down to one."""


def duration(nanoseconds: int | None) -> Duration | None:
    """A time that prints with its unit; None stays None.

    >>> duration(1500)
    1.5 us
    """
    return None if nanoseconds is None else Duration(nanoseconds)


def parse_duration(text: str) -> int:
    """Nanoseconds in a text such as '62us' or '1.5 ms'.

    >>> parse_duration("1.5 ms")
    1500000
    >>> parse_duration("62")
    Traceback (most recent call last):
    ...
    ValueError: '62' has no unit: write for example '62 us' or '62 ms'
    """
    number = text[:-2]
    if len(text) < 18 and text.endswith("ns") and number.isdigit() and number.isascii():
        return int(number) * NANOSECONDS["ns"]  # as programs write it, many times
    return _parse(text, _TIME)


def parse_period(text: str) -> int:
    """A duration, or the period of a rate; Rounded where that is no whole number of nanoseconds.

    >>> parse_period("20 ms"), parse_period("50 Hz"), parse_period("30 Hz")
    (20000000, 20000000, 33333333)
    >>> isinstance(parse_period("30 Hz"), Rounded)
    True
    """
    match = _QUANTITY.fullmatch(text.strip()) if len(text) < 80 else None
    if match is None or match[4] not in HERTZ or match[1] == "-":
        return _parse(text, _PERIOD)
    fraction = match[3] or ""
    rate = int(match[2] + fraction) * HERTZ[match[4]]
    scaled: int = NANOSECONDS["s"] * 10 ** len(fraction)
    if not rate:
        raise ValueError(f"{shown(text)} must be more than zero")
    period, rest = divmod(scaled, rate)
    if not 0 < period <= LONGEST_DURATION:
        raise ValueError(f"{shown(text)} is out of range: its period is 1 ns to {_TIME.limit}")
    return Rounded(period) if rest else period


def parse_size(text: str) -> int:
    """Bytes in a text such as '3kB'.

    >>> parse_size("3kB")
    3000
    """
    return _parse(text, _SIZE)


def parse_rate(text: str) -> int:
    """Bits a second in a text such as '500 kbit/s'.

    >>> parse_rate("500 kbit/s")
    500000
    >>> parse_rate("1 Mbps")
    Traceback (most recent call last):
    ...
    ValueError: unknown unit 'Mbps' in '1 Mbps': did you mean 'Mbit/s'?
    """
    return _parse(text, _RATE)


def parse_percent(text: str) -> int:
    """Whole percent in a text.

    >>> parse_percent("30 %")
    30
    """
    match = re.fullmatch(r"([0-9]{1,3})\s*%", text.strip()) if len(text) < 80 else None
    if match is None or int(match[1]) > 100:
        raise ValueError(f"{shown(text)} is no whole number of percent such as '30 %', up to 100 %")
    return int(match[1])


def _parse(text: str, dimension: _Dimension) -> int:
    units = dimension.units
    match = _QUANTITY.fullmatch(text.strip()) if len(text) < 80 else None
    if match is None:
        raise ValueError(_no_quantity(text, dimension.examples))
    sign, whole, fraction, unit = match.groups()
    if unit not in units:
        raise ValueError(
            f"unknown unit {shown(unit)} in {shown(text)}: {_unit_advice(unit, units)}"
        )
    if sign == "-":
        raise ValueError(f"{shown(text)} is negative")
    fraction = fraction or ""
    scaled = int(whole + fraction) * units[unit]
    scale: int = 10 ** len(fraction)
    value, rest = divmod(scaled, scale)
    if rest:
        raise ValueError(f"{shown(text)} is finer than one {dimension.smallest}")
    if value > dimension.largest:
        raise ValueError(f"{shown(text)} is too large: at most {dimension.limit}")
    return value


def _no_quantity(text: str, examples: tuple[str, str]) -> str:
    number = text.strip()
    if _BARE_NUMBER.fullmatch(number):
        hints = " or ".join(f"'{number} {unit}'" for unit in examples)
        return f"{shown(text)} has no unit: write for example {hints}"
    if comma := _COMMA.fullmatch(number):
        return f"{shown(text)} has a comma: write '{comma[1]}.{comma[2]}'"
    return f"{shown(text)} is not a quantity such as '10 {examples[-1]}'"


def _unit_advice(unit: str, units: dict[str, int]) -> str:
    spelt = unit.lower().removesuffix("s") if len(unit) > 2 else unit
    alike = [u for u in (_SPELLINGS.get(spelt), _SPELLINGS.get(unit.lower())) if u in units]
    if alike or (alike := [u for u in units if u.lower() == unit.lower()]):
        return f"did you mean '{alike[0]}'?"
    return "use one of " + ", ".join(u for u in units if u != "μs")


def format_duration(nanoseconds: int) -> str:
    """The shortest exact text with at most three digits before the unit changes.

    >>> [format_duration(n) for n in (0, 999, 62_000, 1_500_000, 5_000_000_000)]
    ['0 ms', '999 ns', '62 us', '1.5 ms', '5 s']
    """
    if nanoseconds == 0:
        return "0 ms"
    size = abs(nanoseconds)
    unit, scale = next(
        (u, s)
        for u, s in (("s", 10**9), ("ms", 10**6), ("us", 10**3), ("ns", 1))
        if size >= s or s == 1
    )
    whole, rest = divmod(size, scale)
    digits = f"{rest:0{len(str(scale)) - 1}d}".rstrip("0") if scale > 1 else ""
    number = f"{whole}.{digits}" if digits else str(whole)
    return f"{'-' if nanoseconds < 0 else ''}{number} {unit}"


def format_size(size: int | Size) -> str:
    """A size with the unit that keeps it shortest.

    >>> format_size(3000), format_size(256)
    ('3 kB', '256 B')
    """
    number = int(size)
    for unit in ("GB", "MB", "kB"):
        if number >= BYTES[unit] and number % BYTES[unit] == 0:
            return f"{number // BYTES[unit]} {unit}"
    return f"{number} B"


def format_rate(rate: int | Rate) -> str:
    """A rate with the unit that keeps it shortest.

    >>> format_rate(500_000), format_rate(83_333)
    ('500 kbit/s', '83333 bit/s')
    """
    number = int(rate)
    for unit in ("Gbit/s", "Mbit/s", "kbit/s"):
        if number >= BITS_PER_SECOND[unit] and number % BITS_PER_SECOND[unit] == 0:
            return f"{number // BITS_PER_SECOND[unit]} {unit}"
    return f"{number} bit/s"
