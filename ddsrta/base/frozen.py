"""Frozen dataclasses that cost a start little.

`dataclass(frozen=True)` writes six functions as text for each class and compiles them whenever its
module is loaded: half a millisecond a class, and more than a quarter of a cold start together. What
is `frozen` behaves alike and shares functions that know the fields as data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

Class = TypeVar("Class", bound=type)


class ReadOnly(dict[Any, Any]):
    """A mapping of a system that was read: it stays as it was checked, and as its file says.

    >>> known = ReadOnly({"a": 1})
    >>> known == {"a": 1}, {**known, "b": 2}
    (True, {'a': 1, 'b': 2})
    >>> known["b"] = 2
    Traceback (most recent call last):
    ...
    TypeError: a system stays as it was read: make another one, by its 'replace' or 'altered'
    """

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(
            "a system stays as it was read: make another one, by its 'replace' or 'altered'"
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)


def part(
    *, default: Any = MISSING, stored: str | None = None, sparse: bool = False, **more: Any
) -> Any:
    """A field, with what the document of its thing has of it: `stored` is its name there, if not
    its own, and "" where it is left out; a `sparse` one is left out where it has its default."""
    about: dict[str, Any] = {"stored": stored} if stored is not None else {}
    about |= {"sparse": sparse} if sparse else {}
    return field(default=default, metadata={**about, **more})


@dataclass_transform(frozen_default=True, field_specifiers=(field, part))
def frozen(cls: Class) -> Class:
    """The class as a dataclass of `fields`, for `replace`, `fields` and `asdict`, too.

    >>> @frozen
    ... class Point:
    ...     '''A place.'''
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, y=0), Point(1) == Point(2), len({Point(1), Point(1)})
    (Point(x=1, y=0), True, False, 1)
    >>> Point(1).x = 2
    Traceback (most recent call last):
    ...
    dataclasses.FrozenInstanceError: cannot assign to field 'x'
    """
    dataclass(init=False, repr=False, eq=False)(cls)
    compared = [each.name for each in fields(cls) if each.compare]
    hashed = [f.name for f in fields(cls) if (f.compare if f.hash is None else f.hash)]
    shared: dict[str, Callable[..., Any]] = {
        "__init__": _init_of(cls),
        "__repr__": _repr_of([each.name for each in fields(cls) if each.repr]),
        "__eq__": _eq_of(compared),
        "__hash__": _hash_of(hashed),
        "__setattr__": _setattr,
        "__delattr__": _delattr,
    }
    for name, function in shared.items():
        if name not in cls.__dict__:
            setattr(cls, name, function)
    return cls


def _init_of(cls: type) -> Callable[..., None]:
    taken = [each.name for each in fields(cls) if each.init]
    most = len(taken)
    makers = {
        each.name: each.default_factory
        for each in fields(cls)
        if each.default_factory is not MISSING
    }
    defaults = {each.name: each.default for each in fields(cls) if each.default is not MISSING}
    made = [each.name for each in fields(cls) if not each.init and each.name in makers | defaults]
    finish = getattr(cls, "__post_init__", None)

    def __init__(self: Any, /, *given: Any, **named: Any) -> None:  # noqa: N807
        if (count := len(given)) > most:
            raise TypeError(f"{cls.__name__} takes {most} values, and was given {count}")
        own = self.__dict__
        own.update(zip(taken, given, strict=False))
        for name in taken[count:]:
            if name in named:
                own[name] = named.pop(name)
            elif name in defaults:
                own[name] = defaults[name]
            elif name in makers:
                own[name] = makers[name]()
            else:
                raise TypeError(f"{cls.__name__} needs '{name}'")
        if named:
            raise TypeError(f"{cls.__name__} takes no '{next(iter(named))}' here")
        for name in made:
            own[name] = makers[name]() if name in makers else defaults[name]
        if finish is not None:
            finish(self)

    return __init__


def _repr_of(names: list[str]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:  # noqa: N807
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({values})"

    return __repr__


def _values_of(names: list[str]) -> Callable[[Any], Any]:
    """What is compared; of a single field its value."""
    return attrgetter(*names) if names else lambda _: ()


def _eq_of(names: list[str]) -> Callable[[Any, object], Any]:
    values = _values_of(names)

    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        if type(self) is not type(other):
            return NotImplemented
        return values(self) == values(other)

    return __eq__


def _hash_of(names: list[str]) -> Callable[[Any], int]:
    values = _values_of(names)

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _setattr(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field '{name}'")


def _delattr(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field '{name}'")
