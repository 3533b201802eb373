"""Makes instances of reactors: the tree below the main one, with banks, widths and parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.lf.program.language.library import Found, Library
from ddsrta.lf.program.language.syntax import (
    Code,
    Instance,
    Member,
    Name,
    Parameter,
    Port,
    PortRef,
    Width,
)
from ddsrta.lf.program.language.tokens import Source
from ddsrta.lf.program.language.values import Opaque, Scope, Value, evaluate, single

_MOST_REACTORS = 50_000
_MOST_CHANNELS = 100_000
_DEEPEST = 50


@dataclass
class Reactor:
    """An instance. `label` has its place in a bank: `d[0]`; `width` is that of the bank."""

    label: str
    found: Found
    scope: Scope
    instance: Instance | None
    parent: Reactor | None = None
    children: dict[str, list[Reactor]] = field(default_factory=dict)
    ports: dict[str, int | None] = field(default_factory=dict)  # None: no multiport

    def source(self, member: Member | Parameter) -> Source:
        """Where messages about a member point to."""
        return self.found.home(member).source

    def path(self, below: Reactor | None = None) -> str:
        """Its labels with dots in between, below another reactor or the main one."""
        labels: list[str] = []
        here: Reactor = self
        while here is not below and here.parent is not None:
            labels.append(here.label)
            here = here.parent
        return ".".join(reversed(labels))

    def all(self) -> Iterator[Reactor]:
        """It and all below."""
        yield self
        for bank in self.children.values():
            for child in bank:
                yield from child.all()

    def channels(self, ref: PortRef, source: Source) -> list[tuple[Reactor, str]]:
        """The channels that a reference means, in the order in which they are connected.

        `source` is the text that has the reference.
        """
        if not ref.container:
            return [(self, name) for name in self._channels(ref, source)]
        bank = self.children.get(ref.container)
        if bank is None:
            message = f"there is no reactor {shown(ref.container)} in this one"
            raise source.error(ref.at, message, did_you_mean(ref.container, self.children))
        rows = [[(child, name) for name in child._channels(ref, source)] for child in bank]
        if ref.interleaved:
            if len({len(row) for row in rows}) > 1:
                raise source.error(ref.at, f"members of the bank {shown(ref.container)} differ")
            rows = [list(column) for column in zip(*rows, strict=True)]
        return [channel for row in rows for channel in row]

    def _channels(self, ref: PortRef, source: Source) -> list[str]:
        if ref.name not in self.ports:
            where = f"reactor {shown(ref.container)}" if ref.container else "this reactor"
            message = f"{where} has no port {shown(ref.name)}"
            raise source.error(ref.at, message, did_you_mean(ref.name, self.ports))
        return channel_names(ref.name, self.ports[ref.name])


def channel_names(port: str, width: int | None) -> list[str]:
    """The channels of a port.

    >>> channel_names("in", None), channel_names("in", 2)
    (['in'], ['in[0]', 'in[1]'])
    """
    return [port] if width is None else [f"{port}[{index}]" for index in range(width)]


class Elaboration:
    """Makes the tree; `given` has values of parameters: `Class.parameter` or `path.parameter`."""

    def __init__(self, library: Library, given: Mapping[str, Value]) -> None:
        self.library = library
        self.given = given
        self.used: set[str] = set()
        self.reactors = self.channels = 0

    def top(self) -> Reactor:
        """The main reactor with everything in it."""
        found = self.library.top()
        reactor = Reactor("main", found, {}, None)
        reactor.scope = self._scope(reactor, None, {})
        self._fill(reactor, 0)
        return reactor

    def _scope(self, reactor: Reactor, instance: Instance | None, outer: Scope) -> Scope:
        """The values of its parameters."""
        definition, parent = reactor.found.definition, reactor.parent
        assigned: dict[str, Parameter] = {}
        known = [parameter.name for parameter in definition.parameters] + ["bank_index"]
        for parameter in instance.parameters if instance else ():
            if parameter.name not in known and parent is not None and instance:
                message = f"{shown(definition.name)} has no parameter {shown(parameter.name)}"
                advice = did_you_mean(parameter.name, known)
                raise parent.source(instance).error(parameter.at, message, advice)
            assigned[parameter.name] = parameter
        scope: dict[str, Value] = dict(outer)
        for parameter in definition.parameters:
            given = self._given(reactor, parameter.name)
            if given is not None:
                scope[parameter.name] = given
            elif parameter.name in assigned and parent is not None and instance:
                value = assigned[parameter.name].value
                assert value is not None
                place = {**parent.scope, **outer}
                scope[parameter.name] = evaluate(value, place, parent.source(instance))
            elif parameter.name not in scope:
                default = parameter.value
                source = reactor.source(parameter)
                scope[parameter.name] = (
                    Opaque("") if default is None else evaluate(default, scope, source)
                )
        return scope

    def _given(self, reactor: Reactor, parameter: str) -> Value | None:
        """A value from outside: that of the instance wins over that of the class."""
        for name in self.names(reactor, parameter):
            if name in self.given:
                self.used.add(name)
                return self.given[name]
        return None

    def names(self, reactor: Reactor, parameter: str) -> list[str]:
        """How a parameter may be named from outside."""
        path = reactor.path()
        of_class = f"{reactor.found.definition.name}.{parameter}"
        return [f"{path}.{parameter}" if path else parameter, of_class]

    def _fill(self, reactor: Reactor, depth: int) -> None:
        definition = reactor.found.definition
        for port in definition.of(Port):
            width = self._width(port.width, reactor, reactor.source(port))
            reactor.ports[port.name] = width
            self.channels += 1 if width is None else width
            if self.channels > _MOST_CHANNELS:
                message = f"there are more than {_MOST_CHANNELS} channels"
                raise reactor.source(port).error(port.at, message)
        for instance in definition.of(Instance):
            if instance.name in reactor.children:
                message = f"there is another reactor {shown(instance.name)} already"
                raise reactor.source(instance).error(instance.at, message)
            reactor.children[instance.name] = self._bank(instance, reactor, depth + 1)

    def _bank(self, instance: Instance, parent: Reactor, depth: int) -> list[Reactor]:
        if depth > _DEEPEST:
            message = f"more than {_DEEPEST} levels of reactors: {shown(instance.class_name)} may"
            raise parent.source(instance).error(instance.at, f"{message} contain itself")
        home = parent.found.home(instance)
        found = self.library.find(instance.class_name, home, instance.at)
        width = self._width(instance.width, parent, home.source)
        bank: list[Reactor] = []
        for index in range(1 if width is None else width):
            self.reactors += 1
            if self.reactors > _MOST_REACTORS:
                message = f"there are more than {_MOST_REACTORS} reactors"
                raise parent.source(instance).error(instance.at, message)
            label = instance.name if width is None else f"{instance.name}[{index}]"
            child = Reactor(label, found, {}, instance, parent)
            child.scope = self._scope(child, instance, {"bank_index": index})
            self._fill(child, depth)
            bank.append(child)
        return bank

    def _width(self, width: Width | None, reactor: Reactor, source: Source) -> int | None:
        """A width; None where none is given."""
        if width is None:
            return None
        if not width.terms:
            raise source.error(width.at, "a width that is left open is not read", "write the width")
        return sum(self._term(term, reactor, source, width.at) for term in width.terms)

    def _term(
        self, term: int | Name | Code | PortRef, reactor: Reactor, source: Source, at: int
    ) -> int:
        if isinstance(term, int):
            return term
        if isinstance(term, PortRef):
            return len(reactor.channels(term, source))
        value = single(evaluate(term, reactor.scope, source))
        if isinstance(value, int) and value >= 0:
            return value
        if isinstance(value, Opaque):
            text = value.text.strip()
            if text.isascii() and text.isdigit() and len(text) < 10:
                return int(text)
            message = "this width is in the target's language, which is not read"
            advice = "make it a parameter, and give its value in the annotations"
            raise source.error(at, message, advice)
        raise source.error(at, "a width must be a whole number")
