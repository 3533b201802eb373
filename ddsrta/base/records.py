"""Records: a thing of a file declared once, as a frozen class whose fields are keys.

From the class come the shape that reads, describes and writes it (`shape_of`) and its part of the
document (`stored`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields, replace
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, dataclass_transform

from ddsrta.base.frozen import ReadOnly, frozen, part
from ddsrta.base.shapes import Shape, written
from ddsrta.base.structures import Contradiction, Key, Record

Class = TypeVar("Class", bound=type)
_EMPTY: tuple[Any, ...] = (MISSING, None, ())


def key(
    shape: Shape,
    meaning: str,
    *,
    default: Any = MISSING,
    default_factory: Any = MISSING,
    required: bool = False,
    name: str = "",
    shown: str | int | None = None,
    stored: str | None = None,
    sparse: bool = False,
) -> Any:
    """A field that is a key of the file, `required` where it has no default.

    `name` is the key where it is not the name of the field, and `shown` what a missing one means
    where the default does not say it ("": nothing that can be said).
    """
    if shown is None and default not in _EMPTY:
        shown = written(shape, default)
    needed = required or default is default_factory is MISSING
    said = Key(shape, meaning, needed, None if shown == "" else shown)
    about = part(default=default, stored=stored, sparse=sparse, key=said, key_name=name).metadata
    return field(default=default, default_factory=default_factory, metadata=about)


def again(cls: type, name: str, *, default: Any = None, **changes: Any) -> Any:
    """The same key as that of another record, but for its default, and what is changed of it."""
    found = next(each for each in fields(cls) if each.name == name)
    said = replace(found.metadata["key"], **changes)
    default = found.default if default is None else default
    return field(default=default, metadata={**found.metadata, "key": said})


def keys(known: Mapping[str, Key], *, default_factory: Callable[[], Any]) -> Any:
    """A field that is a mapping of further keys, each of which may be missing."""
    said = {n: Key(each.shape, each.meaning, False, each.default) for n, each in known.items()}
    return field(default_factory=default_factory, hash=False, metadata={"keys": said})


@dataclass_transform(frozen_default=True, field_specifiers=(again, field, key, keys, part))
def record(
    title: str, *, kw_only: bool = False, first: str = "", **said: Any
) -> Callable[[Class], Class]:
    """The class as a frozen one, with the shape that its keys make, one of them `first`; what is
    `said` is as in Record.

    A field `name` that is no key is the name that the thing has in a mapping.

    >>> from ddsrta.base.shapes import DURATION, Integer
    >>> @record("gear")
    ... class Gear:
    ...     '''Some gear.'''
    ...     name: str
    ...     period: int = key(DURATION, "time of a turn")
    ...     teeth: int = key(Integer(), "how many", default=12)
    >>> shape_of(Gear).keys["teeth"].default, shape_of(Gear).write(Gear("g", 5_000, 9))
    (12, {'period': '5 us', 'teeth': 9})
    >>> stored({"g": Gear("g", 5_000)})
    {'g': {'period': 5000, 'teeth': 12}}
    """

    def declare(cls: Class) -> Class:
        frozen(cls)
        made = _Made(cls)
        known = {first: made.keys[first], **made.keys} if first else made.keys
        cls.shape = Record(known, title=title, of=made, **said)  # type: ignore[attr-defined]
        return cls

    return declare


def shape_of(cls: type) -> Record:
    """The shape of a record."""
    shape: Record = cls.__dict__["shape"]
    return shape


class _Made:
    """A class of things: what they say, and what can be said of them.

    Things may have `contradictions`; where they are read as another thing, `settled` makes that of
    them, and the class's `of` makes them of that.
    """

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.keys: dict[str, Key] = {}
        self.fields: dict[str, str] = {}  # by the key
        self.mappings = {each.name for each in fields(cls) if "keys" in each.metadata}
        for each in fields(cls):
            found: dict[str, Key] = each.metadata.get("keys", {})
            if "key" in each.metadata:
                found = {each.metadata["key_name"] or each.name: each.metadata["key"]}
            self.keys |= found
            self.fields |= dict.fromkeys(found, each.name)
        named = any(each.name == "name" for each in fields(cls))
        self.is_named = named and "name" not in self.keys

    def make(self, values: Mapping[str, Any], name: str) -> Any:
        """The thing; lists are kept as tuples."""
        found: dict[str, Any] = {each: {} for each in self.mappings}
        if self.is_named:
            found["name"] = name
        for key, value in values.items():
            attribute = self.fields[key]
            if attribute in self.mappings:
                found[attribute][key] = value
            else:
                found[attribute] = tuple(value) if isinstance(value, list) else value
        found |= {each: ReadOnly(found[each]) for each in self.mappings}
        return self.cls(**found)

    def contradictions(self, thing: Any, given: Mapping[str, Any]) -> Iterable[Contradiction]:
        """Those that the class knows."""
        own = getattr(thing, "contradictions", None)
        return () if own is None else own(given)

    def settle(self, thing: Any) -> Any:
        """The thing itself, if the class does not know better."""
        settled = getattr(thing, "settled", None)
        return thing if settled is None else settled()

    def values(self, thing: Any) -> dict[str, Any]:
        """The values by their keys."""
        if not isinstance(thing, self.cls):
            thing = self.cls.of(thing)  # type: ignore[attr-defined]
        usual = {each.name: _usual(each) for each in fields(self.cls)}
        found: dict[str, Any] = {}
        for key, attribute in self.fields.items():
            value = getattr(thing, attribute)
            if attribute in self.mappings:
                found |= {key: value[key]} if key in value else {}
            elif value != usual[attribute]:
                found[key] = value
        return found


def _usual(each: Field[Any]) -> Any:
    """What a field is where it is not given."""
    return each.default if each.default_factory is MISSING else each.default_factory()


_PLAIN = frozenset({"int", "str", "bool", "None", "Priority", "Rank", "Size", "Rate"})


def stored(thing: Any) -> Any:
    """The thing as plain data: a record as a mapping, with its `kind` if its class has one."""
    cls: Any = type(thing)
    if cls in (int, str):
        return thing
    if isinstance(thing, tuple | list):
        return [stored(each) for each in thing]
    if isinstance(thing, Mapping):
        return {name: stored(each) for name, each in thing.items()}
    if not hasattr(cls, "__dataclass_fields__"):
        return thing
    if (own := getattr(cls, "stored", None)) is not None:
        return own(thing)
    kind, names, values, sparse, inner, keyed = _layout(cls)
    document: dict[str, Any] = dict(zip(names, values(thing), strict=True))
    for name, usual in sparse:
        if document[name] == usual:
            del document[name]
    for name in inner:
        if (value := document.get(name)) is not None:
            document[name] = stored(value)
    for name in keyed:
        document |= document.pop(name)
    return kind | document if kind else document


class _Layout(NamedTuple):
    """How the document of a class looks."""

    kind: dict[str, str]
    names: tuple[str, ...]  # of the fields that it has
    values: Callable[[Any], tuple[Any, ...]]  # of these fields
    sparse: tuple[tuple[str, Any], ...]  # which may be left out, and when they are
    inner: tuple[str, ...]  # which need not be plain
    keyed: tuple[str, ...]  # which stand for the keys of their mapping


@cache
def _layout(cls: Any) -> _Layout:
    known = fields(cls)
    said = {_stored_as(each): each for each in known if each.compare and _stored_as(each)}
    is_field = any(each.name == "kind" for each in known)
    kind = None if is_field else getattr(cls, "kind", None)
    return _Layout(
        {"kind": kind} if kind else {},
        tuple(said),
        _values_of([each.name for each in said.values()]),
        tuple((name, _usual(each)) for name, each in said.items() if "sparse" in each.metadata),
        tuple(
            name for name, each in said.items() if not set(str(each.type).split(" | ")) <= _PLAIN
        ),
        tuple(name for name, each in said.items() if "keys" in each.metadata),
    )


def _stored_as(each: Any) -> str:
    usual = "" if each.name == "name" and "key" not in each.metadata else each.name
    return str(each.metadata.get("stored", usual))


def _values_of(attributes: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(attributes) > 1:
        return attrgetter(*attributes)
    return lambda thing: tuple(getattr(thing, attribute) for attribute in attributes)
