"""The words of system.yaml, version 1: one table from which the reader and the JSON Schema come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ddsrta.base.records import shape_of
from ddsrta.base.shapes import (
    DURATION,
    PERCENT,
    POSITIVE_DURATION,
    Choice,
    Constant,
    Flag,
    Integer,
    Reference,
    Text,
)
from ddsrta.base.structures import Key, ListOf, MapOf, Record
from ddsrta.models import grammar_ros2 as ros2
from ddsrta.models.chains import ChainDeclaration, Order
from ddsrta.models.costs import COST, Delays
from ddsrta.models.grammar_links import MEDIUM, PRIORITY_KEYS
from ddsrta.models.middleware import FastDds, Limit
from ddsrta.models.supplies import PART, Link, Machine, Reservation
from ddsrta.models.topics import Topic
from ddsrta.policies import POLICIES, PUBLICATION_KEYS

VERSION = 1
ACTIVATIONS = ("or", "and")

_COUNT = Integer(1, 1_000_000)


def optional(keys: Mapping[str, Key]) -> dict[str, Key]:
    """The keys of policies: whether one is needed depends on who sends."""
    return {name: replace(key, required=False) for name, key in keys.items()}


_CORE = Reference(("cores",))
_RESERVATION = shape_of(Reservation)
_SCHEDULING = {
    "core": Key(_CORE, "machine/core that the thread is pinned to", required=True),
    "priority": Key(Integer(), "SCHED_FIFO priority, 1 … 99, the bigger the more urgent"),
    "partition": Key(Text(), "the partition of the core that serves the thread"),
    "reservation": Key(_RESERVATION, "SCHED_DEADLINE budget and period, instead of a priority"),
}
_EITHER_SCHEDULING = (("priority",), ("reservation",))
_FLOW_CONTROLLER = Record(
    {
        **_SCHEDULING,
        "policy": Key(
            Choice(tuple(POLICIES)),
            "the order in which samples are sent",
            default="FIFO",
        ),
        "queue": Key(_COUNT, "samples that the queue holds (each queue, if it has several)"),
        "limit": Key(shape_of(Limit), "how much it sends; when that is used up it sleeps"),
    },
    either=_EITHER_SCHEDULING,
    title="flow controller",
)
_LISTENER = Record(
    {**_SCHEDULING, "queue": Key(_COUNT, "messages that the socket's buffer holds")},
    either=_EITHER_SCHEDULING,
    hints={"policy": "a listener serves messages in the order in which they arrive"},
    title="listener",
)
_ARRIVAL = Record(
    {
        "period": Key(POSITIVE_DURATION, "the period of releases, or of a curve"),
        "jitter": Key(DURATION, "how late a release may come", default="0 ms"),
        "min_distance": Key(DURATION, "the least time between two releases", default="0 ms"),
        "offset": Key(
            DURATION,
            "known phase of a period: release n at t0 + offset + n · period, t0 per machine",
        ),
        "sporadic": Key(POSITIVE_DURATION, "the least time between two sporadic releases"),
        "burst": Key(
            Record(
                title="burst",
                keys={
                    "count": Key(Integer(1, 10_000), "releases in a burst", required=True),
                    "distance": Key(DURATION, "time between releases in a burst", required=True),
                    "period": Key(POSITIVE_DURATION, "time between bursts", required=True),
                },
            ),
            "bursts of releases",
        ),
        "curve": Key(
            ListOf(DURATION, may_be_empty=False),
            "least distances that 1, 2, … releases span, starting with 0",
        ),
        "repeat": Key(
            _COUNT, "how many of the curve's last distances recur each period (all, if missing)"
        ),
        "trace": Key(Text(), "file of release timestamps, one a line"),
        "max_distance": Key(
            POSITIVE_DURATION,
            "the longest time without a release, of one that is not periodic (unbounded, if "
            "missing)",
        ),
        "unit": Key(
            Choice(("ns", "us", "ms", "s")), "unit of the trace's timestamps", default="ns"
        ),
    },
    usual="period",
    title="arrival",
)
_PUBLICATION = Record(
    {
        "topic": Key(Reference(("topics",)), "the topic published on", required=True),
        "mode": Key(
            Choice(("async", "sync")),
            "who sends: the flow controller (async, if one is given) or the job itself (sync)",
        ),
        "flow_controller": Key(Reference(("flow_controllers",)), "who sends asynchronously"),
        "count": Key(_COUNT, "messages a job", default=1),
        "delay": Key(COST, "δ of one copy, instead of the table's"),
        "earliest": Key(
            DURATION, "least execution time of the job before the first message", default="1 ns"
        ),
        "reservation": Key(
            PERCENT,
            "the part of the flow controller's limit for which they go first",
            default="0 %",
        ),
        **optional(PUBLICATION_KEYS),
        **PRIORITY_KEYS,
    },
    title="publication",
)
_SUBSCRIPTION = Record(
    {
        "topics": Key(
            ListOf(Reference(("topics",)), may_be_empty=False), "topics read", required=True
        ),
        "listener": Key(
            Reference(("listeners",)), "the thread that receives: that of the process, if missing"
        ),
        "activation": Key(
            Choice(ACTIVATIONS),
            "a job for each message (or), or for one of each topic (and)",
            default="or",
        ),
        **ros2.SYNCHRONIZING,
        "delay": Key(COST, "δl of one message, instead of the table's"),
        "take": Key(COST, "what a job takes to read one message, instead of the table's"),
    },
    title="subscription",
)
_FOLLOWING = Record(
    {
        "threads": Key(
            ListOf(Reference(("threads", "callbacks")), may_be_empty=False),
            "threads whose jobs release it",
            required=True,
        ),
        "activation": Key(
            Choice(ACTIVATIONS),
            "a job for each of their jobs (or), or for one of each (and)",
            default="or",
        ),
        "delay": Key(DURATION, "worst-case time from completion to release", default="0 ms"),
        "best": Key(DURATION, "best-case time from completion to release", default="0 ms"),
        "ordered": Key(
            Flag(), "jobs of one thread release it in the order of their ends", default="true"
        ),
    },
    title="following",
)
_THREAD = Record(
    {
        **_SCHEDULING,
        "wcet": Key(POSITIVE_DURATION, "worst-case execution time without sending", required=True),
        "bcet": Key(DURATION, "best-case execution time", default="1 ns"),
        "period": Key(POSITIVE_DURATION, "period of a thread that is released by time"),
        "arrival": Key(_ARRIVAL, "other ways to be released by time"),
        "publishes": Key(ListOf(_PUBLICATION), "what a job sends, in program order"),
        "subscribes": Key(_SUBSCRIPTION, "messages that release the thread, or that it samples"),
        "follows": Key(_FOLLOWING, "threads that release it without middleware, or are sampled"),
        "process": Key(Reference(("processes",)), "the process that it belongs to"),
    },
    either=_EITHER_SCHEDULING,
    hints={
        "deadline": "a deadline belongs to a chain, under 'chains'",
        "activation": "it belongs under 'subscribes' or 'follows'",
        "topics": "they belong under 'subscribes'",
        "listener": "it belongs under 'subscribes'",
        "flow_controller": "it belongs to an entry of 'publishes'",
        "jitter": "it belongs under 'arrival', together with the period",
        "offset": "it belongs under 'arrival', together with the period",
        "timer": "write 'period'",
        "policy": "threads are scheduled by SCHED_FIFO, or by a 'reservation'",
    },
    title="thread",
)
SYSTEM = Record(
    {
        "ddsrta": Key(
            Constant(VERSION, "the only version of the format so far"),
            "the version of the format: begin with 'ddsrta: 1'",
            required=True,
        ),
        "name": Key(Text(), "what to call the system", default="system"),
        "machines": Key(
            MapOf(shape_of(Machine), name=PART), "machines and their cores", required=True
        ),
        "network": Key(ListOf(shape_of(Link)), "propagation between machines, per direction"),
        "links": Key(MapOf(MEDIUM, name=PART), "buses and ports that several messages share"),
        "delays": Key(shape_of(Delays), "δ by payload size"),
        "middleware": Key(
            shape_of(FastDds), "whose locks and datagrams count (only the ten rules, if missing)"
        ),
        "topics": Key(MapOf(shape_of(Topic)), "topics"),
        "flow_controllers": Key(MapOf(_FLOW_CONTROLLER), "threads that send asynchronously"),
        "listeners": Key(MapOf(_LISTENER), "threads that receive"),
        "processes": Key(MapOf(ros2.PROCESS), "participants, each with a listener of its own"),
        "threads": Key(MapOf(_THREAD), "application threads (needed if there are no callbacks)"),
        "executors": Key(MapOf(ros2.executor(_SCHEDULING), name=PART), "ROS 2 executors"),
        "services": Key(MapOf(ros2.SERVICE, name=PART), "ROS 2 services: requests and replies"),
        "callbacks": Key(
            MapOf(
                ros2.callback(_ARRIVAL, _PUBLICATION, _SUBSCRIPTION, _FOLLOWING, COST), name=PART
            ),
            "callbacks of ROS 2 executors",
        ),
        "chains": Key(MapOf(shape_of(ChainDeclaration)), "paths and their deadlines"),
        "orders": Key(MapOf(shape_of(Order)), "in which order messages must be seen"),
    },
    hints={"federation": "a federation is a file of its own, for 'ddsrta lf'"},
    some=("threads", "callbacks", "links"),
    title="system",
)
