"""What a file says of the middleware beyond threads: limits of what is sent, and Fast DDS."""

from __future__ import annotations

from ddsrta.base.records import key, record
from ddsrta.base.shapes import POSITIVE_DURATION, SIZE, Choice

VERSIONS = ("2.9",)  # of Fast DDS


@record("limit")
class Limit:
    """Bytes in a period, which begins when the one before it is over and more has to be sent."""

    bytes: int = key(SIZE, "bytes that may be sent in each period")
    period: int = key(POSITIVE_DURATION, "how long they have to last")


@record("middleware", hints={"cyclonedds": "so far only Fast DDS has rules of its own"})
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
