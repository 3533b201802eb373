"""Records of releases, which a system refers to by file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import sub
from typing import TYPE_CHECKING

from ddsrta.checker.reading import CertificateError
from ddsrta.checker.yaml.nodes import Node, cut, unread, wrong

if TYPE_CHECKING:
    from pathlib import Path

MOST_TIMESTAMPS = 1_000_000
NEIGHBOURS = 64  # a curve has the distances of up to one more than that
_LONGEST = 64 * 2**20
_LATEST = 2**63  # nanoseconds
_EXPONENTS = {"ns": 0, "us": 3, "ms": 6, "s": 9}
_LARGEST_POWER = 200  # of ten: what a timestamp has at most, with digits of as many places
_TIMESTAMP = re.compile(r"([+-]?)([0-9]{0,60})(?:\.([0-9]{0,60}))?(?:[eE]([+-]?[0-9]{1,15}))?")


class Traces:
    """The traces beside a system, each read once."""

    def __init__(self, document: str) -> None:
        self.document = document
        self.found: dict[tuple[str, str], tuple[list[int], int]] = {}
        self.left = MOST_TIMESTAMPS

    def distances(self, node: Node, name: str, unit: str) -> tuple[list[int], int]:
        """The least time that 1, 2, … releases of a record span, and its longest pause."""
        if (name, unit) not in self.found:
            from pathlib import Path

            path = Path(self.document).parent / name
            self.found[name, unit] = self._read(node, path, unit)
        distances, longest = self.found[name, unit]
        return list(distances), longest

    def _read(self, node: Node, path: Path, unit: str) -> tuple[list[int], int]:
        times: list[int] = []
        for number, line in enumerate(_lines(node, path), 1):
            text = line.partition("#")[0].strip()
            if not text:
                continue
            self.left -= 1
            if self.left < 0:
                raise unread(node, f"more than {MOST_TIMESTAMPS} timestamps")
            time = _nanoseconds(text, _EXPONENTS[unit])
            if time is None or (times and time < times[-1]):
                where = f"line {number} of the trace {cut(path.name)}"
                raise wrong(node, f"{where}: {cut(text)} is no later timestamp")
            times.append(time)
        if len(times) < 2:
            raise wrong(node, "a trace has two timestamps at least")
        turns = range(1, min(NEIGHBOURS + 1, len(times)))
        least = [min(map(sub, times[turn:], times)) for turn in turns]
        if not least[-1]:
            raise wrong(node, "the timestamps of the trace do not differ")
        return [0, *least], max(map(sub, times[1:], times))


def _lines(node: Node, path: Path) -> Iterator[str]:
    try:
        if not path.is_file():
            raise wrong(node, f"the trace {cut(path.name)} is no file")
        with path.open("rb") as file:
            content = file.read(_LONGEST + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, CertificateError):
            raise
        raise wrong(node, f"the trace {cut(path.name)} cannot be read") from None
    if len(content) > _LONGEST:
        raise unread(node, f"a trace of more than {_LONGEST} bytes")
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return iter(text.split("\n"))


def _nanoseconds(text: str, exponent: int) -> int | None:
    """The time that a line says, None if none.

    >>> _nanoseconds("1.5", 3), _nanoseconds("-2e-1", 3), _nanoseconds("0.5", 0)
    (1500, -200, None)
    """
    match = _TIMESTAMP.fullmatch(text)
    if not match or not (match[2] or match[3]):
        return None
    fraction = match[3] or ""
    places = len(fraction) - exponent - int(match[4] or 0)
    digits = int(match[2] + fraction)
    if not digits:
        return 0
    if abs(places) > _LARGEST_POWER:
        return None
    power: int = 10 ** abs(places)
    found, rest = divmod(digits, power) if places > 0 else (digits * power, 0)
    if rest or found > _LATEST:
        return None
    return -found if match[1] == "-" else found
