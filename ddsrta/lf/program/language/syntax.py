"""What a program of Lingua Franca says, as it says it: names are not looked up here.

`at` is the place of a thing in the text, for `Source.position`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeVar

from ddsrta.lf.program.language.tokens import Source


@dataclass(frozen=True)
class Time:
    """A time with its unit, in ns; None is `forever`, and `never` is below every time."""

    nanoseconds: int | None
    at: int
    never: bool = False


@dataclass(frozen=True)
class Scalar:
    """A number, text, or true or false, as it is written."""

    text: str
    at: int

    @property
    def whole(self) -> int | None:
        """The whole number that it is, if it is one."""
        plain = self.text.removeprefix("-")
        return int(self.text) if plain.isascii() and plain.isdigit() else None


@dataclass(frozen=True)
class Name:
    """A parameter."""

    name: str
    at: int


@dataclass(frozen=True)
class Code:
    """Text of the target language."""

    body: str
    at: int


@dataclass(frozen=True)
class Items:
    """A list of values."""

    items: tuple[Expression, ...]
    at: int


Expression = Time | Scalar | Name | Code | Items


@dataclass(frozen=True)
class Attribute:
    """`@name(value, key=value)`; values without a key have the key ''."""

    name: str
    values: tuple[tuple[str, Expression], ...]
    at: int


@dataclass(frozen=True)
class PortRef:
    """A port, action, timer or mode, perhaps of a contained reactor."""

    container: str
    name: str
    at: int
    interleaved: bool = False
    transition: str = ""  # reset or history

    def __str__(self) -> str:
        return f"{self.container}.{self.name}" if self.container else self.name


@dataclass(frozen=True)
class Width:
    """The width of a bank or multiport: a sum; an empty one is left open."""

    terms: tuple[int | Name | Code | PortRef, ...]
    at: int


@dataclass(frozen=True)
class Parameter:
    """A parameter of a class with its default, or the value an instance gives to it."""

    name: str
    type: str
    value: Expression | None
    at: int
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True)
class Port:
    """An input or output."""

    kind: Literal["input", "output"]
    name: str
    width: Width | None
    at: int
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True)
class State:
    """A state variable."""

    name: str
    type: str
    value: Expression | None
    at: int
    reset: bool = False


@dataclass(frozen=True)
class Timer:
    """A timer; without a period it fires once."""

    name: str
    offset: Expression | None
    period: Expression | None
    at: int
    mode: str = ""


@dataclass(frozen=True)
class Action:
    """A logical or physical action."""

    name: str
    physical: bool
    delay: Expression | None
    spacing: Expression | None
    policy: str
    at: int
    mode: str = ""


@dataclass(frozen=True)
class Late:
    """What a reaction does with late messages: STP(offset), STAA(offset) or tardy (no offset)."""

    kind: str
    offset: Expression | None
    at: int


@dataclass(frozen=True)
class Reaction:
    """A reaction; `triggers` may be startup, shutdown and reset; `bodies` are its target code."""

    name: str
    triggers: tuple[PortRef, ...]
    reads: tuple[PortRef, ...]
    effects: tuple[PortRef, ...]
    late: Late | None
    deadline: Expression | None
    mode: str
    at: int
    has_body: bool = True
    attributes: tuple[Attribute, ...] = ()
    bodies: tuple[str, ...] = ()


@dataclass(frozen=True)
class Watchdog:
    """A watchdog with its timeout."""

    name: str
    timeout: Expression
    effects: tuple[PortRef, ...]
    at: int
    mode: str = ""


@dataclass(frozen=True)
class Instance:
    """`name = new[width] Class(parameters) at host`."""

    name: str
    class_name: str
    width: Width | None
    parameters: tuple[Parameter, ...]
    host: str
    attributes: tuple[Attribute, ...]
    mode: str
    at: int


@dataclass(frozen=True)
class Connection:
    """`left -> right after delay`; `iterated` is `( … )+`."""

    left: tuple[PortRef, ...]
    right: tuple[PortRef, ...]
    physical: bool
    iterated: bool
    delay: Expression | None
    serializer: str
    attributes: tuple[Attribute, ...]
    mode: str
    at: int


@dataclass(frozen=True)
class Mode:
    """A mode; what is in it carries its name."""

    name: str
    initial: bool
    at: int


@dataclass(frozen=True)
class Method:
    """A method of the reactor's class."""

    name: str
    at: int


Member = Port | State | Timer | Action | Reaction | Watchdog | Instance | Connection | Mode | Method

_Kind = TypeVar("_Kind", bound=Member)


@dataclass(frozen=True)
class ReactorClass:
    """A class of reactors; the main one may have no name."""

    name: str
    kind: Literal["", "main", "federated"]
    parameters: tuple[Parameter, ...]
    extends: tuple[str, ...]
    host: str
    members: tuple[Member, ...]
    attributes: tuple[Attribute, ...]
    at: int

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        """The members of a kind, in the order of the text."""
        return [member for member in self.members if isinstance(member, kind)]


@dataclass(frozen=True)
class Import:
    """Classes (name here, name there) from a file, or from a package with `<…>`."""

    names: tuple[tuple[str, str], ...]
    path: str
    package: bool
    at: int


Property = Time | Scalar | list["Property"] | dict[str, "Property"]


@dataclass(frozen=True)
class Program:
    """A file."""

    source: Source
    target: str
    properties: dict[str, Property]
    imports: tuple[Import, ...]
    reactors: tuple[ReactorClass, ...]
    preambles: int = field(default=0)
    places: dict[str, int] = field(default_factory=dict)  # of the properties
