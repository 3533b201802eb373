"""What the RTI of a run knows of its federates, and what it grants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ddsrta.lf.program.federates import Span
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.tags import ENDLESS, HEAD, MICROSTEP, NEVER, Shift, Tag


def shifts(federation: Federation) -> dict[str, dict[str, Shift]]:
    """The least shift of the connections from each federate to each other. Direct ones only."""
    found: dict[str, dict[str, Shift]] = {name: {} for name in federation.federates}
    for connection in federation.connections:
        if connection.physical:
            continue
        row, shift = found[connection.target], connection.shift
        row[connection.source] = min(shift, row.get(connection.source, shift))
    return found


def far_shifts(direct: dict[str, dict[str, Shift]]) -> dict[str, dict[str, Shift]]:
    """The same over any number of federates, to itself included."""
    found = {name: dict(row) for name, row in direct.items()}
    for via in direct:
        for row in found.values():
            if via not in row:
                continue
            for source, shift in list(found[via].items()):
                way = shift + row[via]
                row[source] = min(way, row.get(source, way))
    return found


def _silent_to(done: Tag, shift: Shift) -> Tag:
    """Up to which tag nothing more comes from a federate that is done with one.

    A later microstep of it may send with the same time, if a time is added.

    >>> _silent_to((5, 0), Shift(3)) < (8, 0) < _silent_to((6, 0), Shift(3))
    True
    """
    tag = done + shift
    return (tag[0] - 1, ENDLESS) if shift.time and tag != NEVER else tag


@dataclass
class Rti:
    """`net`: the next tag that each federate told of, or that a message to it has; `done`: the last
    that it told to be complete; `transit`: tags of messages to it that it is not known to be done
    with; `granted`: up to which tag it may go."""

    federation: Federation
    cycles: dict[str, int]  # federates in zero-delay cycles, with the number of the cycle
    direct: dict[str, dict[str, Shift]] = field(default_factory=dict)
    far: dict[str, dict[str, Shift]] = field(default_factory=dict)
    net: dict[str, Tag] = field(default_factory=dict)
    done: dict[str, Tag] = field(default_factory=dict)
    transit: dict[str, list[Tag]] = field(default_factory=dict)
    granted: dict[str, Tag] = field(default_factory=dict)
    provisional: dict[str, Tag] = field(default_factory=dict)
    asked: dict[tuple[str, str], Tag] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.direct = shifts(self.federation)
        self.far = far_shifts(self.direct)
        for name in self.federation.federates:
            self.net[name] = self.done[name] = self.granted[name] = self.provisional[name] = HEAD
            self.transit[name] = []

    def message(self, name: str, tag: Tag) -> None:
        """One is on its way to a federate."""
        self.transit[name].append(tag)
        self.net[name] = min(self.net[name], tag)
        self.asked = {
            key: limit for key, limit in self.asked.items() if not key[0] or key[1] != name
        }

    def tell(self, name: str, tag: Tag) -> None:
        """A federate's next tag, which it told before it had what is on its way."""
        self.net[name] = min([tag, *self.transit[name]])

    def complete(self, name: str, tag: Tag) -> None:
        """A federate is done with a tag."""
        self.done[name] = max(self.done[name], tag)
        self.transit[name] = [other for other in self.transit[name] if other > tag]

    def head(self, name: str) -> Tag:
        """The first tag that a federate may have."""
        return min([self.net[name], *self.transit[name]])

    def grants(self) -> Iterator[tuple[str, Tag, bool]]:
        """What can be granted now and has not been; whether for good."""
        for name, near in self.direct.items():
            tag = self.head(name)
            if not near or tag in (NEVER, HEAD):
                continue
            first = min(self.head(k) + shift for k, shift in self.far[name].items())
            limit = HEAD
            if all(_silent_to(self.done[k], shift) >= tag for k, shift in near.items()):
                limit = tag
            if first > tag:
                limit = max(limit, first - MICROSTEP)
            if limit > self.granted[name]:
                self.granted[name] = limit
                yield name, limit, True
            elif first == tag and name in self.cycles and tag > self.granted[name]:
                yield from self._provisional(name, tag)

    def _provisional(self, name: str, tag: Tag) -> Iterator[tuple[str, Tag, bool]]:
        """To the federate and all of its cycle: each has to tell whether it sends."""
        members = [k for k, cycle in self.cycles.items() if cycle == self.cycles[name]]
        outside = [self.head(k) + shift for k, shift in self.far[name].items() if k not in members]
        if min(outside, default=NEVER) <= tag:
            return
        for member in members:
            if self.head(member) >= tag > max(self.provisional[member], self.granted[member]):
                self.provisional[member] = tag
                yield member, tag, False

    def keeps(self) -> Iterator[tuple[str, str, Tag]]:
        """For each federate upstream, up to which tag its next one need not be told, and to whom:
        none of those downstream could go on with it."""
        least: dict[str, Tag] = {}
        for name, row in self.far.items():
            tag = self.head(name)
            for k, shift in row.items():
                if k != name and k not in self.cycles:
                    least[k] = min(least.get(k, NEVER), tag - shift)
        for k, tag in least.items():
            if self.asked.get(("", k)) != tag:
                self.asked["", k] = tag
                yield k, "", tag

    def questions(self) -> Iterator[tuple[str, str, Tag]]:
        """The same as questions, where federates keep back what they may: one for each federate
        that could go on if another's next tag were beyond a tag."""
        for name, row in self.far.items():
            tag = self.head(name)
            if not self.direct[name] or tag in (NEVER, HEAD) or tag <= self.granted[name]:
                continue
            for k, shift in row.items():
                if k == name or k in self.cycles or self.head(k) + shift > tag:
                    continue
                limit = tag - shift
                if self.asked.get((name, k)) != limit:
                    self.asked[name, k] = limit
                    yield k, name, limit


def hops(federation: Federation, name: str) -> tuple[Span | None, Span | None]:
    """The ways of a federate up to the RTI and down from it."""
    federate, rti = federation.federates[name], federation.rti
    hop = federate.rti_hop or rti.hop
    if hop is not None or rti.host is None:
        return hop, hop
    network = federation.network
    return network.get((federate.host, rti.host)), network.get((rti.host, federate.host))
