"""Confirms what `ddsrta lf rti` claims: lags satisfy each inequality of lemma grant-lag, and all
else follows."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.claims import (
    LEAST,
    VERDICTS,
    Head,
    Tally,
    by_name,
    figure,
    listed,
    read_head,
)
from ddsrta.checker.lf.control import Control
from ddsrta.checker.lf.first import is_assumed, late_at_start
from ddsrta.checker.lf.grants import Row, Rows
from ddsrta.checker.lf.lags import Lags
from ddsrta.checker.lf.messages import check_messages
from ddsrta.checker.lf.program import NoBoundError, Program
from ddsrta.checker.lf.results import Results, unfinished
from ddsrta.checker.lf.stp import KEYS as STP_KEYS
from ddsrta.checker.lf.stp import Stp
from ddsrta.checker.lf.tags import Tags
from ddsrta.checker.lf.times import Times
from ddsrta.checker.lf.together import Cycle, Joint, groups, not_modelled
from ddsrta.checker.lf.unsure import unsure
from ddsrta.checker.lf.waiting import shares_tag
from ddsrta.checker.outcome import Outcome
from ddsrta.checker.reading import one_of, optional_integer, record, shown, truth
from ddsrta.checker.sums import RefutedError

_KEYS = ("federates", "grants", "deadlines", "chains", "messages", "decentralized", "prices")
_FEDERATE = ("grant_lag", "tag_takes", "assumed")
_GRANT = ("kind", "source", "target", "connection", "x", "busy", "control", "clock_error", "after")


class Rti:
    """One check."""

    def __init__(self, certificate: object, tally: Tally) -> None:
        self.tally = tally
        self.head: Head = read_head(certificate, _KEYS)
        self.federation = federation = self.head.federation
        self.times = Times(federation)
        self.control = Control(federation, self.times, tally.budget)
        self.named = by_name(
            self.head.raw["federates"], "federates", _FEDERATE, federation.federates
        )
        self.values = {
            name: figure(row["grant_lag"], f"federates.{name}") for name, row in self.named.items()
        }
        self.zero_delay = groups(federation, lambda c: c.after is None)
        circles = groups(federation, lambda _: True)
        self.refused = [m for m in self.zero_delay if not_modelled(federation, m, circles)]
        self.lags, self.cycles = lags_with_rti(self.control, self.zero_delay, self.refused)
        self.assumed = {
            name
            for name, row in self.named.items()
            if truth(row["assumed"], f"federates.{name}.assumed")
        }
        self.outcome = Outcome()

    def run(self) -> None:
        """Everything."""
        for rule in sorted(self._needed() - set(self.head.assuming)):
            because = f"the figures rest on {shown(rule)}, which is not said to be assumed"
            raise RefutedError(because)
        self._grants()
        for name in sorted(unsure(self.control, self.zero_delay)):
            because = "what the runtime does not promise is not said to be assumed"
            self.tally.holds(f"grants of {name}", name in self.assumed, because)
        for name, lags in self.lags.items():
            what = f"tags of {name}"
            self.tally.at_least(what, figure(self.named[name]["tag_takes"], what), lags.done)
        results = Results(self.tally, self.federation, self.lags, self.values, self.assumed)
        results.deadlines(self.head.raw["deadlines"])
        results.chains(self.head.raw["chains"])
        open_ones = {name for name, value in self.values.items() if value is None} | self.assumed
        self.outcome = results.outcome(len(open_ones))
        check_messages(self.tally, self.control, self.zero_delay, self.head.raw["messages"])
        self._prices(self._decentralized())
        self._verdict()

    def _needed(self) -> set[str]:
        """The assumptions that have to be stated besides those of the federation."""
        found = {"one-order"} if self.cycles else set()
        if is_assumed(self.control, self.zero_delay):
            found.add("first-grant")
        if self.federation.rti.dnet and any(self.control.upstream.values()):
            found.add("net-told")
        return found

    @property
    def assuming(self) -> tuple[str, ...]:
        """What all of it rests on."""
        return (*self.head.assuming, *(f"grants of {name}" for name in sorted(self.assumed)))

    def _grants(self) -> None:
        """Each row is enough, and each lag is enough for its rows."""
        rows = Rows(self.control, self.lags, self.cycles, self.refused)
        expected = {row.key: row for row in rows}
        claimed = listed(
            self.head.raw["grants"], "grants", _GRANT, expected,
            lambda raw: (raw["kind"], raw["source"], raw["target"], raw["connection"]),
        )  # fmt: skip
        for key, row in expected.items():
            x = self._row(row, claimed[key], rows)
            value = self.values[row.target]
            self.tally.at = what = f"lag of {row.target}"
            if value is None:
                continue
            start = self.values[row.source] if row.kind == "completed" else 0
            if start is None or x is None:
                raise RefutedError(f"{what}: {value} is claimed, but {_name(row)} has no bound")
            because = f"{value} is claimed, but {_name(row)} needs {start + x}"
            self.tally.holds(what, value >= start + x, because)

    def _row(self, row: Row, raw: dict[str, Any], rows: Rows) -> int | None:
        what = _name(row)
        bounds = (rows.busy, rows.messages, rows.clock)
        parts = []
        for key, bound in zip(("busy", "control", "clock_error"), bounds, strict=True):
            part = figure(raw[key], what)
            self.tally.at_least(f"{what}: {key}", part, lambda b=bound: b(row))  # type: ignore[misc]
            parts.append(part)
        self.tally.equal(f"{what}: after", raw["after"], row.after)
        x = figure(raw["x"], what, LEAST)
        known = [part for part in parts if part is not None]
        if x is not None:
            if len(known) < len(parts):
                raise RefutedError(f"{what}: X is claimed, but not all of its terms")
            self.tally.equal(f"{what}: x", x, sum(known) - row.after)
        return x

    def _decentralized(self) -> Stp:
        """What it would take without an RTI: a certificate of its own, without its head."""
        raw = record(self.head.raw["decentralized"], "decentralized", (*STP_KEYS, "verdict"))
        verdict = one_of(raw["verdict"], "decentralized.verdict", VERDICTS)
        try:
            stp = Stp(self.head._replace(raw=raw, verdict=verdict), self.tally)
            stp.run()
        except RefutedError as error:
            raise RefutedError(f"decentralized: {error}") from None
        return stp

    def _prices(self, other: Stp) -> None:
        prices = by_name(self.head.raw["prices"], "prices", ("difference",), self.federation.chains)
        for name, raw in prices.items():
            ends = (
                optional_integer(self.head.raw["chains"][name]["latency"], f"chains.{name}"),
                optional_integer(other.head.raw["chains"][name]["latency"], f"chains.{name}"),
            )
            price = None if ends[0] is None or ends[1] is None else ends[0] - ends[1]
            self.tally.equal(f"price of {name}", raw["difference"], price)

    def _verdict(self) -> None:
        claimed, outcome = self.head.verdict, self.outcome
        links = [c for c in self.federation.connections if not c.physical]
        tardy = any(shares_tag(self.times, link) for link in links)
        if claimed in ("met", "unbounded"):
            late = tardy or bool(outcome.missed)
            self.tally.holds("verdict", not late, f"{claimed} is claimed, but it is missed")
        if claimed == "met":
            bounded = not outcome.unbounded and not outcome.open
            self.tally.holds("verdict", bounded, "met is claimed, but something has no bound")
            endless = unfinished(self.tally, self.federation, self.lags)
            self.tally.holds("verdict", endless is None, f"met is claimed, but {endless}")


def lags_with_rti(
    control: Control, cycles: Iterable[tuple[str, ...]], refused: Collection[tuple[str, ...]]
) -> tuple[dict[str, Lags], dict[str, Cycle]]:
    """Of each federate, with the grants between two tags; and of whom a cycle is."""
    cycles = tuple(cycles)
    together = {name for members in cycles for name in members}
    names = control.federation.federates
    found = {name: _alone(control, name, name not in together) for name in names}
    joint: dict[str, Cycle] = {}
    for members in cycles:
        if members not in refused:
            cycle = Cycle(members, control, found)
            joint.update(dict.fromkeys(members, cycle))
            for name in members:
                found[name] = Joint(found[name], cycle)
    return found, joint


def _alone(control: Control, name: str, granted: bool) -> Lags:
    federation = control.federation
    sent, receives = federation.outgoing[name], bool(federation.incoming[name])
    program = Program(name, federation.federates[name], sent, receives)
    try:
        between = control.between(name)
        late = late_at_start(control, name) if granted else {}
    except NoBoundError as error:
        return Untold(program, control.times, control.budget, str(error))
    return Lags(program, control.times, control.budget, between, late)


class Untold(Lags):
    """A federate of which is not known how long it waits between two tags."""

    def __init__(self, program: Program, times: Times, budget: Budget, because: str) -> None:
        super().__init__(program, times, budget)
        self.because = because

    @property
    def costs(self) -> dict[Tags, int]:
        raise NoBoundError(self.because)


def _name(row: Row) -> str:
    if row.link is None:
        return f"clock of {row.source}"
    arrow = f"{row.link.source}.{row.link.output} → {row.link.target}.{row.link.input}"
    return f"clock over {arrow}" if row.kind == "advance" else arrow
