"""The callbacks of a system as an architecture file of CARET: nodes, executors, named paths.

A callback `eye.tick` belongs to node `/eye`, and so do its group and its variables; one without a
dot is a node of its own. CARET has no times but periods, no priorities and no cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.bounds.paths.concrete import NamedPath, named_paths
from ddsrta.formats.caret_nodes import UNDEFINED
from ddsrta.formats.draft import Mapping, Value
from ddsrta.formats.exported import Exported
from ddsrta.formats.ros2_draft import EXECUTORS
from ddsrta.formats.yaml_writer import entry
from ddsrta.models.arrivals import Periodic

if TYPE_CHECKING:
    from ddsrta.models.system import System, Thread

_KINDS = {kind: name for name, kind in EXECUTORS.items()}


class _Place(NamedTuple):
    """The node of a callback, and its own name there."""

    node: str
    name: str


def export(system: System) -> Exported:
    """The file, which `ddsrta import caret` reads, too."""
    callbacks = [thread for thread in system.threads.values() if thread.executor]
    if not callbacks:
        message = "CARET knows callbacks alone, and this system has none"
        raise InputError([Diagnostic(system.where("threads"), message)])
    left_out = list(_left_out(system))
    kept = [thread for thread in callbacks if _kind(thread)]
    nodes: dict[str, list[Thread]] = {}
    for thread in kept:
        nodes.setdefault(_place(thread.name).node, []).append(thread)
    paths: list[Value] = []
    known = {thread.name for thread in kept}
    for path in named_paths(system)[0]:
        if {path.start, *(hop.target for hop in path.hops)} <= known:
            paths.append({"path_name": path.name, "node_chain": list(_chain(path))})
        else:
            left_out.append(f"chain '{path.name}': it is not of these callbacks alone")
    document: Mapping = {
        "named_paths": paths,
        "executors": list(_executors(system, kept)),
        "nodes": [_node(name, members) for name, members in nodes.items()],
    }
    lines = [line for key, value in document.items() for line in entry(key, value, 0, fold=False)]
    return Exported("\n".join(lines) + "\n", tuple(left_out))


def _place(name: str) -> _Place:
    node = name.rpartition(".")[0] or name
    node = "/" + node.replace(".", "/")
    return _Place(node, "/" + name.replace(".", "/") if "." in name else f"{node}/callback")


def _kind(thread: Thread) -> str:
    """What CARET calls a callback; nothing where it has no word for it."""
    if isinstance(thread.arrival, Periodic):
        return "timer_callback"
    if thread.entity == "service":
        return "service_callback"
    one = thread.subscribes is not None and len(thread.subscribes.topics) == 1
    return "subscription_callback" if one and thread.entity == "subscription" else ""


def _left_out(system: System) -> Iterator[str]:
    """What CARET has no word for."""
    yield "execution times, priorities, cores, sizes, delays, listeners and flow controllers"
    for name, thread in system.threads.items():
        if not thread.executor:
            yield f"thread '{name}': it is no callback"
        elif not _kind(thread):
            yield f"callback '{name}': neither a timer, nor of one topic, nor a service"
    for name, executor in system.executors.items():
        if executor.kind not in _KINDS:
            yield f"'{executor.kind}' of executor '{name}': single_threaded_executor is written"
        own = [t for t in system.threads.values() if t.executor == name and t.group is None]
        if executor.threads > 1 and len({_place(t.name).node for t in own}) > 1:
            yield f"that nodes of executor '{name}' share its default group: each has its own"
    for name, chain in system.chains.items():
        if chain.deadline is not None:
            yield f"deadline of chain '{name}'"


def _group(thread: Thread) -> str:
    kind = "reentrant" if thread.reentrant else (thread.group or "default")
    return f"{_place(thread.name).node}/{kind}/{thread.executor}"


def _executors(system: System, callbacks: list[Thread]) -> Iterator[Value]:
    for name, executor in system.executors.items():
        groups = dict.fromkeys(_group(t) for t in callbacks if t.executor == name)
        kind = _KINDS.get(executor.kind, "single_threaded_executor")
        if groups:
            said: Mapping = {"executor_type": kind, "executor_name": name}
            yield {**said, "callback_group_names": [*groups]}


def _node(name: str, members: list[Thread]) -> Value:
    groups: dict[str, list[Value]] = {}
    publishers: dict[str, list[Value]] = {}
    variables: list[Value] = []
    subscribes: list[Value] = []
    callbacks: list[Value] = []
    for thread in members:
        own, kind = _place(thread.name).name, _kind(thread)
        groups.setdefault(_group(thread), []).append(own)
        said: Mapping = {"callback_name": own, "callback_type": kind}
        if isinstance(thread.arrival, Periodic):
            said["period_ns"] = str(int(thread.arrival.period))
        elif kind == "service_callback" and thread.subscribes is not None:
            said["service_name"] = "/" + thread.subscribes.topics[0].rpartition("/")[0]
        elif thread.subscribes is not None:
            said["topic_name"] = thread.subscribes.topics[0]
            subscribes.append({"topic_name": thread.subscribes.topics[0], "callback_name": own})
        callbacks.append({**said, "symbol": thread.name})
        if kind != "service_callback":
            for publication in thread.publishes:
                publishers.setdefault(publication.topic, []).append(own)
        for before in thread.follows.threads if thread.follows else ():
            if _place(before).node == name:
                passed: Mapping = {"callback_name_write": _place(before).name}
                variables.append({**passed, "callback_name_read": own})
    listed: list[Value] = []
    for group, names in groups.items():
        kind = "reentrant" if "/reentrant/" in group else "mutually_exclusive"
        about: Mapping = {"callback_group_type": kind, "callback_group_name": group}
        listed.append({**about, "callback_names": names})
    return {
        "node_name": name,
        "callback_groups": listed,
        "callbacks": callbacks,
        "variable_passings": variables,
        "publishes": [
            {"topic_name": t, "callback_names": names} for t, names in publishers.items()
        ],
        "subscribes": subscribes,
    }


def _chain(path: NamedPath) -> Iterator[Value]:
    """The nodes on a path: two callbacks of one node are one step of it."""
    reads, here = UNDEFINED, path.start
    for hop in path.hops:
        if hop.topic is not None:
            said: Mapping = {"node_name": _place(here).node, "publish_topic_name": hop.topic}
            yield {**said, "subscribe_topic_name": reads}
            reads = hop.topic
        here = hop.target
    last: Mapping = {"node_name": _place(here).node, "publish_topic_name": UNDEFINED}
    yield {**last, "subscribe_topic_name": reads}
