"""The features of systems that the pipeline crosses: dimensions, and the values of each.

Values come from the product's own lists wherever there are such, so that a new one enters by itself.
A row has one value of each dimension; `EXCLUDED` are the pairs that no system has, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import combinations, product
from typing import NamedTuple, get_args

from ddsrta.base.records import shape_of
from ddsrta.bounds.refinements import Refinements
from ddsrta.models.chains import Constraint, Events
from ddsrta.models.messages import Activation
from ddsrta.models.nodes import Node, OwnCallback
from ddsrta.models.synchronization import SYNC_POLICIES
from ddsrta.models.topics import COPIES
from ddsrta.policies import POLICIES
from ddsrta.policies.links import LINKS
from ddsrta.ros2 import KINDS
from ddsrta.ros2.entities import Release
from tests.soundness.registered import NEW

NONE = "none"
POOL = "pool"
THREAD = "thread"
SYNC = "sync"
ARRIVALS = ("period", "jitter", "long jitter", "min_distance", "offset", "sporadic", "burst", "curve",
            "repeat", "trace", "max_distance")  # fmt: skip
SUPPLIES = ("priority", "reservation", "core reservation", "partitions")
BY_MESSAGES = tuple(f"subscribes {how}" for how in get_args(Activation))
BY_JOBS = tuple(f"follows {how}" for how in get_args(Activation))
BY_SERVICES = ("serves", "receives")
TIMERS_THREAD = tuple(name for name, kind in KINDS.items() if kind.timers_thread)
NEVER_DIRECT = tuple(name for name, kind in KINDS.items() if not kind.intra_process)

DIMENSIONS: Mapping[str, tuple[str, ...]] = {
    "sending": (*POLICIES, SYNC),
    "limit": (NONE, "binding", "loose"),
    "lock": (NONE, "write", "wcet"),
    "executor": (THREAD, *KINDS, POOL),
    "release": ("any", *get_args(Release)),
    "turns": ("unknown", "registered"),
    "group": ("default", "named", "reentrant"),
    "background": (NONE, "one", "several"),
    "arrival": ARRIVALS,
    "activation": ("time", "register", *BY_MESSAGES, *BY_JOBS, *BY_SERVICES),
    "synchronizer": (NONE, *SYNC_POLICIES),
    "room": ("any", "few"),
    "sender's supply": SUPPLIES,
    "reader's supply": SUPPLIES,
    "network": (NONE, "constant", "varying", "unordered", *LINKS),
    "process": (NONE, "apart", "direct", "local"),
    "copies": COPIES,
    "messages": ("one", "several"),
    "jobs": (NONE, "each may", "one of several", "several of more", "alternatives", "apart"),
    "rounds": (NONE, "some"),
    "best": ("least", "zero", "as worst"),
    "priorities": ("distinct", "equal"),
    "default scheduler": (NONE, "some"),
    "moving": (NONE, "some"),
    "event thread": (NONE, "some"),
    "chain": ("path", "ends"),
    "constraint": get_args(Constraint),
    "order": (NONE, *get_args(Events)),
    "refinement": ("all", *(field.name for field in fields(Refinements))),
}

_NODES = "read as callbacks that say all of it: tests/models/test_nodes.py compares the documents"
# Words of the grammar that no row draws, and why.
NOT_DRAWN = {
    "arrival.unit": "a trace of other units is the same trace",
    "chain.limit": "it cuts what is listed, and no bound",
    "delays.placeholder": "a table of other numbers: tests/models/test_delays.py",
    "system.nodes": _NODES,
    **{
        f"{shape.title}.{key}": _NODES
        for shape in (shape_of(Node), shape_of(OwnCallback))
        for key in shape.keys
    },
}


class Feature(NamedTuple):
    """A value of a dimension."""

    dimension: str
    value: str


class Exclusion(NamedTuple):
    """Pairs that there are not: each of some values of a dimension with each of others."""

    one: str
    values: tuple[str, ...]
    other: str
    others: tuple[str, ...]
    because: str


def _but(dimension: str, *values: str) -> tuple[str, ...]:
    """All values of a dimension but these."""
    return tuple(value for value in DIMENSIONS[dimension] if value not in values)


_NO_EXECUTOR = "threads have no executor"
_SERVICES = "only callbacks have services"
_BASE = (
    Exclusion("executor", (THREAD,), "release", _but("release", "any"), _NO_EXECUTOR),
    Exclusion("executor", (THREAD,), "turns", ("registered",), _NO_EXECUTOR),
    Exclusion("executor", (THREAD,), "group", _but("group", "default"), _NO_EXECUTOR),
    Exclusion("executor", (THREAD,), "background", _but("background", NONE), _NO_EXECUTOR),
    Exclusion("executor", (THREAD,), "activation", BY_SERVICES, _SERVICES),
    Exclusion(
        "executor", ("fixed_priority",), "background", _but("background", NONE),
        "refused: nothing says how urgent its services are",
    ),
    Exclusion(
        "executor", (POOL,), "reader's supply", _but("reader's supply", "priority"),
        "refused: threads on several cores have a priority, on whole cores",
    ),
    Exclusion(
        "executor", ("multi_threaded",), "reader's supply", ("reservation",),
        "refused: each thread would have a reservation of its own",
    ),
    Exclusion(
        "executor", TIMERS_THREAD, "reader's supply", ("reservation",),
        "refused with timers, which each executor here has",
    ),
    *(
        Exclusion("executor", (name,), "release", missing, "refused: rclcpp of it has none")
        for name, kind in KINDS.items()
        if (missing := _but("release", "any", *kind.releases))
    ),
    Exclusion(
        "executor", NEVER_DIRECT, "process", ("direct",),
        "refused: all their messages take the middleware",
    ),
    *(
        Exclusion("process", ("local",), other, _but(other, value), because)
        for other, value, because in (
            ("limit", NONE, "refused: it would do the work of readers"),
            ("lock", NONE, "refused: who does the work of a reader takes its lock"),
        )
    ),
    Exclusion(
        "executor", (POOL,), "lock", _but("lock", NONE),
        "refused: pools are not modelled with locks of Fast DDS",
    ),
    Exclusion(
        "executor", (POOL,), "limit", _but("limit", NONE),
        "refused: pools are not modelled where a flow controller sleeps",
    ),
    Exclusion(
        "synchronizer", _but("synchronizer", NONE), "activation",
        _but("activation", "subscribes and"), "refused: a synchronizer waits for all its topics",
    ),
    Exclusion(
        "synchronizer", _but("synchronizer", NONE), "network", ("unordered",),
        "refused: synchronizers of messages that overtake each other are not modelled",
    ),
    *(
        Exclusion("jobs", _but("jobs", NONE), other, others, "refused: numbers do not match there")
        for other, others in (
            ("activation", ("subscribes and",)),
            ("synchronizer", _but("synchronizer", NONE)),
            ("room", ("few",)),
            ("order", _but("order", NONE)),
        )
    ),
    Exclusion("jobs", ("alternatives",), "lock", _but("lock", NONE), "refused: jobs lock for all"),
    Exclusion("jobs", ("apart",), "messages", ("several",), "refused: they leave together"),
    *(
        Exclusion("rounds", ("some",), other, others, "refused: no circles beside these")
        for other, others in (
            ("limit", _but("limit", NONE)),
            ("lock", _but("lock", NONE)),
            ("order", _but("order", NONE)),
            ("network", tuple(LINKS)),
        )
    ),
    Exclusion("room", ("few",), "synchronizer", (NONE,), "only synchronizers have such a queue"),
    Exclusion(
        "room", ("few",), "synchronizer", ("latest",), "refused: it keeps one message of each topic"
    ),
    Exclusion(
        "room", ("few",), "activation", _but("activation", "subscribes and"),
        "only synchronizers have such a queue",
    ),
    Exclusion("room", ("few",), "network", ("unordered",), "see synchronizers"),
    Exclusion("sending", (SYNC,), "limit", _but("limit", NONE), "a limit is a flow controller's"),
    Exclusion("sending", NEW, "limit", _but("limit", NONE), "refused: a limit is Fast DDS's"),
    Exclusion(
        "event thread", ("some",), "lock", (NONE,), "without locks it is a thread like any other"
    ),
    Exclusion("sending", NEW, "lock", _but("lock", NONE), "refused: locks are Fast DDS's"),
    *(
        Exclusion("network", tuple(LINKS), other, _but(other, NONE), "refused with shared links")
        for other in ("limit", "lock", "order")
    ),
    *(
        Exclusion(one, ("some",), other, _but(other, NONE), "refused: locks and sleeps")
        for one in ("default scheduler", "moving")
        for other in ("limit", "lock")
    ),
    Exclusion(
        "copies", _but("copies", "unknown"), "lock", _but("lock", NONE),
        "refused: Fast DDS sends copies in no declared order",
    ),
)  # fmt: skip
# An event thread has locks.
_WITH_EVENTS = tuple(
    Exclusion(one, values, "event thread", ("some",), each.because)
    for each in _BASE
    for one, values, other, others in (
        (each.one, each.values, each.other, each.others),
        (each.other, each.others, each.one, each.values),
    )
    if other == "lock" and set(others) == set(_but("lock", NONE))
)
EXCLUSIONS = (*_BASE, *_WITH_EVENTS)
# Three that are refused together, each two of which are not.
TRIPLES = (
    *(
        (Feature("executor", "multi_threaded"), Feature("activation", "serves"), locked)
        for locked in (
            *(Feature("lock", lock) for lock in _but("lock", NONE)),
            Feature("event thread", "some"),
        )
    ),
    (
        Feature("executor", POOL),
        Feature("activation", "subscribes and"),
        Feature("group", "reentrant"),
    ),
)


def excluded() -> dict[frozenset[Feature], str]:
    """Each pair that there is not, and why."""
    return {
        frozenset((Feature(each.one, value), Feature(each.other, other))): each.because
        for each in EXCLUSIONS
        for value in each.values
        for other in each.others
    }


def pairs() -> Iterator[frozenset[Feature]]:
    """All pairs of values of two dimensions."""
    for one, other in combinations(DIMENSIONS, 2):
        for value, another in product(DIMENSIONS[one], DIMENSIONS[other]):
            yield frozenset((Feature(one, value), Feature(other, another)))
