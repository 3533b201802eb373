"""What a federate is made of: each thing is a record, which says what a file says of it.

Times are integer nanoseconds. None stands for a time that the file does not give: no bound may be
made of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from ddsrta.base.frozen import frozen
from ddsrta.base.records import key, record, shape_of
from ddsrta.base.shapes import (
    DURATION,
    INVALID,
    POSITIVE_DURATION,
    Choice,
    Context,
    Flag,
    Integer,
    Reference,
    Text,
)
from ddsrta.base.structures import Brief, Contradiction, Either, ListOf, MapOf
from ddsrta.base.yaml_tree import Node, place_of
from ddsrta.lf.program.shapes import As, Forever, Wait
from ddsrta.lf.program.tags import SAME, Shift

Scheduler = Literal["NP", "GEDF_NP", "ADAPTIVE"]
Kind = Literal["logical", "physical"]
Policy = Literal["defer", "drop", "replace", "update"]
ExtraDelay = Literal["none", "any"]
BUILT_IN = ("startup", "shutdown", "reset")


@frozen
class _Ports(ListOf):
    """Ports by their names alone."""

    def read(self, node: Node, context: Context) -> Any:
        names = ListOf.read(self, node, context)
        ports: dict[str, Port] = {}
        for index, name in enumerate(() if names is INVALID else names):
            if name in ports:
                context.contradict(place_of(node, node, (index,)), f"'{name}' is listed twice", "")
            ports[name] = Port(name)
        return names if names is INVALID else ports


AFTER = As(DURATION, Shift.of)
NAMES = ListOf(Text())
WORKERS = Integer(1, 10_000)
CORE = Integer(0, 9_999)
_ABOVE_WORST = "the best case is above the worst"
_PINNED = "the number of the host's core on which its workers are pinned"


@record("span")
class Span:
    """A time that lies between `best` and `worst`."""

    worst: int = key(DURATION, "the longest time")
    best: int = key(DURATION, "the shortest time", default=0)

    def contradictions(self, _: Mapping[str, Any]) -> Iterator[Contradiction]:
        """The best case is no worse than the worst."""
        if self.best > self.worst:
            yield Contradiction("best", _ABOVE_WORST)


SPAN = Either(scalar=Brief(shape_of(Span), "worst"), mapping=shape_of(Span))


@record("timer", optional=True)
class Timer:
    """Ticks at `offset` after the start and each `period` from then on; once, without a period."""

    name: str
    offset: int = key(DURATION, "the first tick, after the start", default=0)
    period: int | None = key(
        POSITIVE_DURATION, "between two ticks; a timer without one ticks once", default=None
    )


@record("action", optional=True)
class Action:
    """Events that reactions (logical) or the world (physical) schedule.

    `extra_delay`: what reactions add to `min_delay`, nothing or any time.
    """

    name: str
    kind: Kind = key(Choice(get_args(Kind)), "who schedules it", default="logical")
    min_delay: int = key(DURATION, "what is added to the time of scheduling", default=0)
    min_spacing: int | None = key(
        POSITIVE_DURATION, "the least time between two events", default=None
    )
    policy: Policy = key(
        Choice(get_args(Policy)), "what becomes of events that come too early", default="defer"
    )
    extra_delay: ExtraDelay = key(
        Choice(get_args(ExtraDelay)),
        "what reactions add to `min_delay` of a logical one",
        default="none",
    )

    @property
    def shift(self) -> Shift:
        """What it adds to the tag at which it is scheduled, if nothing else does."""
        return Shift.of(self.min_delay)

    @property
    def is_free(self) -> bool:
        """Whether its events come at any time, and not where a reaction and `min_delay` say."""
        free = self.extra_delay == "any" or self.min_spacing is not None
        return free or self.is_physical

    @property
    def spacing(self) -> int | None:
        """How far apart its events are at least: of policy `update` one that comes too early has
        its time all the same, once the one before it is over."""
        return None if self.policy == "update" else self.min_spacing

    @property
    def is_physical(self) -> bool:
        """Whether its events get the time of a clock, and not that of a tag."""
        return self.kind == "physical"


@record("port", optional=True)
class Port:
    """A port; `absent_after`: how long after `maxwait` an unknown input is assumed to be absent."""

    name: str
    absent_after: int | Forever | None = key(
        Wait(), "after maxwait, the port is assumed to be absent", default=None
    )


@record(
    "reaction",
    hints={
        "period": "a period belongs to a timer, under 'timers'",
        "reactions": "contained reactors are named in 'reactor' of each reaction",
    },
)
class Reaction:
    """A reaction: what triggers it, what it reads besides, what it may write or schedule.

    `reactor` is the contained reactor that it belongs to, empty for the federate itself; the
    reactions of a reactor run in their order. `after` names others that run before it at a tag.
    `always`: each invocation writes all effects. `tardy`: it has a handler for tardy messages.
    """

    name: str
    reactor: str = key(
        Text(),
        "the contained reactor it belongs to (the federate, if missing)",
        default="",
        shown="",
    )
    triggers: tuple[str, ...] = key(
        ListOf(Text(), may_be_empty=False),
        "timers, actions, ports, `startup`, `shutdown`, `reset`",
        default=(),
        required=True,
    )
    sources: tuple[str, ...] = key(
        NAMES, "ports that it reads without being triggered by them", default=()
    )
    effects: tuple[str, ...] = key(
        NAMES, "ports that it may write, actions that it may schedule", default=()
    )
    wcet: int | None = key(
        DURATION,
        "the longest time from its start to its end, preemption of its worker included",
        default=None,
    )
    bcet: int = key(DURATION, "the shortest", default=0)
    deadline: int | None = key(
        DURATION, "the latest start after the time of the tag; 0 is never met", default=None
    )
    level: int | None = key(
        Integer(0, 1_000_000), "its level, where it is not the least possible one", default=None
    )
    after: tuple[str, ...] = key(
        NAMES, "reactions of the federate that run before it at a tag", default=()
    )
    always: bool = key(Flag(), "each invocation writes all its effects", default=False)
    tardy: bool = key(Flag(), "it has a handler for tardy messages", default=False)

    def contradictions(self, _: Mapping[str, Any]) -> Iterator[Contradiction]:
        """The best case is no worse than the worst."""
        if self.wcet is not None and self.bcet > self.wcet:
            yield Contradiction("bcet", _ABOVE_WORST)


@record("inner connection")
class InnerConnection:
    """From a port of a federate to another of the same."""

    source: str = key(Text(), "the port that is written", name="from")
    target: str = key(Text(), "the port that is read", name="to")
    shift: Shift = key(
        AFTER,
        "what is added to tags: at least a microstep",
        default=SAME,
        name="after",
        stored="after",
        shown="",
    )


@record("enclave", usual="reactors")
class Enclave:
    """Contained reactors with tags and workers of their own; `core` as of a federate."""

    name: str
    reactors: tuple[str, ...] = key(
        ListOf(Text(), may_be_empty=False), "the contained reactors in it"
    )
    workers: int = key(WORKERS, "threads that run its reactions", default=1)
    core: int | None = key(CORE, _PINNED, default=None)


_PORTS = Either(
    sequence=_Ports(Text()), mapping=MapOf(shape_of(Port)), advice="name them: [speed, brake]"
)


@record(
    "federate",
    hints={
        "STP_offset": "write 'maxwait'",
        "STA": "write 'maxwait'",
        "STAA": "write 'absent_after', of a connection or a port",
        "stp": "write 'maxwait'",
        "at": "write 'host'",
    },
)
class Federate:
    """A process of the federation. `maxwait` None: not given, it is to be found.

    `overhead`: what the runtime and the operating system add to the work at each tag; `core`: the
    number of the core on which its workers are pinned.
    """

    name: str
    host: str = key(Reference(("hosts",)), "where it runs")
    workers: int = key(WORKERS, "threads that run its reactions", default=1)
    scheduler: Scheduler = key(Choice(get_args(Scheduler)), "the order of reactions", default="NP")
    maxwait: int | Forever | None = key(
        Wait(), "how long after its time a tag waits for inputs (found, if missing)", default=None
    )
    overhead: int = key(
        DURATION, "what runtime and operating system add to the work at each tag", default=0
    )
    rti_hop: Span | None = key(SPAN, "one way to the RTI, instead of the RTI's `hop`", default=None)
    timers: Mapping[str, Timer] = key(MapOf(shape_of(Timer)), "its timers", default_factory=dict)
    actions: Mapping[str, Action] = key(
        MapOf(shape_of(Action)), "its actions", default_factory=dict
    )
    inputs: Mapping[str, Port] = key(_PORTS, "ports that are read", default_factory=dict)
    outputs: Mapping[str, Port] = key(_PORTS, "ports that are written", default_factory=dict)
    reactions: Mapping[str, Reaction] = key(
        MapOf(shape_of(Reaction)),
        "its reactions: in the order of the file, by reactor",
        default_factory=dict,
    )
    connections: tuple[InnerConnection, ...] = key(
        ListOf(shape_of(InnerConnection)), "between its own ports", default=()
    )
    enclaves: Mapping[str, Enclave] = key(
        MapOf(shape_of(Enclave)), "parts with tags and workers of their own", default_factory=dict
    )
    core: int | None = key(CORE, _PINNED, default=None)
