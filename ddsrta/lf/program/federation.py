"""A federation in the user's words: hosts, federates, reactions, connections. Frozen; no analysis.

Times are integer nanoseconds. None stands for a time that the file does not give: no bound may be
made of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ddsrta.base.diagnostics import Position
from ddsrta.base.frozen import frozen, part
from ddsrta.base.records import key, record
from ddsrta.base.shapes import DURATION, POSITIVE_DURATION, Flag, Integer, Reference
from ddsrta.base.structures import Contradiction
from ddsrta.base.yaml_tree import Tree
from ddsrta.lf.program.federates import AFTER, SPAN, Federate, Span
from ddsrta.lf.program.shapes import As, Forever, Wait
from ddsrta.lf.program.tags import SAME, Shift

Coordination = Literal["centralized", "decentralized"]
Target = Literal["C", "Cpp"]
SHORT_WAIT = 50_000


def in_time(latest: int | None, deadline: int | None) -> bool:
    """Whether a start is never too late. With a deadline of 0 each is: its handler always runs.

    >>> in_time(5, 5), in_time(0, 0), in_time(None, 5)
    (True, False, False)
    """
    return deadline is None or (latest is not None and latest <= deadline and deadline > 0)


@record("host", optional=True)
class Host:
    """A machine; `clock_error`: how far a clock on it is from the common time at most, either way.

    The runtime synchronizes each federate by itself; with `shared_clock` all have the host's.
    """

    name: str
    cores: int | None = key(Integer(1, 10_000), "processor cores", default=None)
    clock_error: int | None = key(
        DURATION,
        "how far a clock on it is from the common time at most, early or late; without it its "
        "federates share one clock",
        default=None,
    )
    shared_clock: bool = key(
        Flag(),
        "its federates have one clock, for the runtime synchronizes none of them by itself",
        default=False,
    )


@record("rti")
class Rti:
    """The coordinator of a centralized federation; `hop` is one way between it and a federate."""

    host: str | None = key(
        Reference(("hosts",)),
        "where it runs: without `hop`, the network to and from there counts",
        default=None,
    )
    hop: Span | None = key(SPAN, "one way between a federate and the RTI", default=None)
    service: int | None = key(
        DURATION, "what the RTI takes for a message, waiting for its lock included", default=None
    )
    dnet: bool = key(Flag(), "downstream next event tags are in use", default=True)
    advance_message_interval: int = key(
        POSITIVE_DURATION,
        "how often a federate with physical actions tells its time",
        default=10_000_000,
    )


@frozen
class Connection:
    """From an output of a federate to an input of one.

    `shift` is added to tags. A `physical` one gives messages the time of their receipt. `latency`:
    from handing over to receipt, or that of the network; `send`: what the sender takes for it.
    """

    source: str
    output: str
    target: str
    input: str
    shift: Shift = part(default=SAME, stored="after")
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


def _ends(text: str) -> tuple[str, str]:
    federate, _, name = text.partition(".")
    return federate, name


@record("connection")
class ConnectionDeclaration:
    """What a file says of a connection."""

    begin: tuple[str, str] = key(As(Reference(("outputs",)), _ends), "federate.output", name="from")
    end: tuple[str, str] = key(As(Reference(("inputs",)), _ends), "federate.input", name="to")
    shift: Shift = key(
        AFTER,
        "what is added to tags; `0 ms` is a microstep",
        default=SAME,
        name="after",
        shown="",
    )
    physical: bool = key(Flag(), "messages get the time of their receipt (~>)", default=False)
    latency: Span | None = key(
        SPAN, "from handing over to receipt, instead of the network's", default=None
    )
    send: int = key(
        DURATION, "what the sender takes for a message, where latency leaves it out", default=0
    )
    absent_after: int | Forever | None = key(
        Wait(), "after maxwait, the input is assumed to be absent", default=None
    )
    min_spacing: int | None = key(
        POSITIVE_DURATION, "of a physical one: the least time between two messages", default=None
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """What is not for its kind, and ends that are one."""
        if self.begin[0] == self.end[0]:
            advice = f"put it under 'connections' of '{self.begin[0]}'"
            yield Contradiction((), "both ends are in one federate", advice)
        if self.physical and "absent_after" in given:
            yield Contradiction("absent_after", "a physical connection never waits")
        if not self.physical and "min_spacing" in given:
            advice = "tags tell when messages of a logical one come"
            yield Contradiction("min_spacing", "only a physical connection has it", advice)

    def settled(self) -> Connection:
        """The connection."""
        return Connection(
            *self.begin,
            *self.end,
            self.shift,
            self.physical,
            self.latency,
            self.send,
            self.absent_after,
            self.min_spacing,
        )


_REACTION = As(Reference(("reactions",)), _ends)


@record("chain")
class Chain:
    """From a reaction of a federate to one of another, and the latency that is wanted."""

    name: str
    source: tuple[str, str] = key(_REACTION, "federate.reaction", name="from", stored="from")
    target: tuple[str, str] = key(_REACTION, "federate.reaction", name="to", stored="to")
    latency: int | None = key(
        POSITIVE_DURATION,
        "wanted, from the tag's time of the first to the end of the last",
        default=None,
    )


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
