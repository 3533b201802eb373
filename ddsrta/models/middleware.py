"""The middleware: flow controllers and listeners, limits of what is sent, and Fast DDS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ddsrta.base.priorities import Priority
from ddsrta.base.records import key, record, shape_of
from ddsrta.base.shapes import POSITIVE_DURATION, SIZE, Choice, Integer, Reference, Text
from ddsrta.base.structures import Contradiction
from ddsrta.models.supplies import Reservation
from ddsrta.policies import POLICIES

VERSIONS = ("2.9",)  # of Fast DDS
CORE = Reference(("cores",))
EITHER = (("priority",), ("reservation",))
_COUNT = Integer(1, 1_000_000)


@record("limit")
class Limit:
    """Bytes in a period, which begins when the one before it is over and more has to be sent."""

    bytes: int = key(SIZE, "bytes that may be sent in each period")
    period: int = key(POSITIVE_DURATION, "how long they have to last")


@record(
    "middleware",
    hints={
        "cyclonedds": "so far only Fast DDS has rules of its own",
        "rmw_zenoh": "bounds are for DDS; docs/zenoh.md says what would be needed",
    },
)
class FastDds:
    """The version that is used; `write` is what an asynchronous write() takes at most with its
    writer's lock held, None if that is not known."""

    version: str = key(
        Choice(VERSIONS), "the version of Fast DDS", name="fastdds", stored="fastdds"
    )
    write: int | None = key(
        POSITIVE_DURATION,
        "the longest that write() to a flow controller holds its lock, of a thread that is not "
        "preempted (the thread's wcet, if missing)",
        default=None,
    )


@record("scheduling")
class Scheduled:
    """What a core serves, by priority or by a reservation of its own."""

    name: str
    core: str = key(CORE, "machine/core that the thread is pinned to")
    priority: Priority = key(
        Integer(), "SCHED_FIFO priority, 1 … 99, the bigger the more urgent", default=0, shown=""
    )
    partition: str | None = key(
        Text(), "the partition of the core that serves the thread", default=None
    )
    reservation: Reservation | None = key(
        shape_of(Reservation),
        "SCHED_DEADLINE budget and period, instead of a priority",
        default=None,
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """A priority is needed where there is no reservation, and only there."""
        if "reservation" in given and "priority" in given:
            message = "a thread has either a priority or a reservation"
            yield Contradiction("priority", message)
        elif "reservation" not in given and "priority" not in given:
            advice = "a SCHED_FIFO priority, 1 … 99, or a reservation"
            yield Contradiction((), "'priority' is missing", advice)


@record("flow controller", either=EITHER)
class Middleware(Scheduled):
    """A flow controller or listener thread; a listener's policy is always FIFO, and it has no
    `limit` of what it sends."""

    policy: str = key(
        Choice(tuple(POLICIES)), "the order in which samples are sent", default="FIFO"
    )
    queue: int | None = key(
        _COUNT, "samples that the queue holds (each queue, if it has several)", default=None
    )
    limit: Limit | None = key(
        shape_of(Limit),
        "how much it sends; when that is used up it sleeps",
        default=None,
        sparse=True,
    )


FLOW_CONTROLLER = shape_of(Middleware)
LISTENER = replace(
    FLOW_CONTROLLER,
    title="listener",
    keys={
        **shape_of(Scheduled).keys,
        "queue": replace(
            FLOW_CONTROLLER.keys["queue"], meaning="messages that the socket's buffer holds"
        ),
    },
    hints={"policy": "a listener serves messages in the order in which they arrive"},
)
