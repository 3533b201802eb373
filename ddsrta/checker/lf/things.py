"""A federation as the checker has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

FOREVER = "forever"
SHORT = 50_000  # the C runtime adds it to waits for absence that are less
BUILT_IN = ("startup", "shutdown", "reset")
Wait = int | str | None  # nanoseconds, forever, or not given


class Timer(NamedTuple):
    """Ticks at `offset`, and each `period` after that."""

    offset: int
    period: int | None


class Action(NamedTuple):
    """`free`: its events come at any time, `spacing` apart."""

    physical: bool
    delay: int
    spacing: int | None
    free: bool


class Reaction(NamedTuple):
    """A reaction; `wcet` None: not known."""

    reactor: str
    triggers: tuple[str, ...]
    sources: tuple[str, ...]
    effects: tuple[str, ...]
    wcet: int | None
    deadline: int | None
    level: int | None
    after: tuple[str, ...]
    always: bool
    tardy: bool


class Inner(NamedTuple):
    """A connection inside of a federate."""

    source: str
    target: str
    after: int | None


class Enclave(NamedTuple):
    """Reactors with tags of their own."""

    reactors: tuple[str, ...]
    workers: int
    core: int | None


class Federate(NamedTuple):
    """A federate."""

    host: str
    workers: int
    scheduler: str
    maxwait: Wait
    overhead: int
    hop: int | None
    core: int | None
    timers: Mapping[str, Timer]
    actions: Mapping[str, Action]
    inputs: Mapping[str, Wait]  # with what absent_after says
    outputs: frozenset[str]
    reactions: Mapping[str, Reaction]
    inner: tuple[Inner, ...]
    enclaves: Mapping[str, Enclave]


class Connection(NamedTuple):
    """From an output of a federate to an input of another."""

    source: str
    output: str
    target: str
    input: str
    after: int | None
    physical: bool
    latency: int | None  # its own
    send: int
    absent: Wait
    spacing: int | None


class Host(NamedTuple):
    """A machine."""

    cores: int | None
    clock_error: int | None
    shared_clock: bool


class Rti(NamedTuple):
    """The coordinator."""

    host: str | None
    hop: int | None
    service: int | None
    dnet: bool
    interval: int


class Chain(NamedTuple):
    """From a reaction to another."""

    source: tuple[str, str]
    target: tuple[str, str]
    wanted: int | None


class Federation(NamedTuple):
    """All of it."""

    coordination: str
    target: str
    hosts: Mapping[str, Host]
    clock_errors: Mapping[frozenset[str], int]
    network: Mapping[tuple[str, str], int]
    rti: Rti
    federates: Mapping[str, Federate]
    connections: tuple[Connection, ...]
    chains: Mapping[str, Chain]
    incoming: Mapping[str, tuple[Connection, ...]]
    outgoing: Mapping[str, tuple[Connection, ...]]

    def travel(self, connection: Connection) -> int | None:
        """From the begin of sending until receipt."""
        if connection.latency is not None:
            return connection.latency + connection.send
        ends = self.federates[connection.source].host, self.federates[connection.target].host
        way = self.network.get(ends)
        return None if way is None else way + connection.send

    def apart(self, one: str, other: str) -> int | None:
        """How far the clocks of two federates are apart."""
        if one == other:
            return 0
        hosts = self.federates[one].host, self.federates[other].host
        if hosts[0] == hosts[1]:
            host = self.hosts[hosts[0]]
            common = host.shared_clock or host.clock_error is None
            return 0 if common else 2 * (host.clock_error or 0)
        if (given := self.clock_errors.get(frozenset(hosts))) is not None:
            return given
        errors = [self.hosts[name].clock_error for name in hosts]
        return None if errors[0] is None or errors[1] is None else errors[0] + errors[1]

    def absence(self, connection: Connection) -> int | str:
        """How long after maxwait an input is taken for absent."""
        port = self.federates[connection.target].inputs[connection.input]
        return connection.absent if connection.absent is not None else port or 0

    def into(self, name: str) -> list[Connection]:
        """The logical connections to a federate."""
        return [c for c in self.incoming[name] if not c.physical]
