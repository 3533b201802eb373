"""What a kind of executors is: all that there is to know of one stands in its file.

A kind says nothing by default: whoever needs what it does not say has to refuse it. How its thread
takes callbacks is a service, which kinds may share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal, NamedTuple, get_args

from ddsrta.base.priorities import ALIKE, Priority, Rank
from ddsrta.policies.relation import Delay, Relation
from ddsrta.ros2.entities import Described, Entity, Release

ANYWHERE = -1  # the turn of what may be looked at before and after everything
WAITABLE: Entity = "waitable"
Window = Literal["rounds", "queue", "priorities", "busy window", "pool"]
Key = tuple[str, ...]  # ("job", t), or ("direct", t) of what messages from its process release


class Turn(NamedTuple):
    """When a callback is looked at in a round, and its priority, the smaller the more urgent; an
    inline one runs in the turn of another, perhaps `often` in one round. A timer may wait for a
    thread that watches it."""

    turn: int
    inline: bool = False
    often: bool = False
    timer: bool = False
    priority: Rank = ALIKE


class Waiting(NamedTuple):
    """Jobs that wait in the simulator, as an entity of some kind or (None) of an unknown one."""

    key: Key
    entity: Entity | None
    urgency: Priority = Priority(0)


class Queue(NamedTuple):
    """`turn`: the smaller, the earlier in a round; `late`: it is looked at again in its turn."""

    turn: int
    late: bool
    keys: tuple[Key, ...]


class Decisions(NamedTuple):
    """What is open about an executor: see `Program.server_turns` and those after it."""

    turns: bool = False
    poll: bool = False
    late: bool = False
    pick: bool = False


class Service(ABC):
    """How a thread takes the callbacks that wait for it."""

    takes: ClassVar[str]  # for people
    window: ClassVar[Window] = "busy window"  # that bounds a callback
    serves: ClassVar[int]  # the order of service in the simulator
    peers: ClassVar[Delay] = Delay.LINGERS  # as of a policy
    in_rounds: ClassVar[bool] = False  # whether the turns of entities count

    @abstractmethod
    def relate(self, turns: Sequence[Turn]) -> list[list[Relation]]:
        """The relations of each callback to the others, by number; they are sorted by priority."""

    @abstractmethod
    def queues(self, waiting: Sequence[Waiting]) -> list[Queue]:
        """The queues in the simulator, in the order in which it asks them."""

    def decisions(self, queues: Sequence[Queue]) -> Decisions:
        """What a run may choose, of queues beside that of inline callbacks."""
        return Decisions()


class Kind(ABC):
    """Which callback an executor serves next, and what may be asked of it."""

    name: ClassVar[str]
    of_rclcpp: ClassVar[bool] = False
    releases: ClassVar[tuple[Release, ...]] = get_args(Release)  # of rclcpp that have it
    one_thread: ClassVar[str] = ""  # why, where rclcpp's may have several
    several_threads: ClassVar[bool] = False  # on one core, or pinned to several
    by_priority: ClassVar[bool] = False  # whether callbacks have priorities
    timers_thread: ClassVar[bool] = False  # whether a thread of its own watches its timers
    timers_made_early: ClassVar[bool] = False  # whether it makes that one before it spins
    takes_locks: ClassVar[bool] = False  # whether callbacks may publish by a Fast DDS with locks
    intra_process: ClassVar[bool] = False  # whether messages in its process need no middleware
    published: ClassVar[bool] = False  # whether the published analysis knows it
    entities: ClassVar[tuple[Entity, ...]] = (
        "timer",
        "subscription",
        "service",
        "client",
        WAITABLE,
    )  # in the order in which it looks at them, where it does; none: kinds have no order

    @abstractmethod
    def service(self, executor: Described) -> Service:
        """How it takes callbacks."""

    def turn(self, entity: Entity) -> int:
        """The smaller, the earlier in a round. An inline callback runs in the turn of the
        subscription that completes its set of messages."""
        looked_at: Entity = "subscription" if entity == "inline" else entity
        return self.entities.index(looked_at) if self.entities else 0

    @classmethod
    def has_one_thread(cls, asked_by: str) -> tuple[str, str]:
        """What to say of several threads, asked for by 'threads' or 'cores', and what to do."""
        rather = "write 'core'" if asked_by == "cores" else "leave 'threads' out"
        what = f"an executor of kind '{cls.name}' has one thread"
        return what, cls.one_thread or f"{rather}, or make it multi_threaded"

    def spins(self, executor: Described) -> bool:
        """Whether an idle thread may find no rest while a mutually exclusive group is busy."""
        return False

    def keeps_wait_set(self, executor: Described) -> bool:
        """Whether a group that was busy is waited for again only once a trigger says so."""
        return False
