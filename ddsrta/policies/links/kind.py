"""What a kind of link is: all that there is to know of one stands in its file.

A link sends one frame at a time, of those that wait the most urgent first, equals by arrival; what
has begun ends. A message may be several frames: more urgent ones go between them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ddsrta.base.priorities import Rank
from ddsrta.base.units import Size
from ddsrta.policies.relation import Delay, Relation, span
from ddsrta_simulator.orders import URGENCY

if TYPE_CHECKING:
    from ddsrta.base.structures import Key

Settings = Mapping[str, int | str | bool]  # what the keys of a link say, with its `rate`
SECOND = 1_000_000_000


class Load(NamedTuple):
    """A message on a link: its frames, what they take in all at most and at least, and the longest
    of them alone, in ns."""

    frames: int
    worst: int
    best: int
    longest: int


class Sent(NamedTuple):
    """Messages of one stream: the smaller the number, the more urgent."""

    urgency: Rank
    load: Load


class LinkKind(ABC):
    """How the messages of a link delay each other."""

    name: ClassVar[str]
    keys: ClassVar[Mapping[str, Key]] = {}  # in system.yaml, beside those that all links have
    priority: ClassVar[str]  # the key of a topic, publication or frame that says how urgent it is
    priority_key: ClassVar[Key]
    unique: ClassVar[bool] = False  # no two senders use the same priority
    assumption: ClassVar[str]  # what has to be true of a link
    fastest: ClassVar[int] = 0  # the largest rate that there is, if there is one
    serves: ClassVar[int] = URGENCY  # the order of service in the simulator

    @abstractmethod
    def unfit(self, settings: Settings, size: int, raw: bool) -> str | None:
        """Why a message of so many bytes is not modelled, if it is not; `raw` is a frame that no
        middleware sends."""

    @abstractmethod
    def bits(self, settings: Settings, size: int, raw: bool, least: bool) -> list[int]:
        """Of each frame of a message of so many bytes of payload, with what lies between frames:
        at least or at most."""

    def speed(self, settings: Settings) -> int:
        """How many of these bits it sends in a second."""
        return int(settings["rate"])

    def load(self, settings: Settings, size: Size, raw: bool) -> Load:
        """What a message of so many bytes of payload is on the link."""
        rate, bits = self.speed(settings), self.bits(settings, int(size), raw, False)
        best = sum(self.bits(settings, int(size), raw, True)) * SECOND // rate
        return Load(len(bits), bits_time(sum(bits), rate), best, bits_time(max(bits), rate))

    def frames(self, settings: Settings, size: Size, raw: bool) -> list[tuple[int, int]]:
        """What each frame takes at least and at most, in ns: together within the load."""
        rate, bits = self.speed(settings), self.bits(settings, int(size), raw, False)
        least = self.bits(settings, int(size), raw, True)
        if len(least) < len(bits):
            least = bits
        ends = [bits_time(end, rate) for end in accumulate(bits, initial=0)]
        spared = [(m - n) * SECOND // rate for m, n in zip(bits, least, strict=True)]
        worst = [end - begin for begin, end in pairwise(ends)]
        return [(w - s, w) for w, s in zip(worst, spared, strict=True)]

    @abstractmethod
    def urgency(self, priority: int) -> Rank:
        """The smaller, the more urgent."""

    def filled(self, settings: Settings) -> Settings:
        """With what follows from the rest where it is not given."""
        return settings

    def most(self, settings: Settings) -> int:
        """The largest value of the priority."""
        return int(getattr(self.priority_key.shape, "most", 0))

    def begun(self, settings: Settings) -> int:
        """The longest frame that it may send beside all that is listed."""
        return 0

    def first(self, settings: Settings, below: Sequence[Load]) -> int:
        """What comes once before a message, given what is less urgent: a frame that has begun."""
        longest = max([self.begun(settings), *(load.longest for load in below)])
        return longest + self.early(settings)

    def early(self, settings: Settings) -> int:
        """How long before the end of its window a message is received for certain."""
        return 0

    @abstractmethod
    def soonest(self, settings: Settings) -> int:
        """How long before the end of its last frame a message may be received."""

    def relate(self, sent: Sequence[Sent]) -> list[list[Relation]]:
        """The relations of each to the others, by number; the most urgent comes first. Single
        frames are overtaken until they begin, several up to the last of them.

        >>> from ddsrta.policies.links.can import Can
        >>> one = Load(1, 5, 5, 5)
        >>> [r.kind == Delay.OVERTAKES for r in Can().relate([Sent(0, one), Sent(1, one)])[1]]
        [True]
        """
        urgencies = [each.urgency for each in sent]
        relations = []
        for urgency, load in sent:
            first, last = bisect_left(urgencies, urgency), bisect_right(urgencies, urgency)
            relations.append(
                span(Delay.OVERTAKES if load.frames == 1 else Delay.PREEMPTS, 0, first)
                + (span(Delay.AHEAD, first, last) if last - first > 1 else [])
            )
        return relations


def bits_time(bits: int, rate: int) -> int:
    """How long so many bits take, rounded up.

    >>> bits_time(135, 500_000), bits_time(1, 3_000_000_000)
    (270000, 1)
    """
    return -(-bits * SECOND // rate)
