"""How long federates wait for inputs, by the rules of the version: each has its spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ddsrta.formats.draft import Remark, Value, guessed, time_text
from ddsrta.lf.draft.versions import numbers
from ddsrta.lf.program.language.elaborate import Reactor
from ddsrta.lf.program.language.syntax import Attribute, Connection, Expression, PortRef, Reaction
from ddsrta.lf.program.language.tokens import Source
from ddsrta.lf.program.language.values import Opaque, Span, single, time_of
from ddsrta.lf.program.language.wiring import Wire

_PARAMETERS = ("stp_offset", "sta")
_FOREVER_SINCE = (0, 13)
_FROM_OWN_TAG_SINCE = (0, 10)
FOREVER = "forever"
_SETS = re.compile(r"\b(?:lf_)?(?:set_(?:fed_maxwait|sta|stp_offset)|update_deadline)\b")


def attribute(attributes: Iterable[Attribute], name: str) -> Attribute | None:
    """The attribute of a name, in whatever case it is written."""
    return next((found for found in attributes if found.name.lower() == name), None)


def maxwait(federate: Reactor, version: str | None, reads: bool) -> Value | None:
    """How long the federate waits: its parameter, else its attribute, else the default.

    One that reads nothing of others never waits, whatever the default is. One with a physical input
    does: of that nothing is known in advance (`lf_wait_until_time`, 282c75d).
    """
    definition = federate.found.definition
    for parameter in definition.parameters:
        if parameter.name.lower() in _PARAMETERS and parameter.type in ("", "time"):
            value = single(federate.scope[parameter.name])
            if isinstance(value, Span) or value == 0:
                return _wait(value.nanoseconds if isinstance(value, Span) else 0)
            if isinstance(value, Opaque):
                message = f"the offset {parameter.name} is in the target's language"
                advice = "give its value in the annotations, under 'parameters'"
                raise federate.source(parameter).error(parameter.at, message, advice)
    instance = federate.instance
    found = attribute(instance.attributes, "maxwait") if instance else None
    if found is not None and instance is not None and federate.parent is not None:
        source = federate.parent.source(instance)
        time = time_of(_only(found, source), federate.parent.scope, source, "maxwait")
        return _wait(time)
    if not reads:
        return None
    if version is None:
        why = "not in the program: the default since 0.13; before, it was 0 (--lf-version)"
        return guessed(FOREVER, why)
    if numbers(version) >= _FOREVER_SINCE:
        return Remark(FOREVER, f"the default of version {version}")
    return Remark("0 ns", f"the default of version {version}")


def _wait(time: int | None) -> Value:
    return FOREVER if time is None else time


def _only(found: Attribute, source: Source) -> Expression:
    if len(found.values) != 1:
        raise source.error(found.at, f"@{found.name} needs one time")
    return found.values[0][1]


def absent_after(wire: Wire, top: Reactor, version: str | None) -> Value | None:
    """How long after maxwait an input counts as absent: of the connection, else of reactions.

    Without an attribute, it is the largest offset of the old STP or STAA of reactions that read the
    port, in the receiving reactor and in those that it hands the port to. Before 0.10, the `after`
    of the connection was taken off that.
    """
    source = top.source(wire.connection)
    found = attribute(wire.connection.attributes, "absent_after")
    if found is not None:
        value = _only(found, source)
        time = time_of(value, top.scope, source, "absent_after")
        if time != 0:
            return _wait(time)
    port, offsets = wire.input.partition("[")[0], list[int | None]()
    reactor = wire.target
    offsets += _offsets(reactor, port)
    for connection in reactor.found.definition.of(Connection):
        if any(not ref.container and ref.name == port for ref in connection.left):
            child = connection.right[0]
            for inner in reactor.children.get(child.container, [])[:1]:
                offsets += _offsets(inner, child.name)
    if None in offsets:
        return FOREVER
    known = max((offset for offset in offsets if offset is not None), default=0)
    if not known:
        return None
    if wire.delay and version is None:
        why = "since 0.10; before, 'after' was taken off (--lf-version)"
        return guessed(_wait(known), why)
    if wire.delay and version is not None and numbers(version) < _FROM_OWN_TAG_SINCE:
        why = f"{time_text(known)}, from which version {version} takes 'after' off"
        return Remark(max(0, known - wire.delay), why)
    return _wait(known)


def _offsets(reactor: Reactor, port: str) -> list[int | None]:
    def reads(refs: Iterable[PortRef]) -> bool:
        return any(not ref.container and ref.name == port for ref in refs)

    found = []
    for reaction in reactor.found.definition.of(Reaction):
        late = reaction.late
        if late is None or late.offset is None:
            continue
        if reads(reaction.triggers) or reads(reaction.reads):
            time = time_of(late.offset, reactor.scope, reactor.source(reaction), late.kind)
            found.append(time)
    return found


def set_by_code(federate: Reactor) -> Iterator[str]:
    """Where target code says how long the federate waits, or until when reactions may start: what
    it sets is not read, and holds in place of what the program says."""
    for reactor in federate.all():
        for reaction in reactor.found.definition.of(Reaction):
            for name in sorted({name for body in reaction.bodies for name in _SETS.findall(body)}):
                where = reactor.source(reaction).position(reaction.at)
                what = "a deadline" if "deadline" in name else f"how long {federate.label} waits"
                yield f"{where}: {name}() in target code: it changes {what}, here it stays"
