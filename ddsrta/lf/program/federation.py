"""A federation in the user's words: hosts, federates, reactions, connections. Frozen; no analysis.

Times are integer nanoseconds. None stands for a time that the file does not give: no bound may be
made of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ddsrta.base.diagnostics import Position
from ddsrta.base.yaml_tree import Tree
from ddsrta.lf.program.tags import SAME, Shift

Coordination = Literal["centralized", "decentralized"]
Scheduler = Literal["NP", "GEDF_NP", "ADAPTIVE"]
Kind = Literal["logical", "physical"]
Policy = Literal["defer", "drop", "replace", "update"]
ExtraDelay = Literal["none", "any"]
Target = Literal["C", "Cpp"]
Forever = Literal["forever"]
FOREVER: Forever = "forever"
SHORT_WAIT = 50_000
BUILT_IN = ("startup", "shutdown", "reset")


def in_time(latest: int | None, deadline: int | None) -> bool:
    """Whether a start is never too late. With a deadline of 0 each is: its handler always runs.

    >>> in_time(5, 5), in_time(0, 0), in_time(None, 5)
    (True, False, False)
    """
    return deadline is None or (latest is not None and latest <= deadline and deadline > 0)


@dataclass(frozen=True, slots=True)
class Span:
    """A time that lies between `best` and `worst`."""

    worst: int
    best: int = 0


@dataclass(frozen=True, slots=True)
class Host:
    """A machine; `clock_error`: how far a clock on it is from the common time at most, either way.

    The runtime synchronizes each federate by itself; with `shared_clock` all have the host's.
    """

    name: str
    cores: int | None = None
    clock_error: int | None = None
    shared_clock: bool = False


@dataclass(frozen=True, slots=True)
class Rti:
    """The coordinator of a centralized federation; `hop` is one way between it and a federate."""

    host: str | None = None
    hop: Span | None = None
    service: int | None = None
    dnet: bool = True
    advance_message_interval: int = 10_000_000


@dataclass(frozen=True, slots=True)
class Timer:
    """Ticks at `offset` after the start and each `period` from then on; once, without a period."""

    name: str
    offset: int = 0
    period: int | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """Events that reactions (logical) or the world (physical) schedule.

    `extra_delay`: what reactions add to `min_delay`, nothing or any time.
    """

    name: str
    kind: Kind = "logical"
    min_delay: int = 0
    min_spacing: int | None = None
    policy: Policy = "defer"
    extra_delay: ExtraDelay = "none"

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
    def is_physical(self) -> bool:
        """Whether its events get the time of a clock, and not that of a tag."""
        return self.kind == "physical"


@dataclass(frozen=True, slots=True)
class Port:
    """A port; `absent_after`: how long after `maxwait` an unknown input is assumed to be absent."""

    name: str
    absent_after: int | Forever | None = None


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction: what triggers it, what it reads besides, what it may write or schedule.

    `reactor` is the contained reactor that it belongs to, empty for the federate itself; the
    reactions of a reactor run in their order. `after` names others that run before it at a tag.
    `always`: each invocation writes all effects. `tardy`: it has a handler for tardy messages.
    """

    name: str
    reactor: str = ""
    triggers: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    wcet: int | None = None
    bcet: int = 0
    deadline: int | None = None
    level: int | None = None
    after: tuple[str, ...] = ()
    always: bool = False
    tardy: bool = False


@dataclass(frozen=True, slots=True)
class InnerConnection:
    """From a port of a federate to another of the same."""

    source: str
    target: str
    shift: Shift = SAME


@dataclass(frozen=True, slots=True)
class Enclave:
    """Contained reactors with tags and workers of their own; `core` as of a federate."""

    name: str
    reactors: tuple[str, ...]
    workers: int = 1
    core: int | None = None


@dataclass(frozen=True, slots=True)
class Federate:
    """A process of the federation. `maxwait` None: not given, it is to be found.

    `overhead`: what the runtime and the operating system add to the work at each tag; `core`: the
    number of the core on which its workers are pinned.
    """

    name: str
    host: str
    workers: int = 1
    scheduler: Scheduler = "NP"
    maxwait: int | Forever | None = None
    overhead: int = 0
    rti_hop: Span | None = None
    timers: Mapping[str, Timer] = field(default_factory=dict)
    actions: Mapping[str, Action] = field(default_factory=dict)
    inputs: Mapping[str, Port] = field(default_factory=dict)
    outputs: Mapping[str, Port] = field(default_factory=dict)
    reactions: Mapping[str, Reaction] = field(default_factory=dict)
    connections: tuple[InnerConnection, ...] = ()
    enclaves: Mapping[str, Enclave] = field(default_factory=dict)
    core: int | None = None


@dataclass(frozen=True, slots=True)
class Connection:
    """From an output of a federate to an input of one.

    `shift` is added to tags. A `physical` one gives messages the time of their receipt. `latency`:
    from handing over to receipt, or that of the network; `send`: what the sender takes for it.
    """

    source: str
    output: str
    target: str
    input: str
    shift: Shift = SAME
    physical: bool = False
    latency: Span | None = None
    send: int = 0
    absent_after: int | Forever | None = None
    min_spacing: int | None = None

    @property
    def name(self) -> str:
        """How people write it."""
        arrow = "~>" if self.physical else "→"
        return f"{self.source}.{self.output} {arrow} {self.target}.{self.input}"


@dataclass(frozen=True, slots=True)
class Chain:
    """From a reaction of a federate to one of another, and the latency that is wanted."""

    name: str
    source: tuple[str, str]
    target: tuple[str, str]
    latency: int | None = None


@dataclass(frozen=True)
class Federation:
    """Everything; `network` is by sending and receiving host, `clock_errors` by sorted pairs.

    `target` is the language whose runtime runs it. That for C waits `short_wait` longer for inputs
    that do not come, where it would wait less than that.
    """

    name: str
    coordination: Coordination
    hosts: Mapping[str, Host]
    federates: Mapping[str, Federate]
    connections: tuple[Connection, ...] = ()
    network: Mapping[tuple[str, str], Span] = field(default_factory=dict)
    clock_errors: Mapping[tuple[str, str], int] = field(default_factory=dict)
    rti: Rti = field(default_factory=Rti)
    chains: Mapping[str, Chain] = field(default_factory=dict)
    target: Target = "C"
    short_wait: int = SHORT_WAIT
    tree: Tree | None = field(default=None, compare=False, repr=False)

    @cached_property
    def sent_by(self) -> Mapping[str, list[Connection]]:
        """The connections out of each federate."""
        found: dict[str, list[Connection]] = {}
        for connection in self.connections:
            found.setdefault(connection.source, []).append(connection)
        return found

    @cached_property
    def least_delays(self) -> Mapping[str, int]:
        """The least delay of what the outer world brings to each federate: by physical actions, or
        by a physical connection, without delay."""
        found: dict[str, int] = {}
        for name, federate in self.federates.items():
            if delays := [a.min_delay for a in federate.actions.values() if a.is_physical]:
                found[name] = min(delays)
        return found | {c.target: 0 for c in self.connections if c.physical}

    def latency(self, connection: Connection) -> Span | None:
        """The connection's own latency, else that of the network between the hosts, if given."""
        if connection.latency is not None:
            return connection.latency
        source, target = self.federates[connection.source], self.federates[connection.target]
        return self.network.get((source.host, target.host))

    @cached_property
    def clocks(self) -> Mapping[str, str]:
        """The clock of each federate: the host's, or its own where each is synchronized."""
        alone = Counter(federate.host for federate in self.federates.values())
        found = {}
        for name, federate in self.federates.items():
            host = self.hosts[federate.host]
            own = host.clock_error is not None and not host.shared_clock and alone[host.name] > 1
            found[name] = f"{host.name}.{name}" if own else host.name
        return found

    def clock_error(self, one: str, other: str) -> int | None:
        """How far the clocks of two federates may be apart, if that is given."""
        if self.clocks[one] == self.clocks[other]:
            return 0
        pair = sorted((self.federates[one].host, self.federates[other].host))
        if (given := self.clock_errors.get((pair[0], pair[1]))) is not None:
            return given
        errors = [self.hosts[name].clock_error for name in pair]
        return None if errors[0] is None or errors[1] is None else errors[0] + errors[1]

    def absent_after(self, connection: Connection) -> int | Forever:
        """How long after maxwait the input is assumed to be absent."""
        port = self.federates[connection.target].inputs[connection.input]
        own = connection.absent_after
        return own if own is not None else port.absent_after or 0

    def where(self, *path: str | int) -> Position | None:
        """Where the file says something: the deepest part of a path of keys that is there."""
        return self.tree.find(path) if self.tree else None
