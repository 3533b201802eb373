"""Latest starts in federates that wait for messages of others: their waits for inputs on top."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ddsrta.bounds.unbounded import Because, leads
from ddsrta.lf.bounds.latencies.deadlines import Start, starts
from ddsrta.lf.bounds.logical_time.activation import Activation
from ddsrta.lf.bounds.logical_time.between import undisturbed
from ddsrta.lf.bounds.logical_time.certain import shares_tag
from ddsrta.lf.bounds.offsets.links import network
from ddsrta.lf.bounds.offsets.verify import checks
from ddsrta.lf.bounds.offsets.waits import settled
from ddsrta.lf.bounds.rti.lags import lags
from ddsrta.lf.bounds.schedulers.environments import Environment
from ddsrta.lf.bounds.schedulers.members import Key
from ddsrta.lf.bounds.schedulers.own import Latest
from ddsrta.lf.bounds.schedulers.within import Within
from ddsrta.lf.bounds.unbounded import TARDY
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Connection, Federation

_TARDY = ("violated", "unbounded", "shared")


def received(
    federation: Federation,
    members: Sequence[Environment],
    found: Activation,
    crowded: Mapping[str, Because],
) -> dict[Key, Latest]:
    """Of federates that receive; `crowded`: hosts where nothing is known of who runs, and why."""
    parts = {m.part.name: m.part for m in members if not m.part.enclaves}
    federates = {
        name: parts.get(name, federate) if not federate.enclaves else federate
        for name, federate in federation.federates.items()
    }
    changed = replace(federation, federates=federates)
    spoiled = {n: crowded[f.host] for n, f in federates.items() if f.host in crowded}
    if federation.coordination == "centralized":
        known = lags(changed)
        for name, because in known.assumed.items():
            spoiled.setdefault(name, leads("its grants are assumed", because))
        for link in changed.connections:
            if not link.physical and shares_tag(found, link):
                spoiled.setdefault(link.target, _tardy(link))
        return _started(starts(known.network, known), _behind(changed, spoiled))
    links, waits = settled(network(changed))
    for check in checks(replace(links, late=undisturbed(links, waits)), waits):
        if check.outcome in _TARDY:
            link = check.link.connection
            spoiled.setdefault(link.target, _tardy(link))
    for each in links.links:
        if shares_tag(found, each.connection):
            spoiled.setdefault(each.connection.target, _tardy(each.connection))
    launches = {
        m.name: within(changed, m, found, starts_late=True)
        for m in members
        if m.receives and m.name in parts
    }
    known_starts = starts(replace(links, launches={**links.launches, **launches}), waits)
    return _started(known_starts, _behind(changed, spoiled))


def within(
    federation: Federation, member: Environment, found: Activation, starts_late: bool = False
) -> Within:
    """What an environment does at its tags; levels are not known where the compiler adds reactions
    that receive."""
    outputs = {effect for r in member.part.reactions.values() for effect in r.effects}
    written = _written(member.part, outputs)
    sent = [
        connection
        for connection in federation.sent_by.get(member.part.name, ())
        if connection.output in written
    ]
    receives = any(c.target == member.part.name for c in federation.connections)
    return Within(member.part, sent, receives, found, starts_late=starts_late)


def _written(part: Federate, outputs: set[str]) -> set[str]:
    """The ports that are written at a tag, over inner connections, too."""
    found, size = set(outputs), -1
    while size != len(found):
        size = len(found)
        found |= {inner.target for inner in part.connections if inner.source in found}
    return found


def _tardy(link: Connection) -> Because:
    return TARDY.of(connection=link.name)


def _behind(federation: Federation, spoiled: Mapping[str, Because]) -> dict[str, Because]:
    """With all that get messages of those, over any number of federates."""
    found, stack = dict(spoiled), list(spoiled)
    while stack:
        name = stack.pop()
        for link in federation.sent_by.get(name, ()):
            if not link.physical and link.target not in found:
                found[link.target] = found[name]
                stack.append(link.target)
    return found


def _started(found: Iterable[Start], spoiled: Mapping[str, Because]) -> dict[Key, Latest]:
    return {
        (s.federate, s.reaction): Latest(None, because=spoiled[s.federate])
        if s.federate in spoiled
        else Latest(s.latest, because=s.because)
        for s in found
    }
