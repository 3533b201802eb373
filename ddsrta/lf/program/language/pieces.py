"""Parses what members of reactors are made of: values, times, types, widths, references, hosts."""

from __future__ import annotations

import re

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.lf.program.language.cursor import Cursor
from ddsrta.lf.program.language.syntax import (
    Attribute,
    Code,
    Expression,
    Items,
    Name,
    Parameter,
    PortRef,
    Scalar,
    Time,
    Width,
)
from ddsrta.lf.program.language.tokens import Token

_CLOSED_BY = {"(": ")", "{": "}", "[": "]"}
_HOST = re.compile(r"\[[^\]\s]+\](?::[0-9]+)?|[A-Za-z0-9_.:@%-]*[A-Za-z0-9_]")
_NANOSECONDS = {
    ("nsec", "ns", "nsecs"): 1,
    ("usec", "us", "usecs"): 1_000,
    ("msec", "ms", "msecs"): 1_000_000,
    ("sec", "s", "secs", "second", "seconds"): 1_000_000_000,
    ("minute", "min", "mins", "minutes"): 60_000_000_000,
    ("hour", "h", "hours"): 3_600_000_000_000,
    ("day", "d", "days"): 86_400_000_000_000,
    ("week", "wk", "weeks"): 604_800_000_000_000,
}
UNITS = {name: factor for names, factor in _NANOSECONDS.items() for name in names}
_LONGEST = (1 << 63) - 1
# What makes a word behind a number the begin of an instance or connection.
_BEHIND_NAMES = (".", "=", "->", "~>")
# Words that may follow a number without a unit.
_FOLLOWS = {
    "serializer", "deadline", "STP", "STAA", "tardy", "at", "after", "input", "output", "mutable",
    "state", "reset", "timer", "logical", "physical", "action", "reaction", "mutation", "preamble",
    "private", "public", "mode", "initial", "method", "const", "watchdog", "interleaved",
}  # fmt: skip


class Pieces:
    """The parts that occur in many places."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor

    def expression(self) -> Expression:
        """A value."""
        cursor, at = self.cursor, self.cursor.next.start
        if cursor.next.kind == "code":
            return Code(cursor.take().text, at)
        if cursor.at(*_CLOSED_BY):
            end = _CLOSED_BY[cursor.take().text]
            items = cursor.nested(lambda: cursor.listed(self.expression, end, "behind this list"))
            return Items(tuple(items), at)
        if (literal := self.literal()) is not None:
            return literal
        return Name(cursor.word("a value").text, at)

    def literal(self) -> Time | Scalar | None:
        """A time, number, text or truth value, if one is next."""
        cursor, token = self.cursor, self.cursor.next
        if cursor.at("forever", "never"):
            return Time(None, token.start, cursor.take().text == "never")
        if token.kind == "text" or cursor.at("true", "True", "false", "False"):
            return Scalar(cursor.take().text, token.start)
        if cursor.at("-") and cursor.second().kind == "number":
            cursor.take()
            return Scalar("-" + cursor.take().text, token.start)
        if token.kind != "number":
            return None
        cursor.take()
        if token.text.isdigit() and self._is_unit(token):
            return self._time(token, cursor.take())
        return Scalar(token.text, token.start)

    def _is_unit(self, number: Token) -> bool:
        """Whether the word behind a number is its unit, and not the begin of the next statement."""
        unit = self.cursor.next
        if unit.kind != "word":
            return False
        behind = self.cursor.second().text
        if unit.text in UNITS:
            return behind not in _BEHIND_NAMES
        between = self.cursor.source.text[number.end : unit.start]
        is_statement = unit.text in _FOLLOWS or behind in (*_BEHIND_NAMES, ",")
        return not is_statement and not between.strip(" \t")

    def _time(self, number: Token, unit: Token) -> Time:
        source = self.cursor.source
        if unit.text not in UNITS:
            advice = did_you_mean(unit.text, list(UNITS))
            raise source.error(unit.start, f"{shown(unit.text)} is no unit of time", advice)
        digits = number.text.lstrip("0") or "0"
        value = int(digits) * UNITS[unit.text] if len(digits) < 20 else _LONGEST + 1
        if value > _LONGEST:
            raise source.error(number.start, "this time does not fit into 64 bits of nanoseconds")
        return Time(value, number.start)

    def initializer(self) -> Expression | None:
        """The value of a parameter or state: `= value`, or a list behind the name."""
        if self.cursor.accept("=") or self.cursor.at("(", "{"):
            return self.expression()
        return None

    def type(self) -> str:
        """A type of the target language, as it is written."""
        cursor, start = self.cursor, self.cursor.next.start
        if cursor.next.kind == "code":
            return cursor.take().text
        end = cursor.word("a type").end
        while cursor.at(".", "::"):
            cursor.take()
            end = cursor.word("the rest of the type's name").end
        if cursor.at("<"):
            cursor.take()
            cursor.nested(lambda: cursor.listed(self.type))
            end = cursor.expect(">", "behind the types").end
        while cursor.at("*"):
            end = cursor.take().end
        if cursor.at("["):
            cursor.take()
            if cursor.next.kind == "number":
                cursor.take()
            end = cursor.expect("]", "behind the array's length").end
        return cursor.source.text[start:end]

    def typed(self) -> str:
        """`: type`, if it is there."""
        return self.type() if self.cursor.accept(":") else ""

    def width(self) -> Width | None:
        """`[width]`, if it is there."""
        cursor, at = self.cursor, self.cursor.next.start
        if not cursor.accept("["):
            return None
        terms: list[int | Name | Code | PortRef] = []
        while not cursor.at("]"):
            terms.append(self._width_term())
            if not cursor.accept("+"):
                break
        cursor.expect("]", "behind the width")
        return Width(tuple(terms), at)

    def _width_term(self) -> int | Name | Code | PortRef:
        cursor, token = self.cursor, self.cursor.next
        if token.kind == "number" and token.text.isdigit():
            if len(token.text) > 9:
                raise cursor.source.error(token.start, "this width is too large")
            return int(cursor.take().text)
        if token.kind == "code":
            return Code(cursor.take().text, token.start)
        if cursor.at("widthof") and cursor.second().text == "(":
            cursor.take()
            cursor.take()
            port = self.port()
            cursor.expect(")", "behind the port")
            return port
        return Name(cursor.word("a width").text, token.start)

    def port(self) -> PortRef:
        """`port`, `reactor.port` or `interleaved(…)`."""
        cursor = self.cursor
        if cursor.at("interleaved") and cursor.second().text == "(":
            cursor.take()
            cursor.take()
            inner = self._reference(interleaved=True)
            cursor.expect(")", "behind the port")
            return inner
        return self._reference()

    def _reference(self, interleaved: bool = False, transition: str = "") -> PortRef:
        cursor, first = self.cursor, self.cursor.word("a port")
        container, name = "", first.text
        if cursor.accept("."):
            container, name = name, cursor.word("a port").text
        if cursor.accept("as"):
            cursor.word("another name")
        return PortRef(container, name, first.start, interleaved, transition)

    def effect(self) -> PortRef:
        """A port or action that a reaction writes, or a mode it goes to."""
        cursor = self.cursor
        if cursor.at("reset", "history", "continue") and cursor.second().text == "(":
            transition = cursor.take().text
            cursor.take()
            inner = self._reference(transition="reset" if transition == "reset" else "history")
            cursor.expect(")", "behind the mode")
            return inner
        return self.port()

    def assignment(self) -> Parameter:
        """`name = value` in an instantiation."""
        name = self.cursor.word("a parameter")
        if (value := self.initializer()) is None:
            raise self.cursor.unexpected("'='", f"behind the parameter {shown(name.text)}")
        return Parameter(name.text, "", value, name.start)

    def parameter(self) -> Parameter:
        """A parameter of a class."""
        attributes = self.attributes()
        name = self.cursor.word("a parameter")
        kind = self.typed()
        return Parameter(name.text, kind, self.initializer(), name.start, attributes)

    def attributes(self) -> tuple[Attribute, ...]:
        """Everything with '@' in front."""
        cursor, found = self.cursor, []
        while cursor.at("@"):
            at = cursor.take().start
            name = cursor.word("the name of an attribute").text
            values: list[tuple[str, Expression]] = []
            if cursor.accept("("):
                values = cursor.listed(self._argument, ")", "behind the attribute")
            found.append(Attribute(name, tuple(values), at))
        return tuple(found)

    def _argument(self) -> tuple[str, Expression]:
        cursor, key = self.cursor, ""
        if cursor.next.kind == "word" and cursor.second().text == "=":
            key = cursor.take().text
            cursor.take()
        return key, self.expression()

    def host(self) -> str:
        """`at host`, if it is there: a name or address, perhaps with user and port."""
        if self.cursor.accept("at"):
            return self.cursor.raw(_HOST, "the name or address of a host")
        return ""
