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

KINDS = ("can", "can_fd", "ethernet")
PRIORITIES = {"can": "can_id", "can_fd": "can_id", "ethernet": "pcp"}
_LARGEST = {"can": 8, "can_fd": 64}
_SECOND = 10**9
_STANDARD, _EXTENDED = 2**11 - 1, 2**29 - 1
_PORT = ("mtu", "tagged", "overhead", "datagram", "best_effort")
_OWN = {"can": ("identifiers",), "can_fd": ("identifiers", "data_rate"), "ethernet": _PORT}
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

    @property
    def is_bus(self) -> bool:
        """Whether frames have identifiers, which each sender has for itself."""
        return self.key == "can_id"

    def on(self, size: int, priority: int, plain: bool = False) -> OnLink:
        """Messages of so many bytes; `plain` are frames without middleware."""
        if self.is_bus:
            found = self._flexible(size) if self.kind == "can_fd" else self._classical(size)
            return OnLink(priority, 1, *found, found[0], self._time(4), self._time(1) - 1)
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
        if self.is_bus:
            return below + self._time(1) - 1
        best_effort = self.said["best_effort"]
        return max(below, self._time(self._bits(best_effort)) if best_effort else 0)

    def _classical(self, size: int) -> tuple[int, int]:
        """8 bits a byte; start, identifier and control; checksum of 15: all that may be stuffed.
        At least, the last of the bits between frames is the first of the next one."""
        open_bits = (1 + 32 + 6 if self.extended else 1 + 12 + 6) + 15 + 8 * size
        tail = 1 + 2 + 7 + 3  # delimiter, acknowledgement, end, between frames
        worst = self._time(open_bits + (open_bits - 1) // 4 + tail)
        return worst, (open_bits + tail - 1) * _SECOND // self.rate

    def _flexible(self, size: int) -> tuple[int, int]:
        """FD frames: up to the bit in which the rate is switched, and from the delimiter of the
        checksum on, at the one rate, else at the other. Delimiter and acknowledgement may be a bit
        longer each."""
        steps = [*range(9), 12, 16, 20, 24, 32, 48, 64]
        payload = 8 * min(step for step in steps if step >= size)
        first = 1 + (32 + 2 if self.extended else 12 + 3)  # start, identifier, control
        middle = 1 + 4 + payload  # error state, length
        check = 4 + (17 if payload <= 128 else 21)
        check += 1 + check // 4  # fixed stuff bits: before it, and after each four
        last = 1 + 1 + 7 + 3  # acknowledgement, end, between frames
        stuff, early = (first + 1 + middle - 1) // 4, first // 4
        slow, fast = first + 1 + early + 2 + 1 + last, middle + stuff - early + check
        rates = self.rate, self.said["data_rate"]
        units = (slow * rates[1] + fast * rates[0]) * _SECOND
        least = ((first + last - 1) * rates[1] + (1 + middle + check + 1) * rates[0]) * _SECOND
        return -(-units // (rates[0] * rates[1])), least // (rates[0] * rates[1])

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
        most = (_EXTENDED if self.extended else _STANDARD) if self.is_bus else 7
        if not 0 <= priority <= most:
            raise CertificateError(f"{where}: {priority} is no priority on its link")
        largest = _LARGEST.get(self.kind) or self.said["mtu"]
        if (plain or self.is_bus) and size > largest:
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
    raw = record(value, where, ("kind", "rate", "frames", *_OWN[kind]))
    extended, said = False, {}
    rate = integer(raw["rate"], f"{where}.rate", 1)
    if "identifiers" in raw:
        formats = ("standard", "extended")
        extended = one_of(raw["identifiers"], f"{where}.identifiers", formats) == "extended"
        if kind == "can_fd":
            said = {"data_rate": integer(raw["data_rate"], f"{where}.data_rate", rate)}
    else:
        said = _port(raw, where)
    found = Link(kind, rate, extended, said, {})
    frames = {
        name: _frame(found, each, f"{where}.frames.{shown(name)}")
        for name, each in mapping(raw["frames"], f"{where}.frames").items()
    }
    used = [frame.priority for frame in frames.values()]
    if found.is_bus and len(set(used)) < len(used):
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
