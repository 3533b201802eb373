"""The middleware: flow controllers and listeners, limits of what is sent, and Fast DDS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from ddsrta.base.priorities import FAIR, Priority
from ddsrta.base.records import key, record, shape_of
from ddsrta.base.shapes import POSITIVE_DURATION, SIZE, Choice, Integer, Reference, Text
from ddsrta.base.structures import Contradiction
from ddsrta.models.supplies import Reservation
from ddsrta.policies import POLICIES

VERSIONS = ("2.6", "2.9", "2.10", "2.14", "3.2", "3.6")  # of Fast DDS
BUFFERS = ("fixed", "dynamic")
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
    send_buffers: str = key(
        Choice(BUFFERS),
        "whether a participant has as many buffers to send with as threads need ('dynamic' of "
        "`send_buffers` in its `allocation`)",
        default="fixed",
        sparse=True,
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


@record("of any policy", kw_only=True)
class Fair(Scheduled):
    """What may be of SCHED_OTHER instead."""

    policy: Literal["other"] | None = key(
        Choice(("other",), "leave it out: a priority is one of SCHED_FIFO"),
        "SCHED_OTHER, instead of a priority",
        default=None,
    )
    nice: int | None = key(Integer(-20, 19), "nice value of SCHED_OTHER", default=None, shown="0")
    slice: int | None = key(
        POSITIVE_DURATION,
        "time of SCHED_OTHER that it has at once: for simulation, and for bounds where its machine "
        "has a `tick`",
        default=None,
        shown="3 ms",
    )

    @property
    def level(self) -> Priority:
        """Its priority, or that of all of SCHED_OTHER."""
        return FAIR if self.policy else self.priority

    @property
    def niceness(self) -> int | None:
        """Its nice value, if it has one."""
        return (self.nice or 0) if self.policy else None

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """A thread of SCHED_OTHER has a nice value, and nothing else that says when it runs."""
        if "policy" not in given:
            yield from Scheduled.contradictions(self, given)
            for key_of_fair in given.keys() & {"nice", "slice"}:
                advice = "it is said by 'policy: other'"
                yield Contradiction(key_of_fair, f"'{key_of_fair}' is of SCHED_OTHER", advice)
        for other in ("priority", "reservation", "partition") if "policy" in given else ():
            if other in given:
                yield Contradiction(other, f"a thread of SCHED_OTHER has no {other}")


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
