"""The policies of flow controllers, one record each, from a list of the checker's own (definition
delay-relations, lemma message-order). A field without a default is one that each has to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

PRIORITY_KEYS = ("can_id", "pcp")  # how urgent on a shared link, by its kind


class Sender(NamedTuple):
    """What a policy sees of what one writer sends."""

    name: tuple[str, str]  # the writer and its topic
    urgency: int  # of the topic; the smaller the more
    reserves: bool  # a part of the limit
    said: Mapping[str, int]  # by keys that only some policies have


class Relations(Protocol):
    """What is found of the stages that delay one."""

    due: list[tuple[Any, int]]
    turns: dict[Any, tuple[int, int]]

    def add(self, how: str, other: Any) -> None: ...


class Two(Protocol):
    """Two messages of one publisher, of which the first should leave first."""

    @property
    def publisher(self) -> str: ...
    @property
    def later(self) -> bool: ...
    @property
    def in_program(self) -> bool: ...
    @property
    def handed_first(self) -> bool: ...
    def other_waits(self) -> bool: ...
    def queues(self) -> list[tuple[str, int]]: ...


class Policy(NamedTuple):
    """How samples of one writer delay those of another, where they wait, and which leaves first."""

    relate: Callable[[Relations, Any, Sender, Sender], None]  # the other one; it, and ours
    queue: Callable[[Sender], object]  # a name: who has the same waits in the same
    leaves_first: Callable[[Two, Sender, Sender], bool]  # of two the first
    # whether one may go before ours that was chosen while ours did not wait, though not else
    holds: Callable[[Sender, Sender], bool]
    topic_keys: Mapping[str, int] = {}  # times, and the least that each may be
    needed: tuple[str, ...] = ()  # of those
    publication_keys: tuple[str, ...] = ()  # counts
    of_fast_dds: bool = True
    by_topic: bool = False  # it looks at the priorities of topics
    lets_linger: bool = True  # windows may open while threads of the same priority have work

    @property
    def has_queues(self) -> bool:
        """Whether each writer has a queue of its own."""
        return self.queue is _alone

    @property
    def in_order(self) -> bool:
        """Whether all leave as they come."""
        return self.relate is _in_order


def _alone(sender: Sender) -> object:
    return sender.name


def _never(*_: object) -> bool:
    return False


def _always(*_: object) -> bool:
    return True


def _in_order(found: Relations, other: Any, theirs: Sender, ours: Sender) -> None:
    found.add("ahead", other)


def _by_urgency(found: Relations, other: Any, theirs: Sender, ours: Sender) -> None:
    if theirs.urgency == ours.urgency:
        found.add("ahead", other)
    elif theirs.urgency < ours.urgency:
        found.add("overtakes", other)
    else:
        found.add("blocked_by", other)


def _leaves_by_urgency(two: Two, one: Sender, other: Sender) -> bool:
    if two.handed_first and one.urgency <= other.urgency:
        return True
    return one.urgency < other.urgency and two.other_waits()


def _by_turns(found: Relations, other: Any, theirs: Sender, ours: Sender) -> None:
    found.add("alternates", other)
    weights = theirs.said.get("weight", 1), ours.said.get("weight", 1)
    if weights != (1, 1):
        found.turns[other.key] = weights


def _leaves_by_turns(two: Two, one: Sender, other: Sender) -> bool:
    """All queues are of the publisher, with one message a job; and of two jobs."""
    queues = two.queues()
    alone = set(queues) == {(two.publisher, 1)}
    return alone and two.later and (two.in_program or len(queues) == 2)


def _by_reservation(found: Relations, other: Any, theirs: Sender, ours: Sender) -> None:
    if theirs.urgency <= ours.urgency:
        found.add("overtakes", other)
    elif theirs.reserves:
        found.add("lingers", other)
    else:
        found.add("blocked_by", other)


def _by_deadline(found: Relations, other: Any, theirs: Sender, ours: Sender) -> None:
    """What is due later blocks where it has begun."""
    later = ours.said["deadline"] - theirs.said["deadline"]
    found.due.append((other, later))
    if later < 0:
        found.add("blocked_by", other)


POLICIES: Mapping[str, Policy] = {
    "FIFO": Policy(
        _in_order,
        lambda sender: None,
        lambda two, one, other: two.handed_first,
        _never,
        lets_linger=False,
    ),
    "HIGH_PRIORITY": Policy(
        _by_urgency,
        lambda sender: sender.urgency,
        _leaves_by_urgency,
        lambda other, ours: other.urgency > ours.urgency,
        by_topic=True,
    ),
    "ROUND_ROBIN": Policy(_by_turns, _alone, _leaves_by_turns, _always),
    "PRIORITY_WITH_RESERVATION": Policy(_by_reservation, _alone, _never, _always, by_topic=True),
    "EARLIEST_DEADLINE_FIRST": Policy(
        _by_deadline,
        lambda sender: sender.said["deadline"],
        _never,
        _always,
        topic_keys={"deadline": 1},
        needed=("deadline",),
        of_fast_dds=False,
    ),
    "WEIGHTED_ROUND_ROBIN": Policy(
        _by_turns, _alone, _never, _always, publication_keys=("weight",), of_fast_dds=False
    ),
}
TOPIC_KEYS = {key: least for each in POLICIES.values() for key, least in each.topic_keys.items()}
PUBLICATION_KEYS = tuple(key for each in POLICIES.values() for key in each.publication_keys)
