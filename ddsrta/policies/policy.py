"""What a policy of flow controllers is: all that there is to know of one stands in its file.

A policy says nothing by default: whoever needs what it does not say has to refuse it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from ddsrta.base.priorities import Rank
from ddsrta.policies.relation import Delay, Relation

if TYPE_CHECKING:
    from ddsrta.base.structures import Key


class Argument(NamedTuple):
    """Whether an order always holds: the reason, or else a witness of how it can be broken."""

    holds: bool
    because: str


def kept(because: str) -> Argument:
    """The order always holds."""
    return Argument(True, because)


def broken(because: str) -> Argument:
    """Nothing is known that keeps the order, and this is how it can be broken."""
    return Argument(False, because)


class Sender(NamedTuple):
    """What a flow controller sends of one writer: the priority of its topic (the smaller, the more
    urgent), its place in the file, whether it has a part of the limit, and what the policy's own
    keys say."""

    priority: Rank
    place: int = 0
    reserves: bool = False
    settings: Mapping[str, int] = {}


class Pair(Protocol):
    """Two messages of a publisher through one flow controller, of which the first should leave
    first; the second is of the same job, or of a `later` one. `before`: it is handed over first."""

    @property
    def flow_controller(self) -> str: ...
    @property
    def thread(self) -> str: ...
    @property
    def topics(self) -> tuple[str, str]: ...
    @property
    def senders(self) -> tuple[Sender, Sender]: ...
    @property
    def before(self) -> bool: ...
    @property
    def later(self) -> bool: ...
    @property
    def in_program(self) -> bool: ...
    def queues(self) -> list[tuple[str, int]]: ...
    def second_waits_for_job(self) -> bool: ...
    def published_first(self) -> str: ...
    def why_it_waits(self) -> str: ...


class Policy(ABC):
    """The order in which a flow controller sends what waits."""

    name: ClassVar[str]
    topic_keys: ClassVar[Mapping[str, Key]] = {}  # in system.yaml, beside those that all have
    publication_keys: ClassVar[Mapping[str, Key]] = {}
    by_priority: ClassVar[bool] = False  # whether it looks at priorities of topics
    among_equals: ClassVar[str] = "nothing says which goes first"  # where these are the same
    keeps_order: ClassVar[bool] = False  # whether it is proposed for messages in order
    of_fast_dds: ClassVar[bool] = True  # whether Fast DDS has it
    by_writer: ClassVar[bool] = False  # whether each writer has a queue
    reserves: ClassVar[bool] = False  # whether writers may have a part of the limit
    published: ClassVar[bool] = False  # whether the published analysis knows it
    # How other threads of the same priority on the core delay it: what they have pending when a
    # window opens counts, unless one opens only where the whole queue is empty (OVERTAKES).
    peers: ClassVar[Delay] = Delay.LINGERS
    serves: ClassVar[int]  # the order of service in the simulator

    @abstractmethod
    def relate(self, senders: Sequence[Sender]) -> list[list[Relation]]:
        """The relations of each to the others, by number; the most urgent topic comes first."""

    @abstractmethod
    def queue(self, sender: Sender) -> int:
        """Senders of the same number wait in one queue, of the room that `queue:` says; of what
        could go as well the simulator takes the least."""

    def due(self, sender: Sender) -> int:
        """How long after it was handed over a sample is due, where the simulator asks for that."""
        return 0

    def weight(self, sender: Sender) -> int:
        """How many samples a turn sends, in the simulator."""
        return 1

    def holds_before(self, other: Sender, own: Sender) -> bool:
        """Whether a sample of another writer may go before one though that would go before it, if
        both waited: as it was chosen, or gathered, before."""
        return True

    def leaves_first(self, pair: Pair) -> Argument:
        """Whether the first of two messages of a publisher always leaves before the second."""
        controller = pair.flow_controller
        return broken(f"nothing is known of the order in which {controller} sends ({self.name})")
