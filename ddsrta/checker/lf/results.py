"""Deadlines and chains, whoever says when tags start; and loads."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from ddsrta.checker.lf.claims import Tally, by_name, figure, listed
from ddsrta.checker.lf.lags import Lags
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.things import Federation
from ddsrta.checker.lf.ways import longest_delay
from ddsrta.checker.outcome import Outcome

_DEADLINE = ("federate", "reaction", "latest_start", "wait", "met")
_CHAIN = ("latency", "delay", "wait", "lag", "met")


class Results:
    """What tags come to, with the time `starts` at which those of each federate begin at the
    latest, waits within them included."""

    def __init__(
        self,
        tally: Tally,
        federation: Federation,
        lags: Mapping[str, Lags],
        starts: Mapping[str, int | None],
        assumed: Collection[str] = (),
    ) -> None:
        self.tally, self.federation, self.lags, self.starts = tally, federation, lags, starts
        self.assumed = assumed  # whose tags nothing can be met by
        self.counts = {"met": 0, "missed": 0, "unbounded": 0}

    def deadlines(self, value: object) -> None:
        """Each reaction with a deadline, when it starts at the latest."""
        expected = {
            (name, key): reaction.deadline
            for name, federate in self.federation.federates.items()
            for key, reaction in federate.reactions.items()
            if reaction.deadline is not None
        }
        rows = listed(value, "deadlines", _DEADLINE, expected,
                      lambda raw: (raw["federate"], raw["reaction"]))  # fmt: skip
        for (name, key), raw in rows.items():
            what = f"deadline {name}.{key}"
            latest, deadline = figure(raw["latest_start"], what), expected[name, key]
            self._wait(f"{what}: wait", raw, name)
            self.tally.at_least(
                what,
                latest,
                lambda name=name, key=key: self._start(name) + self.lags[name].starting(key),  # type: ignore[misc]
            )
            met = latest is not None and deadline > 0 and latest <= deadline
            self._met(what, raw, name, met=met, known=latest is not None)

    def chains(self, value: object) -> None:
        """Each chain, from the first tag to the end of the last reaction."""
        for name, raw in by_name(value, "chains", _CHAIN, self.federation.chains).items():
            chain, what = self.federation.chains[name], f"chain {name}"
            target, reaction = chain.target
            delay, lag = figure(raw["delay"], what), figure(raw["lag"], what)
            self.tally.at_least(
                f"{what}: delay",
                delay,
                lambda chain=chain: longest_delay(self.federation, chain),  # type: ignore[misc]
            )
            wait = self._wait(f"{what}: wait", raw, target)
            self.tally.at_least(
                f"{what}: lag",
                lag,
                lambda t=target, r=reaction: self.lags[t].ending(r),  # type: ignore[misc]
            )
            parts = (delay, wait, lag)
            known = [part for part in parts if part is not None]
            total = sum(known) if len(known) == len(parts) else None
            self.tally.equal(what, raw["latency"], total)
            wanted = chain.wanted
            if wanted is not None:
                met = total is not None and total <= wanted
                self._met(what, raw, target, met=met, known=total is not None)
                continue
            self.tally.equal(f"{what}: met", raw["met"], None)
            self.counts["unbounded"] += total is None

    def _start(self, name: str) -> int:
        start = self.starts[name]
        if start is None:
            raise NoBoundError("its tags may start any time later")
        return start

    def _wait(self, what: str, raw: Mapping[str, Any], name: str) -> int | None:
        wait = figure(raw["wait"], what)
        self.tally.at_least(what, wait, lambda: self._start(name))
        return wait

    def _met(self, what: str, raw: Mapping[str, Any], name: str, *, met: bool, known: bool) -> None:
        unsure = met and name in self.assumed
        self.tally.equal(f"{what}: met", raw["met"], None if unsure else met)
        self.counts["unbounded" if unsure or not known else "met" if met else "missed"] += 1

    def outcome(self, unbounded: int) -> Outcome:
        """What the claims amount to, with so many federates without a bound."""
        found = self.counts
        return Outcome(found["met"], found["missed"], found["unbounded"], unbounded)


def unfinished(tally: Tally, federation: Federation, lags: Mapping[str, Lags]) -> str | None:
    """Whose tags may be done any time later, or which host has more work than time."""
    for name, lag in lags.items():
        tally.at = f"federate {name}"
        try:
            lag.done()
        except NoBoundError as error:
            return str(error)
    hosts: dict[tuple[str, int | None], Fraction] = {}
    for name, federate in federation.federates.items():
        for core in {None, federate.core}:
            key = (federate.host, core)
            hosts[key] = hosts.get(key, Fraction(0)) + lags[name].share
    for (host, core), share in hosts.items():
        cores = federation.hosts[host].cores if core is None else 1
        if cores is not None and share > cores:
            return f"host {host} has more work than its cores have time"
    return None
