"""ROS 2 executors: threads that serve callbacks, and the order in which they look at them."""

from __future__ import annotations

from typing import Literal

from ddsrta.base.frozen import frozen
from ddsrta.models.supplies import Reservation

ExecutorKind = Literal["single_threaded", "multi_threaded", "events", "static", "fixed_priority"]
Entity = Literal["timer", "subscription", "service", "client", "waitable", "inline"]
Release = Literal["humble", "iron", "jazzy", "rolling"]
TurnOrder = Literal["unknown", "registered"]

# The kinds of entities in the order in which an executor looks at what is ready. An inline callback
# runs in the turn of the subscription that completes its set of messages.
_TURNS: dict[Entity, int] = {
    "timer": 0,
    "inline": 1,
    "subscription": 1,
    "service": 2,
    "client": 3,
    "waitable": 4,
}
_STATIC_TURNS: dict[Entity, int] = {**_TURNS, "inline": 0, "subscription": 0, "timer": 1}


@frozen
class Process:
    """An operating-system process, one participant: all its readers share one listener."""

    name: str
    listener: str
    intra_process: bool = False


@frozen
class Executor:
    """A thread (or several, of one priority) that serves callbacks. The threads are all on `core`,
    or one on each of several `cores`, of which that is the first.

    `order` says whether callbacks of one kind are looked at in the order of the file or in one that
    nobody knows; `release` is that of rclcpp, None for any.
    """

    name: str
    core: str
    priority: int
    kind: ExecutorKind = "single_threaded"
    threads: int = 1
    order: TurnOrder = "unknown"
    release: Release | None = None
    partition: str | None = None
    reservation: Reservation | None = None
    process: str | None = None
    cores: tuple[str, ...] = ()

    @property
    def is_pool(self) -> bool:
        """Whether its threads are on several cores.

        >>> Executor("x", "m/c", 50, "multi_threaded", cores=("m/c", "m/d")).is_pool
        True
        """
        return len(self.cores) > 1

    @property
    def works_in_rounds(self) -> bool:
        """Whether it looks for work only when all that it had found is done, and then takes one
        message of each entity. Which a static executor does, depends on the release.

        >>> Executor("x", "m/c", 50, kind="static", release="humble").works_in_rounds
        True
        """
        if self.kind == "static":
            return self.release in ("humble", "iron")
        return self.kind == "single_threaded"

    def turn(self, entity: Entity) -> int:
        """The smaller, the earlier in a round.

        >>> Executor("x", "m/c", 50).turn("timer") < Executor("x", "m/c", 50).turn("subscription")
        True
        """
        return (_STATIC_TURNS if self.kind == "static" else _TURNS)[entity]
