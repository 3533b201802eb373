"""Reads topologies of iRobot's ros2-performance framework: each file is a process of nodes.

What the framework does with a topology is known: each publisher and each client has a timer of its
own, `number` makes copies, `freq_hz` wins over `period_ms`, periods are cut to microseconds, and
nodes with the same `executor_id` (0 if missing) share an executor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ddsrta.base.diagnostics import InputError
from ddsrta.base.yaml_reader import read_file
from ddsrta.base.yaml_tree import Node, Tree
from ddsrta.formats.draft import Draft, guessed
from ddsrta.formats.foreign import Foreign, refusal
from ddsrta.formats.irobot_types import payload
from ddsrta.formats.ros2_draft import Ros2Draft, Topic, own_name

_MOST_COPIES = 10_000
_QOS_DEPTH = 10  # of rmw_qos_profile_default
_MICROSECOND = 1000


def read(paths: Sequence[str]) -> Draft:
    """The draft of a system of one or several processes; raises InputError."""
    name = ", ".join(Path(path).stem for path in paths)
    source = "the topology " + ", ".join(Path(path).name for path in paths)
    draft = Ros2Draft(name[:100], source)
    copies = 0
    for path in paths:
        file = Foreign(_tree(path))
        prefix = f"{Path(path).stem} " if len(paths) > 1 else ""
        names: set[str] = set()
        for node in _nodes(file):
            for suffix in _copies(file, node):
                copies += 1
                if copies > _MOST_COPIES:
                    raise refusal(file.tree, f"more than {_MOST_COPIES} nodes", place=node)
                _Node(file, node, prefix, suffix, draft).add(names)
        file.check()
        for text in file.unread():
            draft.draft.leave_out(text)
    if not draft.draft.section("callbacks"):
        raise refusal(file.tree, "no node publishes, reads, calls or serves anything")
    draft.draft.leave_out(
        "intra-process communication (an option of the command line): all messages take DDS"
    )
    return draft.finish()


def _tree(path: str) -> Tree:
    """JSON is YAML, as far as these files go, and is read with positions."""
    try:
        return read_file(path, may_be_list=True)
    except InputError as error:
        raise InputError(
            d._replace(message=d.message.replace("not valid YAML", "not valid JSON"))
            for d in error.diagnostics
        ) from None


def _nodes(file: Foreign) -> list[Node]:
    root = file.root
    if isinstance(root.value, dict) and "topology_file" in root.value:
        topology = root.value["topology_file"].node
        raise refusal(
            file.tree,
            "this is a performance target, not a topology",
            f"import the topology that it names: {topology.kind}",
            topology,
        )
    if file.part(root, "nodes") is None:
        raise refusal(file.tree, "this is no topology: it has no 'nodes'")
    nodes = list(file.items(root, "nodes"))
    file.check()
    if not nodes:
        raise refusal(file.tree, "there are no nodes in this file")
    return nodes


def _copies(file: Foreign, node: Node) -> Iterator[str]:
    """The suffix of each copy of a node."""
    if file.part(node, "number") is None:
        yield ""
        return
    for number in range(1, (file.whole(node, "number", 1, _MOST_COPIES) or 0) + 1):
        yield f"_{number}"


class _Node:
    """One node on its way into the draft."""

    def __init__(
        self, file: Foreign, node: Node, prefix: str, suffix: str, draft: Ros2Draft
    ) -> None:
        self.file = file
        self.node = node
        self.prefix = prefix
        self.suffix = suffix
        self.draft = draft
        self.executor = self.listener = self.name = ""

    def add(self, names: set[str]) -> None:
        """Everything of the node, in the order in which the framework creates it."""
        file, node, draft = self.file, self.node, self.draft
        own = file.name(node, "node_name")
        number = 0
        if file.part(node, "executor_id") is not None:
            number = file.whole(node, "executor_id", -(1 << 31), (1 << 31) - 1) or 0
        if own is None:
            return
        space = file.name(node, "node_namespace", required=False)
        self.name = (f"{space}{self.suffix}/" if space else "") + own + self.suffix
        if self.name in names:
            file.wrong(node, f"there is another node {self.name!r} already")
        names.add(self.name)
        self.name = own_name(self.prefix + self.name)
        self.executor = f"{self.prefix}executor_{number}"
        if self.executor not in draft.draft.section("executors"):
            why = "an option of the framework's command line"
            draft.executor(self.executor, guessed("single_threaded", why))
        self.listener = draft.listener(
            f"{self.prefix}listener", "core and priority: not in the file"
        )
        for item in file.items(node, "publishers"):
            self.publisher(item)
        for item in file.items(node, "subscribers"):
            self.subscriber(item)
        for item in file.items(node, "clients"):
            self.client(item)
        for item in file.items(node, "servers"):
            self.server(item)

    def publisher(self, item: Node) -> None:
        """A timer that publishes."""
        topic, period = self.topic(item, "topic_name", "msg_type"), self.period(item)
        if topic and period:
            name = self.new(item, f"{self.name} publishes {own_name(topic)}")
            self.draft.callback(name, self.executor, timer=period, publishes={topic: ""})

    def subscriber(self, item: Node) -> None:
        """A callback that a topic's messages release."""
        if topic := self.topic(item, "topic_name", "msg_type"):
            name = self.new(item, f"{self.name} reads {own_name(topic)}")
            self.draft.callback(name, self.executor, topic=topic, listener=self.listener)

    def client(self, item: Node) -> None:
        """A timer that calls, and a callback for the reply."""
        service, period = self.service(item), self.period(item)
        if service and period:
            calls, gets = f"{self.name} calls {service}", f"{self.name} gets {service}"
            call = self.draft.call(service)
            self.draft.callback(self.new(item, calls), self.executor, timer=period, more=call)
            receive = self.draft.receive(service, self.listener)
            self.draft.callback(self.new(item, gets), self.executor, more=receive)

    def server(self, item: Node) -> None:
        """A callback that replies."""
        if service := self.service(item):
            name = self.new(item, f"{self.name} serves {service}")
            serve = self.draft.serve(service, self.listener)
            self.draft.callback(name, self.executor, more=serve)

    def service(self, item: Node) -> str | None:
        """The name of a service."""
        name = self.file.name(item, "service_name")
        kind = self.file.name(item, "srv_type")
        if name is None or kind is None:
            return None
        name = own_name(name)
        self.describe(item, self.draft.services.setdefault(name, Topic()), kind)
        return name

    def topic(self, item: Node, key: str, type_key: str) -> str | None:
        name = self.file.name(item, key)
        kind = self.file.name(item, type_key)
        if name is not None and kind is not None:
            self.describe(item, self.draft.topic(name), kind)
        return name

    def describe(self, item: Node, topic: Topic, kind: str) -> None:
        """Size and history of a topic: the largest, and the least, of those that are told."""
        size, why = payload(kind, self.file.size(item, "msg_size"))
        if size is not None and (topic.size is None or size > topic.size):
            topic.size, topic.why = size, why
        elif topic.size is None:
            topic.why = why
        depth, depth_why = _QOS_DEPTH, "not in the file: the default of rmw"
        if self.file.part(item, "qos_depth") is not None:
            depth = self.file.whole(item, "qos_depth", 0, 1_000_000) or 1  # 0: Fast DDS' default
            depth_why = ""
        keep_all = self.file.name(item, "qos_history", required=False) == "keep_all"
        if not keep_all and (topic.history is None or depth < topic.history):
            topic.history, topic.history_why = depth, depth_why

    def period(self, item: Node) -> int | None:
        """The period of a publisher or client in ns."""
        for key, per_ms in (("freq_hz", False), ("period_ms", True)):
            if self.file.part(item, key) is not None:
                number = self.file.number(item, key)
                if number is None:
                    return None
                if number <= 0:
                    self.file.wrong(self.file.part(item, key) or item, f"'{key}' must be above 0")
                    return None
                period = number * 1_000_000 if per_ms else 1_000_000_000 / number
                return self.file.period(item, key, period, _MICROSECOND)
        self.file.wrong(item, "'period_ms' or 'freq_hz' is missing")
        return None

    def new(self, item: Node, name: str) -> str:
        """The name of a callback, if it is new."""
        if name in self.draft.draft.section("callbacks"):
            self.file.wrong(item, f"{name!r}: the node has this one twice")
        if len(name) > 200:
            self.file.wrong(item, "the names of node and topic together are too long")
        return name
