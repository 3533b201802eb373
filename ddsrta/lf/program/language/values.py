"""Values of parameters: times, numbers and lists; the target's code stays closed, but for a few."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.base.units import LONGEST_DURATION
from ddsrta.lf.program.language.syntax import Code, Expression, Items, Name, Scalar, Time
from ddsrta.lf.program.language.tokens import Source


@dataclass(frozen=True)
class Opaque:
    """Something that only the target's compiler knows."""

    text: str


@dataclass(frozen=True)
class Span:
    """A time in ns; None is forever."""

    nanoseconds: int | None


Value = Span | int | str | Opaque | tuple["Value", ...]
Scope = Mapping[str, Value]

# The few expressions of C and C++ that are nothing but times.
_MACRO = re.compile(r"\s*(NSECS?|USECS?|MSECS?|SECS?|MINUTES?|HOURS?)\s*\(\s*([0-9]{1,15})\s*\)\s*")
_LITERAL = re.compile(r"\s*([0-9]{1,15})\s*(ns|us|ms|s|min|h)\s*")
_FACTORS = {
    "NSEC": 1, "USEC": 1_000, "MSEC": 1_000_000, "SEC": 1_000_000_000, "MINUTE": 60_000_000_000,
    "HOUR": 3_600_000_000_000, "ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000,
    "min": 60_000_000_000, "h": 3_600_000_000_000,
}  # fmt: skip


def evaluate(expression: Expression, scope: Scope, source: Source) -> Value:
    """What an expression is where some parameters are known.

    >>> evaluate(Items((Name("n", 0), Time(5, 0)), 0), {"n": 3}, Source("", "a.lf"))
    (3, Span(nanoseconds=5))
    """
    if isinstance(expression, Time):
        return Span(-1 if expression.never else expression.nanoseconds)
    if isinstance(expression, Scalar):
        whole = expression.whole
        return expression.text if whole is None else whole
    if isinstance(expression, Name):
        if expression.name not in scope:
            message = f"there is no parameter {shown(expression.name)}"
            advice = did_you_mean(expression.name, list(scope))
            raise source.error(expression.at, message, advice)
        return scope[expression.name]
    if isinstance(expression, Items):
        return tuple(evaluate(item, scope, source) for item in expression.items)
    return code_time(expression)


def code_time(code: Code) -> Value:
    """A time that is written in the target's language, if it is nothing else.

    >>> code_time(Code(" MSEC(5) ", 0)), code_time(Code("5ms", 0)), code_time(Code("f()", 0))
    (Span(nanoseconds=5000000), Span(nanoseconds=5000000), Opaque(text='f()'))
    """
    if found := _MACRO.fullmatch(code.body):
        unit = found[1] if found[1] in _FACTORS else found[1][:-1]
        return Span(int(found[2]) * _FACTORS[unit])
    if found := _LITERAL.fullmatch(code.body):
        return Span(int(found[1]) * _FACTORS[found[2]])
    return Opaque(code.body)


def single(value: Value) -> Value:
    """What a list of one holds: `width(4)` and `width = 4` mean the same."""
    while isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    return value


def time_of(expression: Expression, scope: Scope, source: Source, what: str) -> int | None:
    """A time in ns; None is forever."""
    value = single(evaluate(expression, scope, source))
    if value == 0:
        return 0
    if isinstance(value, Span):
        time = value.nanoseconds
        if time is None or 0 <= time <= LONGEST_DURATION:
            return time
        raise source.error(expression.at, f"{what} must be at least 0 and at most 104 days")
    if isinstance(value, Opaque):
        message = f"{what} is in the target's language, which is not read"
        advice = "make it a parameter, and give its value in the annotations"
        raise source.error(expression.at, message, advice)
    raise source.error(expression.at, f"{what} must be a time with its unit")


def finite(expression: Expression, scope: Scope, source: Source, what: str) -> int:
    """A time that is not forever."""
    time = time_of(expression, scope, source, what)
    if time is None:
        raise source.error(expression.at, f"{what} cannot be forever")
    return time
