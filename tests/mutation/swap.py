"""Puts a mutant into the modules of this process, which should be a forked child.

Functions that are loaded get the mutant's code, so that whoever holds them runs it; constants of a
module are computed anew wherever they were imported. Files stay as they are.
"""

from __future__ import annotations

import ast
import functools
import gc
import sys
from collections import defaultdict
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.mutation.mutants import ROOT, Mutant, change


class UnswappableError(Exception):
    """What stands in the body of a class, or is no code that is loaded."""


def swap(mutant: Mutant) -> None:
    """From here on this process runs the mutant."""
    tree = ast.parse((ROOT / mutant.file).read_text(encoding="utf-8"))
    scopes = _scopes(tree, mutant)
    change(tree, mutant)
    if scopes and isinstance(scopes[-1], ast.FunctionDef):
        _swap_function(mutant.file, tree, scopes)
    elif not scopes:
        _swap_constant(mutant, tree)
    else:
        raise UnswappableError(mutant.name)
    for cached in _loaded()[1]:
        cached.cache_clear()


def _scopes(tree: ast.Module, mutant: Mutant) -> list[ast.AST]:
    """The classes around the outermost function that it stands in, and this function."""
    found: list[ast.AST] = []
    node: ast.AST = tree
    for field, index in mutant.path:
        node = getattr(node, field) if index is None else getattr(node, field)[index]
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.append(node)
        if isinstance(node, ast.FunctionDef):
            break
    return found


def _swap_function(file: str, tree: ast.Module, scopes: list[ast.AST]) -> None:
    """Compiles it alone, inside of its classes."""
    *classes, function = scopes
    body: ast.stmt = function  # type: ignore[assignment]
    body.decorator_list = []  # type: ignore[attr-defined]
    for scope in reversed(classes):
        body = ast.ClassDef(scope.name, [], [], [body], [])  # type: ignore[attr-defined]
        ast.copy_location(body, scope)
    module = ast.fix_missing_locations(ast.Module([body], []))
    name = ".".join(scope.name for scope in scopes)  # type: ignore[attr-defined]
    code = next(
        c
        for c in _codes(compile(module, str(ROOT / file), "exec", 0, True))
        if c.co_qualname == name
    )
    targets = _loaded()[0].get((str(ROOT / file), name))
    if not targets:
        raise UnswappableError(name)
    for target in targets:
        try:
            target.__code__ = code
        except ValueError:
            raise UnswappableError(name) from None


def _codes(code: CodeType):
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _codes(part)


@functools.cache
def _loaded() -> tuple[dict[tuple[str, str], list[FunctionType]], list[Any]]:
    """The functions of the repository, by file and name, and the caches of results. Nobody finds
    what is frozen."""
    gc.unfreeze()
    functions: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
    caches = []
    for thing in gc.get_objects():
        if not str(getattr(thing, "__module__", "")).startswith(("ddsrta", "tests")):
            continue
        if isinstance(thing, FunctionType):
            code = thing.__code__
            functions[_real(code.co_filename), code.co_qualname].append(thing)
        elif isinstance(thing, functools._lru_cache_wrapper):
            caches.append(thing)
    return functions, caches


def load(files: Iterable[str]) -> None:
    """Imports what is imported only where it is needed: what is not there cannot be exchanged."""
    for file in files:
        import_module(file.removeprefix("cython_ext/").removesuffix(".py").replace("/", "."))


def prepare() -> None:
    """Look at what is loaded once, before children are forked."""
    _loaded.cache_clear()
    _loaded()


@functools.cache
def _real(path: str) -> str:
    return str(Path(path).resolve())


def module_of(file: str) -> ModuleType:
    """The loaded module of a file."""
    path = str(ROOT / file)
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) and _real(module.__file__) == path:
            return module
    raise UnswappableError(file)


def _swap_constant(mutant: Mutant, tree: ast.Module) -> None:
    field, index = mutant.path[0]
    statement = getattr(tree, field)[index]
    module = module_of(mutant.file)
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.expr() as value):
            pass
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            pass
        case _:
            raise UnswappableError(mutant.name)
    old = getattr(module, name)
    new = eval(compile(ast.Expression(value), mutant.file, "eval"), dict(vars(module)))
    for other in list(sys.modules.values()):
        space = getattr(other, "__dict__", {})
        if str(getattr(other, "__name__", "")).startswith("ddsrta") and space.get(name) is old:
            setattr(other, name, new)
