"""X of each connection: how much later than its sender a receiver must be at least (definition
connection-terms)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.launch.lags import Launch, known
from ddsrta.lf.bounds.logical_time.absence import endless
from ddsrta.lf.bounds.logical_time.activation import Activation, activation
from ddsrta.lf.bounds.logical_time.certain import only_messages
from ddsrta.lf.bounds.logical_time.moments import Moment
from ddsrta.lf.bounds.offsets.maxplus import Edge
from ddsrta.lf.bounds.unbounded import NO_CLOCK_ERROR, NO_LATENCY
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.shapes import FOREVER


@dataclass(frozen=True, slots=True)
class Link:
    """X = absent + lag + latency + clock - after, of the connection at `index` of the federation.

    `absent`: how long the sender waits for inputs that never come; `lag`: until it sends;
    `latency`: until receipt, sending included; `clock`: the clock error. What is not known is None,
    and `unknown` says why.
    """

    index: int
    connection: Connection
    absent: int
    lag: int | None
    latency: int | None
    clock: int | None
    delay: int
    unknown: Because | None = None

    @property
    def weight(self) -> int | None:
        """X, if all of it is known."""
        if self.unknown or self.lag is None or self.latency is None or self.clock is None:
            return None
        return self.absent + self.lag + self.latency + self.clock - self.delay


@dataclass(frozen=True)
class Network:
    """The logical connections of a federation as edges between numbered federates.

    `absent`: how long each federate may stop at a level for inputs that do not come; `endless`: why
    some may stop there without end. All tags of those `alone` are made by one connection. By
    `late`, messages of a connection may come later than the receiver waits, and are not tardy. For
    those of `short` connections the runtime waits longer than is
    given: `short_wait`.
    """

    federation: Federation
    links: tuple[Link, ...]
    numbers: Mapping[str, int]
    found: Activation
    launches: Mapping[str, Launch]
    absent: Mapping[str, int]
    endless: Mapping[str, Because] = field(default_factory=dict)
    alone: frozenset[str] = frozenset()
    late: Mapping[int, int] = field(default_factory=dict)
    short: frozenset[int] = frozenset()

    def edges(self, more: Mapping[int, int] | None = None) -> list[Edge]:
        """An edge for each link, with the `after` of some connections (by index) raised."""
        return self._raised(more) if more else self._edges

    @cached_property
    def _edges(self) -> list[Edge]:
        return self._raised({})

    @cached_property
    def inputs(self) -> dict[str, list[Link]]:
        """The links to each federate."""
        found: dict[str, list[Link]] = {name: [] for name in self.numbers}
        for link in self.links:
            found[link.connection.target].append(link)
        return found

    def _raised(self, more: Mapping[int, int]) -> list[Edge]:
        return [
            Edge(
                self.numbers[link.connection.source],
                self.numbers[link.connection.target],
                None if (weight := link.weight) is None else weight - more.get(link.index, 0),
            )
            for link in self.links
        ]


def network(federation: Federation, late: Mapping[int, int] | None = None) -> Network:
    """Work out the terms of each logical connection."""
    late = late or {}
    found = activation(federation)
    sent: dict[str, list[Connection]] = {name: [] for name in federation.federates}
    for connection in federation.connections:
        sent[connection.source].append(connection)
    receivers = {connection.target for connection in federation.connections}
    moments: dict[str, dict[Moment, int]] = {name: {} for name in federation.federates}
    for index, later in late.items():
        end = (federation.connections[index].target, federation.connections[index].input)
        moments[end[0]].update(dict.fromkeys(found.places.get(end, ()), later))
    launches = {
        name: Launch(federate, sent[name], name in receivers, found, 0, moments[name], True)
        for name, federate in federation.federates.items()
    }
    alone = frozenset(name for name in receivers if only_messages(found, federation, name))
    absent = waits_for_absent(federation, alone)
    never = endless(federation, found, alone)
    links = tuple(
        _link(federation, index, connection, launches[connection.source], absent, never)
        for index, connection in enumerate(federation.connections)
        if not connection.physical
    )
    numbers = {name: number for number, name in enumerate(federation.federates)}
    return Network(federation, links, numbers, found, launches, absent, never, alone, late)


def with_short(links: Network, short: frozenset[int]) -> Network:
    """The same with longer waits for the inputs of some connections (by index)."""
    if short == links.short:
        return links
    absent = waits_for_absent(links.federation, links.alone, short)
    changed = (replace(link, absent=absent[link.connection.source]) for link in links.links)
    return replace(links, links=tuple(changed), absent=absent, short=short)


def waits_for_absent(
    federation: Federation, alone: Collection[str] = (), short: Collection[int] = ()
) -> dict[str, int]:
    """How long after its maxwait each federate may stop at a level for inputs that do not come.

    Without those that are waited for without end; those `alone` wait for none.
    """
    waits = dict.fromkeys(federation.federates, 0)
    for index, connection in enumerate(federation.connections):
        if not connection.physical and connection.target not in alone:
            own = federation.absent_after(connection)
            if own != FOREVER:
                longer = own + federation.short_wait if index in short else own
                waits[connection.target] = max(waits[connection.target], longer)
    return waits


def _link(
    federation: Federation,
    index: int,
    connection: Connection,
    launch: Launch,
    absent: Mapping[str, int],
    never: Mapping[str, Because],
) -> Link:
    unknown = [never[connection.source]] if connection.source in never else []
    lag, because = known(lambda: launch.of_output(connection.output, connection.send))
    if because is not None:
        unknown.append(because)
    if connection.source in never:
        lag = None
    latency = federation.latency(connection)
    if latency is None:
        unknown.append(NO_LATENCY.of(connection=connection.name))
    clock = federation.clock_error(connection.source, connection.target)
    if clock is None:
        hosts = " and ".join(
            federation.federates[name].host for name in (connection.source, connection.target)
        )
        unknown.append(NO_CLOCK_ERROR.of(hosts=hosts))
    return Link(
        index,
        connection,
        absent[connection.source],
        lag,
        None if latency is None else latency.worst + connection.send,
        clock,
        connection.shift.time,
        unknown[0] if unknown else None,
    )
