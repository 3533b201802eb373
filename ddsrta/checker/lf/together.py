"""Zero-delay cycles: federates that do a tag together (lemma provisional-grants)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from ddsrta.checker.lf.control import Control
from ddsrta.checker.lf.lags import Burst, Lags, left_over
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.tags import Tags, gap
from ddsrta.checker.lf.things import Connection, Federation
from ddsrta.checker.reading import shown

Members = tuple[str, ...]
_Along = Callable[[Connection], bool]


def groups(federation: Federation, along: _Along) -> list[Members]:
    """Federates that reach each other over such connections, two or more."""
    ahead: dict[str, list[str]] = {name: [] for name in federation.federates}
    back: dict[str, list[str]] = {name: [] for name in federation.federates}
    for connection in federation.connections:
        if not connection.physical and along(connection):
            ahead[connection.source].append(connection.target)
            back[connection.target].append(connection.source)
    done: dict[str, None] = {}
    for name in ahead:
        _finish(name, ahead, done)
    found, seen = [], set[str]()
    for name in reversed(done):
        if name not in seen:
            members = {name}
            stack = [name]
            while stack:
                for other in back[stack.pop()]:
                    if other not in seen and other not in members:
                        members.add(other)
                        stack.append(other)
            seen |= members
            if len(members) > 1:
                found.append(tuple(one for one in ahead if one in members))
    return found


def _finish(start: str, ahead: Mapping[str, list[str]], done: dict[str, None]) -> None:
    """Adds all that is reached and new, each after what it reaches first."""
    entered: set[str] = set()
    stack: list[tuple[str, Iterator[str]]] = [(start, iter(ahead[start]))]
    while stack:
        name, rest = stack[-1]
        entered.add(name)
        following = next((one for one in rest if one not in entered and one not in done), None)
        if following is None:
            stack.pop()
            done[name] = None
        else:
            stack.append((following, iter(ahead[following])))


def not_modelled(federation: Federation, members: Members, circles: list[Members]) -> bool:
    """Whether a cycle has physical events, or a cycle with `after` goes through it."""
    for name in members:
        physical = any(action.physical for action in federation.federates[name].actions.values())
        if physical or any(c.physical for c in federation.incoming[name]):
            return True
    around = next(set(circle) for circle in circles if members[0] in circle)
    return any(
        c.after is not None and not c.physical and {c.source, c.target} <= around
        for c in federation.connections
    )


class Cycle:
    """What a tag takes all members."""

    def __init__(self, members: Members, control: Control, lags: Mapping[str, Lags]) -> None:
        self.members, self.control = members, control
        self.lags = [lags[name] for name in members]

    def way(self, source: str) -> int:
        """From telling the RTI until all members are told."""
        return max(self.control.way(source, member) for member in self.members)

    @property
    def query(self) -> int:
        """Asking all upstream of any."""
        return max(self.control.query(member) for member in self.members)

    @cached_property
    def work(self) -> int:
        """All reactions, and all messages between members, one after the other."""
        inside = [
            c for name in self.members for c in self.control.upstream[name]
            if c.source in self.members
        ]  # fmt: skip
        total = sum(self.control.way(c.source, c.target) for c in inside)
        for lags in self.lags:
            program = lags.program
            total += lags.federate.overhead + program.sending
            total += sum(map(program.cost, lags.federate.reactions))
        return total

    @cached_property
    def done(self) -> int:
        """From when all may start a tag until all are done."""
        tags = {tag for lags in self.lags for tag in lags.present}
        cost = self.work + max(map(self.way, self.members)) + self.query
        for tag in tags:
            if tag.period is None and not tag.once:
                raise NoBoundError(f"any number of events of {shown(tag.root)} may be waiting")
        rate = sum((Fraction(cost, tag.period) for tag in tags if tag.period), Fraction(0))
        if rate > 1:
            raise NoBoundError(f"the cycle of {', '.join(self.members)} has no time for its work")
        left = max((self._left(tags, tag, cost, rate) for tag in tags), default=0)
        return self._apart() + left + self.work

    def _left(self, tags: set[Tags], tag: Tags, cost: int, rate: Fraction) -> int:
        nearest = {other: gap(other, tag) for other in tags}
        bursts = [
            Burst(cost, other.period, distance)
            for other, distance in nearest.items()
            if distance is not None
        ]
        self.control.budget.curve(len(bursts))
        return left_over(bursts, rate, self.control.budget)

    def _apart(self) -> int:
        federation = self.control.federation
        most = 0
        for one in self.members:
            for other in self.members:
                apart = federation.apart(one, other)
                if apart is None:
                    raise NoBoundError(f"no clock error between {one} and {other} is known")
                most = max(most, apart)
        return most


class Joint(Lags):
    """A member: what it does is done when all are done."""

    def __init__(self, alone: Lags, cycle: Cycle) -> None:
        super().__init__(alone.program, alone.times, alone.budget)
        self.cycle = cycle

    def sending(self, output: str, send: int) -> int:
        return self.cycle.done - send

    def ending(self, reaction: str) -> int:
        return self.cycle.done

    def done(self) -> int:
        return self.cycle.done
