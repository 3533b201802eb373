"""The words of system.yaml for ROS 2: processes, executors, callbacks and services.

They are made of the words for threads, which `grammar` has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ddsrta.base.shapes import (
    DURATION,
    POSITIVE_DURATION,
    SIZE,
    Choice,
    Flag,
    Integer,
    Reference,
    Shape,
    Text,
)
from ddsrta.base.structures import Key, ListOf, Record
from ddsrta.models.executors import USUAL_KIND
from ddsrta.models.synchronization import SYNC_POLICIES
from ddsrta.ros2 import KINDS

RELEASES = ("humble", "iron", "jazzy", "rolling")

PROCESS = Record(
    {
        "listener": Key(
            Reference(("listeners",)), "the thread that receives for all its readers", required=True
        ),
        "intra_process": Key(
            Flag(),
            "messages within the process go from publisher to reader without middleware",
            default="false",
        ),
    },
    title="process",
)
SERVICE = Record(
    {
        "request": Key(SIZE, "payload size of a request", required=True),
        "reply": Key(SIZE, "payload size of a reply", required=True),
        "priority": Key(Integer(), "fastdds.sfc.priority of both", default=10),
        "history": Key(Integer(1, 1_000_000), "history depth of both"),
    },
    title="service",
)
SYNCHRONIZING = {
    "synchronize": Key(
        Choice(SYNC_POLICIES),
        "with 'activation: and': which messages make a set (the n-th of each topic, if missing)",
    ),
    "queue": Key(
        Integer(1, 1_000_000),
        "messages of each topic that the synchronizer keeps (exact_time: sets); any number, "
        "if missing",
    ),
}
_BACKGROUND = Record(
    {
        "wcet": Key(POSITIVE_DURATION, "worst-case execution time of one call", required=True),
        "period": Key(
            POSITIVE_DURATION, "the least time between two calls of one service", required=True
        ),
        "services": Key(Integer(1, 1000), "how many services there are", default=1),
    },
    title="background",
)


def executor(scheduling: Mapping[str, Key]) -> Record:
    """An executor is scheduled as any thread is, or has threads on several cores."""
    core = scheduling["core"]
    keys = {
        **scheduling,
        "core": replace(core, required=False),
        "cores": Key(
            ListOf(core.shape, may_be_empty=False),
            "the cores of the threads of a multi_threaded executor, one pinned to each",
        ),
        "kind": Key(Choice(tuple(KINDS)), "how it picks callbacks", default=USUAL_KIND),
        "threads": Key(
            Integer(1, 1024),
            "threads of a multi_threaded executor: all on its core, or as many as 'cores'",
            default=2,
        ),
        "order": Key(
            Choice(("unknown", "registered")),
            "whether callbacks of one kind (rclc: all) are looked at in the order of the file",
            default="unknown",
        ),
        "release": Key(Choice(RELEASES), "the release of rclcpp (any, if missing)"),
        "process": Key(Reference(("processes",)), "the process that it belongs to"),
        "background": Key(_BACKGROUND, "calls of lifecycle, parameter and other services"),
    }
    either = (("core", "priority"), ("core", "reservation"), ("cores", "priority"))
    return Record(keys, either=either, title="executor")


def callback(
    arrival: Shape, publication: Record, subscription: Record, following: Record, cost: Shape
) -> Record:
    """A callback does what a thread does, in the thread of its executor."""
    sending = {name: publication.keys[name] for name in _SENDING}
    receiving = {name: subscription.keys[name] for name in ("listener", "delay", "take")}
    service = Key(Reference(("services",)), "the service", required=True)
    serves = Record(
        {"service": service, **receiving, "reply": Key(
            Record(sending, title="reply", optional=True), "how the reply is sent"
        )},
        title="server",
    )  # fmt: skip
    keys = {
        "executor": Key(Reference(("executors",)), "the executor that runs it", required=True),
        "wcet": Key(POSITIVE_DURATION, "worst-case execution time without sending", required=True),
        "bcet": Key(DURATION, "best-case execution time", default="1 ns"),
        "timer": Key(POSITIVE_DURATION, "period of a timer"),
        "arrival": Key(
            arrival, "other ways to be released by time; of a timer, its offset or jitter"
        ),
        "publishes": Key(ListOf(publication), "what a job sends, in program order"),
        "subscribes": Key(subscription, "messages that release it, or that it samples"),
        "follows": Key(following, "threads or callbacks that release it directly"),
        "serves": Key(serves, "the service whose requests release it, and that it replies to"),
        "calls": Key(
            ListOf(Record({"service": service, **sending}, title="call", usual="service")),
            "services that it sends requests to, after what it publishes",
        ),
        "receives": Key(
            Record({"service": service, **receiving}, title="client", usual="service"),
            "the service whose replies release it",
        ),
        "priority": Key(Integer(), "in a fixed_priority executor: the bigger the more urgent"),
        "group": Key(
            Text(), "its mutually exclusive callback group; if missing, that of all such callbacks"
        ),
        "reentrant": Key(
            Flag(),
            "whether jobs of it may run at the same time in a multi_threaded executor",
            default="false",
        ),
    }
    hints = {
        "core": "a callback runs on the core of its executor",
        "period": "write 'timer'",
        "deadline": "a deadline belongs to a chain, under 'chains'",
        "activation": "it belongs under 'subscribes' or 'follows'",
        "topics": "they belong under 'subscribes'",
    }
    return Record(keys, hints=hints, title="callback")


_SENDING = ("mode", "flow_controller", "delay", "earliest")
