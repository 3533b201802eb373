"""What threads send, read and follow, and what a file says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

from ddsrta.base.frozen import frozen, part
from ddsrta.base.records import key, keys, record
from ddsrta.base.shapes import (
    DURATION,
    PERCENT,
    POSITIVE_DURATION,
    Choice,
    Context,
    Flag,
    Integer,
    Reference,
    Schema,
    Text,
)
from ddsrta.base.structures import Contradiction, ListOf
from ddsrta.base.yaml_tree import Node
from ddsrta.models.costs import COST, EPSILON, Cost
from ddsrta.models.media import OF_ONE_PUBLICATION
from ddsrta.models.synchronization import SYNC_POLICIES, Synchronizer, SyncPolicy
from ddsrta.policies import PUBLICATION_KEYS

Mode = Literal["async", "sync"]
Activation = Literal["or", "and"]
TakenIn = Literal["arrival", "any"]
_COUNT = Integer(1, 1_000_000)
_ROUNDS = Integer(1, 10_000)
_ACTIVATION = Choice(get_args(Activation))
_MOST_JOBS = 1_000_000
_JOBS = r"^\s*[1-9][0-9]{0,6} of [1-9][0-9]{0,6}\s*$"
_PART = f"so many of so many jobs, such as '1 of 3', up to {_MOST_JOBS}"


class Part(NamedTuple):
    """At most `most` of any `of` consecutive jobs."""

    most: int
    of: int

    def count(self, jobs: int) -> int:
        """How many of so many in a row.

        >>> [Part(1, 3).count(jobs) for jobs in (1, 3, 4)]
        [1, 1, 2]
        """
        return jobs // self.of * self.most + min(self.most, jobs % self.of)


@frozen
class PartShape:
    """Written as '1 of 3'."""

    def read(self, node: Node, context: Context) -> Any:
        text = node.value if isinstance(node.value, str) else ""
        if re.match(_JOBS, text):
            part = Part(*map(int, text.split(" of ")))
            if part.most <= part.of <= _MOST_JOBS:
                return part
        return context.report(node, f"expected {_PART}, not {node.kind}")

    def write(self, part: Part) -> str:
        return f"{part.most} of {part.of}"

    def schema(self) -> Schema:
        message = f"expected {_PART}"
        return {"type": "string", "pattern": _JOBS, "errorMessage": message}


PART = PartShape()


@record("publication")
class Publication:
    """What a job sends on one topic: `count` messages, by itself or through a flow controller.

    `cost` is the δ of one copy in the thread that sends it, where the table is not to be used;
    `earliest` the least execution time of the job before the first message is handed over.
    `reserved` is the part of the flow controller's limit, in percent, for which they go first.
    """

    topic: str = key(Reference(("topics",)), "the topic published on")
    mode: Mode = key(
        Choice(get_args(Mode)),
        "who sends: the flow controller (async, if one is given) or the job itself (sync)",
        default=None,
    )
    flow_controller: str | None = key(
        Reference(("flow_controllers",)), "who sends asynchronously", default=None
    )
    count: int = key(_COUNT, "messages a job", default=1)
    cost: Cost | None = key(
        COST, "δ of one copy, instead of the table's", default=None, name="delay"
    )
    earliest: int = key(
        DURATION, "least execution time of the job before the first message", default=EPSILON
    )
    reserved: int = key(
        PERCENT,
        "the part of the flow controller's limit for which they go first",
        default=0,
        name="reservation",
        sparse=True,
    )
    jobs: Part | None = key(
        PART,
        "k of n: of any n consecutive jobs at most k send on this topic, and none has to "
        "(`1 of 1`: each may)",
        default=None,
        shown="each job sends",
        sparse=True,
    )
    one_of: str | None = key(
        Text(),
        "a name that alternatives share, which stand one after the other: each job sends one of "
        "them at most",
        default=None,
        sparse=True,
    )
    min_separation: int | None = key(
        POSITIVE_DURATION,
        "the least time between two messages, when they leave the job; what would come sooner is "
        "left out",
        default=None,
        sparse=True,
    )
    rounds: int | None = key(
        _ROUNDS,
        "it closes a circle: of each event that comes into that from outside, at most so many of "
        "these messages follow",
        default=None,
        sparse=True,
    )
    # of policies and links
    settings: Mapping[str, int] = keys(
        {**PUBLICATION_KEYS, **OF_ONE_PUBLICATION}, default_factory=dict
    )

    def __post_init__(self) -> None:
        if self.mode is None:
            object.__setattr__(self, "mode", "async" if self.flow_controller else "sync")

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """Messages of one job come as one."""
        if self.min_separation is not None and self.count > 1:
            message = "several messages of a job leave together"
            yield Contradiction("min_separation", message, "leave 'count' out")

    @property
    def table(self) -> str:
        """The table of δ that says what sending it costs."""
        return "publisher" if self.mode == "sync" else "flow_controller"

    @property
    def part(self) -> Part | None:
        """Of the jobs, those that may send it; None: each does."""
        reasons = self.one_of, self.min_separation, self.rounds
        return self.jobs or (None if reasons == (None, None, None) else Part(1, 1))


@frozen
class Subscription:
    """The topics that a thread reads, through one listener; `cost` as in a publication, `take` the
    thread's own cost of taking a message, both where the table is not to be used; `order`: in which
    those of several publishers and topics are taken, if it is said."""

    topics: tuple[str, ...]
    listener: str
    cost: Cost | None = None
    take: Cost | None = None
    order: TakenIn | None = part(default=None, sparse=True)


@record("subscription", kw_only=True)
class SubscriptionDeclaration:
    """What a file says of a subscription; an empty listener stands for that of the process."""

    topics: tuple[str, ...] = key(ListOf(Reference(("topics",)), may_be_empty=False), "topics read")
    listener: str = key(
        Reference(("listeners",)),
        "the thread that receives: that of the process, if missing",
        default="",
        shown="",
    )
    activation: Activation | None = key(
        _ACTIVATION,
        "a job for each message (or), or for one of each topic (and)",
        default=None,
        shown="or",
    )
    synchronize: SyncPolicy | None = key(
        Choice(SYNC_POLICIES),
        "with 'activation: and': which messages make a set (the n-th of each topic, if missing)",
        default=None,
    )
    queue: int | None = key(
        _COUNT,
        "messages of each topic that the synchronizer keeps (exact_time: sets); any number, "
        "if missing",
        default=None,
    )
    cost: Cost | None = key(
        COST, "δl of one message, instead of the table's", default=None, name="delay"
    )
    take: Cost | None = key(
        COST, "what a job takes to read one message, instead of the table's", default=None
    )
    order: TakenIn | None = key(
        Choice(get_args(TakenIn)),
        "messages of several publishers or topics are taken as they arrive, or in any order (if "
        "missing: as they arrive, but any where several publish on one topic)",
        default=None,
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """Only a synchronizer has a queue."""
        if self.queue is not None and self.synchronize is None:
            message = "'queue' does not go without 'synchronize'"
            advice = "it is that of a synchronizer; the depth of a topic is its 'history'"
            yield Contradiction("queue", message, advice)
        if self.order is not None and self.activation == "and":
            message = "'order' does not go with 'activation: and'"
            yield Contradiction("order", message, "each job takes the next message of each topic")

    @property
    def subscription(self) -> Subscription:
        """The topics and their listener."""
        return Subscription(self.topics, self.listener, self.cost, self.take, self.order)

    @property
    def synchronizer(self) -> Synchronizer | None:
        """What makes sets of messages."""
        return Synchronizer(self.synchronize, self.queue) if self.synchronize else None


@frozen
class Following:
    """Threads whose completed jobs reach this thread without middleware; if `ordered`, those of one
    thread in the order of their completion; `order`: in which those of several are taken, if it is
    said."""

    threads: tuple[str, ...]
    delay: int = 0
    best: int = 0
    ordered: bool = part(default=True, sparse=True)
    order: TakenIn | None = part(default=None, sparse=True)


@record("following", kw_only=True)
class FollowingDeclaration:
    """What a file says of what a thread follows."""

    threads: tuple[str, ...] = key(
        ListOf(Reference(("threads", "callbacks")), may_be_empty=False),
        "threads whose jobs release it",
    )
    activation: Activation | None = key(
        _ACTIVATION,
        "a job for each of their jobs (or), or for one of each (and)",
        default=None,
        shown="or",
    )
    delay: int = key(DURATION, "worst-case time from completion to release", default=0)
    best: int = key(DURATION, "best-case time from completion to release", default=0)
    ordered: bool = key(
        Flag(), "jobs of one thread release it in the order of their ends", default=True
    )
    order: TakenIn | None = key(
        Choice(get_args(TakenIn)),
        "jobs of several threads are taken as they end, or in any order (if missing: as they end, "
        "which is assumed); beside 'subscribes', said there",
        default=None,
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """One job for one of each has no choice."""
        if self.order is not None and self.activation == "and":
            message = "'order' does not go with 'activation: and'"
            yield Contradiction("order", message, "each job takes the next job of each thread")

    @property
    def following(self) -> Following:
        """The threads that it follows."""
        return Following(self.threads, self.delay, self.best, self.ordered, self.order)


def activation(
    subscribes: SubscriptionDeclaration | None,
    follows: FollowingDeclaration | None,
    timed: bool,
    context: Context,
    *path: str,
) -> Activation:
    """One for all inputs of a thread; none where it is released by time."""
    inputs = {"subscribes": subscribes, "follows": follows}
    for kind, said in inputs.items():
        if timed and said and said.order is not None:
            context.report_at(
                "a thread that is released by time samples its inputs: the newest, in no order",
                *path, kind, "order", advice="remove 'order', or the period",
            )  # fmt: skip
    if subscribes and follows and follows.order is not None:
        context.report_at(
            "how jobs are taken beside messages, 'subscribes' says",
            *path, "follows", "order", advice="write 'order' there",
        )  # fmt: skip
    given = {kind: said.activation for kind, said in inputs.items() if said and said.activation}
    if not given:
        return "or"
    if len(set(given.values())) > 1:
        message = "'subscribes' and 'follows' say different activations"
        context.report_at(message, *path, "follows", "activation")
    if timed:
        context.report_at(
            "a thread that is released by time samples its inputs: it has no activation",
            *path, next(iter(given)), "activation",
            advice="remove 'activation', or the period",
        )  # fmt: skip
    return next(iter(given.values()))
