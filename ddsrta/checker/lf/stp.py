"""Confirms what `ddsrta lf stp` claims: offsets are the least solution of lemma
safe-to-process, each X is enough, and so are lags, latest starts and latencies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ddsrta.checker.lf.claims import LEAST, Head, Tally, by_name, figure, listed
from ddsrta.checker.lf.lags import Lags
from ddsrta.checker.lf.program import NoBoundError, Program
from ddsrta.checker.lf.results import Results, unfinished
from ddsrta.checker.lf.tags import Tags
from ddsrta.checker.lf.things import FOREVER, Connection
from ddsrta.checker.lf.times import Times
from ddsrta.checker.lf.waiting import (
    alone,
    certainly,
    shares_tag,
    spacing,
    stops,
    undisturbed,
)
from ddsrta.checker.outcome import Outcome
from ddsrta.checker.reading import one_of
from ddsrta.checker.sums import RefutedError

KEYS = ("federates", "connections", "checks", "deadlines", "chains")
_FEDERATE = ("offset", "wait", "absent", "least")
_LINK = ("connection", "x", "absent", "launch_lag", "latency", "clock_error", "after", "slack",
         "least_x")  # fmt: skip
_CHECK = ("connection", "needed", "outcome", "slack")
_GOOD = ("met", "alone", "between", "spaced")
_OUTCOMES = (*_GOOD, "shared", "violated", "unbounded")
_Edges = dict[int, int | None]


class Stp:
    """One check."""

    def __init__(self, head: Head, tally: Tally) -> None:
        self.tally, self.head = tally, head
        self.federation = federation = head.federation
        self.times = Times(federation)
        self.links = {i: c for i, c in enumerate(federation.connections) if not c.physical}
        raw = self.head.raw
        self.rows = listed(
            raw["connections"], "connections", _LINK, self.links, lambda item: item["connection"]
        )
        self.named = by_name(raw["federates"], "federates", _FEDERATE, federation.federates)
        self.waits = self._figures("wait")
        self.least = self._figures("least")
        given = [
            i for i, c in self.links.items() if federation.federates[c.target].maxwait is not None
        ]
        self.checks = listed(
            raw["checks"], "checks", _CHECK, given, lambda item: item["connection"]
        )
        self.x = {i: figure(row["x"], f"connections.{i}", LEAST) for i, row in self.rows.items()}
        self.least_x = {
            i: figure(row["least_x"], f"connections.{i}", LEAST) for i, row in self.rows.items()
        }
        self.alone = {n for n in federation.federates if alone(federation, self.times, n)}
        self.late = self._late()
        self.lags = self._lags(self.late)
        self.outcome = Outcome()

    def run(self) -> None:
        """Everything."""
        self._links()
        self._waits()
        self._offsets()
        good = self._checks()
        starts = {name: self._start(name) for name in self.waits}
        results = Results(self.tally, self.federation, self.lags, starts)
        results.deadlines(self.head.raw["deadlines"])
        results.chains(self.head.raw["chains"])
        endless = sum(wait is None for wait in self.waits.values())
        self.outcome = results.outcome(endless)
        self._verdict(good)

    def _figures(self, key: str) -> dict[str, int | None]:
        return {name: figure(row[key], f"federates.{name}") for name, row in self.named.items()}

    @cached_property
    def absent(self) -> dict[str, int | None]:
        """How long each may stop at a tag with the waits that are claimed."""
        return stops(self.federation, self.times, self.waits)

    def _start(self, name: str) -> int | None:
        """When a tag that waits for all inputs goes on, at the latest."""
        wait, absent = self.waits[name], self.absent[name]
        return None if wait is None or absent is None else wait + absent

    def _late(self) -> dict[int, int]:
        """By how much messages come later than is waited for, and are not tardy (lemma
        ticks-between)."""
        found = {}
        for index, row in self.checks.items():
            if row["outcome"] != "between":
                continue
            link, x = self.links[index], self.x[index]
            wait, given = self.waits[link.source], self.federation.federates[link.target].maxwait
            if x is None or wait is None or not isinstance(given, int):
                raise RefutedError(f"{_arrow(link)}: nothing is known of when messages come")
            late = max(0, wait + x - given)
            good = undisturbed(self.federation, self.times, link, late)
            self.tally.holds(_arrow(link), good, f"a tag can come before messages {late} late")
            found[index] = late
        return found

    def _lags(self, late: Mapping[int, int]) -> dict[str, Lags]:
        later: dict[str, dict[Tags, int]] = {name: {} for name in self.federation.federates}
        for index, amount in late.items():
            link = self.links[index]
            tags = self.times.of((link.target, link.input))
            later[link.target].update(dict.fromkeys(tags, amount))
        found = {}
        for name, federate in self.federation.federates.items():
            sent, receives = self.federation.outgoing[name], bool(self.federation.incoming[name])
            program = Program(name, federate, sent, receives)
            more = later[name]
            found[name] = Lags(program, self.times, self.tally.budget, 0, more, patient=True)
        return found

    def _links(self) -> None:
        """Each X is enough, with the waits that are claimed and with the least ones."""
        absent = stops(self._without_maxwait(), self.times, self.least)
        plain = self._lags({})
        for index, link in self.links.items():
            row, what = self.rows[index], _arrow(link)
            parts = [figure(row[key], what) for key in _LINK[2:7]]
            after = parts.pop()
            known = [part for part in parts if part is not None]
            if self.x[index] is not None and len(known) == len(parts) and after is not None:
                self.tally.equal(f"{what}: x", self.x[index], sum(known) - after)
            elif self.x[index] is not None:
                raise RefutedError(f"{what}: X is claimed, but not all of its terms")
            self.tally.equal(f"{what}: after", after, link.after or 0)
            own = (
                lambda link=link: self._stop(self.absent, link.source),
                lambda link=link: self.lags[link.source].sending(link.output, link.send),
                lambda link=link: _known(self.federation.travel(link), "latency"),
                lambda link=link: _known(
                    self.federation.apart(link.source, link.target), "clock error"
                ),
            )
            for key, claimed, bound in zip(_LINK[2:6], parts, own, strict=True):
                if key != "absent" or self.x[index] is not None:
                    self.tally.at_least(f"{what}: {key}", claimed, bound)
            self.tally.at_least(
                f"{what}: least X", self.least_x[index],
                lambda link=link: self._weight(link, absent, plain),  # type: ignore[misc]
            )  # fmt: skip
            ends = self.least[link.source], self.least[link.target], self.x[index]
            slack = None if None in ends else ends[1] - ends[0] - ends[2]  # type: ignore[operator]
            self.tally.equal(f"{what}: slack", row["slack"], slack)

    def _weight(
        self, link: Connection, absent: Mapping[str, int | None], lags: Mapping[str, Lags]
    ) -> int:
        stop = self._stop(absent, link.source)
        lag = lags[link.source].sending(link.output, link.send)
        way = _known(self.federation.travel(link), "latency")
        clock = _known(self.federation.apart(link.source, link.target), "clock error")
        return stop + lag + way + clock - (link.after or 0)

    def _stop(self, absent: Mapping[str, int | None], name: str) -> int:
        return _known(absent[name], "end of its waiting for inputs")

    def _without_maxwait(self) -> Any:
        federates = self.federation.federates.items()
        return self.federation._replace(
            federates={name: federate._replace(maxwait=None) for name, federate in federates}
        )

    def _waits(self) -> None:
        """Each waits as long as is given, and until messages are there; no longer than needed."""
        floors: dict[str, int] = {}
        for name, federate in self.federation.federates.items():
            given = federate.maxwait if name not in self.alone else None
            floors[name] = given if isinstance(given, int) else 0
            endless = given == FOREVER and not self._always_there(name)
            if self.waits[name] is not None and (endless or self.absent[name] is None):
                raise RefutedError(f"wait of {name}: {self.waits[name]} is claimed, but it may "
                                   "wait without end")  # fmt: skip
        edges: _Edges = {i: x for i, x in self.x.items() if i not in self.late}
        self._solution("wait", self.waits, floors, edges)
        floors = dict.fromkeys(self.waits, 0)
        self._solution("least offset", self.least, floors, self.least_x)

    def _always_there(self, name: str) -> bool:
        physical = any(c.physical for c in self.federation.incoming[name])
        logical = self.federation.into(name)
        return not physical and all(certainly(self.times, link) for link in logical)

    def _solution(
        self, what: str, values: Mapping[str, int | None], floors: Mapping[str, int], edges: _Edges
    ) -> None:
        """No inequality is broken, and a way of equalities from a floor leads to each value."""
        tight: dict[str, list[str]] = {}
        for index, x in edges.items():
            link = self.links[index]
            start, end = values[link.source], values[link.target]
            self.tally.at = f"{what} of {link.target}"
            if end is None:
                continue
            if start is None or x is None:
                raise RefutedError(f"{what} of {link.target}: {_arrow(link)} has no bound")
            because = f"{end} is claimed, but {_arrow(link)} needs {start + x}"
            self.tally.holds(f"{what} of {link.target}", end >= start + x, because)
            if end == start + x:
                tight.setdefault(link.source, []).append(link.target)
        reached = {name for name, value in values.items() if value == floors[name]}
        stack = list(reached)
        while stack:
            for name in tight.get(stack.pop(), ()):
                if name not in reached:
                    reached.add(name)
                    stack.append(name)
        for name, value in values.items():
            if value is not None:
                because = f"{value} is claimed, but nothing makes it so long"
                self.tally.holds(f"{what} of {name}", name in reached, because)
                self.tally.holds(f"{what} of {name}", value >= floors[name], "less than is given")

    def _offsets(self) -> None:
        """The least maxwait of each, with the waits of the others."""
        found: dict[str, int | None] = dict.fromkeys(self.waits, 0)
        for index, link in self.links.items():
            start, x, known = self.waits[link.source], self.x[index], found[link.target]
            if start is None or x is None or known is None:
                found[link.target] = None
            else:
                found[link.target] = max(known, start + x)
        for name, value in found.items():
            self.tally.equal(f"offset of {name}", self.named[name]["offset"], value)
            self.tally.equal(f"absence at {name}", self._claimed_absence(name), True)

    def _claimed_absence(self, name: str) -> bool:
        claimed = figure(self.named[name]["absent"], f"federates.{name}")
        own = self.absent[name]
        return own is None or (claimed is not None and claimed >= own)

    def _checks(self) -> bool:
        """Whether none of the messages to federates with a given maxwait can be tardy."""
        good = not any(shares_tag(self.times, link) for link in self.links.values())
        for index, row in self.checks.items():
            link, what = self.links[index], _arrow(self.links[index])
            start, x = self.waits[link.source], self.x[index]
            need = None if start is None or x is None else max(0, start + x)
            self.tally.equal(f"{what}: needed", row["needed"], need)
            outcome = one_of(row["outcome"], f"{what}: outcome", _OUTCOMES)
            if outcome in _GOOD:
                self.tally.at = what
                because = f"{outcome} is claimed, but messages can be tardy"
                self.tally.holds(what, self._is(outcome, link, need), because)
            good = good and outcome in _GOOD
            self._slack(link, need, outcome, row["slack"])
        return good

    def _is(self, outcome: str, link: Connection, need: int | None) -> bool:
        given = self.federation.federates[link.target].maxwait
        if shares_tag(self.times, link):
            return False
        if outcome == "alone":
            return link.target in self.alone
        if outcome == "between" or given == FOREVER:
            return outcome != "spaced"
        if need is None or not isinstance(given, int):
            return False
        absent = self.federation.absence(link)
        late = need - given
        if outcome == "met":
            return late <= 0
        waits = isinstance(absent, str) or late <= absent
        return waits and spacing(self.times, link) >= late

    def _slack(self, link: Connection, need: int | None, outcome: str, claimed: object) -> None:
        given = self.federation.federates[link.target].maxwait
        absent = self.federation.absence(link)
        slack = None
        if need is not None and isinstance(given, int):
            if outcome in ("met", "violated", "unbounded"):
                slack = given - need
            elif outcome == "spaced" and isinstance(absent, int):
                slack = given - need + absent
        self.tally.equal(f"{_arrow(link)}: slack", claimed, slack)

    def _verdict(self, good: bool) -> None:
        """Met is all: no tardy message, no late start, nothing without a bound."""
        claimed, outcome = self.head.verdict, self.outcome
        if claimed == "unbounded":
            self.tally.holds(
                "verdict", not outcome.missed, "unbounded is claimed, but it is missed"
            )
        if claimed != "met":
            return
        none = [*self.waits.values(), *self.least.values(), *self.x.values()]
        bounded = None not in none and not outcome.unbounded
        self.tally.holds("verdict", good, "met is claimed, but messages can be tardy")
        self.tally.holds("verdict", bounded, "met is claimed, but something has no bound")
        self.tally.holds("verdict", not outcome.missed, "met is claimed, but something is late")
        endless = unfinished(self.tally, self.federation, self.lags)
        self.tally.holds("verdict", endless is None, f"met is claimed, but {endless}")


def _arrow(link: Connection) -> str:
    return f"{link.source}.{link.output} → {link.target}.{link.input}"


def _known(value: int | None, what: str) -> int:
    if value is None:
        raise NoBoundError(f"no {what} is known")
    return value
