"""What edits say, in words, and where in the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.base.diagnostics import Position
from ddsrta.base.frozen import frozen
from ddsrta.base.units import format_duration, parse_duration
from ddsrta.base.yaml_changes import Step, flow
from ddsrta.base.yaml_tree import Node, Tree
from ddsrta.exploration.edits import Edit
from ddsrta.exploration.improve.move import node_at
from ddsrta.exploration.spoken import spoken, thing
from ddsrta.models.system import System

_LONGEST = 60


@frozen
class Said:
    """One place that changes, in words, and where it stands; None for what is not there."""

    text: str
    path: tuple[Step, ...]
    old: str | None
    new: str | None
    position: Position


def said(old: System, new: System, edits: Sequence[Edit]) -> tuple[Said, ...]:
    """What the edits that lead from one system to another change, each place once.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.edits import edited
    >>> edits = [Edit(("threads", "sensor", "priority"), "79")]
    >>> said(two_threads(), edited(two_threads(), edits), edits)[0].text
    'sensor: priority 85 → 79'
    """
    assert old.written is not None and new.written is not None
    return said_of(old.written.tree, new.written.tree, edits)


def said_of(old: Tree, new: Tree, edits: Sequence[Edit]) -> tuple[Said, ...]:
    """The same of two files."""
    found = []
    for path in _places(edits):
        before, after = (node_at(tree.root, path) for tree in (old, new))
        text = _words(path, before, after)
        if text:
            old_text, new_text = (None if node is None else flow(node) for node in (before, after))
            found.append(Said(text, path, old_text, new_text, old.find(path)))
    return tuple(found)


def _places(edits: Sequence[Edit]) -> Iterator[tuple[Step, ...]]:
    """Each path once, and none inside of another."""
    paths = dict.fromkeys(edit.path for edit in edits)
    for path in paths:
        if not any(path[:length] in paths for length in range(1, len(path))):
            yield path


def _words(path: tuple[Step, ...], before: Node | None, after: Node | None) -> str:
    if len(path) == 2 and before is None and after is not None:
        return f"{thing(path)} added: {flow(after)}"
    old, new = (_shown(path, node) for node in (before, after))
    return "" if old == new else f"{spoken(path)} {old} → {new}"


def _shown(path: tuple[Step, ...], node: Node | None) -> str:
    """A value; of publications their topics, of times the usual unit."""
    if node is None:
        return "not given"
    if path[-1] == "publishes" and isinstance(node.value, list):
        return ", ".join(_topic(item) for item in node.value if isinstance(item, Node))
    if isinstance(node.value, str):
        if path[-1] in ("budget", "period", "offset"):
            return format_duration(parse_duration(node.value))
        return node.value
    text = flow(node)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _topic(item: Node) -> str:
    topic = node_at(item, ("topic",))
    return flow(topic) if topic is not None else flow(item)
