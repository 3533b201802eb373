"""What all federates of a run share: the world around them, and who coordinates them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.tags import Tag
from ddsrta.lf.run.simulation.agenda import Agenda
from ddsrta.lf.run.simulation.choices import Choices
from ddsrta.lf.run.simulation.seen import Seen

Origins = Mapping[str, int]  # of each chain, the time of the tag at which it began
Job = str | int  # a reaction, or the sending over a connection


class Coordination:
    """Who tells when a tag may start, and carries messages: by itself nobody does."""

    def when(self, federate: str, tag: Tag) -> int | None:
        """From when on (in common time) a tag may start, if that is known by now."""
        raise NotImplementedError

    def opened(self, federate: str, tag: Tag) -> Iterable[int]:
        """The inputs whose status is not known at the start of a tag."""
        return ()

    def send(self, connection: int, tag: Tag, origins: Origins) -> None:
        """Hand over a message of a tag (before `after`)."""
        raise NotImplementedError

    def reached(self, federate: str, level: int) -> None:
        """Reactions below this level are done at the tag."""

    def completed(self, federate: str, tag: Tag) -> None:
        """A tag is done."""

    def outer(self, name: str) -> None:
        """An event of the outer world has come."""


@dataclass
class World:
    """What all federates of a run share."""

    federation: Federation
    agenda: Agenda
    choices: Choices
    seen: Seen
    clocks: Mapping[str, int]
    horizon: int
    ranks: Mapping[str, int]
