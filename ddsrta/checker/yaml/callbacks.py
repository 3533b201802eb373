"""Executors, services and callbacks, as the threads and topics that they are to the analysis."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any, NamedTuple

from ddsrta.checker.kinds import BY_PRIORITY, KINDS, RELEASES, SEVERAL_THREADS
from ddsrta.checker.yaml import values
from ddsrta.checker.yaml.arrivals import arrival
from ddsrta.checker.yaml.nodes import Mapping, Node, entries, fields, listed, wrong
from ddsrta.checker.yaml.places import FAIR_KEYS, PLACE, policy, sizes, where
from ddsrta.checker.yaml.threads import SENDING, inputs, job, reading, sending
from ddsrta.checker.yaml.traces import Traces

Document = dict[str, Any]
_EXECUTOR = (
    *PLACE,
    *FAIR_KEYS,
    "cores",
    "pinned",
    "kind",
    "threads",
    "order",
    "release",
    "process",
    "background",
)
_CALLBACK = ("bcet", "timer", "arrival", "publishes", "subscribes", "follows", "serves", "calls",
             "receives", "priority", "group", "reentrant")  # fmt: skip
_WAYS = ("subscribes", "serves", "receives", "follows")
_RECEIVING = ("listener", "delay", "take")
_EPSILON = 1  # what a subscription of a callback of several topics takes by itself
_THREADS = 1024


class Executor:
    """An executor, its callbacks in the order of the file, and the group of each."""

    def __init__(self, name: str, node: Node, processes: Document) -> None:
        raw = fields(node, "an executor", (), _EXECUTOR)
        self.name = name
        self.cores = where(raw, node)
        place = policy(raw, node)
        self.fair = {key: place.pop(key) for key in FAIR_KEYS if key in place}
        self.place = {"core": self.cores[0], **place}
        self.kind = values.one_of(raw["kind"], KINDS) if "kind" in raw else KINDS[0]
        orders = ("unknown", "registered")
        self.order = values.one_of(raw["order"], orders) if "order" in raw else orders[0]
        self.release = values.one_of(raw["release"], RELEASES) if "release" in raw else None
        self.process = values.name(raw["process"]) if "process" in raw else None
        self.listener = processes[self.process]["listener"] if self.process in processes else None
        self.background = raw.get("background")
        self.groups: dict[str, str | None] = {}
        self.nodes: set[str | None] = set()  # of its callbacks
        self._check_threads(raw, node)

    def _check_threads(self, raw: dict[str, Node], node: Node) -> None:
        """How many threads there are is no part of the document, only what follows from it."""
        cores = len(self.cores)
        several = self.kind in SEVERAL_THREADS
        threads = values.count(raw["threads"], _THREADS) if "threads" in raw else cores
        if not several and ("threads" in raw or "cores" in raw):
            raise wrong(node, f"an executor of kind '{self.kind}' has one thread")
        if several and "reservation" in raw:
            raise wrong(node, "threads have no reservation in common")
        moves = "pinned" in raw and not values.flag(raw["pinned"])
        self.moving = {"threads": threads} if moves else {}
        if moves and not 2 <= threads <= cores:
            raise wrong(node, "two threads or more, and no more than cores, move between these")
        if cores > 1 and ("partition" in raw or cores > len(set(self.cores))):
            raise wrong(node, "the cores are whole ones, each named once")
        if cores > 1 and not moves and threads != cores:
            raise wrong(node, "one thread is pinned to each core")

    def document(self) -> Document:
        """What the system says of it."""
        pool = {"cores": self.cores, **self.moving, "groups": self.groups}
        pool = pool if len(self.cores) > 1 else {}
        return {
            **self.place,
            **self.fair,
            "kind": self.kind,
            "order": self.order,
            "release": self.release,
            "callbacks": list(self.groups),
            **pool,
        }

    def runs(self, urgency: int, entity: str | None) -> Document:
        """What all of its callbacks have."""
        return {
            **self.place,
            "process": self.process,
            "executor": self.name,
            "entity": entity,
            "urgency": urgency,
        }

    def background_callbacks(self) -> Iterator[tuple[str, Document]]:
        """One for each service that the system does not show; the first has no number."""
        if self.background is None:
            return
        raw = fields(self.background, "a background", ("wcet", "period"), ("services",))
        services = values.count(raw["services"], 1000) if "services" in raw else 1
        period = values.duration(raw["period"])
        nodes = self.nodes if len(self.cores) > 1 else set()
        if len(nodes) > 1:
            raise wrong(self.background, "each service is in the group of its node: of which one?")
        for number in range(1, services + 1):
            name = f"{self.name}/background" + (f"/{number}" if number > 1 else "")
            self.groups[name] = next(iter(nodes), None) or ""
            yield (
                name,
                {
                    **self.runs(0, None),
                    "wcet": values.duration(raw["wcet"]),
                    "bcet": None,
                    "publishes": [],
                    "arrival": {"kind": "sporadic", "distance": period, "jitter": 0},
                    "subscribes": None,
                    "follows": None,
                    "activation": "or",
                },
            )


def service_topics(name: str, node: Node) -> Iterator[tuple[str, Document]]:
    """The topics of requests and replies."""
    raw = fields(node, "a service", ("request", "reply"), ("priority", "history"))
    for part in ("request", "reply"):
        yield f"{name}/{part}", sizes(raw, part)


class Shared(NamedTuple):
    """What a callback has that does not say it: an executor and a listener, and whose groups."""

    executor: str | None = None
    listener: str | None = None
    node: str | None = None


EACH = Shared()  # stands alone


def of_node(name: str, node: Node) -> Iterator[tuple[str, Node, Shared]]:
    """The callbacks of a node of ROS 2, with what they share."""
    raw = fields(node, "a node", ("callbacks",), ("executor", "listener"))
    said = {key: values.name(raw[key]) for key in ("executor", "listener") if key in raw}
    for own, inner in entries(raw["callbacks"], "callbacks").items():
        values.named(own, inner, slash=False)
        yield f"{name}.{own}", inner, Shared(**said, node=name)


def stand_alone(said: Iterable[tuple[str, Node, Shared]], nodes: Container[str]) -> None:
    """Callbacks of no node are in no group that has the name of one of these nodes'."""
    for _, node, _ in said:
        group = node.items.get("group") if isinstance(node, Mapping) else None
        if group is not None and values.name(group).partition("/")[0] in nodes:
            raise wrong(group, "this is the name of a group of a node")


def callback(
    name: str,
    node: Node,
    executors: dict[str, Executor],
    traces: Traces,
    shared: Shared = EACH,
) -> Iterator[tuple[str, Document]]:
    """A callback; one that waits for several topics, and its subscriptions."""
    raw = fields(node, "a callback", ("wcet",), ("executor", *_CALLBACK))
    asked = values.name(raw["executor"]) if "executor" in raw else shared.executor
    executor = executors.get(asked or "")
    if executor is None:
        raise wrong(node, "there is no such executor")
    released = arrival(raw.get("timer"), raw.get("arrival"), traces)
    ways = [way for way in _WAYS if way in raw]
    allowed = ("subscribes", "follows") if released else ways[:1]
    if set(ways) - set(allowed) or not (ways or released):
        raise wrong(node, "a callback is released in one way")
    urgency = values.priority(raw["priority"]) if "priority" in raw else 0
    if ("priority" in raw) != (executor.kind in BY_PRIORITY):
        raise wrong(node, "callbacks of fixed_priority executors have priorities, and no others")
    found = {
        **executor.runs(urgency, _entity(raw, ways)),
        **job(raw),
        "arrival": released,
        **_inputs(raw, shared.listener or executor.listener, released is not None),
    }
    found["publishes"] += _sent(raw)
    executor.nodes.add(shared.node)
    group = _group(raw, shared.node)
    for each, document in _parts(name, found, node):
        executor.groups[each] = group
        yield each, document


def _entity(raw: dict[str, Node], ways: list[str]) -> str | None:
    """What the executor sees; what is released by time but no timer may be anything."""
    if "timer" in raw:
        return "timer"
    if "arrival" in raw:
        return None
    kinds = ("subscription", "service", "client", "waitable")
    return dict(zip(_WAYS, kinds, strict=True))[ways[0]]


def _group(raw: dict[str, Node], of: str | None) -> str | None:
    """The mutually exclusive group, that of all that name none, or none; a node has its own."""
    group = values.name(raw["group"]) if "group" in raw else ""
    if of is not None:
        group = f"{of}/{group}" if group else of
    return None if "reentrant" in raw and values.flag(raw["reentrant"]) else group


def _inputs(raw: dict[str, Node], listener: str | None, timed: bool) -> Document:
    """Requests and replies are read like topics."""
    for key, part, extra in (("serves", "request", ("reply",)), ("receives", "reply", ())):
        if key in raw:
            inner = fields(raw[key], key, ("service",), (*_RECEIVING, *extra))
            topic = f"{values.name(inner['service'])}/{part}"
            found = reading(inner, [topic], listener, raw[key])
            return {"subscribes": found, "follows": None, "activation": "or"}
    return inputs(raw, listener, timed)


def _sent(raw: dict[str, Node]) -> list[Document]:
    """Requests go out after what is published, and the reply last."""
    sent = []
    for item in listed(raw["calls"], "calls") if "calls" in raw else []:
        call = fields(item, "a call", ("service",), SENDING)
        sent.append(sending(call, f"{values.name(call['service'])}/request", item))
    if "serves" in raw:
        served = fields(raw["serves"], "serves", ("service",), (*_RECEIVING, "reply"))
        reply = fields(served["reply"], "a reply", (), SENDING) if "reply" in served else {}
        sent.append(sending(reply, f"{values.name(served['service'])}/reply", raw["serves"]))
    return sent


def _parts(name: str, found: Document, node: Node) -> Iterator[tuple[str, Document]]:
    """What waits for several topics follows a subscription to each."""
    reads = found["subscribes"]
    if reads is None or found["arrival"] or len(reads["topics"]) == 1:
        yield name, found
        return
    if found["activation"] != "and":
        raise wrong(node, "a subscription has one topic")
    topics = reads["topics"]
    follows = {"threads": [f"{name}/{topic}" for topic in topics], "delay": 0, "best": 0}
    yield name, {**found, "subscribes": None, "follows": follows, "entity": "inline"}
    for topic in topics:
        part = {
            **found,
            "wcet": _EPSILON,
            "bcet": None,
            "publishes": [],
            "subscribes": {**reads, "topics": [topic]},
            "activation": "or",
        }
        part.pop("synchronize", None)
        yield f"{name}/{topic}", part
