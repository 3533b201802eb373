"""What a file says of the middleware beyond threads: limits of what is sent, and Fast DDS."""

from __future__ import annotations

from ddsrta.base.frozen import frozen

VERSIONS = ("2.9",)  # of Fast DDS


@frozen
class Limit:
    """Bytes in a period, which begins when the one before it is over and more has to be sent."""

    bytes: int
    period: int


@frozen
class FastDds:
    """The version that is used; `write` is what an asynchronous write() takes at most with its
    writer's lock held, None if that is not known."""

    version: str
    write: int | None = None
