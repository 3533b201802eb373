"""Latest starts in federates that wait for messages of others, each worker on a core of its own.

How long they wait is worked out here, and not claimed (lemmas safe-to-process, leftover-work,
grant-lag and reactions-before).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.ahead import Ahead, ahead
from ddsrta.checker.lf.control import Control
from ddsrta.checker.lf.environments import Environment, crowded
from ddsrta.checker.lf.grants import Rows
from ddsrta.checker.lf.lags import Lags
from ddsrta.checker.lf.program import NoBoundError, Program
from ddsrta.checker.lf.rti import lags_with_rti
from ddsrta.checker.lf.tags import meet
from ddsrta.checker.lf.tardy import in_time
from ddsrta.checker.lf.things import FOREVER, Connection, Federation
from ddsrta.checker.lf.times import Times
from ddsrta.checker.lf.together import groups, not_modelled
from ddsrta.checker.lf.unsure import unsure
from ddsrta.checker.lf.waiting import alone, certainly, shares_tag, stops
from ddsrta.checker.reading import shown

_Key = tuple[str, str]
Values = Mapping[str, int | None]


class Edge(NamedTuple):
    """The target is no less than the source (None: than 0) and `x` more (None: without end)."""

    source: str | None
    target: str
    x: int | None


class Waiting(Lags):
    """What a federate's tags may find of earlier ones, and what comes first at a tag."""

    program: Ahead

    def latest(self, reaction: str) -> int:
        """From when its tag may start until a reaction does (lemmas leftover-work and
        reactions-before)."""
        most = 0
        for tag in self._tags(f"reaction {reaction}"):
            names = {n for other, some in self.present.items() if meet(tag, other) for n in some}
            most = max(most, self.left_over(tag) + self.program.starting(names, reaction))
        return most


class Received:
    """Those of one scheduler, with so many workers."""

    def __init__(
        self,
        federation: Federation,
        times: Times,
        members: Mapping[str, Environment],
        scheduler: str,
        budget: Budget,
    ) -> None:
        parts = {
            name: members[name].part._replace(scheduler=scheduler)
            for name, federate in federation.federates.items()
            if not federate.enclaves
        }
        self.federation = federation._replace(federates={**federation.federates, **parts})
        self.times, self.members, self.budget = times, members, budget

    def latest(self, key: _Key) -> int:
        """Of a reaction of a federate."""
        name, reaction = key
        for one in {name, *self._upstream(name)}:
            if one in self._spoiled:
                raise NoBoundError(f"{shown(one)} {self._spoiled[one]}")
        if self.federation.coordination == "centralized":
            value, lags = self._grants[0][name], self._grants[1][name]
            if value is None:
                raise NoBoundError("its grants may come any time later")
            return value + lags.starting(reaction)
        value = self._waits[name]
        if value is None:
            raise NoBoundError("its tags may start any time later")
        program = ahead(self.federation, self.members[name]._replace(
            part=self.federation.federates[name]))  # fmt: skip
        return value + Waiting(program, self.times, self.budget, patient=True).latest(reaction)

    def _upstream(self, name: str) -> set[str]:
        found, stack = {name}, [name]
        while stack:
            for link in self.federation.into(stack.pop()):
                self.budget.curve()
                if link.source not in found:
                    found.add(link.source)
                    stack.append(link.source)
        return found

    @cached_property
    def _spoiled(self) -> dict[str, str]:
        """Whose tags are not those that are modelled, or have no bound that is promised."""
        found = {}
        for name, federate in self.federation.federates.items():
            if crowded(self.federation, self.members, federate.host):
                found[name] = "is on a host that has more workers than cores"
        centralized = self.federation.coordination == "centralized"
        for link in self.federation.connections:
            if link.physical:
                continue
            good = not shares_tag(self.times, link) if centralized else self._in_time(link)
            if not good:
                found[link.target] = "can get tardy messages"
        if centralized:
            cycles = groups(self.federation, lambda c: c.after is None)
            for name in unsure(self._control, cycles):
                found[name] = "has grants that the runtime does not promise"
        return found

    @cached_property
    def _control(self) -> Control:
        return Control(self.federation, self.times, self.budget)

    @cached_property
    def _grants(self) -> tuple[Values, Mapping[str, Lags]]:
        """How late tags are granted, and what they take."""
        cycles = groups(self.federation, lambda c: c.after is None)
        circles = groups(self.federation, lambda _: True)
        refused = [m for m in cycles if not_modelled(self.federation, m, circles)]
        lags, joint = lags_with_rti(self._control, cycles, refused)
        rows = Rows(self._control, lags, joint, refused)
        edges = []
        for row in rows:
            try:
                x = rows.busy(row) + rows.messages(row) + rows.clock(row) - row.after
            except NoBoundError:
                x = None
            edges.append(Edge(row.source if row.kind == "completed" else None, row.target, x))
        return least(dict.fromkeys(self.federation.federates, 0), edges, self.budget), lags

    @cached_property
    def _lags(self) -> dict[str, Lags]:
        found = {}
        for name, federate in self.federation.federates.items():
            sent, receives = self.federation.outgoing[name], bool(self.federation.incoming[name])
            program = Program(name, federate, sent, receives)
            found[name] = Lags(program, self.times, self.budget, patient=True)
        return found

    @cached_property
    def _weights(self) -> dict[Connection, int | None]:
        """From when a tag may start, waits within it left out, until its message is there."""
        found: dict[Connection, int | None] = {}
        for link in self.federation.connections:
            way = self.federation.travel(link)
            apart = self.federation.apart(link.source, link.target)
            if link.physical:
                continue
            try:
                lag: int | None = self._lags[link.source].sending(link.output, link.send)
            except NoBoundError:
                lag = None
            known = [term for term in (lag, way, apart) if term is not None]
            found[link] = sum(known) - (link.after or 0) if len(known) == 3 else None
        return found

    @cached_property
    def _solved(self) -> tuple[Values, Values]:
        """How long each waits before a tag, and how long at it for inputs that do not come.

        Short waits are found with those that are solved without: with longer ones there are none
        more.
        """
        absent = stops(self.federation, self.times, dict.fromkeys(self.federation.federates))
        absent = stops(self.federation, self.times, self._solution(absent))
        return self._solution(absent), absent

    @property
    def _waits(self) -> Values:
        before, at = self._solved
        return {
            name: None if (more := at[name]) is None or wait is None else wait + more
            for name, wait in before.items()
        }

    def _solution(self, absent: Values) -> Values:
        floors: dict[str, int | None] = {}
        for name, federate in self.federation.federates.items():
            given = federate.maxwait
            if absent[name] is None or (given == FOREVER and not self._comes(name)):
                floors[name] = None
            elif isinstance(given, int) and not alone(self.federation, self.times, name):
                floors[name] = given
            else:
                floors[name] = 0
        edges = []
        for link, weight in self._weights.items():
            stop = absent[link.source]
            x = None if stop is None or weight is None else stop + weight
            edges.append(Edge(link.source, link.target, x))
        return least(floors, edges, self.budget)

    def _comes(self, name: str) -> bool:
        """Whether it has to wait without end for none of its inputs."""
        if alone(self.federation, self.times, name):
            return True
        links = self.federation.incoming[name]
        return all(not link.physical and certainly(self.times, link) for link in links)

    def _in_time(self, link: Connection) -> bool:
        """Whether none of its messages can be tardy."""
        start, weight = self._waits[link.source], self._weights[link]
        need = None if start is None or weight is None else max(0, start + weight)
        return in_time(self.federation, self.times, link, need)


def least(floors: Values, edges: Sequence[Edge], budget: Budget) -> Values:
    """The least values above floors (None: without end) and edges.

    >>> some = [Edge("a", "b", 3), Edge("b", "c", -5), Edge(None, "c", 1), Edge("d", "d", 1)]
    >>> least({"a": 2, "b": 0, "c": 0, "d": 0}, some, Budget())
    {'a': 2, 'b': 5, 'c': 1, 'd': None}
    """
    values = dict(floors)
    for count in range(len(floors) + 1):
        raised = [edge for edge in _broken(values, edges, budget) if _raise(values, edge)]
        if not raised:
            return values
        if count == len(floors):
            values.update(dict.fromkeys((edge.target for edge in raised), None))
    while broken := list(_broken(values, edges, budget)):
        values.update(dict.fromkeys((edge.target for edge in broken), None))
    return values


def _broken(values: Values, edges: Sequence[Edge], budget: Budget) -> Iterable[Edge]:
    for edge in edges:
        budget.curve()
        start = 0 if edge.source is None else values[edge.source]
        now = values[edge.target]
        if now is not None and (start is None or edge.x is None or now < start + edge.x):
            yield edge


def _raise(values: dict[str, int | None], edge: Edge) -> bool:
    start = 0 if edge.source is None else values[edge.source]
    values[edge.target] = None if start is None or edge.x is None else start + edge.x
    return True
