"""What was measured above its bound, one by one, and why: the machine, the middleware, something
that took longer than the model says, or unknown.

A latency is the machine's fault only where the trace has evidence of it: records of what ran on the
CPUs of its path and is not of the system, in its very time, for at least as long as it is above its
bound. That no thread of the system used a CPU shows that something else happened, not what: it is
told, and excuses nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ddsrta.base.units import format_duration

Cause = Literal["machine", "overrun", "middleware", "unexplained"]
CAUSES: tuple[Cause, ...] = ("unexplained", "middleware", "overrun", "machine")  # the gravest first
MOST_LATE = 20_000  # looked at one by one


class Late(NamedTuple):
    """One latency above its bound: from `begin` to `end`; something of the system was under way
    since `busy` without a break. `cpus`: those of its path."""

    value: int
    begin: int
    end: int
    busy: int
    what: str
    cpus: frozenset[int] = frozenset()


class Found(NamedTuple):
    """What a trace shows of the time of one latency: for how long others than the system are
    recorded on CPUs of its path that had work (`outside`, `stranger` most); and, of all CPUs, how
    long one that had work was used by nobody of the system (`gap`, on `cpu` most), how long threads
    at work waited without using their CPU (`blocked`), how many samples left in one datagram
    (`batch`), and how much more processor time jobs and messages took than their wcet and δ
    (`over`, `who` most). `gap` is what is certain; `unused` the most that may have been: between
    two records of a thread the trace does not say when it ran."""

    gap: int
    cpu: int
    blocked: int
    batch: int
    over: int = 0
    who: str = ""
    outside: int = 0
    stranger: str = ""
    unused: int = 0


@dataclass(frozen=True)
class Verdict:
    """One late latency with its cause, in a word and in words."""

    late: Late
    found: Found
    cause: Cause
    text: str


def judge(late: Late, bound: int, found: Found) -> Verdict:
    """Why a latency was above its bound.

    >>> late = Late(4_100_000, 0, 4_100_000, 0, "message 7")
    >>> judge(late, 1_000_000, Found(3_200_000, 1, 0, 1, 0, "", 3_100_000, "thread kworker")).text
    'others than the system ran on CPUs of its path for 3.1 ms, thread kworker most'
    >>> judge(late, 1_000_000, Found(3_200_000, 1, 0, 1)).cause
    'unexplained'
    >>> judge(late, 1_000_000, Found(3_200_000, 1, 0, 1)).text
    'nobody of the system used CPU 1 for up to 3.2 ms; the trace has no record of who did'
    >>> judge(late, 1_000_000, Found(0, 1, 3_200_000, 1)).text
    'threads at work on it waited for 3.2 ms: for a lock, a full queue, or memory'
    """
    excess = late.value - bound
    if found.outside and found.outside >= excess:
        length = format_duration(found.outside)
        text = f"others than the system ran on CPUs of its path for {length}, {found.stranger} most"
        return Verdict(late, found, "machine", text)
    excess -= found.outside
    if found.blocked >= excess:
        waited = f"threads at work on it waited for {format_duration(found.blocked)}"
        return Verdict(late, found, "middleware", f"{waited}: for a lock, a full queue, or memory")
    if found.blocked + found.over >= excess:
        over = format_duration(found.over)
        text = f"more processor time than wcet and δ by {over}, {found.who} most"
        return Verdict(late, found, "overrun", text)
    if found.batch > 1:
        text = f"up to {found.batch} samples left in one datagram"
        return Verdict(late, found, "middleware", text)
    return Verdict(late, found, "unexplained", _unproven(found))


def _unproven(found: Found) -> str:
    """What is told of one that nothing in the trace accounts for."""
    if not found.gap:
        return ""
    gap = f"nobody of the system used CPU {found.cpu} for up to {format_duration(found.gap)}"
    if not found.outside:
        return f"{gap}; the trace has no record of who did"
    return f"{gap}; the trace has a record of others for {format_duration(found.outside)} of it"


@dataclass
class Above:
    """All latencies of one thing above its bound. `count` has also those that were not kept.

    >>> above = Above(1000, count=2)
    >>> above.keep(Late(1500, 0, 1500, 0, "job 3"))
    >>> above.look([Found(600, 0, 0, 1, 0, "", 600, "interrupt")])
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

    def look(self, found: Iterable[Found | None]) -> None:
        """Judge those that were kept, from what was found of each, in their order (None: the trace
        does not say enough)."""
        pairs = zip(self.kept, found, strict=True)
        self.verdicts = [judge(late, self.bound, one) for late, one in pairs if one is not None]

    @property
    def causes(self) -> dict[Cause, int]:
        """How many of each cause, the gravest first; what was not judged is unexplained."""
        counts = Counter(verdict.cause for verdict in self.verdicts)
        counts["unexplained"] += self.count - len(self.verdicts)
        return {cause: counts[cause] for cause in CAUSES if counts[cause]}

    @property
    def by_machine(self) -> bool:
        """Whether the trace has evidence of the machine for every one."""
        return set(self.causes) == {"machine"}

    @property
    def longest(self) -> Verdict | None:
        """The longest of those that were judged."""
        return max(self.verdicts, key=lambda one: one.late.value, default=None)
