"""Lags of a centralized federation: how long after its time the RTI grants a tag at the latest."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.launch.backlog import Load
from ddsrta.lf.bounds.launch.lags import Launch, UnknownLagError, known
from ddsrta.lf.bounds.logical_time.activation import Activation, activation
from ddsrta.lf.bounds.logical_time.moments import Moment
from ddsrta.lf.bounds.offsets.links import Network
from ddsrta.lf.bounds.offsets.maxplus import Edge, solve
from ddsrta.lf.bounds.rti.assumed import assumed_lags
from ddsrta.lf.bounds.rti.control import Control
from ddsrta.lf.bounds.rti.first import late_first
from ddsrta.lf.bounds.rti.grants import Grant, Grants
from ddsrta.lf.bounds.rti.provisional import Members, Together, cycles
from ddsrta.lf.bounds.unbounded import AFTER_TOO_SHORT
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.zero_delay import zero_delay_cycles


@dataclass(frozen=True, slots=True)
class GrantCircle:
    """Federates that wait for each other: each round takes `weight` more than `after` gives."""

    members: tuple[str, ...]
    grants: tuple[Grant, ...]
    weight: int


@dataclass(frozen=True)
class Lags:
    """How long after its time each tag is granted at the latest, and how long after that it is
    done; None where that is not known, `because` says why. `assumed` are those that rest on what
    the runtime does not promise, and why.

    `network` has the lags within a tag as they are with an RTI, and no offsets. `obstacles` says
    why some of the zero-delay cycles are not modelled.
    """

    network: Network
    control: Control
    grants: tuple[Grant, ...]
    values: Mapping[str, int | None]
    because: Mapping[str, Because]
    busy: Mapping[str, int | None]
    paths: Mapping[str, tuple[Grant, ...]]
    circles: tuple[GrantCircle, ...]
    zero_delay: tuple[Members, ...]
    obstacles: Mapping[Members, Because]
    assumed: Mapping[str, Because]


def lags(federation: Federation) -> Lags:
    """The least solution of R_j = max(0, max over what j waits for).

    >>> from ddsrta.lf.program.examples import centralized
    >>> lags(centralized()).values
    {'source': 0, 'sink': 870000}
    """
    found = activation(federation)
    control = Control(federation, found)
    zero_delay = zero_delay_cycles(federation)
    launches = _launches(federation, control, {name for group in zero_delay for name in group})
    groups, obstacles = cycles(zero_delay, control, launches)
    launches |= {name: Together(launches[name], cycle) for name, cycle in groups.items()}
    busy, unknown = _busy(launches)
    numbers = {name: number for number, name in enumerate(federation.federates)}
    nothing = dict.fromkeys(federation.federates, 0)
    network = Network(federation, (), numbers, found, launches, nothing)
    rows = Grants(control, busy, unknown, groups, obstacles)
    grants = tuple(rows)
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
            why = solution.why(number, edges, list(numbers), lambda index: grants[index].unknown)
            because[name] = why or AFTER_TOO_SHORT.of(others="federates")
            paths[name] = ()
    circles = tuple(_circle(grants, indices) for indices in solution.circles)
    return Lags(
        network, control, grants, values, because, busy, paths, circles, zero_delay, obstacles,
        assumed_lags(control, zero_delay),
    )  # fmt: skip


def _launches(
    federation: Federation, control: Control, together: Collection[str]
) -> dict[str, Launch]:
    sent: dict[str, list[Connection]] = {name: [] for name in federation.federates}
    for connection in federation.connections:
        sent[connection.source].append(connection)
    receivers = {connection.target for connection in federation.connections}
    found = {}
    for name, federate in federation.federates.items():
        given = federate, sent[name], name in receivers, control.found
        try:
            first = {} if name in together else late_first(control, name)
            found[name] = Launch(*given, control.between(name), first)
        except UnknownLagError as error:
            found[name] = Untold(error.because, *given)
    return found


class Untold(Launch):
    """A federate of which is not known how long it waits for a grant between two tags."""

    def __init__(
        self, because: Because, federate: Federate, sent: list[Connection], receives: bool,
        found: Activation,
    ) -> None:  # fmt: skip
        super().__init__(federate, sent, receives, found)
        self.because = because

    def _loads(self, moment: Moment | None) -> list[Load]:
        raise UnknownLagError(self.because)


def _busy(launches: Mapping[str, Launch]) -> tuple[dict[str, int | None], dict[str, Because]]:
    found = {name: known(launch.to_done) for name, launch in launches.items()}
    unknown = {name: because for name, (_, because) in found.items() if because is not None}
    return {name: time for name, (time, _) in found.items()}, unknown


def _circle(grants: tuple[Grant, ...], indices: list[int]) -> GrantCircle:
    around = tuple(grants[index] for index in indices)
    weight = sum(grant.weight or 0 for grant in around)
    return GrantCircle(tuple(grant.source for grant in around), around, weight)
