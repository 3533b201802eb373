"""Reads a federation document, or reports everything that is wrong with it at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ddsrta.base.diagnostics import InputError
from ddsrta.base.document_kinds import refuse_other_kinds
from ddsrta.base.shapes import Context, TooManyDiagnosticsError
from ddsrta.base.yaml_reader import read_file, read_text
from ddsrta.base.yaml_tree import Node, Tree
from ddsrta.lf.program.build import build_federation
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.grammar import FEDERATION


def load(path: str | Path) -> Federation:
    """The federation that a file describes; raises InputError with every diagnostic.

    >>> load("/nonexistent.yaml")
    Traceback (most recent call last):
    ...
    ddsrta.base.diagnostics.InputError: /nonexistent.yaml:1:1: No such file or directory
    """
    return read_tree(read_file(path))


def loads(text: str | bytes, name: str = "<text>") -> Federation:
    """The federation that a text describes.

    >>> loads("{federation: 1, coordination: centralized, hosts: {h: }, federates: {}}").name
    'federation'
    """
    return read_tree(read_text(text, name))


def read_tree(tree: Tree) -> Federation:
    """The federation that a tree describes."""
    refuse_other_kinds(tree, "federation")
    context = Context(tree, names_of(tree.root))
    try:
        raw = FEDERATION.parts(tree.root, context)
        context.tell_contradictions()
        federation = build_federation(raw, context)
    except TooManyDiagnosticsError:
        federation = None
    if federation is None or context.diagnostics:
        raise InputError(context.diagnostics)
    return federation


def names_of(root: Node) -> dict[str, list[str] | None]:
    """Every name that connections and chains may refer to, before anything is read.

    None where that cannot be told, because what should define them is missing or no mapping.
    """
    federates = _keys(root, "federates")
    names: dict[str, list[str] | None] = {"hosts": _keys(root, "hosts")}
    for kind in ("inputs", "outputs", "reactions"):
        names[kind] = None if federates is None else _qualified(root, federates, kind)
    return names


def _keys(node: Node, key: str) -> list[str] | None:
    found = node.value.get(key) if isinstance(node.value, dict) else None
    if found is None or not isinstance(found.node.value, dict):
        return [] if found is not None and found.node.is_null else None
    return list(found.node.value)


def _qualified(root: Node, federates: Iterable[str], kind: str) -> list[str] | None:
    """`federate.name` of everything of a kind."""
    names: list[str] = []
    assert isinstance(root.value, dict)
    section = root.value["federates"].node.value
    for federate in federates:
        assert isinstance(section, dict)
        body = section[federate].node.value
        if not isinstance(body, dict):
            return None
        listed = body[kind].node if kind in body else None
        if listed is None or listed.is_null:
            continue
        if isinstance(listed.value, str):
            return None
        names += [f"{federate}.{name}" for name in _listed(listed)]
    return names


def _listed(node: Node) -> list[str]:
    if isinstance(node.value, dict):
        return list(node.value)
    return [
        item.value for item in node.value if isinstance(item, Node) and isinstance(item.value, str)
    ]
