"""The base of a study: the file whose values it leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.base.frozen import frozen
from ddsrta.base.shapes import INVALID, Context, Shape
from ddsrta.base.structures import Record
from ddsrta.base.yaml_changes import Step, shape_inside
from ddsrta.base.yaml_tree import Node, Tree
from ddsrta.exploration.improve.by_sending import plain
from ddsrta.exploration.improve.move import node_at
from ddsrta.lf.program.federation import Federation
from ddsrta.models.grammar import SYSTEM
from ddsrta.models.reader import names_of
from ddsrta.models.system import System

# What a study asks for, and what no value of a study may move.
_ASKED = ("chains", "orders")
_HEADS = ("ddsrta", "federation", "name")


@frozen
class Base:
    """A file as a tree, with its grammar and the names that it defines."""

    tree: Tree
    shape: Record
    names: Mapping[str, Sequence[str] | None]
    system: System | None
    federation: Federation | None
    text: str | bytes
    path: str

    @classmethod
    def of(cls, system: System) -> Base:
        """A system that was read from a file or a text."""
        assert system.written is not None
        tree = system.written.tree
        written = system.written
        return cls(tree, SYSTEM, names_of(tree), system, None, written.text, written.path)

    def value(self, path: Sequence[Step]) -> Any:
        """What stands at a place; None for nothing."""
        node = node_at(self.tree.root, path)
        return None if node is None else plain(node)

    def resolved(self, steps: Sequence[Step]) -> tuple[tuple[Step, ...], str, str]:
        """The path of a place, publications by number; and else what is wrong, and what to do."""
        is_deadline = steps[0] == "federates" and steps[-1] == "deadline"
        if is_deadline or steps[0] in (*_ASKED, *_HEADS):
            what = "is no quantity" if steps[0] in _HEADS else "is what is asked for"
            name = steps[-1] if is_deadline else steps[0]
            return (), f"'{name}' {what}: no parameter", "change it in the base"
        node, found = self.tree.root, list[Step]()
        shape: Shape | None = self.shape
        for number, step in enumerate(steps):
            known = _inside(node, step)
            if known is None:
                keys = shape.keys if isinstance(shape, Record) else {}
                if number == len(steps) - 1 and isinstance(node.value, dict) and step in keys:
                    return (*found, step), "", ""  # which may be given
                at = "/".join(map(str, found)) or "the base"
                return (), f"{shown(at, 80)} has no {shown(str(step))}", _advice(node, step, keys)
            found.append(known)
            node = _child(node, known)
            shape = shape_inside(shape, known, node)
        return tuple(found), "", ""

    def shape_at(self, path: Sequence[Step], value: Any) -> Shape | None:
        """What shape a value at a place is to have."""
        shape: Shape | None = self.shape
        node: Node | None = self.tree.root
        for number, step in enumerate(path):
            node = None if node is None else node_at(node, [step])
            seen: Any = value if number == len(path) - 1 else node
            shape = shape_inside(shape, step, seen)
        return shape

    def wrong(self, path: Sequence[Step], node: Node, file: str) -> list[tuple[str, str]]:
        """What is wrong with a value of a place: messages and advice."""
        shape = self.shape_at(path, plain(node))
        if shape is None:
            return []
        names = {kind: self.names.get(kind) for kind in self.names}
        context = Context(Tree(file, node, self.tree.end), names)
        value = shape.read(node, context)
        context.tell_contradictions()
        said = [(each.message, each.advice) for each in context.diagnostics]
        return said or ([("cannot be read here", "")] if value is INVALID else [])


def _inside(node: Node, step: Step) -> Step | None:
    """The step as the tree has it; None where there is nothing."""
    if isinstance(node.value, dict):
        return str(step) if str(step) in node.value else None
    if not isinstance(node.value, list):
        return None
    if isinstance(step, int):
        return step if step < len(node.value) else None
    topics = [plain(item) for item in node.value]
    named = [
        n for n, item in enumerate(topics) if isinstance(item, dict) and item.get("topic") == step
    ]
    return named[0] if len(named) == 1 else None


def _child(node: Node, step: Step) -> Node:
    found = node_at(node, [step])
    assert found is not None
    return found


def _advice(node: Node, step: Step, keys: Mapping[str, Any]) -> str:
    if isinstance(node.value, dict):
        return did_you_mean(str(step), [*{**node.value, **keys}])
    if isinstance(node.value, list):
        return f"its entries are 0 … {len(node.value) - 1}"
    return "it is a value"
