"""What a file says of ROS 2 executors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from ddsrta.base.records import again, key, record, shape_of
from ddsrta.base.shapes import POSITIVE_DURATION, Choice, Flag, Integer, Reference
from ddsrta.base.structures import Contradiction, ListOf
from ddsrta.models.executors import USUAL_KIND, Executor
from ddsrta.models.middleware import CORE, Fair, Scheduled
from ddsrta.ros2 import KINDS
from ddsrta.ros2.entities import Release, TurnOrder


@record("background")
class Background:
    """Services of an executor that nobody models."""

    wcet: int = key(POSITIVE_DURATION, "worst-case execution time of one call")
    period: int = key(POSITIVE_DURATION, "the least time between two calls of one service")
    services: int = key(Integer(1, 1000), "how many services there are", default=1)


@record(
    "executor",
    kw_only=True,
    either=(
        ("core", "priority"),
        ("core", "reservation"),
        ("core", "policy"),
        ("cores", "priority"),
        ("cores", "policy"),
    ),
)
class ExecutorDeclaration(Fair):
    """An executor is scheduled as any thread is, or has threads on several cores."""

    core: str = again(Scheduled, "core", default="", required=False)
    cores: tuple[str, ...] = key(
        ListOf(CORE, may_be_empty=False),
        "the cores of the threads of a multi_threaded executor, one pinned to each",
        default=(),
    )
    pinned: bool = key(Flag(), "false: each thread may move between the 'cores'", default=True)
    kind: str = key(Choice(tuple(KINDS)), "how it picks callbacks", default=USUAL_KIND)
    threads: int | None = key(
        Integer(1, 1024),
        "threads of a multi_threaded executor: all on its core, or as many as 'cores' (no more, "
        "if they move)",
        default=None,
        shown=2,
    )
    order: TurnOrder = key(
        Choice(get_args(TurnOrder)),
        "whether callbacks of one kind (rclc: all) are looked at in the order of the file",
        default="unknown",
    )
    release: Release | None = key(
        Choice(get_args(Release)), "the release of rclcpp (any, if missing)", default=None
    )
    process: str | None = key(
        Reference(("processes",)), "the process that it belongs to", default=None
    )
    background: Background | None = key(
        shape_of(Background), "calls of lifecycle, parameter and other services", default=None
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """One thread, or several of one priority, each on a core that is said in one way."""
        yield from Fair.contradictions(self, given)
        several = KINDS[self.kind].several_threads
        if self.threads is not None and not several:
            yield Contradiction("threads", *KINDS[self.kind].has_one_thread("threads"))
        if several and self.reservation:
            message = "each thread would have a reservation of its own"
            yield Contradiction("reservation", message, "give the executor a priority")
        if self.background and KINDS[self.kind].by_priority:
            advice = "write them as callbacks with a priority and 'arrival: {sporadic: …}'"
            yield Contradiction("background", "nothing says how urgent its services are", advice)
        if self.cores:
            yield from self._pinned(several)
        elif not self.core:
            yield Contradiction((), "'core' is missing", "the core that it is pinned to")
        if not self.pinned and len(self.cores) < 2:
            yield Contradiction(
                "pinned", "its threads have one core", "say between which they move"
            )

    def _pinned(self, several: bool) -> Iterator[Contradiction]:
        if self.core:
            yield Contradiction("core", "an executor has either a core or several")
        if not several:
            yield Contradiction("cores", *KINDS[self.kind].has_one_thread("cores"))
        if len(set(self.cores)) < len(self.cores):
            advice = "one thread is pinned to each core"
            yield Contradiction("cores", "a core is listed twice", advice)
        cores = len(self.cores)
        if cores == 1:
            return
        if not self.pinned and not 2 <= (self.threads or cores) <= cores:
            message = f"{self.threads} threads that move between {cores} cores"
            advice = "fewer than two, or more than there are cores, are not modelled"
            yield Contradiction("threads", message, advice)
        elif self.pinned and self.threads is not None and self.threads != cores:
            yield Contradiction(
                "threads",
                f"{self.threads} threads on {cores} cores",
                "one thread is pinned to each core; threads that share cores are not modelled, and "
                "those that move have 'pinned: false'",
            )
        for name in ("reservation", "partition"):
            if getattr(self, name) is not None:
                message = "threads on several cores have a priority, on whole cores"
                yield Contradiction(name, message)

    def executor(self) -> Executor | None:
        """The executor, if it is known where it runs."""
        if not (self.core or self.cores):
            return None
        several = KINDS[self.kind].several_threads  # else an error says so, once
        threads = (self.threads or max(2, len(self.cores))) if several else 1
        return Executor(
            self.name,
            self.cores[0] if self.cores else self.core,
            self.level,
            self.kind,
            threads,
            self.order,
            self.release,
            self.partition,
            self.reservation,
            self.process,
            self.cores if several and len(self.cores) > 1 else (),
            moves=not self.pinned,
            nice=self.niceness,
            slice=self.slice,
        )
