"""The words of system.yaml, version 1: the record of a whole file, made of those of its things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddsrta.base.records import key, record, shape_of
from ddsrta.base.shapes import Constant, Shape, Text
from ddsrta.base.structures import ListOf, MapOf
from ddsrta.models.callbacks import CallbackDeclaration
from ddsrta.models.chains import Chain, ChainDeclaration, Order
from ddsrta.models.costs import Delays
from ddsrta.models.executor_declarations import ExecutorDeclaration
from ddsrta.models.executors import Process
from ddsrta.models.media import Medium
from ddsrta.models.middleware import FLOW_CONTROLLER, LISTENER, FastDds, Middleware
from ddsrta.models.nodes import Node
from ddsrta.models.services import Service
from ddsrta.models.supplies import PART, Link, Machine
from ddsrta.models.threads import ThreadDeclaration
from ddsrta.models.topics import Topic

VERSION = 1
RUNNING = ("threads", "callbacks", "nodes", "links")  # what there is to analyse


def _section(shape: Shape, meaning: str, **said: Any) -> Any:
    """Things by name."""
    return key(MapOf(shape, **said), meaning, default_factory=dict)


@record(
    "system",
    hints={"federation": "a federation is a file of its own, for 'ddsrta lf'"},
    some=RUNNING,
)
class SystemDeclaration:
    """What a file says; what could not be read of it is taken to be empty."""

    ddsrta: int = key(
        Constant(VERSION, "the only version of the format so far"),
        "the version of the format: begin with 'ddsrta: 1'",
        default=VERSION,
        required=True,
        shown="",
    )
    name: str = key(Text(), "what to call the system", default="system")
    machines: Mapping[str, Machine] = key(
        MapOf(shape_of(Machine), name=PART),
        "machines and their cores",
        default_factory=dict,
        required=True,
    )
    network: tuple[Link, ...] = key(
        ListOf(shape_of(Link)), "propagation between machines, per direction", default=()
    )
    links: Mapping[str, Medium] = _section(
        shape_of(Medium), "buses and ports that several messages share", name=PART
    )
    delays: Delays = key(shape_of(Delays), "δ by payload size", default=Delays(), shown="")
    middleware: FastDds | None = key(
        shape_of(FastDds),
        "whose locks and datagrams count (only the ten rules, if missing)",
        default=None,
    )
    topics: Mapping[str, Topic] = _section(shape_of(Topic), "topics")
    flow_controllers: Mapping[str, Middleware] = _section(
        FLOW_CONTROLLER, "threads that send asynchronously"
    )
    listeners: Mapping[str, Middleware] = _section(LISTENER, "threads that receive")
    processes: Mapping[str, Process] = _section(
        shape_of(Process), "participants, each with a listener of its own"
    )
    threads: Mapping[str, ThreadDeclaration] = _section(
        shape_of(ThreadDeclaration), "application threads (needed if there are no callbacks)"
    )
    executors: Mapping[str, ExecutorDeclaration] = _section(
        shape_of(ExecutorDeclaration), "ROS 2 executors", name=PART
    )
    services: Mapping[str, Service] = _section(
        shape_of(Service), "ROS 2 services: requests and replies", name=PART
    )
    callbacks: Mapping[str, CallbackDeclaration] = _section(
        shape_of(CallbackDeclaration), "callbacks of ROS 2 executors", name=PART
    )
    nodes: Mapping[str, Node] = _section(
        shape_of(Node), "ROS 2 nodes: callbacks that have something in common", name=PART
    )
    chains: Mapping[str, Chain] = _section(shape_of(ChainDeclaration), "paths and their deadlines")
    orders: Mapping[str, Order] = _section(shape_of(Order), "in which order messages must be seen")


SYSTEM = shape_of(SystemDeclaration)
