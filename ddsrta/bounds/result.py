"""What an analysis says: the attributes are the keys of the JSON result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, Literal

from ddsrta.base.diagnostics import Position
from ddsrta.base.doors import behind
from ddsrta.base.frozen import frozen
from ddsrta.base.later import Later
from ddsrta.base.shown import Shown, page, plot, text
from ddsrta.base.units import Duration
from ddsrta.bounds.unbounded import CALLED_OFF, Because
from ddsrta.models.assumptions import Assumption
from ddsrta.models.synchronization import SyncPolicy
from ddsrta.models.system import Constraint, Events, Mode, System

Verdict = Literal["met", "missed", "unbounded", "error"]
Severity = Literal["error", "warning", "note"]
_ENDED = CALLED_OFF.of()
CheckStatus = Literal["confirmed", "unchecked", "refuted"]
Window = Literal[
    "rounds",
    "queue",
    "priorities",
    "busy window",
    "turn",
    "chain window",
    "pool",
    "pending window",
]


@frozen
class Finding:
    """Something about the configuration that a person should know."""

    rule: str
    severity: Severity
    message: str
    position: Position | None = None
    # whom it is about and what is said of it alone, where its rule may say the same of several
    thing: str = ""
    own: str = ""


@frozen
class ThreadResult:
    """Worst-case response time of a thread's jobs; None where unbounded."""

    wcrt: Duration | None
    core: str
    unbounded_because: Because | None = None


@frozen
class CallbackResult:
    """Worst-case response time of a callback's jobs, from what releases them to their end; where it
    waits for several topics, from the arrival of the last message at its subscription.

    `by` says which of the bounds was the least: that of its own window in its executor (`rounds`,
    the `queue` of an events executor, the `priorities` of callbacks, the plain `busy window` where
    any other may come first, or for a callback that waits for several topics the `turn` of the
    last message), or a `chain window`, which begins with an earlier stage of its event on the core,
    or a `pending window`, which begins with its own arrival.
    """

    wcrt: Duration | None
    executor: str
    core: str
    by: Window | None = None
    unbounded_because: Because | None = None


@frozen
class MessageResult:
    """Data delivery latency of one topic from one publisher to one subscriber, and its parts.

    `sent` bounds the time until its copy has left, counted from where `ddl` counts.
    """

    publisher: str
    topic: str
    subscriber: str
    mode: Mode
    ddl: Duration | None
    publisher_wcrt: Duration | None
    flow_controller: Duration | None
    network: Duration | None
    listener: Duration | None
    unbounded_because: Because | None = None
    sent: Duration | None = None


@frozen
class HopResult:
    """One stage of a chain: what it is, where it runs, and the latency up to its end."""

    stage: str
    where: str
    response: Duration | None
    latency: Duration | None


def bounding(constraint: Constraint) -> tuple[str, ...]:
    """The figures any of which bounds a path without a deadline: one that crosses a register has
    no latency, but an age.

    >>> bounding("latency"), bounding("data_age")
    (('latency', 'data_age', 'reaction_time'), ('data_age',))
    """
    ages = ("data_age", "reaction_time") if constraint.endswith("latency") else ()
    return constraint, *ages


@frozen
class ChainResult(Later):
    """The figures of one path: `latency` is that of every event, `trigger_latency` that of those
    whose token comes last at each AND of the path. Both are None also where it crosses a
    register. `label` tells paths between two ends apart. Of a result that a time limit ended `met`
    is None where the deadline is not met so far."""

    path: tuple[str, ...]
    latency: Duration | None
    trigger_latency: Duration | None
    data_age: Duration | None
    reaction_time: Duration | None
    constraint: Constraint
    deadline: Duration | None
    met: bool | None
    slack: Duration | None
    hops: tuple[HopResult, ...] = field(default_factory=tuple)
    unbounded_because: Because | None = field(default_factory=type(None))
    label: str | None = None

    @property
    def is_bounded(self) -> bool:
        """Whether there is a bound of what its constraint is about."""
        return any(getattr(self, figure) is not None for figure in bounding(self.constraint))

    @property
    def data_latency(self) -> Duration | None:
        """The latency of every event, by the name that tells it from that of the last tokens."""
        return self.latency

    def plot(self, axes: Any = None) -> Any:
        """Its stages by matplotlib, each from the end of the one before it; returns the axes."""
        return plot(self, axes)

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return page(self)


@frozen
class Violation:
    """How messages of jobs of `origin` can be seen in a wrong order: one on `first`, of a job
    `later` jobs after that of one on `second`, before it."""

    origin: str
    first: str
    second: str
    later: int
    because: str


@frozen
class OrderResult:
    """A wanted order: whether it always holds (None: not as far as a time limit let it be looked
    at), and else what breaks it.

    `possible` holds, for each origin, the orders of the first messages of one of its jobs.
    """

    subscriber: str
    topics: tuple[str, ...]
    events: Events
    met: bool | None
    possible: Mapping[str, tuple[tuple[str, ...], ...]]
    violations: tuple[Violation, ...] = ()


@frozen
class SynchronizerResult:
    """The sets that a synchronizer makes: the largest difference of the stamps of one, the longest
    time from the arrival of each topic's message to the set that it is in, the time for one set in
    the long run (at the least) and the longest between two. `needed` is the queue that loses
    nothing, `queue` the one that there is."""

    policy: SyncPolicy
    disparity: Duration | None
    waits: Mapping[str, Duration | None]
    period: Duration | None
    gap: Duration | None
    needed: int | None = None
    queue: int | None = None
    unbounded_because: Because | None = None


def verdict(
    times: Iterable[int | None],
    chains: Iterable[ChainResult],
    orders: Iterable[OrderResult] = (),
) -> Verdict:
    """Unbounded if anything that should has no bound; missed if a deadline or an order is; else
    met."""
    chains = tuple(chains)
    judged = [chain for chain in chains if chain.deadline is not None]
    if any(time is None for time in times) or any(chain.slack is None for chain in judged):
        return "unbounded"
    if not all(chain.is_bounded for chain in chains if chain.deadline is None):
        return "unbounded"
    met = all(chain.met for chain in judged) and all(order.met for order in orders)
    return "met" if met else "missed"


def unless_errors(reached: Verdict, found: Iterable[Finding]) -> Verdict:
    """A verdict beside findings: nothing is met next to an error.

    >>> unless_errors("met", [Finding("livelock", "error", "it spins")])
    'error'
    """
    return "error" if reached == "met" and errors_of(found) else reached


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    """The findings next to which no figure holds."""
    return [finding for finding in findings if finding.severity == "error"]


@frozen
class CoreResult:
    """Long-run load of a core as a fraction of what it supplies."""

    utilization: float


@frozen
class TransferResult:
    """The longest from when a message is handed to a shared link to when it is received; and its
    time on the link alone, None where unbounded."""

    wcrt: Duration | None
    transmission: Duration
    unbounded_because: Because | None = None


@frozen
class LinkResult:
    """A shared link: its long-run load, best effort left aside, and what it sends: frames by their
    names, messages as 'publisher/topic/subscriber'."""

    kind: str
    utilization: float
    messages: Mapping[str, TransferResult]


@frozen
class QueueResult:
    """The most that can be waiting, the place there is, and the same for each stream inside."""

    backlog: int | None
    capacity: int | None = None
    streams: Mapping[str, int | None] = field(default_factory=dict)
    unbounded_because: Because | None = None


@frozen
class Check:
    """What the independent checker says of a certificate, which has this digest: of the bounds as
    they are (`confirmed`), nothing (`unchecked`), or that none of them stands (`refuted`).

    `without` are the refinements whose bounds it refused, so that they were left out.
    """

    status: CheckStatus
    certificate: str
    without: tuple[str, ...] = ()
    because: str | None = None


@frozen
class Result(Later, Shown):
    """Everything that an analysis found out about a system; met only where no finding is an
    error. `check` says whether the bounds were checked, `certificate` is what of them was."""

    system: str
    profile: str
    verdict: Verdict
    threads: Mapping[str, ThreadResult]
    messages: tuple[MessageResult, ...]
    chains: Mapping[str, ChainResult]
    cores: Mapping[str, CoreResult]
    queues: Mapping[str, QueueResult]
    warnings: tuple[Finding, ...]
    orders: Mapping[str, OrderResult] = field(default_factory=dict)
    synchronizers: Mapping[str, SynchronizerResult] = field(default_factory=dict)
    callbacks: Mapping[str, CallbackResult] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = field(default_factory=tuple)
    model: System | None = field(default=None, compare=False, repr=False)
    links: Mapping[str, LinkResult] = field(default_factory=dict)
    check: Check | None = None
    certificate: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)
    # what `update` needs
    basis: Any = field(default_factory=type(None), compare=False, repr=False)

    def __post_init__(self) -> None:
        """Whoever made it: nothing is met next to an error."""
        object.__setattr__(self, "verdict", unless_errors(self.verdict, self.warnings))

    @property
    def is_ended(self) -> bool:
        """Whether a time limit ended its analysis, or its check: bounds may still fall."""
        check = self.check
        return check is not None and check.status == "unchecked" and check.because == _ENDED

    @property
    def errors(self) -> list[Finding]:
        """The findings next to which no figure holds."""
        return errors_of(self.warnings)

    def update(self, system: System) -> Result:
        """The result of another system: what `analyze` says of it, of which only what differs, and
        all that has to do with that, is analysed and checked again (definition part).

        >>> from ddsrta import analyze
        >>> from ddsrta.examples import two_threads
        >>> slower = two_threads().altered("threads", "sensor", wcet=1_500_000)
        >>> analyze(two_threads()).update(slower) == analyze(slower)
        True
        """
        found: Result = behind("update").updated(self, system)
        return found
