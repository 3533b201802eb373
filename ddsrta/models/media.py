"""Links that several messages share: a bus, or the port of a switch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ddsrta.base.frozen import frozen
from ddsrta.models.arrivals import Periodic
from ddsrta.policies.links import LINKS
from ddsrta.policies.links.kind import LinkKind, Settings


@frozen
class Frame:
    """What is on a link beside messages: of so many bytes, by its period."""

    name: str
    size: int
    priority: int
    arrival: Periodic


@frozen
class Medium:
    """A link by its kind; `settings` is what the keys of the kind say, with the `rate`. What the
    link does not have is that of a thread alone on a core."""

    name: str
    kind: str
    settings: Settings = field(default_factory=dict, hash=False)
    frames: Mapping[str, Frame] = field(default_factory=dict, hash=False)

    priority = 0
    partition = reservation = queue = None

    @property
    def core(self) -> str:
        """Where it is, in words.

        >>> Medium("can0", "can").core
        'link can0'
        """
        return f"link {self.name}"

    @property
    def rules(self) -> LinkKind:
        """What its kind says."""
        return LINKS[self.kind]
