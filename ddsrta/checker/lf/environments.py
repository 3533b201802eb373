"""Who has tags and workers of its own: federates, and the enclaves of those that have any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ddsrta.checker.lf.things import BUILT_IN, Enclave, Federate, Federation


class Environment(NamedTuple):
    """`part` has its reactions alone. `receives`: it waits for inputs. `obstacle`: why nothing can
    be said of its tags."""

    name: str
    federate: str
    part: Federate
    core: int | None
    receives: bool
    obstacle: str | None


def environments(federation: Federation, workers: int | None) -> dict[str, Environment]:
    """All that have reactions or no enclaves, in order, by name."""
    found: dict[str, Environment] = {}
    for name, federate in federation.federates.items():
        # Of physical inputs nothing is known in advance: each tag is put off by a given maxwait.
        physical = federation.coordination == "decentralized" and bool(federate.maxwait)
        receives = bool(federation.incoming[name] if physical else federation.into(name))
        if not federate.enclaves:
            part = federate._replace(workers=workers or federate.workers)
            found[name] = Environment(name, name, part, federate.core, receives, None)
            continue
        parts = dict(_parts(name, federate))
        obstacle = "it has enclaves, and receives" if receives else _joined(federate, parts)
        for key, enclave in parts.items():
            reactions = {
                reaction: raw
                for reaction, raw in federate.reactions.items()
                if raw.reactor in enclave.reactors
            }
            if reactions:
                part = federate._replace(
                    workers=workers or enclave.workers, reactions=reactions, enclaves={}
                )
                core = federate.core if enclave.core is None else enclave.core
                found[key] = Environment(key, name, part, core, False, obstacle)
    return found


def _parts(name: str, federate: Federate) -> Iterator[tuple[str, Enclave]]:
    inside = {reactor for enclave in federate.enclaves.values() for reactor in enclave.reactors}
    rest = {reaction.reactor for reaction in federate.reactions.values()} - inside
    if rest:
        yield name, Enclave(tuple(sorted(rest)), federate.workers, None)
    for key, enclave in federate.enclaves.items():
        yield f"{name}.{key}", enclave


def _joined(federate: Federate, parts: Mapping[str, Enclave]) -> str | None:
    """Whether two of them use one action or port, or an order holds between them."""
    owner = {reactor: key for key, enclave in parts.items() for reactor in enclave.reactors}
    clock = {*BUILT_IN, *federate.timers}
    users: dict[str, set[str]] = {}
    for reaction in federate.reactions.values():
        mine = owner[reaction.reactor]
        for place in (*reaction.triggers, *reaction.sources, *reaction.effects):
            if place not in clock:
                for one in linked(federate, {place}):
                    users.setdefault(one, set()).add(mine)
        if any(owner[federate.reactions[other].reactor] != mine for other in reaction.after):
            return "an order holds between its enclaves"
    shared = any(len(names) > 1 for names in users.values())
    return "its enclaves exchange messages" if shared else None


def linked(federate: Federate, places: Iterable[str]) -> set[str]:
    """Places, and all that inner connections join to them in any direction."""
    ways: dict[str, set[str]] = {}
    for inner in federate.inner:
        ways.setdefault(inner.source, set()).add(inner.target)
        ways.setdefault(inner.target, set()).add(inner.source)
    found = set(places)
    stack = list(found)
    while stack:
        for other in ways.get(stack.pop(), set()) - found:
            found.add(other)
            stack.append(other)
    return found


def crowded(federation: Federation, members: Mapping[str, Environment], host: str) -> bool:
    """Whether a host has more workers than cores."""
    cores = federation.hosts[host].cores
    total = sum(member.part.workers for member in members.values() if member.part.host == host)
    return cores is not None and total > cores


def on_core(
    federation: Federation, members: Mapping[str, Environment], name: str
) -> tuple[str, ...] | None:
    """All whose threads run on the core of one, itself included; None where that is open."""
    host = members[name].part.host
    here = {key: member for key, member in members.items() if member.part.host == host}
    cores = federation.hosts[host].cores
    pinned = {member.core for member in here.values()}
    if cores == 1:
        return tuple(here) if all(m.part.workers == 1 for m in here.values()) else None
    if None in pinned and (len(pinned) > 1 or cores is None or crowded(federation, here, host)):
        return None  # some may run anywhere
    if None in pinned:
        return (name,)
    if any(member.part.workers > 1 for member in here.values()):
        return None
    return tuple(key for key, member in here.items() if member.core == members[name].core)
