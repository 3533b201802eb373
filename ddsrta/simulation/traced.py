"""What a reader of traces remembers: units of work that are pending, and flows on their way."""

from __future__ import annotations

from ddsrta.simulation.timeline import NONE, Stop


class Unit:
    """A unit of work that is pending."""

    __slots__ = ("arrival", "begun", "core", "number", "runs", "since", "stage", "waiting")

    def __init__(self, stage: int, number: int, arrival: int) -> None:
        self.stage = stage
        self.number = number
        self.arrival = arrival
        self.begun = False
        self.core = NONE  # where it was last seen
        self.runs = NONE  # since when
        self.since = arrival
        self.waiting: list[tuple[Travel, int, int]] = []  # stops without a span yet


class Travel:
    """A flow that goes on: stops are filled in as the spans that they are in end."""

    __slots__ = ("hop", "missing", "number", "received", "sent", "source", "stops", "stream")

    def __init__(self, hop: int, stream: int, number: int, source: int, stops: int) -> None:
        self.hop = hop
        self.stream = stream
        self.number = number
        self.source = source
        self.sent = self.received = NONE
        self.stops: list[Stop | None] = [None] * stops
        self.missing = stops
