"""The shapes of lists and mappings, made of other shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, NamedTuple, Protocol

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.base.frozen import frozen
from ddsrta.base.shapes import INVALID, Context, Name, Quantity, Schema, Shape, Text, written
from ddsrta.base.yaml_tree import Entry, Node, place_of


@frozen
class ListOf:
    """A list of values of one shape."""

    item: Shape
    may_be_empty: bool = True

    def read(self, node: Node, context: Context) -> Any:
        if not isinstance(node.value, list):
            advice = "begin each entry with '- '" if isinstance(node.value, dict) else ""
            if isinstance(node.value, str) and not node.is_null:
                advice = f"put it into brackets: [{shown(node.value)[1:-1]}]"
            return context.report(node, f"expected a list, not {node.kind}", advice)
        if not node.value and not self.may_be_empty:
            return context.report(node, "the list is empty")
        items = []
        for item in node.value:
            context.owner = None
            items.append(self.item.read(item, context))
        return INVALID if INVALID in items else items

    def write(self, value: Any) -> list[Any]:
        return [written(self.item, each) for each in value]

    def schema(self) -> Schema:
        return {
            "type": "array",
            "items": self.item.schema(),
            "minItems": int(not self.may_be_empty),
        }


@frozen
class MapOf:
    """Named things of one shape; what was reported is left out."""

    item: Shape
    name: Name = field(default_factory=Text)

    def read(self, node: Node, context: Context) -> Any:
        if node.is_null:
            return {}
        if not isinstance(node.value, dict):
            sizes = isinstance(self.name, Quantity)
            what, advice = ("sizes", "{1kB: 62us}") if sizes else ("names", "'name: …' lines")
            return context.report(
                node, f"expected a mapping of {what}, not {node.kind}", f"write {advice}"
            )
        result: dict[Any, Any] = {}
        for text, entry in node.value.items():
            key = self.name.read_text(text, entry, context)
            context.owner = entry
            value = self._item(entry.node, context, text)
            if key in result:
                context.report(entry, f"{shown(text)} is given twice, in different words")
            elif key is not INVALID and value is not INVALID:
                result[key] = value
        return result

    def _item(self, node: Node, context: Context, name: str) -> Any:
        if not isinstance(self.item, Record):
            return self.item.read(node, context)
        key = id(node), name, id(self.item)
        if (known := context.known.things.get(key)) is not None:
            return known[1]
        before = context.told
        value = self.item.read(node, context, name)
        if context.told == before and context.known.is_open:
            context.known.add(key, node, value)
        return value

    def write(self, value: Mapping[Any, Any]) -> dict[Any, Any]:
        return {written(self.name, n): written(self.item, each) for n, each in value.items()}

    def schema(self) -> Schema:
        names = {k: v for k, v in self.name.schema().items() if k in ("pattern", "maxLength")}
        return {
            "type": ["object", "null"],
            "additionalProperties": self.item.schema(),
            "propertyNames": names,
        }


@frozen
class Key:
    """One key of a record: the shape of its value, what it means, and what it is where missing."""

    shape: Shape
    meaning: str
    required: bool = False
    default: str | int | None = None

    def schema(self) -> Schema:
        """That of the shape, with what an editor shows beside it."""
        schema = {**self.shape.schema(), "description": self.meaning}
        return schema if self.default is None else {**schema, "default": self.default}


class Contradiction(NamedTuple):
    """A key, or a path of keys, with a value that does not go together with others."""

    path: str | tuple[str | int, ...]
    message: str
    advice: str = ""


class Made(Protocol):
    """What the values of a record become."""

    def make(self, values: Mapping[str, Any], name: str) -> Any:
        """The thing that says these values, of this name in the mapping that it stands in."""

    def contradictions(self, thing: Any, given: Mapping[str, Any]) -> Iterable[Contradiction]:
        """Which of the values that were given do not go together."""

    def settle(self, thing: Any) -> Any:
        """What the thing is read as."""

    def values(self, thing: Any) -> Mapping[str, Any]:
        """The values of what was read, but for those that go without saying."""


@frozen
class Record:
    """A mapping with known keys.

    `later` names keys that are reserved and what they will be, `hints` keys that people look for
    here in vain and what to write instead; `usual` is the key that is meant by a bare value.
    `either` holds sets of keys of which one is needed, `some` keys of which at least one is:
    editors are told so here, readers of files by what builds the system.

    `of` is what its values become: a mapping of them, if missing.
    """

    keys: Mapping[str, Key]
    later: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    usual: str = ""
    either: tuple[tuple[str, ...], ...] = ()
    some: tuple[str, ...] = ()
    title: str = ""
    optional: bool = False
    of: Made | None = None

    def read(self, node: Node, context: Context, name: str = "") -> Any:
        known, owner = len(context.diagnostics), context.owner or node
        values = {} if node.is_null and self.optional else self.parts(node, context)
        if len(context.diagnostics) != known:
            return INVALID
        if self.of is None:
            return values
        thing = self.of.make(values, name)
        for path, message, advice in self.of.contradictions(thing, values):
            steps = (path,) if isinstance(path, str) else path
            context.contradict(place_of(node, owner, steps), message, advice)
        return self.of.settle(thing)

    def make(self, values: Mapping[str, Any]) -> Any:
        """A thing that says these values, whatever they are."""
        return self.of.make(values, "") if self.of else values

    def write(self, value: Any) -> dict[str, Any]:
        values = self.of.values(value) if self.of else value
        return {name: written(self.keys[name].shape, each) for name, each in values.items()}

    def parts(self, node: Node, context: Context) -> dict[str, Any]:
        """What can be read of the mapping; the rest is reported and left out."""
        owner = context.owner or node
        if not isinstance(node.value, dict):
            message = f"expected a mapping with {self._summary()}, not {node.kind}"
            context.report(node, message, self._long_form(node))
            return {}
        result: dict[str, Any] = {}
        for name, entry in node.value.items():
            if (key := self.keys.get(name)) is None:
                self._unknown(name, entry, context)
                continue
            context.owner = entry
            value = key.shape.read(entry.node, context)
            if value is not INVALID:
                result[name] = value
        for name, key in self.keys.items():
            if key.required and name not in node.value:
                context.report(owner, f"'{name}' is missing", key.meaning.partition(";")[0])
        return result

    def _unknown(self, name: str, entry: Entry, context: Context) -> None:
        if name in self.later:
            context.report(entry, f"'{name}' is not supported yet", self.later[name])
        else:
            advice = self.hints.get(name) or did_you_mean(name, self.keys)
            context.report(entry, f"unknown key {shown(name, 60)}", advice)

    def _long_form(self, node: Node) -> str:
        required = [name for name, key in self.keys.items() if key.required]
        key = self.usual or (required[0] if len(required) == 1 else "")
        if not key or node.is_null:
            return ""
        value = shown(node.value)[1:-1] if isinstance(node.value, str) else "…"
        if isinstance(node.value, list) or isinstance(self.keys[key].shape, ListOf):
            value = f"[{value}]"
        return f"write {{{key}: {value}}}"

    def _summary(self) -> str:
        names = [name for name, key in self.keys.items() if key.required] or list(self.keys)
        return ", ".join(names[:4])

    def schema(self) -> Schema:
        return {
            **({"title": self.title} if self.title else {}),
            "type": ["object", "null"] if self.optional else "object",
            "properties": {name: key.schema() for name, key in self.keys.items()},
            "required": [name for name, key in self.keys.items() if key.required],
            "additionalProperties": False,
            **self._one_of(),
            **({"anyOf": [{"required": [name]} for name in self.some]} if self.some else {}),
        }

    def _one_of(self) -> Schema:
        if not self.either:
            return {}
        return {"oneOf": [{"required": list(names)} for names in self.either]}


@frozen
class Brief:
    """A record by the value of one of its keys alone."""

    record: Record
    key: str

    def read(self, node: Node, context: Context) -> Any:
        value = self.shape.read(node, context)
        return value if value is INVALID else self.record.make({self.key: value})

    def write(self, value: Any) -> Any:
        return written(self.shape, value)

    @property
    def shape(self) -> Shape:
        """That of the value."""
        return self.record.keys[self.key].shape

    def schema(self) -> Schema:
        return self.shape.schema()


@frozen
class Either:
    """A short form or a long one, told apart by the kind of the node."""

    scalar: Shape | None = None
    sequence: Shape | None = None
    mapping: Shape | None = None
    advice: str = ""

    def read(self, node: Node, context: Context) -> Any:
        if isinstance(node.value, str):
            shape = self.scalar
        else:
            shape = self.mapping if isinstance(node.value, dict) else self.sequence
        if shape is None:
            message = f"expected {self._expected()}, not {node.kind}"
            return context.report(node, message, self.advice)
        return shape.read(node, context)

    def write(self, value: Any) -> Any:
        """A thing by the value of its only key, if it needs no other."""
        if self.sequence and isinstance(value, list | tuple):
            return written(self.sequence, value)
        found = written(self.mapping, value) if self.mapping else {}
        short = self.scalar and not isinstance(value, Mapping) and len(found) == 1
        return next(iter(found.values())) if short else found

    def _expected(self) -> str:
        kinds = (("a value", self.scalar), ("a list", self.sequence), ("a mapping", self.mapping))
        return " or ".join(word for word, shape in kinds if shape)

    def schema(self) -> Schema:
        shapes = (self.scalar, self.sequence, self.mapping)
        return {"anyOf": [shape.schema() for shape in shapes if shape]}
