"""What a run of a federation shows. Nothing in here is a bound: a longer run may show more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ddsrta.lf.run.traces.samples import Samples

RTI = "rti"


@dataclass(frozen=True)
class ReactionSeen:
    """A reaction, by the name of its reactor in the trace and its number in it.

    `launch`: from the start of the tag's processing to the start of the reaction. `lags`: from the
    time of the tag to the start. `unfinished`: how long one had run when the trace ended.
    """

    reactor: str
    number: int
    durations: Samples
    launch: Samples
    lags: Samples
    deadline: int | None = None
    missed: int = 0
    unfinished: int | None = None


@dataclass(frozen=True)
class FederateSeen:
    """A federate, or a program that is no federation.

    `lags`: from the time of each tag to the start of its processing, and `spans` from there to its
    completion; `dispatch` is from when nothing was missing (its time, the completion of the tag
    before, the last grant or message) to its start, and `besides` the part of a span in which no
    reaction of the program ran, nor one that sends. None of them where enclaves share the file.
    `by_tag` has time, microstep and lag of each. `tardy` counts messages that came too late.
    """

    name: str
    number: int
    tags: int
    reactions: Mapping[tuple[str, int], ReactionSeen]
    lags: Samples
    spans: Samples
    dispatch: Samples
    by_tag: tuple[tuple[int, int, int], ...]
    counts: Mapping[str, int]
    tardy: int = 0
    enclaves: bool = False
    besides: Samples = field(default_factory=Samples)

    def alone(self) -> list[int]:
        """Lags of tags that cannot have waited for the tag before; the start need not be there."""
        longest, found = self.spans.most or 0, list[int]()
        before = 0 if self.by_tag and self.by_tag[0][0] else None
        for time, _, lag in self.by_tag:
            if before is None or before + longest <= time:
                found.append(lag)
            before = time + lag
        return found


@dataclass(frozen=True)
class HopSeen:
    """Messages of a kind from one process to another: from before the write to the receipt.

    The RTI notes a receipt once it has its lock. `network`: from the start of the reaction that
    sent, for messages of federates.
    """

    kind: str
    sender: str
    receiver: str
    latency: Samples
    network: Samples = field(default_factory=Samples)
    unmatched: int = 0


@dataclass(frozen=True)
class RtiSeen:
    """The RTI: `service` is from the last receipt before to the sending, for each kind it sends."""

    counts: Mapping[str, int]
    service: Mapping[str, Samples]


@dataclass(frozen=True)
class RunSeen:
    """A run. `tags`: at how many the federate with the most of them ran reactions."""

    federates: Mapping[str, FederateSeen]
    hops: tuple[HopSeen, ...]
    tags: int
    rti: RtiSeen | None = None

    def hop(self, kind: str, upward: bool) -> Samples:
        """All messages of a kind to the RTI, or from it."""
        side = [hop.receiver if upward else hop.sender for hop in self.hops]
        chosen = zip(self.hops, side, strict=True)
        return Samples(
            time for hop, end in chosen if hop.kind == kind and end == RTI for time in hop.latency
        )

    def between(self, sender: str, receiver: str, kind: str) -> HopSeen | None:
        """The messages of a kind from one process to another."""
        wanted = (sender, receiver, kind)
        return next((h for h in self.hops if (h.sender, h.receiver, h.kind) == wanted), None)

    def per_tag(self, event: str) -> Fraction:
        """How many events of a kind the RTI notes for each tag."""
        if self.rti is None or not self.tags:
            return Fraction(0)
        return Fraction(self.rti.counts.get(event, 0), self.tags)
