"""One direction, no circles, small files: no file imports what stands above it.

The order of rooms is the list in CONTRIBUTING.md. Imports in functions, for types alone, and by the
name of a module in a string count as any other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHECKER_KNOWS = {"ddsrta.base.collecting"}
PUBLIC = {"ddsrta", "ddsrta.__main__", "ddsrta.examples"}  # above all rooms, imported by none

LINES = 400  # of a file at the most

Graph = dict[str, set[str]]


def test_no_file_imports_upwards() -> None:
    """A new room needs a place in the list."""
    place = {room: number for number, rooms in enumerate(_rooms()) for room in rooms}
    upwards = [
        f"{importer} imports {imported}"
        for importer, found in _graph().items()
        for imported in found
        if importer not in PUBLIC
        if imported in PUBLIC or place[_room(imported)] > place[_room(importer)]
    ]
    assert not upwards


def test_no_circle_of_files() -> None:
    assert not _circles(_graph())


def test_engines_and_the_checker_stand_alone() -> None:
    foreign = [
        f"{importer} imports {imported}"
        for importer, found in _graph().items()
        for imported in found - CHECKER_KNOWS
        if _room(importer) in ("ddsrta_kernel", "ddsrta_simulator", "checker")
        if _room(imported) != _room(importer)
    ]
    assert not foreign


def test_rooms_of_federations_have_an_order() -> None:
    rooms = ["program", "bounds", "run", "draft"]
    inside = {
        name: [i for i in found if i.startswith("ddsrta.lf.")]
        for name, found in _graph().items()
        if name.startswith("ddsrta.lf.")
    }
    place = {name: rooms.index(name.split(".")[2]) for name in inside}
    assert not [(one, i) for one, found in inside.items() for i in found if place[i] > place[one]]


def test_files_are_small() -> None:
    files = [*_files(), *(ROOT / "tests").rglob("*.py")]
    lines = {path: path.read_text("utf-8").count("\n") for path in files}
    assert not [f"{path}: {count}" for path, count in lines.items() if count > LINES]


def test_a_circle_is_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}
    assert _circles(graph) == [["b", "c"]]


def _rooms() -> list[list[str]]:
    """The lines of the list in CONTRIBUTING.md, from below."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    listed = text.partition("reads this list:\n\n")[2].partition("\n\n")[0]
    rooms = [line.strip().partition("   ")[0].split() for line in listed.splitlines()]
    assert rooms[0] == ["base"]
    return rooms


def _room(module: str) -> str:
    first, *rest = module.split(".")
    return rest[0] if first == "ddsrta" and rest else first


@cache
def _graph() -> Graph:
    """What each file imports, of all files."""
    files = {_module(path): path for path in _files()}
    return {name: set(_imports(path, files)) - {name} for name, path in files.items()}


def _files() -> Iterator[Path]:
    yield from (ROOT / "ddsrta").rglob("*.py")
    yield from (ROOT / "cython_ext").rglob("*.py")
    yield from (ROOT / "cython_ext").rglob("*.pyi")  # of what is compiled


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "cython_ext" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (n if n in known else node.module for n in names if node.module in known)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.Constant) and "." in str(node.value) and node.value in known:
            yield str(node.value)


def _circles(graph: Graph) -> list[list[str]]:
    """The files from each of which one comes to each other and back (Tarjan)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in graph.get(name, ()):
            if other not in number:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            circle = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            found.extend([sorted(circle)] if len(circle) > 1 else [])

    for name in graph:
        if name not in number:
            visit(name)
    return found
