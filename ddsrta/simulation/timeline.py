"""What happened in a run, in the words of people: spans of work, and flows of messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ddsrta.base.priorities import FAIR
from ddsrta_simulator import Program

NONE = -1


class Span(NamedTuple):
    """A unit of work has a core; `since`: from when its thread had work and did not run."""

    stage: int
    number: int
    core: int
    since: int
    begin: int
    end: int
    arrival: int  # of the unit
    done: bool  # the unit is complete; else preempted, or the trace ends

    @property
    def response(self) -> int:
        """From the arrival of the unit to the end."""
        return self.end - self.arrival


class Arrival(NamedTuple):
    """A unit of work arrives at its thread."""

    time: int
    stage: int
    number: int


class Publication(NamedTuple):
    """A job hands a message over: to a flow controller (`stage`), or a copy to the network."""

    time: int
    thread: int
    job: int
    stage: int  # of the sample; -1: synchronous
    number: int  # of the sample, or of the message in its stream
    stream: int  # synchronous: to which reader; else -1


class Stop(NamedTuple):
    """Where a flow meets a unit of work: at this time, in the span from begin to end."""

    time: int
    stage: int
    number: int
    begin: int
    end: int


class Flow(NamedTuple):
    """A message from the job that publishes it to the job that it releases; or the news of a
    completed job (`stream` is -1). `stops`: the job, the sample at the flow controller if any, the
    message at the listener, the job that it releases, which is missing where time releases it.
    """

    hop: int
    stream: int
    number: int  # of the message in its stream, of the news in its link
    sent: int
    received: int
    stops: tuple[Stop, ...]

    @property
    def latency(self) -> int:
        """From the publication to the delivery, or to the release of the follower."""
        return self.stops[-1].time - self.stops[0].time


class Cause(NamedTuple):
    """A job hears of another one by a hop: when it is released or, if time does that, begins."""

    time: int
    thread: int
    number: int
    hop: int
    source: int  # number of the job behind the hop
    message: int  # number in its stream; of the news in its link


class Closed(NamedTuple):
    """A supply has no budget from begin to end."""

    supply: int
    core: int
    begin: int
    end: int


@dataclass(frozen=True)
class Timeline:
    """All that ended from `begin` to `end`, each in the order in which it ended."""

    program: Program
    begin: int = 0
    end: int = 0
    spans: tuple[Span, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    publications: tuple[Publication, ...] = ()
    flows: tuple[Flow, ...] = ()
    causes: tuple[Cause, ...] = ()
    closed: tuple[Closed, ...] = ()


def server_of(program: Program, stage: int) -> str:
    """The name of the thread that serves a stage."""
    return program.servers[program.stage_server[stage]]


def priority_of(program: Program, server: int) -> int | str:
    """Of a server, as a person says it: threads of SCHED_DEADLINE and SCHED_OTHER have none."""
    if program.supplies[program.server_supply[server]][1] != "partition":
        return "deadline"
    priority = program.server_priority[server]
    return "other" if priority == int(FAIR) else priority


def server_on(program: Program, stage: int, core: int) -> int:
    """The thread that serves a stage on a core: of several that share its queues (a pool), the one
    that is there."""
    first = program.stage_server[stage]
    members = [s for s, leader in enumerate(program.server_pool) if leader == first]
    here = (s for s in members if program.supply_core[program.server_supply[s]] == core)
    return first if len(members) == 1 else next(here, first)


def core_of(program: Program, stage: int) -> int:
    """The core on which a stage is served."""
    return program.supply_core[program.server_supply[program.stage_server[stage]]]


def message_stages(program: Program) -> int:
    """The first of the stages at listeners, one for each stream; samples are before them."""
    return len(program.stages) - len(program.streams)


def label(program: Program, stage: int, number: int) -> str:
    """A unit of work, for people: instances are counted from 0.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation import program_of
    >>> [label(program_of(two_threads()), stage, 3) for stage in range(4)]
    ['sensor #3', 'control #3', 'speed #3 of sensor', 'speed #3 of sensor to control']
    """
    kind, *names = program.stages[stage]
    if kind == "job":
        return f"{names[0]} #{number}"
    if kind in ("frame", "begun"):
        return f"{names[1] if kind == 'frame' else 'something else'} #{number} on {names[0]}"
    to = f" to {names[2]}" if len(names) > 2 else ""
    to += f" on {names[3]}" if kind == "transfer" else ""
    return f"{names[1]} #{number} of {names[0]}{to}"
