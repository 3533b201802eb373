"""Zero-delay cycles: federates that work on a tag together, by provisional grants (PTAG).

Lemma provisional-grants: until all of them are done with a tag, one of them works on it, or
a message between them is on its way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from ddsrta.base.components import connected
from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.launch.backlog import Load, backlog, rate
from ddsrta.lf.bounds.launch.lags import Launch, UnknownLagError, percent
from ddsrta.lf.bounds.logical_time.moments import Moment, before
from ddsrta.lf.bounds.rti.control import Control
from ddsrta.lf.bounds.unbounded import (
    CYCLE_NOT_MODELLED,
    CYCLE_OVERLOAD,
    NO_CLOCK_ERROR,
    NO_SPACING,
)
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.tags import SAME

Members = tuple[str, ...]


def obstacle(federation: Federation, members: Members) -> Because | None:
    """Why a zero-delay cycle is not modelled; None where it is.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> obstacle(two_federates(), ("source", "sink"))
    """
    why = _not_followed(federation, members)
    return CYCLE_NOT_MODELLED.of(names=", ".join(members), why=why) if why else None


def _not_followed(federation: Federation, members: Members) -> str | None:
    for connection in federation.connections:
        if connection.physical and connection.target in members:
            return f"{connection.target} has a physical connection"
    for name in members:
        if any(a.is_physical for a in federation.federates[name].actions.values()):
            return f"{name} can have physical events"
    logical = [c for c in federation.connections if not c.physical]
    groups = connected(list(federation.federates), [(c.source, c.target) for c in logical])
    around = next(set(group) for group in groups if members[0] in group)
    inside = [c for c in logical if {c.source, c.target} <= around]
    if any(c.shift != SAME for c in inside):
        return "a cycle with an 'after' goes through it, too"
    return None


class Cycle:
    """A zero-delay cycle: what a tag takes all its members, and what grants take."""

    def __init__(self, members: Members, control: Control, launches: Mapping[str, Launch]) -> None:
        self.members = members
        self._control = control
        self._launches = [launches[name] for name in members]

    def way(self, source: str) -> int:
        """From what a federate tells the RTI until all members are told."""
        hops = max(self._control.hop(name) for name in self.members)
        return self._control.hop(source) + self._control.service + hops

    @cached_property
    def query(self) -> int:
        """How long the RTI takes to ask for what DNETs have kept back from it."""
        return max(self._control.query(name) for name in self.members)

    @cached_property
    def between(self) -> int:
        """From the completion of a tag to the grant of the next one."""
        return max(self.way(name) for name in self.members) + self.query

    @cached_property
    def done(self) -> int:
        """From when all may start a tag until all are done, clocks of members included."""
        needed = rate(self._loads.values())
        if needed > 1:
            names = ", ".join(self.members)
            raise UnknownLagError(CYCLE_OVERLOAD.of(names=names, load=percent(needed)))
        left = max(map(self._left_over, self._loads), default=0)
        return self._apart + left + self._work

    def _left_over(self, moment: Moment) -> int:
        found = []
        for other, load in self._loads.items():
            nearest = before(other, moment)
            if nearest is not None:
                found.append(load._replace(nearest=nearest))
        return backlog(found)

    @cached_property
    def _loads(self) -> dict[Moment, Load]:
        found: dict[Moment, Load] = {}
        for launch in self._launches:
            for moment in launch.moments:
                root = moment.root
                if root.period is None and not root.once:
                    raise UnknownLagError(NO_SPACING.of(action=f"{root.federate}.{root.name}"))
                found[moment] = Load(self._work + self.between, root.period, 0)
        return found

    @cached_property
    def _work(self) -> int:
        """All reactions of all members, and a message over each connection between them."""
        hops = sum(self._control.way(c.source, c.target) for c in self._inside)
        return hops + sum(launch.everything() for launch in self._launches)

    @cached_property
    def _inside(self) -> list[Connection]:
        upstream = self._control.upstream
        return [c for name in self.members for c in upstream[name] if c.source in self.members]

    @cached_property
    def _apart(self) -> int:
        """How far the clocks of members are apart at most."""
        errors = [
            self._control.federation.clock_error(one, other)
            for one in self.members
            for other in self.members
            if one != other
        ]
        if any(error is None for error in errors):
            raise UnknownLagError(NO_CLOCK_ERROR.of(hosts="of " + ", ".join(self.members)))
        return max(error or 0 for error in errors)


class Together(Launch):
    """The lags of one member: whatever it does is done when the whole cycle is."""

    def __init__(self, alone: Launch, cycle: Cycle) -> None:
        self.__dict__.update(alone.__dict__)
        self.cycle = cycle

    def of_output(self, output: str, send: int) -> int:
        """The lag until a message of an output begins to be sent, `send` its own sending time."""
        return self.cycle.done - send

    def to_end(self, reaction: str) -> int:
        """The lag until a reaction has ended, at the latest."""
        return self.cycle.done

    def to_done(self) -> int:
        """The lag until all members are done with a tag."""
        return self.cycle.done


def cycles(
    zero_delay: Sequence[Members], control: Control, launches: Mapping[str, Launch]
) -> tuple[dict[str, Cycle], dict[Members, Because]]:
    """The cycle of each federate that is in one, and why some cycles are not modelled."""
    found: dict[str, Cycle] = {}
    obstacles: dict[Members, Because] = {}
    for members in zero_delay:
        reason = obstacle(control.federation, members)
        if reason is not None:
            obstacles[members] = reason
        else:
            found.update(dict.fromkeys(members, Cycle(members, control, launches)))
    return found, obstacles
