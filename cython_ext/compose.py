"""Makes one Cython module of the rooms of the kernel, or of the simulator, which are plain Python.

Each record becomes a C struct and its name a pointer to one; each function or method of a room
becomes a C function that needs no lock of Python. Everything else is as it stands: the rooms are
Cython's pure Python mode but for these declarations.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).parent
ROOMS = {
    "ddsrta_kernel": (
        "curves", "paces", "parts", "behind", "openers", "works", "shares", "searches", "tandem",
        "windows", "kin", "phases", "groups", "pack", "rates", "sweeps", "meetings", "paths",
        "walks", "counts", "leading", "lines", "pending", "closed", "sharing", "slowest", "joins",
        "books", "legs", "whole", "latest", "again", "nodes", "alone", "events", "latencies",
        "layout", "coupled", "candidates",
    ),
    "ddsrta_simulator": (
        "decisions", "seen", "releases", "supplies", "servers", "fair", "cores", "executors",
        "pools", "limits", "queues", "locks", "paths", "tokens", "approximate", "matching",
        "things", "transfers", "writes", "batches", "steps", "moves",
    ),
}  # fmt: skip
FLAGS = ("in_step", "ahead_in_step", "held_back", "at_once")  # of a problem of the kernel
HEAD = (
    "# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True,"
    " infer_types=True\n"
)
_DEFINED = '''cdef extern from *:
    """
    #define {name} (({kind}){value})
    """
    const {kind} {name}'''
DECORATORS = "cfunc", "nogil", "exceptval(check=False)"
SHORT = 3  # statements; what has no more is inline
_C = {"array[int]": "Ints", "int": "Int"}


class Package:
    """The texts of one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def text(self, file: str) -> str:
        """As it stands."""
        return (HERE / self.name / file).read_text()

    def parsed(self, room: str) -> list[ast.stmt]:
        """What stands in a room."""
        return ast.parse(self.text(f"{room}.py")).body

    def one(self, room: str, name: str) -> ast.ClassDef:
        """A class."""
        (found,) = (node for node in self.parsed(room) if getattr(node, "name", "") == name)
        assert isinstance(found, ast.ClassDef)
        return found

    def constants(self, room: str) -> Iterator[str]:
        """The numbers of a room; those of its enumerations are tuples."""
        for node in self.parsed(room):
            if isinstance(node, ast.Assign) and not _is_of_python(node.value):
                target = node.targets[0]
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                found = eval(ast.unparse(node.value), {})
                values = found if isinstance(found, tuple | range) else (found,)
                for name, value in zip(names, values, strict=True):
                    kind = "double" if isinstance(value, float) else "int64_t"
                    yield _DEFINED.format(name=ast.unparse(name), kind=kind, value=repr(value))

    def structs(self, *rooms: str) -> Iterator[str]:
        """Records, and values."""
        nodes = [node for room in rooms for node in self.parsed(room)]
        classes = [node for node in nodes if isinstance(node, ast.ClassDef) and node.bases]
        records = [node for node in classes if ast.unparse(node.bases[0]) == "Struct"]
        for node in records:
            yield _pointer(node.name)
        for node in classes:
            yield _struct(node.name + "Record" * (node in records), node)

    def functions(self, room: str) -> str:
        """The functions of a room."""
        nodes = [node for node in self.parsed(room) if isinstance(node, ast.FunctionDef)]
        return "\n\n\n".join(_function(node) for node in nodes)

    def front(self, room: str, more: str = "") -> str:
        """The class that Python sees, with the constants before it, and with more methods."""
        found = []
        for node in self.parsed(room):
            if isinstance(node, ast.ClassDef):
                node.decorator_list = [_named("cython.cclass")]
            if isinstance(node, ast.ClassDef | ast.Assign):
                found.append(ast.unparse(_InC().visit(node)))
        return "\n\n\n".join(found) + more


def _is_of_python(value: ast.expr) -> bool:
    found = ast.unparse(value)
    return "_layout" in found or found in ("int", "bool", "float", "bytearray")


def _named(name: str) -> ast.expr:
    return ast.parse(name, mode="eval").body


def _pointer(name: str) -> str:
    return f"cdef struct {name}Record\nctypedef {name}Record* {name}"


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Names and kinds; a list of records is a pointer to the first."""
    for field in node.body:
        if isinstance(field, ast.AnnAssign):
            kind = ast.unparse(field.annotation)
            if kind.startswith("list["):
                kind = kind[5:-1]
            yield ast.unparse(field.target), _C.get(kind, kind)


def _struct(name: str, node: ast.ClassDef, among: Callable[[str], bool] = lambda _: True) -> str:
    fields = [f"    {kind} {field}\n" for field, kind in _fields(node) if among(kind)]
    return f"cdef struct {name}:\n" + "".join(fields)


def _is_number(kind: str) -> bool:
    return kind in ("Int", "Ints")


class _InC(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _named("cython.address") if node.id == "address" else node


def _function(node: ast.FunctionDef) -> str:
    names = [*DECORATORS, *["inline"] * bool(node.decorator_list)]
    node.decorator_list = [_named(f"cython.{name}") for name in names]
    if ast.unparse(node.returns or node) == "None":
        node.returns = _named("cython.void")
    return ast.unparse(_InC().visit(node))


def kernel() -> str:
    """The text of the compiled kernel."""
    package = Package("ddsrta_kernel")
    parts = [HEAD, package.text("c.pxi"), *package.constants("problem"), *_columns(package)]
    parts += [
        *package.structs("structs", "flows", "values"),
        package.text("memory.pxi"),
        *_reading(package),
    ]
    parts += [package.functions(room) for room in ROOMS["ddsrta_kernel"]]
    return "\n\n".join([*parts, package.front("solver")]) + "\n"


def _problem(package: Package) -> tuple[list[str], dict[str, str]]:
    """The columns of a problem, and its counts, each with the column that has so many."""
    columns, counts = [], {}
    for node in package.one("problem", "Problem").body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            name = ast.unparse(node.targets[0])
            if ast.unparse(node.value.func) == "rows":
                counts[name] = ast.unparse(node.value.args[0])
            else:
                columns.append(name)
    return columns, counts


def _columns(package: Package) -> Iterator[str]:
    """The columns as C sees them."""
    names, counts = _problem(package)
    lines = [
        f"bint {', '.join(FLAGS)}",
        *(f"Int {count}" for count in counts),
        *(f"Ints {n}" for n in names),
    ]
    yield "cdef struct ColumnsRecord:\n" + "".join(f"    {line}\n" for line in lines)
    yield "ctypedef ColumnsRecord* Columns"


def _reading(package: Package) -> Iterator[str]:
    """From the arrays of a problem to its columns."""
    names, counts = _problem(package)
    lines = [f"p.{flag} = problem.{flag}" for flag in FLAGS]
    lines += [f"p.{count} = len(problem.{name})" for count, name in counts.items()]
    lines += [f"p.{name} = memory.ints(problem.{name})" for name in names]
    yield _lines("cdef read_columns(Memory memory, problem, Columns p):", lines)


def _lines(head: str, lines: list[str]) -> str:
    return "\n    ".join([head, *lines]) + "\n"


def simulator() -> str:
    """The text of the compiled simulator: one class of the methods of all rooms, of which the last
    is what a name means."""
    package = Package("ddsrta_simulator")
    parts = [HEAD, package.text("c.pxi")]
    for room in ("program", "orders", "structs"):
        parts += package.constants(room)
    for name, room in (("Program", "program"), ("Choices", "program"), ("Counts", "layout")):
        parts += [_struct(_RECORDS.get(name, name + "Record"), package.one(room, name), _is_number)]
    parts += [*package.structs("structs"), *_tables(package)]
    parts += [package.text("memory.pxi"), *_laying(package)]
    methods = {}
    for room in ROOMS["ddsrta_simulator"]:
        for node in package.parsed(room):
            for method in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(method, ast.FunctionDef):
                    if len(method.body) <= SHORT:
                        method.decorator_list = [_named("inline")]
                    methods[method.name] = _function(method)
    more = "".join("\n\n" + text for text in methods.values()).replace("\n", "\n    ")
    front = package.front("simulator", more).replace(
        "@cython.cclass\nclass Engine(Moves)", "@cython.final\ncdef class Engine(Memory)"
    )
    return "\n\n".join([*parts, front]) + "\n"


_RECORDS = {"Program": "CodeRecord", "Choices": "ChosenRecord"}
_HELD = {
    "Code": "CodeRecord", "Chosen": "ChosenRecord", "Counts": "CountsRecord",
    "Progress": "ProgressRecord",
}  # fmt: skip


def _table_nodes(package: Package) -> Iterator[tuple[str, ast.Call]]:
    for node in package.one("tables", "Tables").body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            yield ast.unparse(node.targets[0]), node.value


def _tables(package: Package) -> Iterator[str]:
    """The attributes of an engine."""
    fields = list(_fields(package.one("tables", "Tables")))
    lines = [f"cdef {_HELD.get(kind, kind)} {name}" for name, kind in fields]
    lines += [f"cdef Ints {name}" for name, _ in _table_nodes(package)]
    yield _lines("cdef class Tables:", lines)


def _laying(package: Package) -> Iterator[str]:
    """Each table in its place; counts and choices as C sees them."""
    lines = ["m.size = 0"]
    for name, call in _table_nodes(package):
        of, first = ast.literal_eval(call.args[0]), [*map(ast.unparse, call.args[1:]), "0"][0]
        lines.append(f"m.{name} = m.part(m.layout.{of}, {first})")
    yield _lines("cdef lay_tables(Memory m):", lines)
    counts = [name for name, kind in _fields(package.one("layout", "Counts")) if _is_number(kind)]
    lines = [f"record.{name} = counts.{name}" for name in counts]
    yield _lines("cdef read_counts(CountsRecord* record, counts):", lines)
    choices = dict(_fields(package.one("program", "Choices")))
    columns = [name for name, kind in choices.items() if kind == "Ints"]
    assert columns == [*choices][: len(columns)]  # as `lay_out` needs them
    yield "cdef enum:\n    COLUMNS = " + str(len(columns))
    lines = [f"return ({', '.join('choices.' + name for name in columns)})"]
    yield _lines("cdef tuple columns_of(choices):", lines)
    lines = [f"record.{name} = choices.{name}" for name in [*choices][len(columns) :]]
    yield _lines("cdef read_rest(ChosenRecord* record, choices):", lines)
