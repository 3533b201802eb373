"""The harness' trace as lines: head, events, and an end mark that says whether all is there."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, shown
from ddsrta.validation.measured import InconclusiveError
from ddsrta.validation.outside import Outside, Records

FIRST = b"# ddsrta-trace 1\n"
_COLUMNS = "time_ns,cpu_ns,event,who,job,topic,writer,number,reader"
_MORE = ",waits,stops"  # not in the first traces
_LONGEST_LINE = 4096
_MOST_HEAD = 20_000  # lines, without the records of what else ran
_MOST_RECORDS = 3_000_000
_NUMBER = re.compile(r"-?[0-9]{1,19}")
_COUNTERS = ("lost_records", "lost_messages", "lost_inputs", "refused")
_HAS_LOST = re.compile(r"(lost_\w+|refused|dropped)")


class HarnessEvent(NamedTuple):
    """A line of the trace; what it does not say is -1."""

    time: int
    cpu: int
    kind: str
    who: int
    job: int
    topic: int
    writer: int
    number: int
    reader: int
    waits: int = -1
    stops: int = -1


@dataclass
class Head:
    """The names of numbers, and what is said of the run.

    `places`: CPU and priority of each thread; `sends`: who sends for a writer; `listens`: who
    receives for a reader. The first traces do not say any of these. `outside`: what is recorded of
    others than the system.
    """

    said: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    who: dict[int, tuple[str, str]] = field(default_factory=dict)  # kind, name
    topics: dict[int, str] = field(default_factory=dict)
    writers: dict[int, tuple[int, int, str]] = field(default_factory=dict)  # thread, topic, mode
    readers: dict[int, tuple[int, int]] = field(default_factory=dict)  # thread, topic
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    sends: dict[int, int] = field(default_factory=dict)
    listens: dict[int, int] = field(default_factory=dict)
    cores: dict[str, int] = field(default_factory=dict)  # their CPUs
    outside: Records = field(default_factory=Records)
    recorded: int = 0


class HarnessFile:
    """Reads a trace once from start to end. `events` ends well only where the file is whole."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.head = Head()
        self._line = 0
        self._checksum = 0
        self._width = 9

    def events(self) -> Iterator[HarnessEvent]:
        """The head is there when the first comes; raises InconclusiveError where the trace lost
        something, is cut off or damaged: then what was seen before counts for nothing."""
        records = 0
        with open(self.path, "rb") as stream:
            if stream.readline(_LONGEST_LINE) != FIRST:
                self.fail("this is no trace of the harness in a version that is known")
            self._line, self._checksum = 1, zlib.crc32(FIRST)
            end = ""
            while raw := stream.readline(_LONGEST_LINE):
                self._line += 1
                if end:
                    self.inconclusive(f"damaged: line {self._line} comes after the end mark")
                if not raw.endswith(b"\n"):
                    self.inconclusive(f"cut off or damaged: line {self._line} has no end")
                text = self._text(raw)
                if text.startswith("# end "):
                    end = text
                    continue
                self._checksum = zlib.crc32(raw, self._checksum)
                if text.startswith("#"):
                    self._head_line(text[1:].strip())
                elif text.startswith("time_ns"):
                    self._columns(text)
                else:
                    records += 1
                    yield self._event(text)
            self._check_end(end, records)

    def fail(self, message: str, advice: str = "") -> NoReturn:
        """Refuse the file at the line that was read last."""
        raise InputError([Diagnostic(Position(self.path, self._line or 1, 1), message, advice)])

    def inconclusive(self, reason: str) -> NoReturn:
        """Draw nothing from the file."""
        raise InconclusiveError(self.path, reason)

    def _text(self, raw: bytes) -> str:
        try:
            return raw[:-1].decode()
        except UnicodeDecodeError:
            self.inconclusive(f"damaged: line {self._line} is not UTF-8")

    def _columns(self, text: str) -> None:
        if text not in (_COLUMNS, _COLUMNS + _MORE):
            self.fail("these columns are not those of a trace in a version that is known")
        self._width = text.count(",") + 1

    def _event(self, text: str) -> HarnessEvent:
        words = text.split(",")
        if len(words) != self._width:
            reason = f"line {self._line} has {len(words)} columns instead of {self._width}"
            self.inconclusive(f"damaged: {reason}")
        numbers = [self._number(word) for i, word in enumerate(words) if i != 2]
        return HarnessEvent(numbers[0], numbers[1], words[2], *numbers[2:])

    def _number(self, word: str) -> int:
        if not word:
            return -1
        if not (word.isascii() and _NUMBER.fullmatch(word)):
            self.inconclusive(f"damaged: line {self._line}: {shown(word)} is no number")
        return int(word)

    def _head_line(self, text: str) -> None:
        if self._line - self.head.recorded > _MOST_HEAD or self.head.recorded > _MOST_RECORDS:
            self.fail("the head is endless")
        kind, _, rest = text.partition(" ")
        try:
            if kind in ("who", "topic", "writer", "reader", "place", "core"):
                self._named(kind, rest)
            elif kind == "outside":
                self._outside(rest)
            elif kind == "warning:":
                self.head.warnings.append(rest)
            elif kind.endswith(":"):
                self.head.said.setdefault(kind[:-1], rest)
        except (ValueError, IndexError):
            self.fail("this line of the head is not as the harness writes it")

    def _named(self, kind: str, rest: str) -> None:
        number, _, what = rest.partition(" ")
        index, words = int(number), what.split(" ")
        if kind == "who":
            self.head.who[index] = words[0], what.partition(" ")[2]
        elif kind == "topic":
            self.head.topics[index] = what
        elif kind == "writer":
            self.head.writers[index] = int(words[1]), int(words[3]), words[4]
            if len(words) > 6:
                self.head.sends[index] = int(words[6])
        elif kind == "reader":
            self.head.readers[index] = int(words[1]), int(words[3])
            if len(words) > 5:
                self.head.listens[index] = int(words[5])
        elif kind == "core":
            self.head.cores[what.split(" ", 2)[2]] = int(words[1])
        else:
            self.head.places[index] = int(words[1]), int(words[3])

    def _outside(self, rest: str) -> None:
        """Who ran: a CPU, from when to when, and a name."""
        cpu, begin, end, what = rest.split(" ", 3)
        if int(end) < int(begin):
            raise ValueError("it ends before it begins")
        self.head.outside.add(int(cpu), Outside(int(begin), int(end), what))
        self.head.recorded += 1

    def _check_end(self, end: str, records: int) -> None:
        if not end:
            self.inconclusive("cut off: there is no end mark")
        values = dict(word.split("=", 1) for word in end.split()[2:] if "=" in word)
        if values.get("crc32") != f"{self._checksum:08x}":
            self.inconclusive("damaged: the checksum of its end mark is another")
        if values.get("records") != str(records):
            self.inconclusive(f"damaged: {records} records, not {values.get('records')}")
        lost = [f"{k}={v}" for k, v in values.items() if _HAS_LOST.fullmatch(k) and v != "0"]
        if lost:
            self.inconclusive(f"lossy: {', '.join(lost)[:200]}")
        if silent := [name for name in _COUNTERS if name not in values]:
            self.inconclusive(f"its end mark does not say {', '.join(silent)}")
        ended = self.head.said.get("ended", "nobody says how")
        if ended != "as planned":
            self.inconclusive(f"the run ended: {shown(ended, 200)}")
        if not records:
            self.inconclusive("it has no events")
