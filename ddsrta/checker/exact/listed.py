"""Situations as a certificate lists them, by name; nothing in them is trusted."""

from __future__ import annotations

from typing import Any

from ddsrta.checker.exact.model import Key
from ddsrta.checker.exact.states import Layout, Since, State, Tags, Unit
from ddsrta.checker.exact.zones import ENDLESS, Zone
from ddsrta.checker.reading import (
    CertificateError,
    array,
    integer,
    mapping,
    names,
    record,
    shown,
    text,
)

_KEYS = (
    "begun", "beginning", "serving", "waiting", "turns", "tokens", "flying", "registers", "known",
    "running", "zones",
)  # fmt: skip
_UNIT, _TAG, _WAY, _KNOWN = 7, 4, 4, 3


class Listed:
    """Reads one situation after the other."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.servers = {server.name: i for i, server in enumerate(layout.model.servers)}
        self.size = 1
        self.begun: set[int] = set()

    def situation(self, value: object, where: str) -> list[State]:
        """One for each of its zones."""
        raw = record(value, where, _KEYS)
        zones = [self._zone(one, f"{where}.zones") for one in array(raw["zones"], where)]
        if not zones:
            raise CertificateError(f"{where}: no zone")
        self.size = len(zones[0].most)
        s = State(self.layout)
        for name, clock in mapping(raw["begun"], where).items():
            s.begun[self._at(self.layout.sources, name)] = self._clock(clock, where)
        self.begun = {one for one in s.begun if one}
        for name, clock in mapping(raw["beginning"], where).items():
            s.beginning[self._at(self.layout.sources, name)] = self._clock(clock, where)
        for name, work in mapping(raw["serving"], where).items():
            number = self._server(name)
            s.serving[number] = self._served(number, work, where)
        for name, units in mapping(raw["waiting"], where).items():
            self._waits(s, self._server(name), array(units, where), where)
        for name, turn in mapping(raw["turns"], where).items():
            at, had = (integer(one, where) for one in _of(turn, 2, where))
            s.turns[self._server(name)] = at, had
        for one in array(raw["tokens"], where):
            number, tokens = self._way(one, self.layout.join_number, where)
            s.tokens[number] = tuple([self._tags(token, where) for token in tokens])
        for one in array(raw["flying"], where):
            number, units = self._way(one, self.layout.way_number, where)
            way = self.layout.ways[number]
            s.flying[number] = tuple([self._flies(way, unit, where) for unit in units])
        for one in array(raw["registers"], where):
            number, tags = self._way(one, self.layout.way_number, where)
            s.registers[number] = self._tags(tags, where)
        for one in array(raw["known"], where):
            figure, clock, periods = (integer(n, where) for n in _of(one, _KNOWN, where))
            s.known[self._figure(figure, where)] = self._since(clock, periods, where)
        for name, server in mapping(raw["running"], where).items():
            number = self._server(text(server, where))
            if s.serving[number] is None:
                raise CertificateError(f"{where}: a thread runs without work")
            s.running[self._at(self.layout.cores, name)] = number
        return [self._with(s, zone, where) for zone in zones]

    def _with(self, s: State, zone: Zone, where: str) -> State:
        if len(zone.most) != self.size:
            raise CertificateError(f"{where}: its zones are of different clocks")
        new = s.copy()
        new.zone = zone.copy()
        return new

    def _waits(self, s: State, server: int, units: list[Any], where: str) -> None:
        model = self.layout.model
        for one in units:
            unit = self._served(server, one, where)
            queue = model.servers[server].queues.index(model.queue_of(unit.stage))
            s.push(server, queue, unit)

    def _served(self, server: int, value: object, where: str) -> Unit:
        unit = self._unit(value, where)
        is_work = unit.stage[0] != "news"
        if not is_work or self.layout.model.server_of(unit.stage) != server:
            raise CertificateError(f"{where}: a unit is with another thread")
        if unit.stage[0] == "sample" and not unit.left:
            raise CertificateError(f"{where}: a sample without copies")
        return unit

    def _flies(self, way: Key, value: object, where: str) -> Unit:
        unit = self._unit(value, where)
        if unit.stage[1:] != way or unit.stage[0] != ("message" if way[1] else "news"):
            raise CertificateError(f"{where}: a unit goes another way")
        return unit

    def _way(self, value: object, known: dict[Key, int], where: str) -> tuple[int, list[Any]]:
        raw = _of(value, _WAY, where)
        name = names(raw[:3], where)
        if name not in known:
            raise CertificateError(f"{where}: there is no way {shown('/'.join(name))}")
        return known[name], array(raw[3], where)

    def _unit(self, value: object, where: str) -> Unit:
        raw = _of(value, _UNIT, where)
        stage, model = names(raw[0], where), self.layout.model
        left = names(raw[3], where)
        known = (
            (stage[:1] == ("job",) and stage[1:2] and stage[1] in model.system.threads
             and len(stage) == 2)
            or (stage[:1] == ("sample",) and stage[1:] in model.samples)
            or (stage[:1] == ("message",) and stage[1:] in self.layout.way_number and stage[2])
            or (stage[:1] == ("news",) and stage[1:] in self.layout.way_number and not stage[2])
        )  # fmt: skip
        if not known:
            raise CertificateError(f"{where}: there is no unit {shown('/'.join(stage))}")
        step = integer(raw[2], where)
        sends = model.sends[stage[1]] if stage[0] in ("job", "sample") else ()
        if stage[0] == "job":
            sends = sends[step : step + 1] if left else sends
            if step > len(model.sends[stage[1]]):
                raise CertificateError(f"{where}: a job does not send so much")
        elif stage[0] == "sample":
            sends = tuple([one for one in sends if one.topic == stage[2]])
        if left and not (sends and set(left) <= set(sends[0].readers)):
            raise CertificateError(f"{where}: there are no such copies")
        clocks = [integer(one, where) and self._clock(one, where) for one in raw[4:]]
        return Unit(stage, self._tags(raw[1], where), step, left, *clocks)

    def _tags(self, value: object, where: str) -> Tags:
        found = []
        for one in array(value, where):
            figure, at, clock, periods = (integer(n, where) for n in _of(one, _TAG, where))
            since = self._since(clock, periods, where)
            found.append(((self._figure(figure, where), at), since))
        return tuple(sorted(found))

    def _figure(self, figure: int, where: str) -> int:
        if figure >= len(self.layout.model.figures):
            raise CertificateError(f"{where}: a time that is of nothing")
        return figure

    def _since(self, clock: int, periods: int, where: str) -> Since:
        if periods and clock not in self.begun:
            raise CertificateError(f"{where}: a time that is of nothing")
        return self._clock(clock, where), periods

    def _clock(self, value: object, where: str) -> int:
        clock = integer(value, where, 1)
        if clock >= self.size:
            raise CertificateError(f"{where}: there is no clock {clock}")
        return clock

    def _zone(self, value: object, where: str) -> Zone:
        rows = [array(row, where) for row in array(value, where)]
        if not rows or any(len(row) != len(rows) for row in rows):
            raise CertificateError(f"{where}: is not square")
        for row in rows:
            for one in row:
                if type(one) is not int or abs(one) > ENDLESS:
                    raise CertificateError(f"{where}: {shown(one)} is no time")
        return Zone(rows)

    def _server(self, name: str) -> int:
        if name not in self.servers:
            raise CertificateError(f"there is no thread {shown(name)}")
        return self.servers[name]

    def _at(self, known: list[str], name: str) -> int:
        if name not in known:
            raise CertificateError(f"there is no {shown(name)}")
        return known.index(name)


def _of(value: object, count: int, where: str) -> list[Any]:
    found = array(value, where)
    if len(found) != count:
        raise CertificateError(f"{where}: expected {count} things")
    return found
