"""Confirms what `ddsrta lf enclaves` claims: how late tags start and are done, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any

from ddsrta.checker.lf.claims import VERDICTS, Head, Tally, by_name, figure, listed, read_head
from ddsrta.checker.lf.enclaves.assumptions import enclaves_assumed
from ddsrta.checker.lf.enclaves.barriers import Parts
from ddsrta.checker.lf.enclaves.cut import cut
from ddsrta.checker.lf.enclaves.lagging import Lagging, Model
from ddsrta.checker.lf.enclaves.sharing import Sharing
from ddsrta.checker.lf.enclaves.standing import standing
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.starts import UncertifiedError
from ddsrta.checker.lf.things import Federation
from ddsrta.checker.lf.ways import longest_delay
from ddsrta.checker.outcome import Outcome
from ddsrta.checker.reading import integer, one_of, record, shown, truth
from ddsrta.checker.sums import RefutedError

CLAIMS = ("enclaves", "deadlines", "chains", "shared")
_SEARCH = ("federates", "better", "tried", "seed", *CLAIMS, "verdict")
_PARTS = ("tag_barrier", "work", "level_barrier")
_ENCLAVE = ("waits", *_PARTS, "others", "done")
_DEADLINE = ("enclave", "reaction", "latest_start", "met")
_CHAIN = ("latency", "delay", "lag", "met", "waits", *_PARTS, "others")


class Enclaves:
    """The claims about a federation as it is cut; `raw` has them."""

    def __init__(
        self,
        federation: Federation,
        raw: Mapping[str, Any],
        tally: Tally,
        assuming: Collection[str],
    ) -> None:
        self.tally, self.raw = tally, raw
        self.tally.at = "the enclaves"
        self.cut = cut(federation)
        for rule in sorted(enclaves_assumed(self.cut) - set(assuming)):
            raise RefutedError(
                f"the figures rest on {shown(rule)}, which is not said to be assumed"
            )
        self.model = Model(self.cut, tally.budget)
        self.rows = by_name(raw["enclaves"], "enclaves", _ENCLAVE, self.cut.members)
        self.waits = self._figures("waits")
        self.parts = {
            name: self._claimed(f"enclaves.{name}", row) for name, row in self.rows.items()
        }
        self.others = self._figures("others")
        alone = {name: _sum(self.waits[name], self._takes(name)) for name in self.rows}
        self.lags = Lagging(self.model, self.model.whole, alone)
        self.sharing = Sharing(tally, self.model, self.lags, self.waits)
        self.counts = {"met": 0, "missed": 0, "unbounded": 0}
        self.latencies: list[int | None] = []
        self.open: str | None = None  # the first figure that is not certified
        self.outcome = Outcome()

    def run(self) -> None:
        """Everything; what is not certified is said once all else holds."""
        for name in self.rows:
            self._alone(name)
        self.sharing.read(self.raw["shared"])
        for name, row in self.rows.items():
            self._done(name, row)
        self._deadlines()
        self._chains()
        done = self._figures("done").values()
        endless, found = sum(value is None for value in done), self.counts
        self.outcome = Outcome(found["met"], found["missed"], found["unbounded"], endless)
        self._verdict(one_of(self.raw["verdict"], "verdict", VERDICTS))
        if self.open is not None:
            raise UncertifiedError(self.open)

    def _figures(self, key: str) -> dict[str, int | None]:
        return {name: figure(row[key], f"enclaves.{name}.{key}") for name, row in self.rows.items()}

    def _claimed(self, where: str, raw: Mapping[str, Any]) -> Parts | None:
        found = [figure(raw[key], f"{where}.{key}") for key in _PARTS]
        some = [one for one in found if one is not None]
        if some and len(some) < len(found):
            raise RefutedError(f"{where}: not all parts of a time are claimed")
        return Parts(*some) if some else None

    def _takes(self, name: str) -> int | None:
        parts = self.parts[name]
        return None if parts is None else sum(parts)

    def _alone(self, name: str) -> None:
        """Where each worker has a core: what it waits for upstream, and what its tags take."""
        self.tally.at_least(f"{name}: waits", self.waits[name], lambda: self.lags.waits(name))
        takes = self._takes(name)
        self.tally.at_least(f"{name}: work", takes, lambda: self.lags.of(name).done())
        self._made_of(name, self.parts[name], lambda: self.lags.of(name).split())

    def _made_of(self, what: str, claimed: Parts | None, find: Callable[[], list[Parts]]) -> None:
        """The parts are those of one of the tags that take longest."""
        if claimed is None:
            return
        self.tally.at = f"{what}: its parts"
        try:
            rows = find()
        except NoBoundError as error:
            raise RefutedError(f"{what}: {sum(claimed)} is claimed, but {error}") from None
        fits = any(all(c >= own for c, own in zip(claimed, row, strict=True)) for row in rows)
        if not fits and rows and sum(claimed) > sum(rows[0]):
            self.open = self.open or f"{what}: the longest tag of this checker has other parts"
            return
        because = f"no tag that takes longest is made of {', '.join(map(str, claimed))}"
        self.tally.holds(f"{what}: its parts", fits or not rows, because)

    def _crowded(self, name: str) -> bool:
        return self.cut.whole.federates[name].host in self.model.crowded

    def _done(self, name: str, row: Mapping[str, Any]) -> None:
        others, done = self.others[name], figure(row["done"], f"enclaves.{name}.done")
        if not self._crowded(name):
            self.tally.equal(f"{name}: others", others, 0)
        total = _sum(self.waits[name], self._takes(name), others)
        self.tally.equal(f"{name}: done", done, total)
        if self._crowded(name):
            self.tally.at_least(f"{name}: done", done, lambda: self._least(lambda w: w.done(name)))

    def _least(self, of: Callable[[Any], int]) -> int:
        if not self.sharing.ways:
            raise NoBoundError("the cores are too few")
        return min(of(way) for way in self.sharing.ways)

    def _start(self, name: str) -> int:
        start = self.waits[name]
        if start is None:
            raise NoBoundError(f"no start of {shown(name)} is claimed")
        return start

    def _starting(self, name: str, reaction: str) -> int:
        if self._crowded(name):
            return self._least(lambda way: way.starting(name, reaction))
        return self._start(name) + self.lags.of(name).starting(reaction)

    def _ending(self, name: str, reaction: str) -> int:
        if self._crowded(name):
            return self._least(lambda way: way.ending(name, reaction))
        return self._start(name) + self.lags.of(name).ending(reaction)

    def _deadlines(self) -> None:
        """When reactions with deadlines start."""
        expected = {
            (name, key): raw.deadline
            for name, part in self.cut.whole.federates.items()
            for key, raw in part.reactions.items()
            if raw.deadline is not None
        }
        rows = listed(self.raw["deadlines"], "deadlines", _DEADLINE, expected,
                      lambda raw: (raw["enclave"], raw["reaction"]))  # fmt: skip
        for (name, key), raw in rows.items():
            what = f"deadline {name}.{key}"
            latest, deadline = figure(raw["latest_start"], what), expected[name, key]
            self.tally.at_least(what, latest, lambda n=name, k=key: self._starting(n, k))  # type: ignore[misc]
            met = latest is not None and deadline > 0 and latest <= deadline
            self.tally.equal(f"{what}: met", raw["met"], met)
            self._count(met, latest)

    def _chains(self) -> None:
        """From the first tag to the end of the last reaction."""
        chains = self.cut.whole.chains
        for name, raw in by_name(self.raw["chains"], "chains", _CHAIN, chains).items():
            chain, what = chains[name], f"chain {name}"
            target, reaction = chain.target
            delay, lag = figure(raw["delay"], what), figure(raw["lag"], what)
            self.tally.equal(f"{what}: waits", raw["waits"], self.waits[target])
            self.tally.equal(f"{what}: others", raw["others"], self.others[target])
            self.tally.at_least(f"{what}: delay", delay,
                                lambda c=chain: longest_delay(self.cut.whole, c))  # type: ignore[misc]  # fmt: skip
            self.tally.at_least(f"{what}: lag", lag,
                                lambda t=target, r=reaction: self.lags.of(t).ending(r))  # type: ignore[misc]  # fmt: skip
            ended = _sum(self.waits[target], self.others[target], lag)
            latency = _sum(delay, ended)
            self.tally.equal(what, raw["latency"], latency)
            if latency is not None:
                self.tally.at_least(what, ended, lambda t=target, r=reaction: self._ending(t, r))  # type: ignore[misc]
            self._made_of(what, self._claimed(what, raw),
                          lambda t=target, r=reaction: self.lags.of(t).split(r))  # type: ignore[misc]  # fmt: skip
            self.latencies.append(latency)
            if chain.wanted is None:
                self.tally.equal(f"{what}: met", raw["met"], None)
                self.counts["unbounded"] += latency is None
                continue
            met = latency is not None and latency <= chain.wanted
            self.tally.equal(f"{what}: met", raw["met"], met)
            self._count(met, latency)

    def _count(self, met: bool, bound: int | None) -> None:
        self.counts["met" if met else "unbounded" if bound is None else "missed"] += 1

    def _verdict(self, claimed: str) -> None:
        """Met is all: nothing without a bound, late or long, and no host with too much work."""
        found = self.outcome
        if claimed in ("met", "unbounded", "error"):
            because = f"{claimed} is claimed, but something is missed"
            self.tally.holds("verdict", not found.missed, because)
        if claimed != "met":
            return
        bounded = not found.open and not found.unbounded
        self.tally.holds("verdict", bounded, "met is claimed, but something has no bound")
        for host, share in self._shares().items():
            cores = self.cut.whole.hosts[host].cores
            fits = cores is None or share <= cores
            self.tally.holds(
                "verdict", fits, f"met is claimed, but {shown(host)} has too much work"
            )

    def _shares(self) -> dict[str, Fraction]:
        found: dict[str, Fraction] = {}
        for name, part in self.cut.whole.federates.items():
            found[part.host] = found.get(part.host, Fraction(0)) + self.lags.of(name).share
        return found


def _sum(*terms: int | None) -> int | None:
    known = [term for term in terms if term is not None]
    return sum(known) if len(known) == len(terms) else None


class Certificate:
    """That of the federation as it is, and of what a search found."""

    def __init__(self, certificate: object, tally: Tally) -> None:
        self.tally = tally
        self.head: Head = read_head(certificate, (*CLAIMS, "search"))
        raw = self.head.raw
        self.here = Enclaves(self.head.federation, raw, tally, self.head.assuming)
        self.found: Enclaves | None = None
        if raw["search"] is not None:
            from ddsrta.checker.lf.enclaves.partitions import applied, unchanged

            best = record(raw["search"], "search", _SEARCH)
            for key in ("tried", "seed"):
                integer(best[key], f"search.{key}")
            change = applied if truth(best["better"], "search.better") else unchanged
            other = change(self.head.federation, best["federates"])
            self.found = Enclaves(other, best, tally, self.head.assuming)

    def run(self) -> None:
        """Everything."""
        checks = [check for check in (self.here, self.found) if check is not None]
        undecided = None
        for check in checks:
            try:
                check.run()
            except UncertifiedError as error:
                undecided = undecided or error
        if self.found is not None and self.head.raw["search"]["better"]:
            self.tally.at = "the partition that was found"
            here, found = (standing(one.cut.whole, one.raw) for one in checks)
            self.tally.holds(self.tally.at, found < here, "it is no better than that of the file")
        if undecided is not None:
            raise undecided
