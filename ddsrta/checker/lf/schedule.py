"""Confirms what `ddsrta lf schedule` claims: no reaction starts later, and what is exact is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddsrta.checker.lf.claims import Head, Tally, figure, listed, read_head
from ddsrta.checker.lf.environments import Environment, environments
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.schedule_assumptions import OWN, schedule_assumed
from ddsrta.checker.lf.starts import Latest, UncertifiedError
from ddsrta.checker.lf.starts_linux import LinuxStarts
from ddsrta.checker.lf.starts_own import OwnStarts
from ddsrta.checker.lf.times import Times
from ddsrta.checker.outcome import Outcome
from ddsrta.checker.reading import (
    CertificateError,
    array,
    integer,
    one_of,
    record,
    shown,
    text,
    truth,
)
from ddsrta.checker.sums import RefutedError

_KEYS = ("throttle", "columns")
_COLUMN = ("scheduler", "workers", "verdict", "starts")
_START = ("environment", "reaction", "deadline", "latest_start", "exact", "seen", "met", "slack",
          "tag", "blockers")  # fmt: skip
_SCHEDULERS = (*OWN, "fifo", "deadline-monotonic", "edf")
_VERDICTS = ("met", "missed", "unbounded")
_Key = tuple[str, str]


class Schedule:
    """One check."""

    def __init__(self, certificate: object, tally: Tally) -> None:
        self.tally = tally
        self.head: Head = read_head(certificate, _KEYS)
        self.times = Times(self.head.federation)
        self.throttle = _throttle(self.head.raw["throttle"])
        self.columns = [
            record(raw, f"columns.{index}", _COLUMN)
            for index, raw in enumerate(array(self.head.raw["columns"], "columns"))
        ]
        self.counts = {"met": 0, "missed": 0, "unbounded": 0}
        self.open: str | None = None  # the first figure that is not certified
        self.outcome = Outcome()

    def run(self) -> None:
        """Everything; what is not certified is said once all else holds."""
        names = [one_of(c["scheduler"], "columns", _SCHEDULERS) for c in self.columns]
        needed = schedule_assumed(self.head.federation, names)
        for rule in sorted(needed - set(self.head.assuming)):
            raise RefutedError(
                f"the figures rest on {shown(rule)}, which is not said to be assumed"
            )
        said = set()
        verdicts = []
        for column in self.columns:
            workers = figure(column["workers"], "workers", 1)
            if (column["scheduler"], workers) in said:
                raise CertificateError("columns: one is there twice")
            said.add((column["scheduler"], workers))
            verdicts.append(self._column(column, workers))
        order = ("missed", "unbounded", "met")
        worst = min(verdicts, key=order.index, default="met")
        self.tally.equal("verdict", self.head.verdict, worst)
        self.outcome = Outcome(self.counts["met"], self.counts["missed"], self.counts["unbounded"])
        if self.open is not None:
            raise UncertifiedError(self.open)

    def _column(self, column: Mapping[str, Any], workers: int | None) -> str:
        scheduler = column["scheduler"]
        members = environments(self.head.federation, workers)
        rows = listed(column["starts"], f"starts of {scheduler}", _START, _wanted(members),
                      lambda raw: (raw["environment"], raw["reaction"]))  # fmt: skip
        kind = OwnStarts if scheduler in OWN else LinuxStarts
        starts = kind(self.head.federation, self.times, members, scheduler, self.throttle,
                      self.tally.budget)  # fmt: skip
        found = [self._start(f"{scheduler}: {key[0]}.{key[1]}", raw, key, members, starts)
                 for key, raw in rows.items()]  # fmt: skip
        order = ("missed", "unbounded", "met")
        verdict = min(found, key=order.index, default="met")
        claimed = one_of(column["verdict"], "verdict", _VERDICTS)
        self.tally.equal(f"verdict of {scheduler}", claimed, verdict)
        return verdict

    def _start(
        self,
        what: str,
        raw: Mapping[str, Any],
        key: _Key,
        members: Mapping[str, Environment],
        starts: OwnStarts | LinuxStarts,
    ) -> str:
        deadline = members[key[0]].part.reactions[key[1]].deadline
        assert deadline is not None
        self.tally.equal(f"{what}: deadline", integer(raw["deadline"], what), deadline)
        latest, seen = figure(raw["latest_start"], what), figure(raw["seen"], what)
        exact = truth(raw["exact"], what)
        met = latest is not None and deadline > 0 and latest <= deadline
        self.tally.equal(f"{what}: met", raw["met"], met)
        slack = None if latest is None else deadline - latest
        self.tally.equal(f"{what}: slack", raw["slack"], slack)
        try:
            known = self._known(latest, seen, exact=exact, starts=starts, key=key)
            self._holds(what, latest, seen, exact=exact, known=known)
            self._shown(what, raw, known)
        except UncertifiedError as error:
            self.open = self.open or f"{what}: {error}"
        kind = "met" if met else "unbounded" if latest is None and seen is None else "missed"
        self.counts[kind] += 1
        return kind

    def _known(
        self,
        latest: int | None,
        seen: int | None,
        *,
        exact: bool,
        starts: OwnStarts | LinuxStarts,
        key: _Key,
    ) -> Latest:
        """What this checker finds, where something is claimed."""
        if latest is None and seen is None and not exact:
            return Latest(None)
        try:
            return starts.latest(key)
        except NoBoundError as error:
            return Latest(None, because=str(error))

    def _holds(
        self, what: str, latest: int | None, seen: int | None, *, exact: bool, known: Latest
    ) -> None:
        """The figure is a bound; what is exact, or seen, is of a run."""

        def bound() -> int:
            if known.lag is None and not known.rough:
                raise NoBoundError(known.because)
            return (known.seen or 0) if known.rough else known.lag or 0

        self.tally.at_least(what, latest, bound)
        if exact:
            good = latest is not None and latest == known.seen
            self.tally.holds(f"{what}: exact", good, f"no run is known to start it after {latest}")
        if seen is not None:
            because = f"a run is claimed to start it after {seen}, but none is known to"
            good = known.seen is not None and seen <= known.seen
            self.tally.holds(f"{what}: seen", good, because)
        if latest is not None and (known.lag is None or latest < known.lag):
            raise UncertifiedError(f"windows of this checker are longer, {known.lag}")

    def _shown(self, what: str, raw: Mapping[str, Any], known: Latest) -> None:
        """Who is said to take the time does, at the tag that is named."""
        tag = figure(raw["tag"], what)
        taken: dict[str, int] = {}
        for item in array(raw["blockers"], what):
            blocker = record(item, f"{what}: blockers", ("name", "time"))
            name = text(blocker["name"], what)
            taken[name] = taken.get(name, 0) + integer(blocker["time"], what)
        is_bound = raw["seen"] is None and (known.rough or not raw["exact"])
        shown_so = [
            *(known.by_bound(tag) if is_bound else ()),
            *(() if is_bound and known.rough else known.by_run(tag)),
        ]
        because = "no run or bound shows it at that tag, or with these blockers"
        self.tally.holds(f"{what}: tag and blockers", taken in shown_so, because)


def _wanted(members: Mapping[str, Environment]) -> set[_Key]:
    return {
        (member.name, name)
        for member in members.values()
        for name, reaction in member.part.reactions.items()
        if reaction.deadline is not None
    }


def _throttle(value: object) -> tuple[int, int]:
    raw = record(value, "throttle", ("runtime", "period"))
    period = integer(raw["period"], "throttle.period", 1)
    runtime = integer(raw["runtime"], "throttle.runtime", 1)
    if runtime > period:
        raise CertificateError("throttle: the runtime is more than the period")
    if (runtime, period) != (950_000_000, 1_000_000_000):
        raise RefutedError("throttle: it is not that of Linux, 950 ms in 1 s")
    return runtime, period
