"""Faults put into what reads system.yaml: a default or a unit that is not what it should be."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from ddsrta.base.structures import Record
from ddsrta.models.reference import records


class Misread(NamedTuple):
    """A default of a record, and another one."""

    record: Record
    key: str
    wrong: int | str

    def __str__(self) -> str:
        return f"{self.record.title}.{self.key}"

    def put_in(self, monkeypatch: Any) -> None:
        """Make things of the record with the wrong default."""
        made = self.record.of
        make = made.make
        monkeypatch.setattr(
            made, "make", lambda values, name: make({self.key: self.wrong, **values}, name)
        )


def of_records() -> Iterator[Misread]:
    """Every number, word or truth that a record has where its key is left out."""
    for record in records():
        known = {each.name: each.default for each in fields(record.of.cls)} if record.of else {}
        for key, attribute in record.of.fields.items() if record.of else ():
            if isinstance(known[attribute], int | str):
                yield Misread(record, key, _other(known[attribute]))


class Fault(NamedTuple):
    """A default of a key that is left out, by the place of its constant."""

    module: ModuleType
    key: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.module.__name__.rpartition('.')[2]}:{self.line}:{self.key}"


def defaults(module: ModuleType) -> Iterator[Fault]:
    """Every `get(key, default)` of a module whose default is a constant, but for mere checks."""
    tree = _tree(module)
    checks = {
        id(inner) for node in ast.walk(tree) if isinstance(node, ast.Compare)
        for inner in ast.walk(node)
    }  # fmt: skip
    for node in ast.walk(tree):
        if _is_default(node) and id(node) not in checks:
            constant = node.args[1]
            yield Fault(module, node.args[0].value, constant.lineno, constant.col_offset)


def put_in(fault: Fault, monkeypatch: Any) -> None:
    """Replace the functions of the module by those of its source with the fault."""
    tree = _tree(fault.module)
    for node in ast.walk(tree):
        if _is_default(node):
            constant = node.args[1]
            if (constant.lineno, constant.col_offset) == (fault.line, fault.column):
                constant.value = _other(constant.value)
    faulty = dict(vars(fault.module))
    exec(compile(tree, fault.module.__file__, "exec"), faulty)
    for module in [m for name, m in sys.modules.items() if name.startswith("ddsrta.models.")]:
        for name, value in list(vars(module).items()):
            ours = isinstance(value, FunctionType | type)
            if ours and value.__module__ == fault.module.__name__ and value.__name__ in faulty:
                monkeypatch.setattr(module, name, faulty[value.__name__])


def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(Path(module.__file__).read_text("utf-8"))


def _is_default(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "get"
        and len(node.args) == 2
        and all(isinstance(arg, ast.Constant) for arg in node.args)
        and isinstance(node.args[1].value, int | str)
    )


def _other(value: int | str) -> int | str:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value}x"
