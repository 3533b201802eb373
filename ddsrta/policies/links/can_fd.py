"""can_fd: a CAN bus with a second bit rate (ISO 11898-1:2015), and the arbitration of `can`.

A frame of up to 64 bytes is padded to 0 … 8, 12, 16, 20, 24, 32, 48 or 64. Its first h bits (17, of
extended identifiers 36) are sent at `rate`, as are the bits from the end of the checksum on (15, of
which two are for receivers that acknowledge late). Between them, at `data_rate`, are d bits: 5 of
control, the payload, a stuff count of 4, a checksum of 17 (above 16 bytes 21) and its 6 (7) fixed
stuff bits. All before the stuff count may be stuffed, ⌊(h + 4 + 8s) / 4⌋ bits in all, of which
⌊(h − 1) / 4⌋ take the longer time. At least, nothing is stuffed, nobody acknowledges late, the bits
in which the rate is switched take the shorter time, and the next frame starts in the third of the
bits between frames.

Bits of a frame: those of `can_frame_bits` in Linux (include/linux/can/length.h).
"""

from __future__ import annotations

from bisect import bisect_left
from typing import ClassVar

from ddsrta.base.shapes import RATE
from ddsrta.base.structures import Key
from ddsrta.policies.links.can import Can
from ddsrta.policies.links.kind import Settings

SIZES = (*range(9), 12, 16, 20, 24, 32, 48, 64)
CONTROL, COUNT = 5, 4  # after the switch of the rate: ESI and the length; of stuff bits
END, LATE = 13, 2  # bits from the checksum to the next frame, and of late acknowledgement
ARBITRATION = {"standard": 17, "extended": 36}


class CanFd(Can):
    """Frames of at most 64 bytes, by identifier."""

    name = "can_fd"
    keys: ClassVar = {
        **Can.keys,
        "data_rate": Key(
            RATE, "bits that it sends a second after the arbitration (`rate`, if missing)"
        ),
    }
    assumption = (
        "nothing else is sent on it, no frame is disturbed and sent again, all are FD frames that "
        "switch to the data rate, and each node has its most urgent frame ready for each "
        "arbitration"
    )

    def unfit(self, settings: Settings, size: int, raw: bool) -> str | None:
        if settings["data_rate"] < settings["rate"]:  # type: ignore[operator]
            return "its 'data_rate' is below its 'rate'"
        if size <= SIZES[-1]:
            return None
        return f"a CAN FD frame holds {SIZES[-1]} B, and segments of {size} B are not modelled"

    def bits(self, settings: Settings, size: int, raw: bool, least: bool) -> list[int]:
        """Both kinds, in units of which `speed` go into a second.

        >>> fast = {"rate": 500_000, "data_rate": 2_000_000, "identifiers": "standard"}
        >>> CanFd().load(fast, 64, True)
        Load(frames=1, worst=411000, best=329500, longest=411000)
        """
        head = ARBITRATION[str(settings["identifiers"])]
        data = CONTROL + 8 * SIZES[bisect_left(SIZES, size)]
        stuffed = (head + data - 1) // 4
        slow = (head - 1) // 4
        checksum = 17 if data <= CONTROL + 8 * 16 else 21
        fast = data + COUNT + checksum + 1 + (COUNT + checksum) // 4
        nominal = head + slow + END + LATE
        if least:
            nominal, stuffed, slow, fast = head - 1 + END - 2, 0, 0, fast + 2
        rate, data_rate = int(settings["rate"]), int(settings["data_rate"])
        return [nominal * data_rate + (fast + stuffed - slow) * rate]

    def speed(self, settings: Settings) -> int:
        return int(settings["rate"]) * int(settings["data_rate"])

    def filled(self, settings: Settings) -> Settings:
        return {"data_rate": settings["rate"], **settings}
