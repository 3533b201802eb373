"""Named paths of a CARET architecture file as chains of callbacks and topics.

CARET's paths go from node to node. Within a node the way is from the callback that the topic
releases to the one that publishes: the same one, or another that reads a variable. A timer samples
the variable. Nothing says what else may read one, so that a path is cut there.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ddsrta.base.yaml_tree import Node
from ddsrta.formats.caret_nodes import UNDEFINED, CallbackNode
from ddsrta.formats.foreign import Foreign
from ddsrta.formats.ros2_draft import Ros2Draft, own_name


@dataclass
class _Way:
    """A path: parts that end where data goes on in a variable, who writes and reads it there."""

    parts: list[list[str]]
    cuts: list[tuple[CallbackNode, str, str]]
    guess: str = ""


class _NoWayError(Exception):
    """A path that cannot be followed; says why."""


def add_chains(file: Foreign, nodes: dict[str, CallbackNode], draft: Ros2Draft) -> None:
    """A chain for each named path; what cannot be followed is left out with a note."""
    for item in file.items(file.root, "named_paths"):
        name = file.name(item, "path_name")
        hops = [_hop(file, hop) for hop in file.items(item, "node_chain", required=True)]
        if name is None or None in hops:
            continue
        if name in draft.draft.section("chains"):
            file.wrong(item, f"there is another path {name!r} already")
            continue
        try:
            way = _follow([hop for hop in hops if hop is not None], nodes)
        except _NoWayError as reason:
            draft.draft.leave_out(f"path {name!r}: {reason}")
            continue
        _add(name, _joined(way, draft), way.guess, draft)


def _joined(way: _Way, draft: Ros2Draft) -> list[list[str]]:
    """The parts in one, wherever a timer reads what the part before has left in a variable."""
    found = [way.parts[0]]
    for part, (node, writer, reader) in zip(way.parts[1:], way.cuts, strict=True):
        if reader in node.timers:
            known = (writer, reader) in node.variables
            why = "" if known else "a path goes this way, and the file does not tell how"
            draft.follow(own_name(reader), own_name(writer), why)
            found[-1] = [*found[-1], *part]
        else:
            found.append(part)
    return found


def _add(name: str, parts: list[list[str]], guess: str, draft: Ros2Draft) -> None:
    useful = [part for part in parts if len(part) > 1]
    for number, part in enumerate(useful, 1):
        chain = name if len(parts) == 1 else f"{name} (part {number})"
        comment = f"guessed: {guess}" if guess else ""
        if len(parts) > 1:
            comment = "not the whole path: see what is left out, above"
        draft.chain(chain, part, comment)
    for before, after in pairwise(parts):
        draft.draft.leave_out(
            f"the whole of path {name!r}: between {before[-1]!r} and {after[0]!r} data goes in a "
            "variable that no timer samples; its parts are there, a bound of the whole is not"
        )


def _hop(file: Foreign, hop: Node) -> tuple[str, str | None, str | None] | None:
    """Node, topic that it reads, topic that it publishes."""
    node = file.name(hop, "node_name")
    topics = [
        file.name(hop, key, required=False)
        for key in ("subscribe_topic_name", "publish_topic_name")
    ]
    known = [None if topic == UNDEFINED else topic for topic in topics]
    return None if node is None else (node, known[0], known[1])


def _follow(hops: list[tuple[str, str | None, str | None]], nodes: dict[str, CallbackNode]) -> _Way:
    """The path's parts, cut where data goes through a variable, and what was guessed."""
    found = _Way([[]], [])
    sent = ""
    for index, (name, reads, sends) in enumerate(hops):
        if name not in nodes:
            raise _NoWayError(f"there is no node {name!r}")
        first, last = index == 0, index == len(hops) - 1
        if (reads is None and not first) or (sends is None and not last) or reads == sends:
            raise _NoWayError(f"it does not tell the topics of node {name!r}")
        if not first and reads != sent:
            raise _NoWayError(f"{name!r} reads {reads!r}, but the node before sends {sent!r}")
        way, why = _within(nodes[name], None if first else reads, None if last else sends)
        found.guess = found.guess or why
        if reads is not None and not first:
            found.parts[-1].append(reads)
        found.parts[-1].append(own_name(way[0]))
        if len(way) > 1:
            found.parts.append([own_name(way[1])])
            found.cuts.append((nodes[name], way[0], way[1]))
        sent = sends or ""
    return found


def _within(node: CallbackNode, reads: str | None, sends: str | None) -> tuple[list[str], str]:
    """The callbacks on the way through a node: one, or one that writes a variable and a reader."""
    entering = None if reads is None else node.subscribers_of(reads)
    leaving, why = ((), "") if sends is None else node.publishers_of(sends)
    if entering is not None and not entering:
        raise _NoWayError(f"no callback of {node.name!r} subscribes to {reads!r}")
    if sends is not None and not leaving:
        raise _NoWayError(f"{node.name!r} does not publish {sends!r}")
    if entering is None or sends is None:
        return [_only(leaving if entering is None else entering, node)], why
    both = [callback for callback in entering if callback in leaving]
    if both:
        return [_only(tuple(both), node)], why
    return [_only(entering, node), _only(leaving, node)], why


def _only(callbacks: tuple[str, ...], node: CallbackNode) -> str:
    if len(callbacks) != 1:
        raise _NoWayError(f"several callbacks of {node.name!r} may be meant")
    return callbacks[0]
