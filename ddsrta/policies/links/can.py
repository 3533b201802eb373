"""can: a CAN bus (ISO 11898-1, classical frames). Of all frames that wait the least identifier wins
the arbitration; each node has its most urgent frame ready.

A frame of s bytes is g + 8s + 13 bits, of which g + 8s may get a stuff bit after each four: at most
g + 8s + 13 + ⌊(g + 8s − 1) / 4⌋ bits (g is 34, of extended identifiers 54), the three bits between
frames included, and g + 8s + 12 at least: a node may take the third for the start of a frame.
Before z starts (S, after the window opened) there is one frame less urgent that has begun (B), and
more urgent ones that come up to a bit later: nodes need not see the start of the arbitration at the
same time. S ≥ B + (q − 1)·C_z + Σ η_k(S + bit)·C_k: the kernel searches S + bit, and the bit is
taken off again at the end.

R. I. Davis, A. Burns, R. J. Bril, J. J. Lukkien, "Controller Area Network (CAN) schedulability
analysis: Refuted, revisited and revised", Real-Time Systems 35, 2007.
"""

from __future__ import annotations

from typing import ClassVar

from ddsrta.base.priorities import Rank
from ddsrta.base.shapes import Choice, Integer
from ddsrta.base.structures import Key
from ddsrta.policies.links.kind import LinkKind, Settings, bits_time

FORMATS = {"standard": (34, (1 << 11) - 1), "extended": (54, (1 << 29) - 1)}  # g, identifiers
MOST_BYTES = 8
TAIL = 4  # bits before the end at which a receiver takes a frame as valid


class Can(LinkKind):
    """Frames of at most 8 bytes, by identifier."""

    name = "can"
    keys: ClassVar = {
        "identifiers": Key(
            Choice(tuple(FORMATS)),
            "those of all frames: `standard` ones of 11 bits, or `extended` ones of 29",
            default="standard",
        ),
    }
    priority = "can_id"
    priority_key: ClassVar = Key(
        Integer(0, (1 << 29) - 1), "CAN identifier; the smaller is the more urgent", required=True
    )
    unique = True
    fastest = 1_000_000
    assumption = (
        "nothing else is sent on it, no frame is disturbed and sent again, and each node has its "
        "most urgent frame ready for each arbitration"
    )

    def unfit(self, settings: Settings, size: int, raw: bool) -> str | None:
        if size <= MOST_BYTES:
            return None
        return f"a CAN frame holds {MOST_BYTES} B, and how {size} B are segmented is not modelled"

    def bits(self, settings: Settings, size: int, raw: bool, least: bool) -> list[int]:
        """With all that may be stuffed; without, and with the next frame in the third of the bits
        between frames.

        >>> Can().load({"rate": 125_000, "identifiers": "standard"}, 7, True)
        Load(frames=1, worst=1000000, best=816000, longest=1000000)
        """
        open_bits = FORMATS[str(settings["identifiers"])][0] + 8 * size
        return [open_bits + 13 + (-1 if least else (open_bits - 1) // 4)]

    def urgency(self, priority: int) -> Rank:
        return Rank(priority)

    def most(self, settings: Settings) -> int:
        return FORMATS[str(settings["identifiers"])][1]

    def early(self, settings: Settings) -> int:
        return bits_time(1, int(settings["rate"])) - 1

    def soonest(self, settings: Settings) -> int:
        return bits_time(TAIL, int(settings["rate"]))
