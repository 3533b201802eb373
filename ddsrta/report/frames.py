"""Tables for pandas, and the graph for networkx, out of what things say of themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from importlib import import_module
from importlib.util import find_spec
from types import NoneType
from typing import Any, get_args, get_type_hints

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, expect, shown
from ddsrta.models.system import System
from ddsrta.report.json import at, document, keys_of

_FIRST = ("chains", "rows", "margins", "cases")  # what is meant where nothing is said
_LONG = ("hops", "histogram", "streams", "waits")  # which no cell can hold
_KINDS = {bool: "boolean", int: "Int64", float: "Float64"}


def needed(package: str, extra: str) -> Any:
    """A package that an extra installs."""
    if find_spec(package) is None:
        advice = f"install it with: pip install 'ddsrta[{extra}]'"
        raise InputError([Diagnostic(None, f"this needs the package {package}", advice)])
    return import_module(package)


def columns(thing: object, kind: str = "") -> dict[str, list[Any]]:
    """One table of a thing, by the names of its columns; parts of parts are joined by dots.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> found = columns(analyze(two_threads()), "messages")
    >>> found["topic"], found["ddl"]
    (['speed'], [1285999])
    """
    whole = document(thing)
    expect("kind", kind, isinstance(kind, str), "the name of a table")
    known = [name for name, part in whole.items() if _is_table(part)]
    name = kind or next((each for each in _FIRST if each in known), "")
    if name not in known:
        message = f"there is no table {shown(name)}"
        raise InputError([Diagnostic(None, message, did_you_mean(name, known))])
    part = whole[name]
    rows = [{"name": key, **one} for key, one in part.items()] if isinstance(part, dict) else part
    flat = [dict(_flat(row, "")) for row in rows]
    return {
        key: [row.get(key) for row in flat] for key in dict.fromkeys(k for r in flat for k in r)
    }


def _is_table(part: object) -> bool:
    inside = list(part.values()) if isinstance(part, dict) else part
    return isinstance(inside, list) and all(isinstance(each, dict) for each in inside)


def _flat(row: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    for key, value in row.items():
        if key in _LONG:
            continue
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        elif isinstance(value, list):
            yield f"{before}{key}", " → ".join(map(str, value))
        else:
            yield f"{before}{key}", value


def frame(thing: object, kind: str = "") -> Any:
    """A table of a thing as a DataFrame; a column that has nothing is of the type it would have."""
    found = columns(thing, kind)
    name = kind or next(each for each in _FIRST if each in document(thing))
    part = at(thing, dict(keys_of(type(thing)))[name])
    rows = list(part.values() if isinstance(part, Mapping) else part)
    return table(found, {key: declared(type(rows[0]), key) for key in found if rows})


def declared(kind: type, key: str) -> type | None:
    """What a key of a class has where it has something, or a key of a part, after a dot.

    >>> from ddsrta.bounds.result import ChainResult
    >>> declared(ChainResult, "data_latency"), declared(ChainResult, "met")
    (<class 'int'>, <class 'bool'>)
    >>> from ddsrta.exploration.exact.exact import WorstCase
    >>> declared(WorstCase, "found")
    <class 'int'>
    >>> declared(ChainResult, "x")
    """
    found: Any = kind
    for name in (step for part in key.split(".") for step in _steps(found, part)):
        hint = _hint(found, name)
        kinds = [one for one in get_args(hint) or (hint,) if one is not NoneType]
        found = kinds[0] if len(kinds) == 1 else None
    known = isinstance(found, type)
    return next((one for one in _KINDS if known and issubclass(found, one)), None)


def _hint(kind: Any, name: str) -> Any:
    if not isinstance(kind, type):
        return None
    made = getattr(kind, name, None)
    if isinstance(made, property) and made.fget is not None:
        return get_type_hints(made.fget).get("return")
    return get_type_hints(kind).get(name)


def _steps(kind: Any, key: str) -> list[str]:
    known = isinstance(kind, type) and is_dataclass(kind)
    return dict(keys_of(kind)).get(key, [key]) if known else [key]


def table(
    found: Mapping[str, Sequence[Any]], kinds: Mapping[str, type | None] | None = None
) -> Any:
    """Columns as a DataFrame, whose numbers are whole and may be missing; `kinds` says what those
    that have nothing would have."""
    pandas = needed("pandas", "frames")
    known = kinds or {}
    return pandas.DataFrame(
        {key: _array(pandas, values, known.get(key)) for key, values in found.items()}
    )


def _array(pandas: Any, values: Sequence[Any], kind: type | None) -> Any:
    types = {type(value) for value in values if value is not None} or {kind or str}
    dtype = _KINDS.get(types.pop()) if len(types) == 1 else None
    return pandas.array(list(values), dtype=dtype or "object")


def graph(system: System) -> Any:
    """The graph of a system for networkx: nodes by section and name, edges the way of the data."""
    networkx = needed("networkx", "frames")
    from ddsrta.formats.graphml import edges, nodes

    made = networkx.DiGraph(name=system.name)
    for name, said in nodes(system):
        made.add_node(name, **{key: value for key, value in said.items() if value is not None})
    for source, target, said in edges(system):
        made.add_edge(source, target, **said)
    return made
