"""What is asked of a system: the latencies of chains, and the order of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Literal, get_args

from ddsrta.base.frozen import frozen
from ddsrta.base.records import key, record
from ddsrta.base.shapes import INVALID, POSITIVE_DURATION, Choice, Integer, Reference
from ddsrta.base.structures import Contradiction, ListOf

Constraint = Literal["latency", "trigger_latency", "data_age", "reaction_time"]
Events = Literal["each", "all"]
_END = Reference(("threads", "callbacks"))
_MOST_PATHS = 256


@frozen
class Chain:
    """A path of threads and topics, or every path between two of them; what is asked of it.

    `samples` is for a constraint that the file leaves open: the thread that samples on the way, for
    which it is the data age, or nothing where none does."""

    name: str
    path: tuple[str, ...] = ()
    ends: tuple[str, str] | None = None
    deadline: int | None = None
    constraint: Constraint = "latency"
    limit: int = _MOST_PATHS
    samples: str | None = field(default=None, compare=False)


@record("chain", usual="path", either=(("path",), ("from", "to")))
class ChainDeclaration:
    """What a file says of a chain."""

    name: str
    path: tuple[str, ...] = key(
        ListOf(Reference(("threads", "callbacks", "topics", "messages")), may_be_empty=False),
        "threads and the topics between them, in order",
        default=(),
    )
    source: str | None = key(
        _END, "with 'to': every path between two threads", default=None, name="from"
    )
    target: str | None = key(
        _END, "with 'from': every path between two threads", default=None, name="to"
    )
    limit: int = key(Integer(1, 100_000), "how many paths to list at most", default=_MOST_PATHS)
    deadline: int | None = key(
        POSITIVE_DURATION, "what the constraint must not exceed", default=None
    )
    constraint: Constraint | None = key(
        Choice(get_args(Constraint)),
        "what the deadline is for; if missing, the data_age where something released by time "
        "samples on the way, which a finding says",
        default=None,
        shown="latency",
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """A path, or the ends of some."""
        if self.path:
            for name in given.keys() & {"from", "to", "limit"}:
                yield Contradiction(name, f"'{name}' does not go with 'path'")
        elif not (self.source and self.target):
            yield Contradiction((), "a chain needs a 'path', or 'from' and 'to'")

    def settled(self) -> Any:
        """The chain."""
        ends = None
        if self.source and self.target:
            ends = (self.source, self.target)
        elif not self.path:
            return INVALID
        said, samples = self.constraint or "latency", None if self.constraint else ""
        return Chain(self.name, self.path, ends, self.deadline, said, self.limit, samples)

    @classmethod
    def of(cls, chain: Chain) -> ChainDeclaration:
        """What is said of a chain."""
        source, target = chain.ends or (None, None)
        said = chain.constraint if chain.samples is None else None
        return cls(chain.name, chain.path, source, target, chain.limit, chain.deadline, said)


@record("order")
class Order:
    """Topics in the order in which a subscriber must see the messages of one job of `origin`.

    With `events` "all", those of the next job must not come before the last one, either.
    """

    name: str
    subscriber: str = key(Reference(("threads",)), "who must see the order")
    topics: tuple[str, ...] = key(
        ListOf(Reference(("topics",)), may_be_empty=False),
        "topics that it reads, in the order of their messages",
    )
    origin: str | None = key(
        Reference(("threads",)),
        "whose jobs the messages stem from (every thread where their ways part, if missing)",
        default=None,
        name="from",
        stored="from",
    )
    events: Events = key(
        Choice(get_args(Events)),
        "the messages of each job in this order, or of all jobs: none of the next one earlier",
        default="each",
    )
