"""Reading a JSON result back, for comparison: older ones lack keys, foreign files are named so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

from ddsrta.base.diagnostics import Diagnostic, InputError, Position
from ddsrta.base.units import Duration
from ddsrta.bounds.result import (
    CallbackResult,
    ChainResult,
    Check,
    CheckStatus,
    CoreResult,
    Finding,
    HopResult,
    LinkResult,
    MessageResult,
    OrderResult,
    QueueResult,
    Result,
    Severity,
    SynchronizerResult,
    ThreadResult,
    TransferResult,
    Verdict,
    Violation,
    Window,
)
from ddsrta.models.assumptions import Assumption
from ddsrta.models.synchronization import SyncPolicy
from ddsrta.models.system import Constraint, Events, Mode

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
        return _Fields(document, "").result()
    except _FieldError as wrong:
        raise _foreign(file, str(wrong)) from None


def _foreign(
    file: str, message: str, line: int = 1, column: int = 1, advice: str = ADVICE
) -> InputError:
    return InputError([Diagnostic(Position(file, line, column), message, advice)])


class _FieldError(Exception):
    """A field has a value that no result has."""


class _Fields:
    """The fields of one object of the document, and where it stands."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise _FieldError(f"'{where}' is not an object")
        self.value = value
        self.where = where

    def path(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def text(self, key: str, default: str = "") -> str:
        value = self.value.get(key, default)
        if not isinstance(value, str):
            raise _FieldError(f"'{self.path(key)}' is not a text")
        return value

    def maybe_text(self, key: str) -> str | None:
        return None if self.value.get(key) is None else self.text(key)

    def word(self, key: str, words: Any, default: str) -> Any:
        word = self.text(key, default)
        if word not in get_args(words):
            raise _FieldError(f"'{self.path(key)}' is not one of {', '.join(get_args(words))}")
        return word

    def count(self, key: str) -> int | None:
        value = self.value.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise _FieldError(f"'{self.path(key)}' is not a whole number")
        return value

    def time(self, key: str) -> Duration | None:
        value = self.count(key)
        return None if value is None else Duration(value)

    def flag(self, key: str) -> bool | None:
        value = self.value.get(key)
        if value is not None and not isinstance(value, bool):
            raise _FieldError(f"'{self.path(key)}' is neither true nor false")
        return value

    def number(self, key: str) -> float:
        value = self.value.get(key)
        if value is None:
            return float("inf")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _FieldError(f"'{self.path(key)}' is not a number")
        return float(value)

    def each(self, key: str, make: Callable[[_Fields], T]) -> dict[str, T]:
        mapping = self.value.get(key, {})
        if not isinstance(mapping, dict):
            raise _FieldError(f"'{self.path(key)}' is not an object")
        where = self.path(key)
        return {name: make(_Fields(item, f"{where}.{name}")) for name, item in mapping.items()}

    def listed(self, key: str, make: Callable[[_Fields], T]) -> tuple[T, ...]:
        items, where = self.items(key), self.path(key)
        return tuple(make(_Fields(item, f"{where}[{i}]")) for i, item in enumerate(items))

    def names(self, key: str) -> tuple[str, ...]:
        return tuple(str(name) for name in self.items(key))

    def items(self, key: str) -> list[Any]:
        items = self.value.get(key, [])
        if not isinstance(items, list):
            raise _FieldError(f"'{self.path(key)}' is not a list")
        return items

    def result(self) -> Result:
        return Result(
            system=self.text("system"),
            profile=self.text("profile", "busy-window"),
            verdict=self.word("verdict", Verdict, "met"),
            threads=self.each("threads", _thread),
            messages=self.listed("messages", _message),
            chains=self.each("chains", _chain),
            cores=self.each("cores", lambda core: CoreResult(core.number("utilization"))),
            queues=self.each("queues", _queue),
            warnings=self.listed("warnings", _finding),
            orders=self.each("orders", _order),
            synchronizers=self.each("synchronizers", _sets),
            callbacks=self.each("callbacks", _callback),
            assumptions=self.listed("assumptions", _assumption),
            links=self.each("links", _link),
            check=self.check(),
            certificate=self.mapping("evidence"),
        )

    def mapping(self, key: str) -> dict[str, Any] | None:
        value = self.value.get(key)
        if value is not None and not isinstance(value, dict):
            raise _FieldError(f"'{self.path(key)}' is not an object")
        return value

    def check(self) -> Check | None:
        value = self.mapping("check")
        if value is None:
            return None
        fields = _Fields(value, self.path("check"))
        return Check(
            fields.word("status", CheckStatus, ""),
            fields.text("certificate"),
            fields.names("without"),
            fields.maybe_text("because"),
        )


def _thread(fields: _Fields) -> ThreadResult:
    return ThreadResult(
        fields.time("wcrt"), fields.text("core"), fields.maybe_text("unbounded_because")
    )


def _callback(fields: _Fields) -> CallbackResult:
    return CallbackResult(
        fields.time("wcrt"),
        fields.text("executor"),
        fields.text("core"),
        None if fields.value.get("by") is None else fields.word("by", Window, ""),
        fields.maybe_text("unbounded_because"),
    )


def _message(fields: _Fields) -> MessageResult:
    return MessageResult(
        publisher=fields.text("publisher"),
        topic=fields.text("topic"),
        subscriber=fields.text("subscriber"),
        mode=fields.word("mode", Mode, "async"),
        ddl=fields.time("ddl"),
        publisher_wcrt=fields.time("publisher_wcrt"),
        flow_controller=fields.time("flow_controller"),
        network=fields.time("network") if "network" in fields.value else Duration(0),
        listener=fields.time("listener"),
        unbounded_because=fields.maybe_text("unbounded_because"),
        sent=fields.time("sent"),
    )


def _chain(fields: _Fields) -> ChainResult:
    """Of an older result, the data latency is that of every event, which a deadline is for."""
    has_trigger = "trigger_latency" in fields.value
    is_older = not has_trigger and "data_latency" in fields.value
    latency = fields.time("data_latency" if is_older else "latency")
    constraint = fields.word("constraint", Constraint, "latency")
    deadline, met, slack = fields.time("deadline"), fields.flag("met"), fields.time("slack")
    if is_older and constraint == "latency" and deadline is not None:
        met = latency is not None and latency <= deadline
        slack = None if latency is None else Duration(deadline - latency)
    return ChainResult(
        path=fields.names("path"),
        latency=latency,
        trigger_latency=fields.time("trigger_latency" if has_trigger else "latency"),
        data_age=fields.time("data_age"),
        reaction_time=fields.time("reaction_time"),
        constraint=constraint,
        deadline=deadline,
        met=met,
        slack=slack,
        hops=fields.listed("hops", _hop),
        unbounded_because=fields.maybe_text("unbounded_because"),
    )


def _hop(fields: _Fields) -> HopResult:
    return HopResult(
        fields.text("stage"), fields.text("where"), fields.time("response"), fields.time("latency")
    )


def _order(fields: _Fields) -> OrderResult:
    possible = fields.value.get("possible") or {}
    inside = _Fields(possible, fields.path("possible"))
    return OrderResult(
        fields.text("subscriber"),
        fields.names("topics"),
        fields.word("events", Events, "each"),
        bool(fields.flag("met")),
        {
            origin: tuple(
                tuple(str(topic) for topic in topics)
                for topics in inside.items(origin)
                if isinstance(topics, list)
            )
            for origin in possible
        },
        fields.listed("violations", _violation),
    )


def _violation(fields: _Fields) -> Violation:
    return Violation(
        fields.text("origin"),
        fields.text("first"),
        fields.text("second"),
        fields.count("later") or 0,
        fields.text("because"),
    )


def _sets(fields: _Fields) -> SynchronizerResult:
    nested = _Fields(fields.value.get("waits") or {}, fields.path("waits"))
    return SynchronizerResult(
        fields.word("policy", SyncPolicy, "exact_time"),
        fields.time("disparity"),
        {topic: nested.time(topic) for topic in nested.value},
        fields.time("period"),
        fields.time("gap"),
        fields.count("needed"),
        fields.count("queue"),
        fields.maybe_text("unbounded_because"),
    )


def _link(fields: _Fields) -> LinkResult:
    messages = fields.each("messages", _transfer)
    return LinkResult(fields.text("kind"), fields.number("utilization"), messages)


def _transfer(fields: _Fields) -> TransferResult:
    because = fields.maybe_text("unbounded_because")
    transmission = fields.time("transmission") or Duration(0)
    return TransferResult(fields.time("wcrt"), transmission, because)


def _queue(fields: _Fields) -> QueueResult:
    streams: Mapping[str, int | None] = {}
    if isinstance(inside := fields.value.get("streams"), dict):
        nested = _Fields(inside, fields.path("streams"))
        streams = {name: nested.count(name) for name in inside}
    return QueueResult(fields.count("backlog"), fields.count("capacity"), streams)


def _finding(fields: _Fields) -> Finding:
    severity = fields.word("severity", Severity, "warning")
    return Finding(fields.text("rule"), severity, fields.text("message"), _position(fields))


def _assumption(fields: _Fields) -> Assumption:
    return Assumption(fields.text("rule"), fields.text("message"), _position(fields))


def _position(fields: _Fields) -> Position | None:
    file, line, column = fields.maybe_text("file"), fields.count("line"), fields.count("column")
    return Position(file, line or 1, column or 1) if file is not None else None
