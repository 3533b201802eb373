"""The shapes that single values of a file may have: each reads a node into a plain value, and
describes itself as JSON Schema.

A shape never raises for bad input: it reports a diagnostic to the context and returns INVALID.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any, Protocol

from ddsrta.base.diagnostics import Diagnostic, did_you_mean, nearest, shown
from ddsrta.base.frozen import frozen
from ddsrta.base.units import (
    format_duration,
    format_rate,
    format_size,
    parse_duration,
    parse_percent,
    parse_period,
    parse_rate,
    parse_size,
)
from ddsrta.base.yaml_tree import MOST_DIAGNOSTICS, NULLS, Entry, Node, Place, Tree

INVALID: Any = type("Invalid", (), {"__repr__": lambda self: "INVALID"})()
LONGEST_NAME = 200
MOST_KNOWN = 20_000  # things of a file, for files that differ from it
_HEX = frozenset("0123456789abcdef")
Schema = dict[str, Any]
Names = Mapping[str, Collection[str] | None]


class TooManyDiagnosticsError(Exception):
    """Enough was found: nobody reads more."""


class Known:
    """What things were read as, by their nodes and names, while these names existed."""

    def __init__(self, names: Names | None) -> None:
        self.names = names
        self.things: dict[tuple[int, str, int], tuple[Node, Any]] = {}  # which keeps the nodes
        self.is_open = True  # to more of them

    def add(self, key: tuple[int, str, int], node: Node, value: Any) -> None:
        """Of a tree, not of those that differ from it a little: of these there may be many."""
        self.things[key] = node, value
        self.is_open = len(self.things) < MOST_KNOWN


class Context:
    """What a shape may know while reading: the names that exist, and where to report.

    Names of a kind are None where the file's own list of them cannot be read: then a reference to
    one may be right. `owner` is the key in front of the node that is read next, if it has one.
    `known` is what was read of nodes without a word, where the same names exist.
    """

    def __init__(self, tree: Tree, names: Names | None = None, known: Known | None = None) -> None:
        self.tree = tree
        self.names = {
            kind: None if values is None else dict.fromkeys(values)
            for kind, values in (names or {}).items()
        }
        if known is None or known.names != names:
            known = Known(names)
        self.known = known
        self.diagnostics: list[Diagnostic] = []
        self._contradictions: list[Diagnostic] = []
        self.owner: Entry | None = None

    @property
    def told(self) -> int:
        """How much was remembered so far."""
        return len(self.diagnostics) + len(self._contradictions)

    def report(self, place: Place, message: str, advice: str = "") -> Any:
        """Remember what is wrong with a node or key; returns INVALID for the caller to return."""
        self.add(Diagnostic(self.tree.position(place), message, advice))
        return INVALID

    def report_at(self, message: str, *path: str | int, advice: str = "") -> None:
        """Remember what is wrong with the part of the file that a path of keys leads to."""
        self.add(Diagnostic(self.tree.find(path), message, advice))

    def contradict(self, place: Place, message: str, advice: str) -> None:
        """Remember values that do not go together: what says them can be read all the same."""
        self._contradictions.append(Diagnostic(self.tree.position(place), message, advice))

    def tell_contradictions(self) -> None:
        """Report them, when all is read."""
        for diagnostic in self._contradictions:
            self.add(diagnostic)

    def add(self, diagnostic: Diagnostic) -> None:
        """Remember a diagnostic; the one too many ends it all."""
        if len(self.diagnostics) >= MOST_DIAGNOSTICS:
            text = "too many errors: the rest of the file was not checked"
            self.diagnostics.append(Diagnostic(diagnostic.position, text))
            raise TooManyDiagnosticsError
        self.diagnostics.append(diagnostic)


class Shape(Protocol):
    """Reads a node into a plain value."""

    def read(self, node: Node, context: Context) -> Any:
        """The value, or INVALID after reporting why not."""

    def schema(self) -> Schema:
        """The same as JSON Schema."""


class Name(Protocol):
    """A shape that the keys of a mapping may have."""

    def read_text(self, text: str, place: Place, context: Context) -> Any:
        """The value of a key, or INVALID after reporting why not."""

    def schema(self) -> Schema:
        """The same as JSON Schema."""


@frozen
class Quantity:
    """A number with a unit, at least `least` of the smallest unit."""

    parse: Callable[[str], int]
    write: Callable[[Any], Any]
    pattern: str
    what: str
    least: int = 0

    def read(self, node: Node, context: Context) -> Any:
        text = node.value
        if not isinstance(text, str) or node.is_null:
            return context.report(node, f"expected {self.what}, not {node.kind}")
        return self.read_text(text, node, context)

    def read_text(self, text: str, place: Place, context: Context) -> Any:
        """The quantity in a text."""
        try:
            return self.value(text)
        except ValueError as error:
            return context.report(place, str(error))

    def value(self, text: str) -> int:
        """The same. Raises ValueError where it is none."""
        value = self.parse(text)
        if value < self.least:
            raise ValueError(f"{shown(text)} must be more than zero")
        return value

    def schema(self) -> Schema:
        message = f"expected {self.what}"
        return {"type": "string", "pattern": self.pattern, "errorMessage": message}


_NUMBER = r"^\s*\+?[0-9]{1,30}(\.[0-9]{1,30})?\s*"
_ABOVE_ZERO = r"^(?!\s*\+?[0.]+[^0-9.])" + _NUMBER[1:]
_TIME_UNITS = r"(ns|us|µs|μs|ms|s|min|h)\s*$"
_PERIOD_UNITS = r"(ns|us|µs|μs|ms|s|min|h|Hz|kHz)\s*$"
_SIZE_UNITS = r"(B|kB|KB|MB|GB|KiB|MiB|GiB)\s*$"
_parse_duration = lru_cache(maxsize=1 << 14)(parse_duration)
_parse_period = lru_cache(maxsize=1 << 10)(parse_period)
_parse_size = lru_cache(maxsize=1 << 14)(parse_size)
_TIME = "a time with its unit, such as '10 ms'"
_EVERY = "a time or rate with its unit, such as '20 ms' or '50 Hz'"
_SIZE = "a size with its unit, such as '3 kB'"
_RATE = "a rate with its unit, such as '500 kbit/s'"
_RATE_UNITS = r"(bit|kbit|Mbit|Gbit)/s\s*$"
_PERCENT = r"^\s*(100|[0-9]{1,2}|0[0-9]{2})\s*%\s*$"
DURATION = Quantity(_parse_duration, format_duration, _NUMBER + _TIME_UNITS, _TIME)
POSITIVE_DURATION = Quantity(
    _parse_duration, format_duration, _ABOVE_ZERO + _TIME_UNITS, _TIME, least=1
)
PERIOD = Quantity(_parse_period, format_duration, _ABOVE_ZERO + _PERIOD_UNITS, _EVERY, least=1)
SIZE = Quantity(_parse_size, format_size, _NUMBER + _SIZE_UNITS, _SIZE)
RATE = Quantity(parse_rate, format_rate, _ABOVE_ZERO + _RATE_UNITS, _RATE, least=1)
PERCENT = Quantity(parse_percent, "{} %".format, _PERCENT, "a percentage such as '30 %'")


def written(shape: Shape | Name, value: Any) -> Any:
    """What is written for a value of a shape, most of which are written as they are.

    >>> written(DURATION, 1500), written(Flag(), True), written(Text(), "speed")
    ('1.5 us', 'true', 'speed')
    """
    write = getattr(shape, "write", None)
    return value if write is None else write(value)


@frozen
class Integer:
    """A whole number without a unit: counts and priorities."""

    least: int = -(1 << 31)
    most: int = (1 << 31) - 1

    def read(self, node: Node, context: Context) -> Any:
        text = node.value if isinstance(node.value, str) else ""
        digits = text[1:] if text[:1] in ("-", "+") else text
        if not (digits.isascii() and digits.isdigit() and node.plain):
            is_hex = text[:2] == "0x" and 2 < len(text) < 12 and set(text[2:].lower()) <= _HEX
            advice = f"write {int(text, 16)}" if is_hex and node.plain else ""
            return context.report(node, f"expected a whole number, not {self._found(node)}", advice)
        if digits[0] == "0" and digits != "0":
            plain = text.replace(digits, digits.lstrip("0") or "0")
            message = f"{shown(text)} begins with 0, which some programs read as octal"
            return context.report(node, message, f"write {shown(plain)[1:-1]}")
        if len(digits) > 12 or not self.least <= int(text) <= self.most:
            limits = f"{self.least} … {self.most}"
            return context.report(node, f"{shown(text)[1:-1]} is not within {limits}")
        return int(text)

    def _found(self, node: Node) -> str:
        quoted = isinstance(node.value, str) and not node.plain
        return f"the text {node.kind}" if quoted else node.kind

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@frozen
class Constant:
    """The one number that is allowed."""

    value: int
    what: str

    def read(self, node: Node, context: Context) -> Any:
        if node.value == str(self.value) and node.plain:
            return self.value
        return context.report(node, f"expected {self.value}, {self.what}, not {node.kind}")

    def schema(self) -> Schema:
        return {"const": self.value}


@frozen
class Text:
    """A name, as it is written: `1`, `yes` and `1:30` are names like any other.

    A name in which a separator occurs would be ambiguous where names are joined with it.
    """

    without: str = ""

    def read(self, node: Node, context: Context) -> Any:
        if not isinstance(node.value, str) or node.is_null:
            return context.report(node, f"expected a name, not {node.kind}")
        return self.read_text(node.value, node, context)

    def read_text(self, text: str, place: Place, context: Context) -> Any:
        """The name in a text."""
        if text in NULLS or not text.strip():
            return context.report(place, f"expected a name, not {shown(text)}")
        if len(text) > LONGEST_NAME:
            return context.report(place, f"{shown(text)} is longer than {LONGEST_NAME} characters")
        if not text.isprintable():
            return context.report(place, f"{shown(text)} holds characters that do not print")
        if text != text.strip():
            return context.report(place, f"{shown(text)} begins or ends with a space")
        if self.without and self.without in text:
            return context.report(place, f"{shown(text)} holds a '{self.without}'")
        return text

    def schema(self) -> Schema:
        schema: Schema = {"type": ["string", "number", "boolean"], "maxLength": LONGEST_NAME}
        return {**schema, "pattern": f"^[^{self.without}]*$"} if self.without else schema


@frozen
class Choice:
    """One of a few words."""

    words: tuple[str, ...]
    advice: str = ""  # where none of them is near

    def read(self, node: Node, context: Context) -> Any:
        text = node.value
        if not isinstance(text, str):
            text = ""
        elif text in self.words:
            return text
        near = _begun(text, self.words) or nearest(text, self.words)
        advice = f"did you mean '{near}'?" if near else self.advice
        words = f"one of {', '.join(self.words)}" if len(self.words) > 1 else self.words[0]
        return context.report(node, f"expected {words}, not {node.kind}", advice)

    def schema(self) -> Schema:
        return {"enum": list(self.words)}


def _begun(text: str, words: Collection[str]) -> str:
    """The longest of the words that others were written behind.

    >>> _begun("static_single_threaded", ["single_threaded", "static"])
    'static'
    """
    found = [word for word in words if text.startswith((f"{word}_", f"{word}-", f"{word} "))]
    return max(found, key=len, default="")


@frozen
class Flag:
    """True or false."""

    def read(self, node: Node, context: Context) -> Any:
        if node.value in ("true", "false") and node.plain:
            return node.value == "true"
        return context.report(node, f"expected true or false, not {node.kind}")

    def write(self, value: bool) -> str:
        return "true" if value else "false"

    def schema(self) -> Schema:
        return {"type": "boolean"}


def singular(kind: str) -> str:
    """One of the things that a section of the file holds.

    >>> singular("processes"), singular("flow_controllers")
    ('process', 'flow controller')
    """
    return kind.removesuffix("es" if kind == "processes" else "s").replace("_", " ")


@frozen
class Reference:
    """The name of something that the file defines elsewhere, of one of these kinds."""

    kinds: tuple[str, ...]

    def read(self, node: Node, context: Context) -> Any:
        name = node.value
        if not isinstance(name, str) or node.is_null:
            return Text().read(node, context)
        for kind in self.kinds:
            known = context.names.get(kind, ())
            if known is None or name in known:
                return name
        kinds = [kind for kind in self.kinds if context.names.get(kind) != {}] or self.kinds
        what = " or ".join(map(singular, kinds))
        return context.report(
            node, f"there is no {what} {shown(name)}", self._advice(name, context)
        )

    def _advice(self, name: str, context: Context) -> str:
        known = [n for kind in self.kinds for n in context.names.get(kind) or ()]
        if self.kinds == ("cores",):
            paths = [path for path in known if path.endswith(f"/{name}")]
            if paths:
                return f"write machine/core: {shown(paths[0])}"
        return did_you_mean(name, known)

    def schema(self) -> Schema:
        return Text().schema()
