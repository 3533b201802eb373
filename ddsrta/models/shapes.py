"""The shapes that values of a file may have: each reads a node, and describes itself as JSON Schema.

A shape never raises for bad input: it reports a diagnostic to the context and returns INVALID.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ddsrta.models.diagnostics import Diagnostic, did_you_mean
from ddsrta.models.units import parse_duration, parse_size
from ddsrta.models.yaml_tree import MOST_DIAGNOSTICS, Node

INVALID: Any = type("Invalid", (), {"__repr__": lambda self: "INVALID"})()
Schema = dict[str, Any]


class TooManyDiagnostics(Exception):
    """Enough was found: nobody reads more."""


class Context:
    """What a shape may know while reading: the names that exist, and where to report."""

    def __init__(self, names: Mapping[str, Sequence[str]] | None = None) -> None:
        self.names = {kind: dict.fromkeys(values) for kind, values in (names or {}).items()}
        self.diagnostics: list[Diagnostic] = []

    def report(self, node: Node, message: str, advice: str = "") -> Any:
        """Remember what is wrong with a node; returns INVALID for the caller to return."""
        self.diagnostics.append(Diagnostic(node.position, message, advice))
        if len(self.diagnostics) > MOST_DIAGNOSTICS:
            raise TooManyDiagnostics
        return INVALID


class Shape(Protocol):
    """Reads a node into a plain value."""

    def read(self, node: Node, context: Context) -> Any:
        """The value, or INVALID after reporting why not."""

    def schema(self) -> Schema:
        """The same as JSON Schema."""


@dataclass(frozen=True)
class Quantity:
    """A number with a unit, at least `least` of the smallest unit."""

    parse: Callable[[str], int]
    pattern: str
    example: str
    least: int = 0

    def read(self, node: Node, context: Context) -> Any:
        if not isinstance(node.value, str) or node.is_null:
            return context.report(node, f"expected a quantity such as '{self.example}', "
                                        f"not {node.kind}")
        try:
            value = self.parse(node.value)
        except ValueError as error:
            return context.report(node, str(error))
        if value < self.least:
            return context.report(node, f"'{node.value[:40]}' must be more than zero")
        return value

    def schema(self) -> Schema:
        return {"type": "string", "pattern": self.pattern, "examples": [self.example]}


_NUMBER = r"^\s*\+?[0-9]{1,30}(\.[0-9]{1,30})?\s*"
DURATION = Quantity(parse_duration, _NUMBER + "(ns|us|µs|μs|ms|s|min|h)\\s*$", "10 ms")
POSITIVE_DURATION = Quantity(parse_duration, DURATION.pattern, "10 ms", least=1)
SIZE = Quantity(parse_size, _NUMBER + "(B|kB|KB|MB|GB|KiB|MiB|GiB)\\s*$", "3 kB")


@dataclass(frozen=True)
class Integer:
    """A whole number without a unit: counts and priorities."""

    least: int = -(1 << 31)
    most: int = (1 << 31) - 1

    def read(self, node: Node, context: Context) -> Any:
        text = node.value if isinstance(node.value, str) and node.plain else ""
        digits = text[1:] if text[:1] in ("-", "+") else text
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
            return context.report(node, f"expected a whole number, not {node.kind}")
        value = int(text)
        if not self.least <= value <= self.most:
            return context.report(node, f"{value} is not within {self.least} … {self.most}")
        return value

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True)
class Text:
    """Any text."""

    def read(self, node: Node, context: Context) -> Any:
        if not isinstance(node.value, str) or node.is_null or not node.value.strip():
            return context.report(node, f"expected a name, not {node.kind}")
        if len(node.value) > 200:
            return context.report(node, "longer than 200 characters")
        return node.value

    def schema(self) -> Schema:
        return {"type": ["string", "number"]}


@dataclass(frozen=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, node: Node, context: Context) -> Any:
        if isinstance(node.value, str) and node.value in self.words:
            return node.value
        advice = did_you_mean(node.value if isinstance(node.value, str) else "", self.words)
        return context.report(node, f"expected one of {', '.join(self.words)}, not {node.kind}",
                              advice if advice.startswith("did") else "")

    def schema(self) -> Schema:
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Reference:
    """The name of something that the file defines elsewhere, of one of these kinds."""

    kinds: tuple[str, ...]

    def read(self, node: Node, context: Context) -> Any:
        name = Text().read(node, context)
        if name is INVALID:
            return INVALID
        if any(name in context.names.get(kind, ()) for kind in self.kinds):
            return name
        known = [n for kind in self.kinds for n in context.names.get(kind, ())]
        what = " or ".join(kind.removesuffix("s").replace("_", " ") for kind in self.kinds)
        return context.report(node, f"there is no {what} '{name}'", did_you_mean(name, known))

    def schema(self) -> Schema:
        return Text().schema()


@dataclass(frozen=True)
class ListOf:
    """A list of values of one shape."""

    item: Shape
    least: int = 0

    def read(self, node: Node, context: Context) -> Any:
        if not isinstance(node.value, list):
            return context.report(node, f"expected a list, not {node.kind}")
        if len(node.value) < self.least:
            return context.report(node, f"expected at least {self.least} here")
        items = [self.item.read(item, context) for item in node.value]
        return INVALID if any(item is INVALID for item in items) else items

    def schema(self) -> Schema:
        return {"type": "array", "items": self.item.schema(), "minItems": self.least}


@dataclass(frozen=True)
class MapOf:
    """Named things of one shape; a name whose value is INVALID is left out, having been reported."""

    item: Shape
    name: Shape = field(default_factory=Text)

    def read(self, node: Node, context: Context) -> Any:
        if node.is_null:
            return {}
        if not isinstance(node.value, dict):
            return context.report(node, f"expected a mapping of names, not {node.kind}")
        result = {}
        for entry in node.value.values():
            key = self.name.read(entry.key, context)
            value = self.item.read(entry.node, context)
            if key is not INVALID and value is not INVALID:
                result[key] = value
        return result

    def schema(self) -> Schema:
        schema: Schema = {"type": ["object", "null"], "additionalProperties": self.item.schema()}
        if isinstance(self.name, Quantity):
            schema["propertyNames"] = {"pattern": self.name.pattern}
        return schema


@dataclass(frozen=True)
class Key:
    """One key of a record: the shape of its value, and what it means."""

    shape: Shape
    meaning: str
    required: bool = False


@dataclass(frozen=True)
class Record:
    """A mapping with known keys. `later` names keys that are reserved and what they will be."""

    keys: Mapping[str, Key]
    later: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False

    def read(self, node: Node, context: Context) -> Any:
        if node.is_null and self.optional:
            return {}
        if not isinstance(node.value, dict):
            return context.report(node, f"expected a mapping with {self._summary()}, "
                                        f"not {node.kind}")
        result: dict[str, Any] = {}
        valid = True
        for name, entry in node.value.items():
            if name in self.later:
                context.report(entry.key, f"'{name}' is not supported yet", self.later[name])
                valid = False
            elif name not in self.keys:
                advice = did_you_mean(name, self.keys)
                context.report(entry.key, f"unknown key '{name[:60]}'", advice)
                valid = False
            else:
                result[name] = self.keys[name].shape.read(entry.node, context)
                valid = valid and result[name] is not INVALID
        for name, key in self.keys.items():
            if key.required and name not in node.value:
                context.report(node, f"'{name}' is missing", key.meaning)
                valid = False
        return result if valid else INVALID

    def _summary(self) -> str:
        names = [name for name, key in self.keys.items() if key.required] or list(self.keys)
        return ", ".join(names[:4])

    def schema(self) -> Schema:
        return {
            "type": ["object", "null"] if self.optional else "object",
            "properties": {
                name: {**key.shape.schema(), "description": key.meaning}
                for name, key in self.keys.items()
            },
            "required": [name for name, key in self.keys.items() if key.required],
            "additionalProperties": False,
        }


@dataclass(frozen=True)
class Either:
    """A short form or a long one, told apart by the kind of the node."""

    scalar: Shape | None = None
    sequence: Shape | None = None
    mapping: Shape | None = None

    def read(self, node: Node, context: Context) -> Any:
        kinds = {str: self.scalar, list: self.sequence, dict: self.mapping}
        shape = kinds[type(node.value)]
        if shape is None:
            expected = " or ".join(
                word
                for word, s in (
                    ("a value", self.scalar), ("a list", self.sequence), ("a mapping", self.mapping)
                )
                if s
            )
            return context.report(node, f"expected {expected}, not {node.kind}")
        return shape.read(node, context)

    def schema(self) -> Schema:
        shapes = (self.scalar, self.sequence, self.mapping)
        return {"anyOf": [shape.schema() for shape in shapes if shape]}
