"""The mutants of a source file: where each fault is, and the file with it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.operators import replacements

ROOT = Path(__file__).parents[2]
_TEXT = (ast.JoinedStr, ast.Raise, ast.Assert, ast.arguments, ast.Import, ast.ImportFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault. Its name does not depend on what stands elsewhere in the file."""

    file: str
    function: str  # its qualified name; "" is the module itself
    operator: str
    before: str
    after: str
    number: int  # among those that are alike in this function
    line: int
    path: tuple[tuple[str, int | None], ...]  # to the node

    @property
    def name(self) -> str:
        """As the list of survivors has it."""
        more = f" #{self.number}" if self.number else ""
        place = f"{self.file}:{self.function}"
        return f"{place}: {self.operator}: {self.before} → {self.after}{more}"


def mutants(file: str) -> list[Mutant]:
    """All mutants of a file, named from the root of the repository."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    seen: Counter[tuple[str, str, str, str]] = Counter()
    found = []
    for function, node, path, time in _nodes(tree, "", (), False):
        before = None
        for operator, changed in replacements(node, time):
            before = before or _shown(node)
            alike = (function, operator, before, _shown(changed))
            found.append(Mutant(file, *alike, seen[alike], node.lineno, path))
            seen[alike] += 1
    return found


def change(tree: ast.Module, mutant: Mutant) -> None:
    """Put the fault into the syntax tree of its file."""
    *way, (field, index) = mutant.path
    parent: ast.AST = tree
    for name, at in way:
        parent = getattr(parent, name) if at is None else getattr(parent, name)[at]
    place = getattr(parent, field)
    node = place if index is None else place[index]
    wanted = (mutant.operator, mutant.after)
    new = next(new for name, new in replacements(node, True) if (name, _shown(new)) == wanted)
    new = ast.Pass() if new is None else new
    ast.copy_location(new, node)
    if index is None:
        setattr(parent, field, new)
    else:
        place[index] = new
    ast.fix_missing_locations(tree)


def _nodes(
    node: ast.AST, function: str, path: tuple[tuple[str, int | None], ...], time: bool
) -> Iterator[tuple[str, ast.AST, tuple[tuple[str, int | None], ...], bool]]:
    """What may be changed, with the function that it stands in; no annotations and messages."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "args", "bases") and not isinstance(
            node, ast.Call
        ):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or isinstance(child, _TEXT):
                continue
            way, where, timed = (*path, (field, index)), function, time
            if isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
                where = f"{function}.{child.name}" if function else child.name
                timed = isinstance(child, _FUNCTIONS) and _is_time(child)
            if hasattr(child, "lineno") and not _is_docstring(child):
                yield where, child, way, timed
            elif isinstance(child, ast.comprehension):
                child.lineno = child.iter.lineno
                yield where, child, way, timed
            yield from _nodes(child, where, way, timed)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_time(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return function.returns is not None and ast.unparse(function.returns) in ("int", "int | None")


def _shown(node: ast.AST | None) -> str:
    if node is None:
        return "nothing"
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}"
    if isinstance(node, ast.comprehension):
        return " ".join(["for", *(f"if {ast.unparse(i)}" for i in node.ifs)])
    try:
        return ast.unparse(node).split("\n")[0]
    except (ValueError, AttributeError):
        return "?"
