"""Names, words, numbers and quantities, exactly."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from ddsrta.checker.policies import PRIORITY_KEYS
from ddsrta.checker.yaml.nodes import NOTHING, Node, Scalar, cut, is_nothing, wrong

_NANOSECONDS = {
    "ns": 1,
    "us": 1_000,
    "\u00b5s": 1_000,  # the micro sign
    "\u03bcs": 1_000,  # the Greek letter
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "min": 60_000_000_000,
    "h": 3_600_000_000_000,
}
_BYTES = {
    "B": 1,
    "kB": 1000,
    "KB": 1000,
    "MB": 1000**2,
    "GB": 1000**3,
    "KiB": 1024,
    "MiB": 1024**2,
    "GiB": 1024**3,
}
_BITS = {"bit/s": 1, "kbit/s": 1000, "Mbit/s": 1000**2, "Gbit/s": 1000**3}
_UNITS = {"time": _NANOSECONDS, "size": _BYTES, "rate": _BITS}
_MOST = {"time": 2**53, "size": 2**50, "rate": 10**12}  # 104 days; 1 PiB; 1000 Gbit/s
_QUANTITY = re.compile(
    r"\s*\+?([0-9]{1,30})(?:\.([0-9]{1,30}))?\s*([A-Za-z\u00b5\u03bc]+(?:/s)?)\s*"
)
_HERTZ = re.compile(r"\s*\+?([0-9]{1,30})(?:\.([0-9]{1,30}))?\s*(k?Hz)\s*")
_WHOLE = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,30})")
_PERCENT = re.compile(r"\s*([0-9]{1,30})\s*%\s*")
_JOBS = re.compile(r"\s*([1-9][0-9]{0,6}) of ([1-9][0-9]{0,6})\s*")
_MOST_JOBS = 1_000_000
_LONGEST_NAME = 200
_SCHEDULED = 2**31  # priorities are within ±2^31


def word(node: Node, what: str) -> str:
    """What a scalar says."""
    if not isinstance(node, Scalar) or is_nothing(node):
        raise wrong(node, f"expected {what}")
    return node.value


def one_of(node: Node, choices: Collection[str]) -> str:
    """One of a few words, in quotes or without."""
    found = word(node, "a word")
    if found not in choices:
        raise wrong(node, f"{cut(found)} is none of {', '.join(choices)}")
    return found


def name(node: Node) -> str:
    """What something is called, or the name of something."""
    return named(word(node, "a name"), node)


def named(text: str, node: Node, slash: bool = True) -> str:
    """A text that is a name; some names hold no slash."""
    if text in NOTHING or text.strip() != text or not text.isprintable():
        raise wrong(node, f"{cut(text)} is no name")
    if len(text) > _LONGEST_NAME:
        raise wrong(node, f"a name is longer than {_LONGEST_NAME} characters")
    if not slash and "/" in text:
        raise wrong(node, f"the name {cut(text)} holds a slash")
    return text


def flag(node: Node) -> bool:
    """True or false, without quotes."""
    if isinstance(node, Scalar) and node.plain and node.value in ("true", "false"):
        return node.value == "true"
    raise wrong(node, "expected true or false")


def whole(node: Node, least: int, most: int) -> int:
    """A whole number without quotes, which does not begin with 0."""
    if not isinstance(node, Scalar) or not node.plain or not _WHOLE.fullmatch(node.value):
        raise wrong(node, "expected a whole number")
    found = int(node.value)
    if not least <= found <= most:
        raise wrong(node, f"{found} is not within {least} … {most}")
    return found


def urgency(raw: Mapping[str, Node]) -> dict[str, int]:
    """How urgent something is on each kind of link, as far as that is said."""
    most = {"can_id": 2**29 - 1, "pcp": 7}
    return {key: whole(raw[key], 0, most[key]) for key in PRIORITY_KEYS if key in raw}


def count(node: Node, most: int = 1_000_000) -> int:
    """How many there are, one at least."""
    return whole(node, 1, most)


def priority(node: Node) -> int:
    """A priority."""
    return whole(node, -_SCHEDULED, _SCHEDULED - 1)


def time(node: Node, least: int = 0) -> int:
    """A time in nanoseconds."""
    found = _read("time", node)
    if found < least:
        raise wrong(node, "expected a time that is more than 0")
    return found


def duration(node: Node) -> int:
    """A time that is more than 0."""
    return time(node, 1)


def period(node: Node) -> tuple[int, bool]:
    """A time that is more than 0, or a rate: the whole nanoseconds from one to the next, and
    whether something was left of them.

    >>> period(Scalar("30 Hz", True, 1, 1)), period(Scalar("20 ms", True, 1, 1))
    ((33333333, True), (20000000, False))
    """
    found = _HERTZ.fullmatch(word(node, "a time or a rate"))
    if found is None:
        return duration(node), False
    events = int(found[1] + (found[2] or "")) * (1000 if found[3] == "kHz" else 1)
    if not events:
        raise wrong(node, "expected a rate that is more than 0")
    time, rest = divmod(10 ** (9 + len(found[2] or "")), events)
    if not 0 < time <= _MOST["time"]:
        raise wrong(node, "the rate is out of range")
    return time, rest > 0


def size(node: Node) -> int:
    """A size in bytes."""
    return _read("size", node)


def rate(node: Node) -> int:
    """Bits a second, one at least."""
    found = _read("rate", node)
    if not found:
        raise wrong(node, "expected a rate that is more than 0")
    return found


def size_of(key: str, node: Node) -> int:
    """The size that a key says."""
    return size(Scalar(key, False, node.line, node.column))


def percent(node: Node) -> int:
    """A whole number of percent, up to 100."""
    found = _PERCENT.fullmatch(word(node, "a percentage"))
    if not found or int(found[1]) > 100:
        raise wrong(node, "expected a whole number of percent, up to 100 %")
    return int(found[1])


def _read(kind: str, node: Node) -> int:
    text = word(node, f"a {kind} with its unit")
    if len(text) > _LONGEST_NAME:
        raise wrong(node, f"{cut(text)} is no {kind} with its unit")
    found = _quantity(kind, text)
    if isinstance(found, str):
        raise wrong(node, found)
    return found


@lru_cache(maxsize=4096)
def _quantity(kind: str, text: str) -> int | str:
    """The quantity that a text says, or what is wrong with it.

    >>> _quantity("time", "1.5us"), _quantity("size", "1.5 KiB"), _quantity("time", "0.5ns")
    (1500, 1536, "'0.5ns' is finer than the unit")
    """
    match = _QUANTITY.fullmatch(text)
    unit = match and _UNITS[kind].get(match[3])
    if not match or not unit:
        return f"{cut(text)} is no {kind} with its unit"
    fraction = match[2] or ""
    scale: int = 10 ** len(fraction)
    found, rest = divmod(int(match[1] + fraction) * unit, scale)
    if rest:
        return f"{cut(text)} is finer than the unit"
    if found > _MOST[kind]:
        return f"{cut(text)} is too large"
    return found


def jobs(node: Node) -> list[int]:
    """At most so many of any so many jobs in a row."""
    found = _JOBS.fullmatch(word(node, "so many of so many jobs"))
    numbers = [int(text) for text in found.groups()] if found else []
    if not found or not numbers[0] <= numbers[1] <= _MOST_JOBS:
        raise wrong(node, "expected so many of so many jobs")
    return numbers
