"""Makes one Cython module of the kernel's rooms, which are plain Python.

Each record becomes a C struct and its name a pointer to one; each function of a room becomes a C
function that needs no lock of Python. Everything else is as it stands: the rooms are Cython's pure
Python mode but for these declarations.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

KERNEL = Path(__file__).parent / "ddsrta_kernel"
ROOMS = (
    "curves", "works", "searches", "tandem", "windows", "phases", "groups", "pack", "rates",
    "sweeps",
)  # fmt: skip
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


def kernel() -> str:
    """The text of the compiled kernel."""
    parts = [HEAD, (KERNEL / "c.pxi").read_text(), *constants(), *columns(), *structs()]
    parts += [(KERNEL / "memory.pxi").read_text(), *reading()]
    parts += [functions(room) for room in ROOMS]
    return "\n\n".join([*parts, solver()]) + "\n"


def parsed(room: str) -> list[ast.stmt]:
    """What stands in a room."""
    return ast.parse((KERNEL / f"{room}.py").read_text()).body


def constants() -> Iterator[str]:
    """The numbers of problem.py; those of its enumerations are tuples."""
    for node in parsed("problem"):
        if isinstance(node, ast.Assign) and "_layout" not in ast.unparse(node.value):
            target = node.targets[0]
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            found = eval(ast.unparse(node.value), {})
            values = found if isinstance(found, tuple) else (found,)
            for name, value in zip(names, values, strict=True):
                kind = "double" if isinstance(value, float) else "int64_t"
                yield _DEFINED.format(name=ast.unparse(name), kind=kind, value=repr(value))


def _problem() -> tuple[list[str], dict[str, str]]:
    """The columns of a problem, and its counts, each with the column that has so many."""
    (problem,) = (n for n in parsed("problem") if getattr(n, "name", "") == "Problem")
    assert isinstance(problem, ast.ClassDef)
    columns, counts = [], {}
    for node in problem.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            name = ast.unparse(node.targets[0])
            if ast.unparse(node.value.func) == "rows":
                counts[name] = ast.unparse(node.value.args[0])
            else:
                columns.append(name)
    return columns, counts


def columns() -> Iterator[str]:
    """The columns as C sees them."""
    names, counts = _problem()
    lines = ["bint in_step", *(f"Int {count}" for count in counts), *(f"Ints {n}" for n in names)]
    yield "cdef struct ColumnsRecord:\n" + "".join(f"    {line}\n" for line in lines)
    yield "ctypedef ColumnsRecord* Columns"


def reading() -> Iterator[str]:
    """From the arrays of a problem to its columns."""
    names, counts = _problem()
    lines = ["p.in_step = problem.in_step"]
    lines += [f"p.{count} = len(problem.{name})" for count, name in counts.items()]
    lines += [f"p.{name} = memory.ints(problem.{name})" for name in names]
    yield "cdef read_columns(Memory memory, problem, Columns p):\n" + "".join(
        f"    {line}\n" for line in lines
    )


def structs() -> Iterator[str]:
    """Records, and values."""
    classes = [node for node in parsed("structs") if isinstance(node, ast.ClassDef) and node.bases]
    records = [node for node in classes if ast.unparse(node.bases[0]) == "Struct"]
    for node in records:
        yield f"cdef struct {node.name}Record\nctypedef {node.name}Record* {node.name}"
    for node in classes:
        fields = [field for field in node.body if isinstance(field, ast.AnnAssign)]
        name = node.name + "Record" * (node in records)
        yield f"cdef struct {name}:\n" + "".join(f"    {_field(field)}\n" for field in fields)


def _field(field: ast.AnnAssign) -> str:
    kind = (
        field.annotation.slice if isinstance(field.annotation, ast.Subscript) else field.annotation
    )
    return f"{ast.unparse(kind)} {ast.unparse(field.target)}"


class _InC(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse("cython.address", mode="eval").body if node.id == "address" else node


def functions(room: str) -> str:
    """The functions of a room."""
    found = []
    for node in parsed(room):
        if isinstance(node, ast.FunctionDef):
            is_inline = bool(node.decorator_list)
            names = [*DECORATORS, *["inline"] * is_inline]
            node.decorator_list = [ast.parse(f"cython.{name}", mode="eval").body for name in names]
            if ast.unparse(node.returns or node) == "None":
                node.returns = ast.parse("cython.void", mode="eval").body
            found.append(ast.unparse(_InC().visit(node)))
    return "\n\n\n".join(found)


def solver() -> str:
    """The class, with the constants before it."""
    found = []
    for node in parsed("solver"):
        if isinstance(node, ast.ClassDef):
            node.decorator_list = [ast.parse("cython.cclass", mode="eval").body]
        if isinstance(node, ast.ClassDef | ast.Assign):
            found.append(ast.unparse(_InC().visit(node)))
    return "\n\n\n".join(found)
