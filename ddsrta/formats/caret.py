"""Reads CARET architecture files: callbacks, executors, and named paths as chains.

A file is a mapping of `nodes`, `executors` and `named_paths`, or only the list of nodes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ddsrta.base.diagnostics import shown
from ddsrta.base.yaml_reader import read_file
from ddsrta.base.yaml_tree import Node
from ddsrta.formats.caret_nodes import Callback, CallbackNode, node_of
from ddsrta.formats.caret_paths import add_chains
from ddsrta.formats.draft import Draft, Mapping, Value, guessed
from ddsrta.formats.foreign import Foreign, quoted, refusal
from ddsrta.formats.ros2_draft import EXECUTORS, Ros2Draft, own_name

_DEFAULT_EXECUTOR = "executor"
_MESSAGE = re.compile(r"\b(\w+)::msg::(\w+?)_<")


def read(paths: Sequence[str]) -> Draft:
    """The draft of a system from one or several files; raises InputError."""
    name = ", ".join(Path(path).stem for path in paths)
    draft = Ros2Draft(name[:100], "CARET's " + ", ".join(Path(path).name for path in paths))
    nodes: dict[str, CallbackNode] = {}
    files = [Foreign(read_file(path, may_be_list=True)) for path in paths]
    executors: dict[str, str] = {}  # of each callback group
    callbacks: set[str] = set()
    for file in files:
        for item in _nodes(file):
            _add_node(file, item, nodes, callbacks)
    for file in files:
        for executor in file.items(file.root, "executors"):
            _executor(file, executor, draft, executors)
        file.check()
    if not callbacks:
        advice = "nodes without callbacks do nothing"
        raise refusal(files[0].tree, "no node in the file has 'callbacks'", advice)
    for node in nodes.values():
        for callback in node.callbacks:
            _callback(callback, node, draft, executors)
        _variables(node, draft)
    for file in files:
        add_chains(file, nodes, draft)
        file.check()
        for text in file.unread():
            draft.draft.leave_out(text)
    draft.draft.leave_out(
        "intra-process communication: the file does not tell of it: all messages take DDS, and "
        "have the turns of subscriptions ('intra_process' under 'processes', if they do not)"
    )
    return draft.finish()


def _nodes(file: Foreign) -> list[Node]:
    root = file.root
    if isinstance(root.value, list):
        nodes = root.value
    elif file.part(root, "nodes") is None:
        raise refusal(
            file.tree,
            "this is no architecture file of CARET: it has no 'nodes'",
            "it is what 'arch.export' writes",
        )
    else:
        nodes = list(file.items(root, "nodes"))
    if not nodes:
        raise refusal(file.tree, "there are no nodes in this file")
    return nodes


def _add_node(
    file: Foreign, node: Node, nodes: dict[str, CallbackNode], callbacks: set[str]
) -> None:
    found = node_of(file, node)
    if found is None:
        return
    if found.name in nodes:
        file.wrong(node, f"there is another node {found.name!r} already")
        return
    for callback in found.callbacks:
        if own_name(callback.name) in callbacks:
            file.wrong(callback.place, f"there is another callback {callback.name!r} already")
        callbacks.add(own_name(callback.name))
    nodes[found.name] = found


def _executor(file: Foreign, executor: Node, draft: Ros2Draft, executors: dict[str, str]) -> None:
    name = file.name(executor, "executor_name")
    kind = file.choice(executor, "executor_type", tuple(EXECUTORS))
    if name is None or kind is None:
        return
    if own_name(name) in draft.draft.section("executors"):
        file.wrong(executor, f"there is another executor {name!r} already")
    name = own_name(name)
    draft.executor(name, EXECUTORS[kind], threads=kind == "multi_threaded_executor")
    for group in file.items(executor, "callback_group_names"):
        group_name = file.as_name(group)
        if group_name is not None:
            executors[group_name] = name


def _callback(
    callback: Callback, node: CallbackNode, draft: Ros2Draft, executors: dict[str, str]
) -> None:
    if callback.kind == "service_callback" and callback.service is None:
        draft.draft.leave_out(
            f"service callback {shown(callback.name, 80)}: the file does not tell its service; its "
            "work is missing in the bounds"
        )
        return
    executor = executors.get(callback.group, _DEFAULT_EXECUTOR)
    if executor not in draft.draft.section("executors"):
        kind: Value = guessed("single_threaded", "the file has no executor for the callbacks")
        draft.executor(executor, kind)
    more = _group(callback)
    listener = ""
    if callback.kind != "timer_callback":
        why = "one for each executor, as if each were a process of its own"
        listener = draft.listener(f"{executor} listener", why)
    if callback.service is not None:
        more = {**draft.serve(own_name(callback.service), listener), **more}
    if callback.topic is not None and (found := _MESSAGE.search(callback.symbol)):
        draft.topic(callback.topic).why = f"not in the file; a {found[1]}/msg/{found[2]}"
    draft.callback(
        own_name(callback.name),
        executor,
        timer=callback.period,
        topic=callback.topic,
        listener=listener,
        publishes=node.published_by(callback.name),
        more=more,
    )
    if unclear := node.unclear_topics:
        draft.draft.leave_out(
            f"which callback of node {node.name!r} publishes {quoted(unclear)}: the file does not "
            "tell; see the guesses"
        )


def _group(callback: Callback) -> Mapping:
    """What a callback's group says of it."""
    if callback.group_type == "reentrant":
        return {"reentrant": True}
    return {"group": callback.group} if callback.group else {}


def _variables(node: CallbackNode, draft: Ros2Draft) -> None:
    """A timer that reads a variable samples whoever writes it."""
    known = {callback.name for callback in node.callbacks}
    for writer, reader in node.variables:
        if reader in node.timers and writer in known and writer != reader:
            draft.follow(own_name(reader), own_name(writer))
        elif {writer, reader} <= known:
            draft.draft.leave_out(
                f"variable from {shown(writer, 80)} to {shown(reader, 80)}: only timers sample"
            )
