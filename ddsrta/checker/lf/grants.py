"""What the grants of each federate wait for (lemma grant-lag)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ddsrta.checker.lf.control import Control
from ddsrta.checker.lf.lags import Lags
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.things import Connection, Federate
from ddsrta.checker.lf.together import Cycle

Key = tuple[str, str, str, int | None]  # kind, source, target, connection


class Row(NamedTuple):
    """One of them; `link` is the connection over which it waits, if it does not for itself."""

    kind: str
    source: str
    target: str
    connection: int | None
    link: Connection | None

    @property
    def key(self) -> Key:
        return self.kind, self.source, self.target, self.connection

    @property
    def after(self) -> int:
        """What is taken off."""
        return (self.link.after or 0) if self.link and self.kind == "completed" else 0


class Rows:
    """All of them, and what each takes at most."""

    def __init__(
        self,
        control: Control,
        lags: Mapping[str, Lags],
        cycles: Mapping[str, Cycle],
        refused: list[tuple[str, ...]],
    ) -> None:
        self.control, self.lags, self.cycles, self.refused = control, lags, cycles, refused
        self._queries: dict[str, int] = {}

    def __iter__(self) -> Iterator[Row]:
        for index, link in enumerate(self.control.federation.connections):
            cycle = self.cycles.get(link.target)
            members = cycle.members if cycle else (link.target,)
            if link.physical or (cycle and link.source in members):
                continue
            for member in members:
                yield Row("completed", link.source, member, index, link)
                if link.source in self.control.advancing:
                    yield Row("advance", link.source, member, index, link)
        for name in self.control.federation.federates:
            if name in self.control.advancing and self.control.upstream[name]:
                yield Row("event", name, name, None, None)

    def busy(self, row: Row) -> int:
        """Its tag, or its clock while it tells nothing."""
        if row.link is None:
            return 0
        done = self.lags[row.source].done()
        if row.kind == "completed":
            return done
        federate = self.control.federation.federates[row.source]
        asleep = self.control.federation.rti.interval + _to_outputs(federate) + federate.overhead
        return max(0, done + asleep - (row.link.after or 0))

    def messages(self, row: Row) -> int:
        """Telling the RTI, asking, being told."""
        if row.link is None:
            return self.control.between(row.source)
        for members in self.refused:
            if row.link.after is None and {row.source, row.link.target} <= set(members):
                raise NoBoundError(f"the cycle of {', '.join(members)} is not modelled")
        cycle = self.cycles.get(row.target)
        way = cycle.way(row.source) if cycle else self.control.way(row.source, row.target)
        return way if row.kind == "advance" else way + self._query(row.target)

    def clock(self, row: Row) -> int:
        """How far clocks are apart."""
        cycle = self.cycles.get(row.target)
        most = 0
        for member in cycle.members if cycle else (row.target,):
            apart = self.control.federation.apart(row.source, member)
            if apart is None:
                raise NoBoundError("no clock error is known")
            most = max(most, apart)
        return most

    def _query(self, name: str) -> int:
        if name not in self._queries:
            self._queries[name] = self._asked(name)
        return self._queries[name]

    def _asked(self, name: str) -> int:
        if name in self.cycles:
            return self.cycles[name].query
        behind = any(one in self.cycles for one in self.control.ancestors(name))
        if not behind and not self.control.federation.rti.dnet:
            return 0
        capped = self.control.way(name, name) if name in self.control.advancing else 0
        return self.control.query(name) + capped


def _to_outputs(federate: Federate) -> int:
    """No less than the least delay from a physical action to an output."""
    physical = [action.delay for action in federate.actions.values() if action.physical]
    logical = sum(action.delay for action in federate.actions.values() if not action.physical)
    return max(physical, default=0) + logical + sum(inner.after or 0 for inner in federate.inner)
