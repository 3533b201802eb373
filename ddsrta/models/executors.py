"""ROS 2 executors: threads that serve callbacks. What a kind of them does is in `ddsrta.ros2`."""

from __future__ import annotations

from typing import Literal

from ddsrta.base.frozen import frozen
from ddsrta.models.supplies import Reservation

Entity = Literal["timer", "subscription", "service", "client", "waitable", "inline"]
Release = Literal["humble", "iron", "jazzy", "rolling"]
TurnOrder = Literal["unknown", "registered"]
USUAL_KIND = "single_threaded"  # of those that ddsrta.ros2 knows


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
    kind: str = USUAL_KIND
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
