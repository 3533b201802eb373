"""Reading a JSON result back, for comparison: older ones lack keys, foreign files are named so."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ddsrta.base.diagnostics import Diagnostic, InputError, Position
from ddsrta.base.units import Duration
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.bounds.unbounded import Because

LARGEST_RESULT = 256 << 20
ADVICE = "a result is written by 'ddsrta analyze system.yaml --format json'"
T = TypeVar("T")


def load_result(path: str | Path) -> Result:
    """The result in a file; raises InputError for whatever is wrong with it.

    >>> load_result("/nonexistent.json")
    Traceback (most recent call last):
    ...
    ddsrta.base.diagnostics.InputError: /nonexistent.json:1:1: No such file or directory
    """
    import json

    name = str(path)
    try:
        with open(path, "rb") as stream:
            data = stream.read(LARGEST_RESULT + 1)
    except OSError as error:
        raise _foreign(name, error.strerror or "cannot be read", advice="") from None
    if len(data) > LARGEST_RESULT:
        raise _foreign(name, "the file is too large to be a result")
    try:
        document = json.loads(data)
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg}"
        raise _foreign(name, message, error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise _foreign(name, "not JSON") from None
    return result_from_dict(document, name)


def result_from_dict(document: Any, file: str = "<result>") -> Result:
    """The result that a document holds; what an older version did not write yet is left empty.

    >>> result_from_dict({"name": "my-package"}, "package.json")
    Traceback (most recent call last):
    ...
    ddsrta.base.diagnostics.InputError: package.json:1:1: not a result of ddsrta; \
a result is written by 'ddsrta analyze system.yaml --format json'
    """
    known = isinstance(document, dict) and "ddsrta" in document
    if not known or not document.keys() & {"threads", "callbacks", "messages", "chains"}:
        raise _foreign(file, "not a result of ddsrta")
    if document["ddsrta"] != 1 or isinstance(document["ddsrta"], bool):
        version = str(document["ddsrta"])[:20]
        raise _foreign(file, f"result format {version} is not known, only 1 is", advice="")
    try:
        return _thing(Result, document, "")
    except _FieldError as wrong:
        raise _foreign(file, str(wrong)) from None


def _foreign(
    file: str, message: str, line: int = 1, column: int = 1, advice: str = ADVICE
) -> InputError:
    return InputError([Diagnostic(Position(file, line, column), message, advice)])


class _FieldError(Exception):
    """A field has a value that no result has."""


# What is written by another name, or is not; what a value is where its key is missing.
_KEYS = {"certificate": "evidence"}
_NOT_WRITTEN = ("model", "basis")
_known: dict[type, list[tuple[str, Any]]] = {}
_USUAL = {
    "profile": "busy-window",
    "verdict": "met",
    "mode": "async",
    "constraint": "latency",
    "events": "each",
    "policy": "exact_time",
    "severity": "warning",
    "network": 0,
}


def _thing(kind: type[T], value: Any, where: str) -> T:
    """A thing of a class, from the object that its attributes were written to."""
    if not isinstance(value, dict):
        raise _FieldError(f"'{where}' is not an object")
    if kind is ChainResult:
        value = _renewed(value)
    made: dict[str, Any] = {}
    for name, hint in _hints(kind):
        if hint == Position | None:
            made[name] = _position(value, where)
            continue
        key = _KEYS.get(name, name)
        path = f"{where}.{key}" if where else key
        made[name] = _value(hint, value.get(key, _USUAL.get(key)), path)
    return kind(**made)


def _hints(kind: type) -> list[tuple[str, Any]]:
    """The attributes that are written, each with its type."""
    if kind not in _known:
        hints = get_type_hints(kind)
        _known[kind] = [(f.name, hints[f.name]) for f in fields(kind) if f.name not in _NOT_WRITTEN]
    return _known[kind]


def _value(hint: Any, value: Any, path: str) -> Any:
    """A value of a type; what is missing is none, empty or zero."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return None if value is None else _value(inside[0], value, path)
    if origin is Literal:
        word = _text(value, path)
        if word not in inside:
            raise _FieldError(f"'{path}' is not one of {', '.join(inside)}")
        return word
    if origin is tuple:
        items = [] if value is None else value
        if not isinstance(items, list):
            raise _FieldError(f"'{path}' is not a list")
        return tuple(_value(inside[0], item, f"{path}[{i}]") for i, item in enumerate(items))
    if origin is not None:
        mapping = {} if value is None else value
        if not isinstance(mapping, dict):
            raise _FieldError(f"'{path}' is not an object")
        return {k: _value(inside[1], item, f"{path}.{k}") for k, item in mapping.items()}
    if hint in _PLAIN:
        return _PLAIN[hint](value, path)
    return value if hint is Any else _thing(hint, value, path)


def _text(value: Any, path: str) -> str:
    value = "" if value is None else value
    if not isinstance(value, str):
        raise _FieldError(f"'{path}' is not a text")
    return value


def _count(value: Any, path: str) -> int:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise _FieldError(f"'{path}' is not a whole number")
    return value or 0


def _flag(value: Any, path: str) -> bool:
    if value is not None and not isinstance(value, bool):
        raise _FieldError(f"'{path}' is neither true nor false")
    return bool(value)


def _number(value: Any, path: str) -> float:
    """JSON has no infinity."""
    if value is None:
        return float("inf")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _FieldError(f"'{path}' is not a number")
    return float(value)


_PLAIN: dict[type, Any] = {
    str: _text,
    Because: _text,
    int: _count,
    Duration: lambda value, path: Duration(_count(value, path)),
    bool: _flag,
    float: _number,
}


def _renewed(chain: dict[str, Any]) -> dict[str, Any]:
    """Of an older result, the latency is that of the last tokens, and the data latency that of
    every event, which a deadline is for."""
    if "trigger_latency" in chain:
        return chain
    renewed = {**chain, "trigger_latency": chain.get("latency")}
    if "data_latency" in chain:
        latency, deadline = chain["data_latency"], chain.get("deadline")
        renewed["latency"] = latency
        asked = chain.get("constraint", "latency") == "latency"
        if asked and isinstance(deadline, int) and isinstance(latency, int | None):
            renewed["met"] = latency is not None and latency <= deadline
            renewed["slack"] = None if latency is None else deadline - latency
    return renewed


def _position(value: dict[str, Any], where: str) -> Position | None:
    """Where a finding is; it is written beside what it says."""
    file = _value(str | None, value.get("file"), f"{where}.file")
    line, column = (_count(value.get(key), f"{where}.{key}") for key in ("line", "column"))
    return Position(file, line or 1, column or 1) if file is not None else None
