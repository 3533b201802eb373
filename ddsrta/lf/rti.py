"""Lags of a centralized federation: how long after its time the RTI grants a tag at the latest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ddsrta.lf.activation import activation
from ddsrta.lf.control import Control, zero_delay_cycles
from ddsrta.lf.federation import Connection, Federation
from ddsrta.lf.launch import Launch, UnknownLagError
from ddsrta.lf.links import Network
from ddsrta.lf.maxplus import Edge, Solution, solve


@dataclass(frozen=True, slots=True)
class Grant:
    """One thing that a grant may have to wait for; what is not known is None, `unknown` says why.

    `completed`: `source` is done with the tag, `busy` after it may start it. `advance`: the clock
    of `source`, which has physical actions, is beyond the tag, and it says so. `event`: the
    federate has physical actions, and asks for a grant when its clock shows the tag. The RTI's
    messages take `control`.
    """

    kind: Literal["completed", "advance", "event"]
    source: str
    target: str
    busy: int | None
    control: int | None
    clock: int | None = 0
    after: int = 0
    connection: int | None = None
    unknown: str | None = None

    @property
    def weight(self) -> int | None:
        """How much later than its source (or than the tag's time) the target can be."""
        if self.unknown or self.busy is None or self.control is None or self.clock is None:
            return None
        return self.busy + self.control + self.clock - self.after


@dataclass(frozen=True, slots=True)
class GrantCircle:
    """Federates that wait for each other: each round takes `weight` more than `after` gives."""

    members: tuple[str, ...]
    grants: tuple[Grant, ...]
    weight: int


@dataclass(frozen=True)
class Lags:
    """How long after its time each tag is granted at the latest, and how long after that it is
    done; None where that is not known, `because` says why.

    `network` has the lags within a tag as they are with an RTI, and no offsets.
    """

    network: Network
    control: Control
    grants: tuple[Grant, ...]
    values: Mapping[str, int | None]
    because: Mapping[str, str]
    busy: Mapping[str, int | None]
    paths: Mapping[str, tuple[Grant, ...]]
    circles: tuple[GrantCircle, ...]
    zero_delay: tuple[tuple[str, ...], ...]


def lags(federation: Federation) -> Lags:
    """The least solution of R_j = max(0, max over what j waits for).

    >>> from ddsrta.lf.examples import centralized
    >>> lags(centralized()).values
    {'source': 0, 'sink': 760000}
    """
    found = activation(federation)
    control = Control(federation, found)
    zero_delay = zero_delay_cycles(federation)
    launches = _launches(federation, control)
    busy, unknown = _busy(launches)
    numbers = {name: number for number, name in enumerate(federation.federates)}
    nothing = dict.fromkeys(federation.federates, 0)
    network = Network(federation, (), numbers, found, launches, nothing)
    grants = tuple(_grants(control, busy, unknown, zero_delay))
    # Edges from the clock, whose node comes last, are those that wait for no federate.
    clock = len(numbers)
    edges = [
        Edge(
            numbers[grant.source] if grant.kind == "completed" else clock,
            numbers[grant.target],
            grant.weight,
        )
        for grant in grants
    ]
    solution = solve(clock + 1, edges, {clock: 0})
    values = {name: solution.values[number] for name, number in numbers.items()}
    because, paths = {}, {}
    for name, number in numbers.items():
        paths[name] = tuple(grants[index] for index in solution.path(number, edges))
        if values[name] is None:
            because[name] = _because(grants, edges, solution, number)
            paths[name] = ()
    circles = tuple(_circle(grants, indices) for indices in solution.circles)
    return Lags(
        network, control, grants, values, because, busy, paths, circles, zero_delay
    )  # fmt: skip


def _launches(federation: Federation, control: Control) -> dict[str, Launch]:
    sent: dict[str, list[Connection]] = {name: [] for name in federation.federates}
    for connection in federation.connections:
        sent[connection.source].append(connection)
    receivers = {connection.target for connection in federation.connections}
    found = {}
    for name, federate in federation.federates.items():
        try:
            between = control.between(name)
        except UnknownLagError:
            between = 0  # its grants are not known then, nor is anything that follows
        receives = name in receivers
        found[name] = Launch(federate, sent[name], receives, control.found, between)
    return found


def _busy(launches: Mapping[str, Launch]) -> tuple[dict[str, int | None], dict[str, str]]:
    busy: dict[str, int | None] = {}
    unknown: dict[str, str] = {}
    for name, launch in launches.items():
        try:
            busy[name] = launch.to_done()
        except UnknownLagError as error:
            busy[name], unknown[name] = None, str(error)
    return busy, unknown


def _grants(
    control: Control,
    busy: Mapping[str, int | None],
    unknown: Mapping[str, str],
    zero_delay: tuple[tuple[str, ...], ...],
) -> Iterator[Grant]:
    federation = control.federation
    group = {name: members for members in zero_delay for name in members}
    advancing = _least_delays(federation)
    queries: dict[str, int] = {}
    for index, connection in enumerate(federation.connections):
        if connection.physical:
            continue
        source, target = connection.source, connection.target
        grant = _link(control, queries, connection, busy[source], unknown.get(source))
        grant = replace(grant, connection=index)
        if connection.after is None and source in group and group[source] == group.get(target):
            names = ", ".join(group[source])
            because = (
                f"the zero-delay cycle of {names} is not modelled, because the provisional grants "
                "(PTAG) in it let reactions run before all inputs are known"
            )
            grant = replace(grant, unknown=because)
        yield grant
        if source in advancing:
            interval = federation.rti.advance_message_interval - advancing[source]
            late = max(0, interval - grant.after) + federation.federates[source].overhead
            # A query, if there is one, comes while the clock advances: it is in `completed`.
            way = None if grant.control is None else grant.control - queries.get(target, 0)
            yield replace(grant, kind="advance", busy=late, control=way, after=0)
    for name in advancing:
        if control.upstream[name]:
            # What it tells is capped at its clock, so that it asks for an event at its time only.
            try:
                grant = Grant("event", name, name, 0, control.between(name))
            except UnknownLagError as error:
                grant = Grant("event", name, name, 0, None, unknown=str(error))
            yield grant


def _link(
    control: Control,
    queries: dict[str, int],
    connection: Connection,
    busy: int | None,
    unknown: str | None,
) -> Grant:
    source, target = connection.source, connection.target
    way: int | None = None
    try:
        if target not in queries:
            queries[target] = control.late_query(target)
        way = control.way(source, target) + queries[target]
    except UnknownLagError as error:
        unknown = unknown or str(error)
    clock = control.federation.clock_error(source, target)
    if clock is None:
        hosts = " and ".join(control.federation.federates[name].host for name in (source, target))
        unknown = unknown or f"no clock error is given for the hosts {hosts}"
    after = connection.after or 0
    return Grant("completed", source, target, busy, way, clock, after, None, unknown)


def _least_delays(federation: Federation) -> dict[str, int]:
    """The least delay of the physical actions of each federate that has any.

    A message over a physical connection is one, without delay.
    """
    found: dict[str, int] = {}
    for name, federate in federation.federates.items():
        delays = [a.min_delay for a in federate.actions.values() if a.kind == "physical"]
        if delays:
            found[name] = min(delays)
    for connection in federation.connections:
        if connection.physical:
            found[connection.target] = 0
    return found


def _because(grants: tuple[Grant, ...], edges: list[Edge], solution: Solution, node: int) -> str:
    seen: set[int] = set()
    while node not in seen:
        seen.add(node)
        index = solution.because[node]
        if index is None:
            break
        if (unknown := grants[index].unknown) is not None:
            return unknown
        node = edges[index].source
    for indices in solution.circles:
        members = [grants[index].source for index in indices]
        if node in (edges[index].source for index in indices):
            text = " → ".join([*members, members[0]])
            return f"the circle {text} takes more time than `after` gives"
    return "it waits for federates in circles that take more time than `after` gives"


def _circle(grants: tuple[Grant, ...], indices: list[int]) -> GrantCircle:
    around = tuple(grants[index] for index in indices)
    weight = sum(grant.weight or 0 for grant in around)
    return GrantCircle(tuple(grant.source for grant in around), around, weight)
