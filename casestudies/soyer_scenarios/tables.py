"""Our verdicts beside Soyer's, latest starts of all scenarios, and lags under throttling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from casestudies.analyses import FOLDER, in_exact_ms
from casestudies.statements import table
from ddsrta.lf.bounds.schedulers.judge import SCHEDULERS, Column, ScheduleReport, schedule
from ddsrta.lf.bounds.schedulers.lag import TimerLoad, timer_lag
from ddsrta.lf.program.reader import load

STUDY = "soyer_scenarios"
FEDERATIONS = FOLDER / STUDY / "federations"
MS = 1_000_000
BUSY_WAIT = 68_000  # the average lag on the Raspberry Pi 4, which the controller waits busily
PERIODS = (MS, 10 * MS)
UTILIZATIONS = (0, 25, 50, 70, 80, 90, 95)
# What the thesis names as places where throttling can set in, 1 ms at 95 % by its Figure 4.3.
THROTTLED = {(MS, 80), (MS, 90), (MS, 95), (10 * MS, 95)}


def names() -> list[str]:
    """The scenarios and their variants."""
    return sorted(file.stem for file in FEDERATIONS.glob("*.yaml"))


@cache
def report(name: str) -> ScheduleReport:
    """A scenario under all schedulers."""
    return schedule(load(FEDERATIONS / f"{name}.yaml"))


def column(name: str, scheduler: str) -> Column:
    """A scenario under one of them."""
    return next(c for c in report(name).columns if c.scheduler == scheduler)


def is_met(name: str, scheduler: str) -> bool:
    """Whether no deadline is missed."""
    return report(name).verdict_of(column(name, scheduler)) == "met"


@dataclass(frozen=True)
class Claim:
    """What the thesis says of a scenario under a scheduler; `remark` where we disagree."""

    states: str
    name: str
    scheduler: str
    meets: bool
    remark: str = ""

    @property
    def holds(self) -> bool:
        """Whether we agree."""
        return is_met(self.name, self.scheduler) == self.meets


CLAIMS = (
    Claim("1, both in one enclave, GEDF: missed, level before deadline",
          "scenario1_one_enclave", "gedf-np", False),
    Claim("1, one enclave, deadlines at the tasks themselves, GEDF: met",
          "scenario1_start", "gedf-np", True),
    Claim("1, SCHED_FIFO, urgent one declared first: met", "scenario1", "fifo", True),
    Claim("1, SCHED_FIFO, declared in the other order: missed", "scenario1_swapped", "fifo", False),
    Claim("2, SCHED_FIFO: missed at the third trigger of the second task",
          "scenario2", "fifo", False),
    Claim("2, deadline-monotonic: met", "scenario2", "deadline-monotonic", True),
    Claim("2, one enclave, deadlines at the tasks themselves, GEDF: met",
          "scenario2_start", "gedf-np", True),
    Claim("3, SCHED_FIFO: missed", "scenario3", "fifo", False),
    Claim("3, deadline-monotonic: met", "scenario3", "deadline-monotonic", True),
    Claim("3, one enclave, deadlines at the tasks themselves, GEDF: missed",
          "scenario3_start", "gedf-np", False,
          "the second task starts once the first is done, 14 ms after its tag: its start is in "
          "time, only its end is not"),
    Claim("4, deadline-monotonic: missed", "scenario4", "deadline-monotonic", False),
    Claim("4, EDF: met", "scenario4", "edf", True),
)  # fmt: skip


def _shown(name: str, scheduler: str) -> str:
    latest = column(name, scheduler).latest
    return "; ".join(
        f"{reaction} {'no bound' if found.lag is None else in_exact_ms(found.lag)}"
        for (_, reaction), found in latest.items()
    )


def _claims() -> str:
    rows = [
        [
            claim.states,
            _shown(claim.name, claim.scheduler),
            "yes" if claim.holds else "**no**",
            claim.remark,
        ]
        for claim in CLAIMS
    ]
    return table(["what the thesis states", "our latest starts, ms", "holds?", "why"], rows)


def _starts() -> str:
    rows = []
    for name in names():
        for key, deadline in report(name).deadlines.items():
            row = [f"`{name}`", key[1], in_exact_ms(deadline)]
            for scheduler in SCHEDULERS:
                found = column(name, scheduler)
                lag = found.latest[key].lag
                text = "no bound" if lag is None else in_exact_ms(lag)
                late = not report(name).met(found, key)
                row.append(f"**{text}**" if late else text)
            rows.append(row)
    return table(["federation", "reaction", "deadline, ms", *SCHEDULERS], rows)


def may_throttle(period: int, percent: int, busy_wait: int = BUSY_WAIT) -> bool:
    """Whether throttling can set in."""
    return timer_lag(TimerLoad(period, period * percent // 100, busy_wait)).throttled


def least_busy_wait(period: int, percent: int) -> int:
    """From which on throttling can set in: 1 ns less than it can not."""
    low, high = -1, period
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if may_throttle(period, percent, middle) else (middle, high)
    return high


def _throttling() -> str:
    rows = []
    for period in PERIODS:
        for percent in UTILIZATIONS:
            lag = timer_lag(TimerLoad(period, period * percent // 100, BUSY_WAIT)).lag
            rows.append(
                [
                    f"{in_exact_ms(period)}",
                    f"{percent} %",
                    "yes" if (period, percent) in THROTTLED else "",
                    "yes" if may_throttle(period, percent) else "",
                    "unbounded" if lag is None else in_exact_ms(lag),
                    in_exact_ms(least_busy_wait(period, percent)),
                ]
            )
    head = ["period, ms", "utilization", "throttled in the thesis", "can be, by the bound",
            "lag, ms", "from this busy wait on, ms"]  # fmt: skip
    return table(head, rows)


TABLES: dict[str, Callable[[], str]] = {
    "claims": _claims,
    "starts": _starts,
    "throttling": _throttling,
}
