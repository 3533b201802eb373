"""Links that several messages share: what a message is there, and what comes before it (lemma
shared-link). From the standards, with names of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ddsrta.checker.arrivals import Source, read_arrival
from ddsrta.checker.reading import (
    CertificateError,
    integer,
    mapping,
    one_of,
    record,
    shown,
    truth,
)

KINDS = ("can", "ethernet")
PRIORITIES = {"can": "can_id", "ethernet": "pcp"}
_SECOND = 10**9
_STANDARD, _EXTENDED = 2**11 - 1, 2**29 - 1
_PORT = ("mtu", "tagged", "overhead", "datagram", "best_effort")
_MOST_FRAMES = 100_000


class OnLink(NamedTuple):
    """Messages on a link: how urgent (the smaller the more), in how many frames, the times of all
    of them and of the longest, and how early they may be there, or are for certain."""

    urgency: int
    frames: int
    worst: int
    best: int
    longest: int
    soonest: int
    early: int


class Frame(NamedTuple):
    """What a link sends beside messages."""

    size: int
    priority: int
    source: Source


class Link(NamedTuple):
    """A link; `said` are its numbers and flags."""

    kind: str
    rate: int
    extended: bool
    said: Mapping[str, int]
    frames: Mapping[str, Frame]

    @property
    def key(self) -> str:
        """What says how urgent a message is."""
        return PRIORITIES[self.kind]

    def on(self, size: int, priority: int, plain: bool = False) -> OnLink:
        """Messages of so many bytes; `plain` are frames without middleware."""
        if self.kind == "can":
            return self._on_bus(size, priority)
        sizes = [size] if plain else list(self._fragments(size, self.said["overhead"]))
        least = [size] if plain else list(self._fragments(size, 0))
        return OnLink(
            7 - priority,
            len(sizes),
            self._time(sum(self._bits(each) for each in sizes)),
            sum(self._bits(each, 4 * self.said["tagged"]) for each in least) * _SECOND // self.rate,
            self._time(max(map(self._bits, sizes))),
            self._time(12 * 8),
            0,
        )

    def begun(self, below: int) -> int:
        """What comes once before a message, where `below` is the longest frame less urgent."""
        if self.kind == "can":
            return below + self._time(1) - 1
        best_effort = self.said["best_effort"]
        return max(below, self._time(self._bits(best_effort)) if best_effort else 0)

    def _on_bus(self, size: int, priority: int) -> OnLink:
        """8 bits a byte; start, identifier and control; checksum of 15: all that may be stuffed."""
        open_bits = (1 + 32 + 6 if self.extended else 1 + 12 + 6) + 15 + 8 * size
        tail = 1 + 2 + 7 + 3  # delimiter, acknowledgement, end, between frames
        worst = self._time(open_bits + (open_bits - 1) // 4 + tail)
        best = (open_bits + tail) * _SECOND // self.rate
        return OnLink(priority, 1, worst, best, worst, self._time(4), self._time(1) - 1)

    def _fragments(self, size: int, overhead: int) -> Iterator[int]:
        """Payloads of the frames of one sample."""
        room, most = self.said["datagram"] - overhead, self.said["mtu"] - 20
        left = size
        while True:
            datagram = min(left, room) + overhead + 8
            while datagram > most:
                yield most - most % 8 + 20
                datagram -= most - most % 8
            yield datagram + 20
            left -= room
            if left <= 0:
                return

    def _bits(self, payload: int, spared: int = 0) -> int:
        """Of a frame, with what lies before and after it."""
        return 8 * (8 + 14 + 4 * self.said["tagged"] + max(46 - spared, payload) + 4 + 12)

    def _time(self, bits: int) -> int:
        return (bits * _SECOND + self.rate - 1) // self.rate

    def check(self, size: int, priority: int, where: str, plain: bool = False) -> None:
        """Raises where a message is none that the link can send."""
        most = (_EXTENDED if self.extended else _STANDARD) if self.kind == "can" else 7
        if not 0 <= priority <= most:
            raise CertificateError(f"{where}: {priority} is no priority on its link")
        largest = 8 if self.kind == "can" else self.said["mtu"]
        if (plain or self.kind == "can") and size > largest:
            raise CertificateError(f"{where}: is too large for one frame")
        if self.kind == "ethernet" and size >= _MOST_FRAMES * (self.said["mtu"] - 28) // 2:
            raise CertificateError(f"{where}: is too large")


def read_links(value: object) -> dict[str, Link]:
    """All links of a document."""
    found = {}
    for name, item in mapping(value, "media").items():
        found[name] = _link(item, f"media.{shown(name)}")
    return found


def _link(value: object, where: str) -> Link:
    kind = one_of(mapping(value, where).get("kind"), f"{where}.kind", KINDS)
    own = ("identifiers",) if kind == "can" else _PORT
    raw = record(value, where, ("kind", "rate", "frames", *own))
    extended, said = False, {}
    if kind == "can":
        formats = ("standard", "extended")
        extended = one_of(raw["identifiers"], f"{where}.identifiers", formats) == "extended"
    else:
        said = _port(raw, where)
    rate = integer(raw["rate"], f"{where}.rate", 1)
    found = Link(kind, rate, extended, said, {})
    frames = {
        name: _frame(found, each, f"{where}.frames.{shown(name)}")
        for name, each in mapping(raw["frames"], f"{where}.frames").items()
    }
    used = [frame.priority for frame in frames.values()]
    if kind == "can" and len(set(used)) < len(used):
        raise CertificateError(f"{where}.frames: an identifier is used twice")
    return found._replace(frames=frames)


def _port(raw: dict[str, Any], where: str) -> dict[str, int]:
    said = {key: integer(raw[key], f"{where}.{key}") for key in _PORT if key != "tagged"}
    said["tagged"] = int(truth(raw["tagged"], f"{where}.tagged"))
    fits = 68 <= said["mtu"] <= 65_535 and said["best_effort"] <= said["mtu"]
    if not fits or not said["overhead"] < said["datagram"] <= 65_507:
        raise CertificateError(f"{where}: there is no such port")
    return said


def _frame(link: Link, value: object, where: str) -> Frame:
    key = PRIORITIES[link.kind]
    raw = record(value, where, ("size", "arrival", key))
    source = read_arrival(raw["arrival"], f"{where}.arrival")
    if source.kind != "periodic" or source.offset is not None:
        raise CertificateError(f"{where}.arrival: frames are periodic, without an offset")
    size, priority = integer(raw["size"], where), integer(raw[key], where)
    link.check(size, priority, where, plain=True)
    return Frame(size, priority, source)
