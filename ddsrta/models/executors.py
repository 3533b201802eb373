"""ROS 2 executors: threads that serve callbacks. What a kind of them does is in `ddsrta.ros2`."""

from __future__ import annotations

from ddsrta.base.frozen import frozen, part
from ddsrta.base.priorities import Priority
from ddsrta.base.records import key, record
from ddsrta.base.shapes import Choice, Flag, Reference
from ddsrta.models.supplies import Reservation
from ddsrta.ros2.entities import Release, TurnOrder

DELIVERIES = ("OFF", "USER_DATA_ONLY", "FULL")  # of Fast DDS, within a process
USUAL_KIND = "single_threaded"  # of those that ddsrta.ros2 knows


@record("process")
class Process:
    """An operating-system process, one participant: all its readers share one listener."""

    name: str
    listener: str = key(Reference(("listeners",)), "the thread that receives for all its readers")
    intra_process: bool = key(
        Flag(),
        "messages within the process go from publisher to reader without middleware",
        default=False,
    )
    intraprocess_delivery: str | None = key(
        Choice(DELIVERIES),
        "how Fast DDS is set: with 'USER_DATA_ONLY' or 'FULL', its default, whoever sends does the "
        "work of readers of the process; with 'OFF' their listener does",
        default=None,
        sparse=True,
    )

    @property
    def senders_read(self) -> bool:
        """Whether whoever sends does what its readers of the process have to (definition
        local-readers)."""
        return self.intraprocess_delivery in ("USER_DATA_ONLY", "FULL")


@frozen
class Executor:
    """A thread (or several, of one priority) that serves callbacks. The threads are all on `core`,
    or one on each of several `cores`, of which that is the first; or each of them `moves` between
    these.

    `order` says whether callbacks of one kind are looked at in the order of the file or in one that
    nobody knows; `release` is that of rclcpp, None for any.
    """

    name: str
    core: str
    priority: Priority
    kind: str = USUAL_KIND
    threads: int = part(default=1, stored="")
    order: TurnOrder = "unknown"
    release: Release | None = None
    partition: str | None = None
    reservation: Reservation | None = None
    process: str | None = part(default=None, stored="")  # threads say it
    cores: tuple[str, ...] = part(default=(), stored="")  # of a pool alone
    moves: bool = part(default=False, stored="")
    nice: int | None = part(default=None, sparse=True)  # of SCHED_OTHER; its priority is FAIR
    slice: int | None = part(default=None, sparse=True)

    @property
    def places(self) -> tuple[str, ...]:
        """Of a pool, a core for each thread: its own, or where one that moves may begin."""
        return self.cores[: self.threads] if self.moves else self.cores

    @property
    def is_pool(self) -> bool:
        """Whether its threads are on several cores.

        >>> Executor("x", "m/c", 50, "multi_threaded", cores=("m/c", "m/d")).is_pool
        True
        """
        return len(self.cores) > 1
