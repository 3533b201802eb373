"""What was measured above its bound, one by one, and why: the machine, the middleware, something
that took longer than the model says, or unknown.

A latency is the machine's fault only where that can be shown: taking off the time for which no
thread of the system used a CPU that had work of the system to do leaves no more than the bound.
A CPU that was away has to catch up with what came meanwhile: at a utilisation U a stop of G delays
work by G / (1 - U) at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from ddsrta.models.units import format_duration

Cause = Literal["machine", "overrun", "middleware", "unexplained"]
_NONE = Fraction(0)
CAUSES: tuple[Cause, ...] = ("unexplained", "middleware", "overrun", "machine")  # the gravest first
MOST_LATE = 20_000  # looked at one by one


class Late(NamedTuple):
    """One latency above its bound: from `begin` to `end`; something of the system was under way
    since `busy` without a break."""

    value: int
    begin: int
    end: int
    busy: int
    what: str


class Found(NamedTuple):
    """What a trace shows of the time of one latency, all CPUs together: how long a CPU that had
    work was used by nobody of the system (`gap`, on `cpu` most), how long threads at work waited
    without using their CPU (`blocked`), how many samples left in one datagram (`batch`), and how
    much more processor time jobs and messages took than their wcet and δ (`over`, `who` most)."""

    gap: int
    cpu: int
    blocked: int
    batch: int
    over: int = 0
    who: str = ""


@dataclass(frozen=True)
class Verdict:
    """One late latency with its cause, in a word and in words."""

    late: Late
    found: Found
    cause: Cause
    text: str


def judge(late: Late, bound: int, found: Found, utilization: Fraction = _NONE) -> Verdict:
    """Why a latency was above its bound.

    >>> late = Late(4_100_000, 0, 4_100_000, 0, "message 7")
    >>> judge(late, 1_000_000, Found(3_100_000, 1, 0, 1)).text
    'off CPU 1 for 3.1 ms while nothing of the system was ahead'
    >>> judge(late, 1_000_000, Found(3_000_000, 1, 0, 1)).cause
    'unexplained'
    >>> judge(late, 1_000_000, Found(3_000_000, 1, 0, 1), Fraction(1, 2)).cause
    'machine'
    >>> judge(late, 1_000_000, Found(0, 1, 3_200_000, 1)).text
    'threads at work on it waited for 3.2 ms: for a lock, a full queue, or memory'
    """
    gap = f"off CPU {found.cpu} for {format_duration(found.gap)}"
    if late.value - found.gap <= bound:
        return Verdict(late, found, "machine", f"{gap} while nothing of the system was ahead")
    if (late.value - bound) * (1 - utilization) <= found.gap:
        text = f"{gap} while nothing of the system was ahead, and catching up with what came then"
        return Verdict(late, found, "machine", text)
    if late.value - found.gap - found.blocked <= bound:
        waited = f"threads at work on it waited for {format_duration(found.blocked)}"
        return Verdict(late, found, "middleware", f"{waited}: for a lock, a full queue, or memory")
    if late.value - found.gap - found.blocked - found.over <= bound:
        over = format_duration(found.over)
        text = f"more processor time than wcet and δ by {over}, {found.who} most"
        return Verdict(late, found, "overrun", text)
    if found.batch > 1:
        text = f"up to {found.batch} samples left in one datagram"
        return Verdict(late, found, "middleware", text)
    text = f"only {format_duration(found.gap)} of it off the CPUs" if found.gap else ""
    return Verdict(late, found, "unexplained", text)


@dataclass
class Above:
    """All latencies of one thing above its bound. `count` has also those that were not kept.

    >>> above = Above(1000, count=2)
    >>> above.keep(Late(1500, 0, 1500, 0, "job 3"))
    >>> above.look([Found(600, 0, 0, 1)])
    >>> above.causes, above.by_machine
    ({'unexplained': 1, 'machine': 1}, False)
    """

    bound: int
    count: int = 0
    kept: list[Late] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)

    def keep(self, late: Late) -> None:
        """One of those that are counted, to be looked into."""
        if len(self.kept) < MOST_LATE:
            self.kept.append(late)

    def look(self, found: Iterable[Found | None], utilization: Fraction = _NONE) -> None:
        """Judge those that were kept, from what was found of each, in their order (None: the trace
        does not say enough)."""
        pairs = zip(self.kept, found, strict=True)
        self.verdicts = [
            judge(late, self.bound, one, utilization) for late, one in pairs if one is not None
        ]

    @property
    def causes(self) -> dict[Cause, int]:
        """How many of each cause, the gravest first; what was not judged is unexplained."""
        counts = Counter(verdict.cause for verdict in self.verdicts)
        counts["unexplained"] += self.count - len(self.verdicts)
        return {cause: counts[cause] for cause in CAUSES if counts[cause]}

    @property
    def by_machine(self) -> bool:
        """Whether the machine caused every one."""
        return set(self.causes) == {"machine"}

    @property
    def longest(self) -> Verdict | None:
        """The longest of those that were judged."""
        return max(self.verdicts, key=lambda one: one.late.value, default=None)
