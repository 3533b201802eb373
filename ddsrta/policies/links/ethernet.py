"""ethernet: the port of an Ethernet switch, or of a machine, with strict priority (IEEE 802.1Q).

A frame takes 8 bytes of preamble, 14 of header, 4 of tag (if `tagged`), its payload of 46 to `mtu`,
4 of checksum, and 12 between frames. A sample is one UDP datagram for each `datagram` bytes, with
`overhead` bytes of the middleware and 8 of UDP; the datagram is IP fragments of 20 bytes of header
and a multiple of 8 bytes. All frames of a sample wait one behind the other.

Each `pcp` is a class of its own. A switch may have fewer, or take 1 for less urgent than 0, as IEEE
802.1Q recommends: then write the number of the class that it puts these frames in.

Before the last frame of z starts there is one frame less urgent that has begun (B), of the classes
below or best effort, what is as urgent and came no later, and what is more urgent and comes before
z starts, if z is one frame; else before it ends, which is more than can be.
"""

from __future__ import annotations

from typing import ClassVar

from ddsrta.base.priorities import Rank
from ddsrta.base.shapes import SIZE, Flag, Integer
from ddsrta.base.structures import Key
from ddsrta.policies.links.kind import LinkKind, Settings, bits_time

PREAMBLE, HEADER, TAG, CHECKSUM, GAP = 8, 14, 4, 4, 12
LEAST_PAYLOAD = 46
IP, UDP = 20, 8
LEAST_MTU, MOST_MTU, MOST_DATAGRAM = 68, 65_535, 65_507
MOST_FRAMES = 100_000


class Ethernet(LinkKind):
    """Frames by their class (PCP), the highest first."""

    name = "ethernet"
    keys: ClassVar = {
        "mtu": Key(SIZE, "the largest payload of a frame", default="1500 B"),
        "tagged": Key(Flag(), "frames have a tag of 4 bytes (802.1Q)", default="true"),
        "overhead": Key(
            SIZE, "what the middleware adds to each datagram of a sample", default="256 B"
        ),
        "datagram": Key(SIZE, "payload of the largest UDP datagram", default="65500 B"),
        "best_effort": Key(
            SIZE,
            "payload of the largest frame that is less urgent than all that is listed here "
            "(`mtu`, if missing)",
        ),
    }
    priority = "pcp"
    priority_key: ClassVar = Key(
        Integer(0, 7), "class of an Ethernet frame; the bigger is the more urgent", default=0
    )
    assumption = (
        "whenever a frame has been sent it takes one of the largest 'pcp' that waits (1 before 0, "
        "too), beside what is listed it sends only what is less urgent than all of that and no "
        "larger than 'best_effort', and the frames of a message wait one behind the other from "
        "when its sending ends"
    )

    def unfit(self, settings: Settings, size: int, raw: bool) -> str | None:
        mtu, datagram = int(settings["mtu"]), int(settings["datagram"])
        if not LEAST_MTU <= mtu <= MOST_MTU:
            return f"an mtu of {mtu} B is not within {LEAST_MTU} … {MOST_MTU} B"
        if int(settings["best_effort"]) > mtu:
            return f"a best-effort frame is larger than the mtu of {mtu} B"
        if not int(settings["overhead"]) < datagram <= MOST_DATAGRAM:
            return f"a datagram of {datagram} B is not within its overhead … {MOST_DATAGRAM} B"
        if raw:
            return f"the frame is larger than the mtu of {mtu} B" if size > mtu else None
        if size // _fragment(mtu - IP) + size // _room(settings) >= MOST_FRAMES:
            return f"it is more than {MOST_FRAMES} frames"
        return None

    def bits(self, settings: Settings, size: int, raw: bool, least: bool) -> list[int]:
        """Of all frames with what lies between them; at least, nothing is of the middleware.

        >>> port = {"rate": 100_000_000, "mtu": 1500, "tagged": True, "overhead": 0,
        ...         "datagram": 65_500, "best_effort": 1500}
        >>> Ethernet().load(port, 1500, True), Ethernet().load(port, 3000, False).frames
        (Load(frames=1, worst=123360, best=123360, longest=123360), 3)
        """
        overhead = 0 if least else int(settings["overhead"])
        payloads = [size] if raw else self._payloads(settings, size, overhead)
        return [8 * self._bytes(settings, payload, least) for payload in payloads]

    def filled(self, settings: Settings) -> Settings:
        return {"best_effort": settings["mtu"], **settings}

    def urgency(self, priority: int) -> Rank:
        return Rank(-priority)

    def begun(self, settings: Settings) -> int:
        other = int(settings["best_effort"])
        return bits_time(8 * self._bytes(settings, other), int(settings["rate"])) if other else 0

    def soonest(self, settings: Settings) -> int:
        return bits_time(8 * GAP, int(settings["rate"]))

    def _payloads(self, settings: Settings, size: int, overhead: int) -> list[int]:
        """Of the frames of a sample, with so much of the middleware in each datagram."""
        room, most = int(settings["datagram"]) - overhead, int(settings["mtu"]) - IP
        found = []
        for start in range(0, max(size, 1), room):
            rest = min(room, size - start) + overhead + UDP
            while rest > most:
                found.append(IP + _fragment(most))
                rest -= _fragment(most)
            found.append(IP + rest)
        return found

    def _bytes(self, settings: Settings, payload: int, least: bool = False) -> int:
        """Of a frame on the wire; with a tag, some pad to less."""
        tag = TAG if settings["tagged"] else 0
        padded = max(payload, LEAST_PAYLOAD - (tag if least else 0))
        return PREAMBLE + HEADER + tag + padded + CHECKSUM + GAP


def _room(settings: Settings) -> int:
    """Payload of the middleware in a datagram."""
    return int(settings["datagram"]) - int(settings["overhead"])


def _fragment(most: int) -> int:
    """What a fragment holds that is not the last."""
    return most // 8 * 8
