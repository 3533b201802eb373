"""What grants of the RTI wait for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.launch.lags import known
from ddsrta.lf.bounds.rti.control import Control
from ddsrta.lf.bounds.rti.provisional import Cycle, Members
from ddsrta.lf.bounds.unbounded import NO_CLOCK_ERROR
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Connection
from ddsrta.lf.program.tags import SAME


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
    delay: int = 0
    connection: int | None = None
    unknown: Because | None = None

    @property
    def weight(self) -> int | None:
        """How much later than its source (or than the tag's time) the target can be."""
        if self.unknown or self.busy is None or self.control is None or self.clock is None:
            return None
        return self.busy + self.control + self.clock - self.delay


@dataclass(frozen=True)
class Grants:
    """All of them; `busy` is how long a tag takes each federate, or `unknown` says why not."""

    control: Control
    busy: Mapping[str, int | None]
    unknown: Mapping[str, Because]
    cycles: Mapping[str, Cycle]
    obstacles: Mapping[Members, Because]
    queries: dict[str, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Grant]:
        federation = self.control.federation
        advancing = self.control.federation.least_delays
        for index, connection in enumerate(federation.connections):
            if connection.physical or self._inside(connection):
                continue
            grant = replace(self._completed(connection), connection=index)
            yield from self._to_all(grant)
            source = connection.source
            if source in advancing:
                late = self._late(source, grant.delay)
                # A query, if there is one, comes while the clock advances: it is in `completed`.
                way = None if grant.control is None else grant.control - self._query(grant.target)
                advance = replace(grant, kind="advance", busy=late, control=way, delay=0)
                yield from self._to_all(advance)
        for name in advancing:
            if self.control.upstream[name]:
                yield self._event(name)

    def _late(self, source: str, delay: int) -> int | None:
        """How long its clock may stay untold: its tags first, and then no NET for an interval.

        What wakes it brings no NET forward, if no event comes of it: then it sleeps on, until the
        empty event that it set, an interval and the least delay to its outputs from the beginning.
        """
        busy = self.busy[source]
        if busy is None:
            return None
        federation = self.control.federation
        federate = federation.federates[source]
        interval = federation.rti.advance_message_interval
        return max(0, busy + interval + _most_delay(federate) + federate.overhead - delay)

    def _inside(self, connection: Connection) -> bool:
        """Whether it is in a zero-delay cycle, whose members work together."""
        cycle = self.cycles.get(connection.target)
        return cycle is not None and connection.source in cycle.members

    def _to_all(self, grant: Grant) -> Iterator[Grant]:
        """What one member of a cycle waits for, all wait for."""
        cycle = self.cycles.get(grant.target)
        if cycle is None:
            yield grant
            return
        errors = [self._clock(grant.source, member) for member in cycle.members]
        known = [error for error in errors if error is not None]
        clock = max(known) if len(known) == len(errors) else None
        for member in cycle.members:
            yield replace(grant, target=member, clock=clock)

    def _completed(self, connection: Connection) -> Grant:
        source, target = connection.source, connection.target
        way, because = known(lambda: self._way(source, target) + self._query(target))
        unknown = self.unknown.get(source) or because
        clock = self._clock(source, target)
        if clock is None:
            federates = self.control.federation.federates
            hosts = " and ".join(federates[name].host for name in (source, target))
            unknown = unknown or NO_CLOCK_ERROR.of(hosts=hosts)
        for members, why in self.obstacles.items():
            if connection.shift == SAME and {source, target} <= set(members):
                unknown = why
        busy, delay = self.busy[source], connection.shift.time
        return Grant("completed", source, target, busy, way, clock, delay, None, unknown)

    def _event(self, name: str) -> Grant:
        # What it tells is capped at its clock, so that it asks for an event at its time only.
        between, unknown = known(lambda: self.control.between(name))
        return Grant("event", name, name, 0, between, unknown=unknown)

    def _clock(self, source: str, target: str) -> int | None:
        return self.control.federation.clock_error(source, target)

    def _way(self, source: str, target: str) -> int:
        cycle = self.cycles.get(target)
        return cycle.way(source) if cycle else self.control.way(source, target)

    def _query(self, target: str) -> int:
        if target not in self.queries:
            self.queries[target] = self._late_query(target)
        return self.queries[target]

    def _late_query(self, target: str) -> int:
        """How long the RTI may have to ask; in and behind zero-delay cycles always."""
        if target in self.cycles:
            return self.cycles[target].query
        # It tells its tags only as far as its clock is.
        vouches = target in self.control.federation.least_delays
        behind = not self.cycles.keys().isdisjoint(self.control.ancestors(target))
        return self.control.late_query(target, vouches, behind)


def _most_delay(federate: Federate) -> int:
    """No less than the least delay from its physical actions to its outputs, whatever the way."""
    physical = [a.min_delay for a in federate.actions.values() if a.is_physical]
    logical = sum(a.min_delay for a in federate.actions.values() if not a.is_physical)
    inner = sum(connection.shift.time for connection in federate.connections)
    return max(physical, default=0) + logical + inner
