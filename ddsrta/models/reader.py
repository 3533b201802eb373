"""Reads system.yaml into a System, or reports everything that is wrong with it at once."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError, expect
from ddsrta.base.frozen import ReadOnly
from ddsrta.base.shapes import Context, Known, TooManyDiagnosticsError
from ddsrta.base.yaml_reader import read_bytes, read_text
from ddsrta.base.yaml_tree import Node, Tree
from ddsrta.models.build import build_system
from ddsrta.models.grammar import RUNNING, SYSTEM
from ddsrta.models.services import REPLY, REQUEST
from ddsrta.models.system import System
from ddsrta.models.threads import named
from ddsrta.models.validate import LAST, Unread, validate

if TYPE_CHECKING:
    from pathlib import Path

    from ddsrta.base.yaml_differences import Difference

_NAMED = (
    "machines",
    "links",
    "topics",
    "flow_controllers",
    "listeners",
    "processes",
    "threads",
    "executors",
    "services",
    "callbacks",
    "chains",
)


# Sections in which the order counts: of copies by connection, of callbacks that are registered.
_ORDERED = (("threads",), ("callbacks",), ("nodes",))


def load(source: str | Path | Mapping[str, Any]) -> System:
    """The system that a file, or a mapping with the same keys and values, describes; raises
    InputError with every diagnostic.

    >>> load({"ddsrta": 1, "machines": {"m": {"cores": ["c"]}}, "threads": {}}).name
    'system'

    >>> load("/nonexistent.yaml")
    Traceback (most recent call last):
    ...
    ddsrta.base.diagnostics.InputError: /nonexistent.yaml:1:1: No such file or directory
    """
    if isinstance(source, Mapping):
        return loads(_text_of(source), "<mapping>")
    with _no_collector():
        text = read_bytes(source)
        return _read(read_text(text, str(source)), str(source), text)


def _text_of(source: Mapping[str, Any]) -> str:
    """What a file would say, a line for each key."""
    import json

    try:
        return json.dumps(source, indent=1, ensure_ascii=False, allow_nan=False, default=index)
    except (TypeError, ValueError) as error:
        advice = "values are texts with their units, whole numbers, lists and mappings"
        raise InputError(
            [Diagnostic(None, f"no system can be read of it: {error}", advice)]
        ) from None


def loads(text: str | bytes, name: str = "<text>", beside: str | None = None) -> System:
    """The system that a text describes; traces in it are looked for in the working directory, or
    beside a file.

    >>> loads("ddsrta: 1\\nmachines: {m: {cores: [c]}}\\nthreads: {}").name
    'system'
    """
    expect("name", name, isinstance(name, str), "what to call the text")
    with _no_collector():
        return _read(read_text(text, name), beside or os.path.basename(name), text)


@contextmanager
def _no_collector() -> Iterator[None]:
    """Millions of nodes, none of them in a circle: the collector of circles need not walk them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Written(NamedTuple):
    """What a system was read from; a changed tree has a text when it is asked for. `known` is what
    was read of its parts, for trees that share them."""

    said: str | bytes | None
    path: str
    tree: Tree
    known: Known

    @property
    def text(self) -> str | bytes:
        """What the file says."""
        if self.said is not None:
            return self.said
        from ddsrta.base.yaml_changes import flow

        return flow(self.tree.root)

    def replace(self, path: Sequence[str | int], changes: Mapping[str, Any]) -> System:
        """The system of a file in which some keys, to which a path leads, say something else."""
        from ddsrta.base.yaml_changes import changed

        with _no_collector():
            return _read(changed(self.tree, SYSTEM, path, changes), self.path, known=self.known)

    def differences(self, newer: _Written) -> list[Difference]:
        """What a newer file says differently."""
        from ddsrta.base.yaml_differences import differences

        old, new = (Context(each.tree, names_of(each.tree)) for each in (self, newer))
        inside = [("nodes", name, "callbacks") for name in self.tree.names("nodes")]
        return differences(self.tree, newer.tree, SYSTEM, (old, new), (*_ORDERED, *inside))

    def patched(self, wanted: Iterable[Difference]) -> System:
        """The system of the file with some differences of a newer one."""
        from ddsrta.base.yaml_differences import patched

        with _no_collector():
            return _read(patched(self.tree, wanted), self.path, known=self.known)

    def retold(self, root: Node) -> System:
        """The system of the file with another root: the same in other words, say."""
        with _no_collector():
            return _read(Tree(self.tree.file, root, self.tree.end), self.path)

    def edited(self, values: Mapping[Sequence[str | int], Any]) -> System:
        """The system of the file with other values at some paths."""
        from ddsrta.base.yaml_changes import changed

        with _no_collector():
            tree = self.tree
            for path, value in values.items():
                tree = changed(tree, SYSTEM, path[:-1], {str(path[-1]): value})
            return _read(tree, self.path, known=self.known)


def _read(
    tree: Tree, path: str, text: str | bytes | None = None, known: Known | None = None
) -> System:
    """The system of a tree, which has a text or can be written as one. What is known of parts of
    another tree holds of those that it shares, where both have the same names."""
    if not tree.has(("machines",)):
        from ddsrta.base.document_kinds import refuse_other_kinds

        refuse_other_kinds(tree, "machines")
    names = names_of(tree)
    context = Context(tree, names, known)
    try:
        raw = SYSTEM.parts(tree.root, context)
        sections = tree.root.value if isinstance(tree.root.value, dict) else {}
        broken = frozenset(section for section in sections if section not in raw)
        context.tell_contradictions()
        system = build_system(SYSTEM.make(raw), context, os.path.dirname(path))
        declared = {kind: None if n is None else frozenset(n) for kind, n in names.items()}
        for diagnostic in validate(system, Unread(declared, broken)):
            context.add(diagnostic)
        if not context.diagnostics:
            for diagnostic in (each for problems in LAST for each in problems(system)):
                context.add(diagnostic)
    except TooManyDiagnosticsError:
        pass
    context.known.is_open = False
    if context.diagnostics:
        raise InputError(context.diagnostics)
    _close(system)
    object.__setattr__(system, "is_valid", True)  # a changed copy is to be validated again
    written = _Written(text, path, tree, context.known)
    object.__setattr__(system, "written", written)  # and is not what the file says
    return system


def _close(system: System) -> None:
    """What was checked stays as it is: nobody would check it again."""
    for each in fields(system):
        if isinstance(value := getattr(system, each.name), dict):
            object.__setattr__(system, each.name, ReadOnly(value))


def names_of(tree: Tree) -> dict[str, list[str] | None]:
    """Every name that the file defines, before anything is read, for references to be checked.

    None where that cannot be told, because what should define them is missing or no mapping.
    """
    top = tree.root.value if isinstance(tree.root.value, dict) else {}
    names: dict[str, list[str] | None] = {}
    for kind in _NAMED:
        names[kind] = None if kind not in top and SYSTEM.keys[kind].required else []
        if kind in top and not (node := top[kind].node).is_null:
            names[kind] = list(node.value) if isinstance(node.value, dict) else None
    if top.keys().isdisjoint(RUNNING):  # misspelt, most likely
        names["threads"] = None
    if "nodes" in top and names["callbacks"] is not None:
        names["callbacks"] += named(tree)
    services = names["services"]
    names["messages"] = services and [f"{s}/{p}" for s in services for p in (REQUEST, REPLY)]
    names["cores"] = _core_names(top["machines"].node) if "machines" in top else None
    return names


def _core_names(machines: Node) -> list[str] | None:
    """The paths of all cores; None if those of some machine cannot be told."""
    if not isinstance(machines.value, dict):
        return None
    names: list[str] = []
    for machine, entry in machines.value.items():
        details: Any = entry.node.value
        cores = details.get("cores") if isinstance(details, dict) else None
        if cores is None or isinstance(cores.node.value, str):
            return None
        listed = cores.node.value
        found = listed if isinstance(listed, dict) else [core.value for core in listed]
        names += [f"{machine}/{core}" for core in found]
    return names
