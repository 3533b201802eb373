"""Links that several messages share: a bus, or the port of a switch, and what else is on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from ddsrta.base.priorities import Priority, Rank
from ddsrta.base.records import key, keys, record, shape_of, stored
from ddsrta.base.shapes import DURATION, POSITIVE_DURATION, RATE, SIZE, Choice, Text
from ddsrta.base.structures import Contradiction, MapOf
from ddsrta.base.units import Rate, Size, parse_size
from ddsrta.models.arrivals import Periodic
from ddsrta.policies.links import KEYS, LINKS, PRIORITIES
from ddsrta.policies.links.kind import LinkKind, Settings

PRIORITY_KEYS = {name: replace(key, required=False) for name, key in PRIORITIES.items()}
OF_ONE_PUBLICATION = {
    name: replace(key, default=None, meaning=f"{key.meaning}; that of its topic unless given")
    for name, key in PRIORITY_KEYS.items()
}


@record("frame")
class Frame:
    """What is on a link beside messages: of so many bytes, by its period."""

    name: str
    size: Size = key(SIZE, "payload of the frame")
    period: int = key(POSITIVE_DURATION, "its period")
    jitter: int = key(DURATION, "how late it may be queued", default=0)
    min_distance: int = key(DURATION, "the least time between two of them", default=0)
    settings: Mapping[str, int] = keys(PRIORITY_KEYS, default_factory=dict)

    @property
    def arrival(self) -> Periodic:
        """When it is queued."""
        return Periodic(self.period, self.jitter, self.min_distance)

    def contradictions(self, _: Mapping[str, Any]) -> Iterator[Contradiction]:
        """As those of a thread."""
        try:
            assert self.arrival
        except ValueError as error:
            yield Contradiction((), str(error))


@record("shared link", hints={"bitrate": "write 'rate'", "bandwidth": "write 'rate'"})
class Medium:
    """A link by its kind; `given` is what it says for the keys of its kind. What the link does not
    have is that of a thread alone on a core."""

    name: str
    kind: str = key(Choice(tuple(LINKS)), "what it is")
    rate: Rate = key(RATE, "bits that it sends a second")
    given: Settings = keys(KEYS, default_factory=dict)
    frames: Mapping[str, Frame] = key(
        MapOf(shape_of(Frame), name=Text(without="/")),
        "what else it sends, by name",
        default_factory=dict,
    )

    priority = Priority(0)
    partition = reservation = queue = None

    @property
    def core(self) -> str:
        """Where it is, in words.

        >>> Medium("can0", "can", 500_000).core
        'link can0'
        """
        return f"link {self.name}"

    @property
    def rules(self) -> LinkKind:
        """What its kind says."""
        return LINKS[self.kind]

    @property
    def settings(self) -> Settings:
        """What its keys say, with what goes without saying.

        >>> dict(Medium("can0", "can", 500_000).settings)
        {'rate': 500000, 'identifiers': 'standard'}
        """
        usual = {n: _usual(k.default) for n, k in self.rules.keys.items() if k.default is not None}
        return self.rules.filled({"rate": cast(int, self.rate), **usual, **self.given})

    def priority_of(self, settings: Mapping[str, int]) -> int | None:
        """What settings of a topic, publication or frame say, or else its kind, if it does."""
        usual = self.rules.priority_key.default
        return settings.get(self.rules.priority, None if usual is None else int(usual))

    def urgency(self, settings: Mapping[str, int]) -> Rank:
        """How urgent that is there, the smaller the more."""
        return self.rules.urgency(self.priority_of(settings) or 0)

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """What is not for links of its kind, or needed there."""
        alien = f"is not for links of kind {self.kind}"
        for name in self.given.keys() - self.rules.keys.keys():
            yield Contradiction(name, f"'{name}' {alien}")
        for frame in self.frames.values():
            path = ("frames", frame.name)
            for name in frame.settings.keys() - {self.rules.priority}:
                yield Contradiction((*path, name), f"'{name}' {alien}")
            if self.priority_of(frame.settings) is None:
                message = f"'{self.rules.priority}' is missing"
                yield Contradiction(path, message, self.rules.priority_key.meaning)

    def stored(self) -> dict[str, Any]:
        """The document of the link."""
        frames = {
            frame.name: {
                "size": frame.size,
                self.rules.priority: self.priority_of(frame.settings),
                "arrival": stored(frame.arrival),
            }
            for frame in self.frames.values()
        }
        return {"kind": self.kind, **self.settings, "frames": frames}


def _usual(text: str | int) -> int | str | bool:
    """What a default says."""
    if isinstance(text, int) or text in ("true", "false"):
        return text if isinstance(text, int) else text == "true"
    return parse_size(text) if text[0].isdigit() else text
