"""What the engine keeps: records of integers, which are C structs where compiled, and tables.

A name of a record is a reference to one; in C, to the first of many. What is a NamedTuple is a
value. -1 is none, of whatever has a number.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple, TypeAlias

Int = int
Bool = bool
Word = int  # of 64 bits, without a sign
Ints: TypeAlias = "array[int]"

# instead of the number of copies that a job has sent of a message
AT_POINT, PAST_POINT, AT_WRITE, IN_WRITE, IN_QUEUE, PAST_QUEUE = -1, -2, -3, -4, -5, -6
# how far a flow controller is with looking into its queue, after it has sent: a unit's point
NO_LOOK, TO_LOOK, HAS_SENT, LOOKS = 0, 1, 2, 3


class Struct:
    """A record of numbers, all of them 0 at first."""

    def __init_subclass__(cls) -> None:
        for name, kind in cls.__annotations__.items():
            if kind == "Int":
                setattr(cls, name, 0)

    def numbers(self) -> list[int]:
        """All of them."""
        return [getattr(self, name) for name in type(self).__annotations__]

    def read(self, numbers: Ints) -> None:
        """Become these numbers."""
        for name, value in zip(type(self).__annotations__, numbers, strict=True):
            setattr(self, name, value)


class Progress(Struct):
    """How far a run is; units and jobs that are free are lists, of which these are the first."""

    now: Int
    reached: Int
    events: Int
    messages: Int
    free_unit: Int
    units: Int
    free_job: Int
    jobs: Int
    slept: Int


class Unit(Struct):
    """A piece of work, a message on its way, or a token; `next` in its queue."""

    next: Int
    job: Int
    time: Int  # when it arrives where it travels to; of a token: when it came
    stage: Int
    target: Int
    number: Int
    arrival: Int
    since: Int
    left: Int
    execution: Int
    step: Int
    copy: Int
    done: Int
    sent: Int
    lock: Int
    point: Int  # of a message in write(): when it is handed over; of a sample: NO_LOOK …
    hop: Int  # of a job: what released it


class Job(Struct):
    """With its origins: release, and twice the index plus whether always last."""

    uses: Int  # by units, registers and whatever else will look at it; free: the next free one
    index: Int
    arrival: Int
    asked: Int  # from when its response counts: behind subscriptions, the last message
    reader: Int
    stamp: Int
    round: Int  # how often what released it has come round a circle


class Source(Struct):
    """What releases a thread by time."""

    made: Int
    last: Int
    nominal: Int
    before: Int
    place: Int  # of the oldest release in its ring
    due: Int  # when the last release was due, without its jitter
    ring: Int  # where that begins
    reach: Int  # how many releases it has


class Reservation(Struct):
    """A supply with a budget, as far as its periods are placed."""

    supply: Int
    budget: Int
    period: Int
    start: Int
    placed: Int
    left: Int
    shown: Int  # numbers, not intervals


class Placement(Struct):
    """The reservations of a core, shortest periods first."""

    first: Int
    last: Int
    as_chosen: Int
    time: Int


class Rows:
    """Numbers that grow; of intervals: begin, end, begin, end, …"""

    data: Ints
    count: Int
    room: Int

    def __init__(self) -> None:
        self.data, self.count = array("q"), 0


class Extent(NamedTuple):
    """The least and the largest stamp of some tokens; the first hop with that, the last with
    this."""

    low: Int
    high: Int
    first: Int
    last: Int
