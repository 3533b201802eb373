"""What is scheduled: federates and enclaves, each with a queue of tags and workers of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.unbounded import ENCLAVES_RECEIVE, ENCLAVES_TALK, NO_CORE, WORKERS_ON_CORE
from ddsrta.lf.program.federates import Enclave, Federate
from ddsrta.lf.program.federation import Connection, Federation


@dataclass(frozen=True)
class Environment:
    """A federate, or an enclave of one: `part` has its reactions alone, under the federate's name.

    `core`: where all its workers are pinned. `receives`: it waits for inputs. `obstacle`: why its
    tags cannot be followed.
    """

    name: str
    part: Federate
    core: int | None = None
    receives: bool = False
    obstacle: Because | None = None

    @property
    def host(self) -> str:
        """Where it runs."""
        return self.part.host


def environments(federation: Federation, workers: int | None = None) -> list[Environment]:
    """All environments in the order of the file, with another number of workers if one is given.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> [(e.name, e.receives) for e in environments(two_federates())]
    [('source', False), ('sink', True)]
    """
    receivers = {c.target for c in federation.connections if _waits(federation, c)}
    found: list[Environment] = []
    for federate in federation.federates.values():
        if not federate.enclaves:
            part = replace(federate, workers=workers or federate.workers)
            receives = federate.name in receivers
            found.append(Environment(federate.name, part, federate.core, receives))
            continue
        obstacle = _obstacle(federate, federate.name in receivers)
        for name, enclave in _enclaves(federate):
            reactions = {
                key: reaction
                for key, reaction in federate.reactions.items()
                if reaction.reactor in enclave.reactors
            }
            if not reactions:
                continue
            part = replace(federate, workers=workers or enclave.workers, reactions=reactions,
                           enclaves={})  # fmt: skip
            core = federate.core if enclave.core is None else enclave.core
            found.append(Environment(name, part, core, False, obstacle))
    return found


def _waits(federation: Federation, connection: Connection) -> bool:
    """Whether the receiver waits for it: of physical inputs nothing is known in advance, so that
    each tag is put off by the maxwait that is given."""
    given = federation.federates[connection.target].maxwait
    return not connection.physical or (federation.coordination == "decentralized" and bool(given))


def _enclaves(federate: Federate) -> Iterator[tuple[str, Enclave]]:
    """The enclaves, and what is in none of them."""
    inside = {name for enclave in federate.enclaves.values() for name in enclave.reactors}
    rest = {r.reactor: None for r in federate.reactions.values() if r.reactor not in inside}
    if rest:
        yield federate.name, Enclave(federate.name, tuple(rest), federate.workers)
    for enclave in federate.enclaves.values():
        yield f"{federate.name}.{enclave.name}", enclave


def _obstacle(federate: Federate, receives: bool) -> Because | None:
    """Enclaves that depend on each other, or on other federates, wait for more than a processor."""
    if receives:
        return ENCLAVES_RECEIVE.of(federate=federate.name)
    owner = {reactor: name for name, enclave in _enclaves(federate) for reactor in enclave.reactors}
    users: dict[str, set[str]] = {}
    clock = {*federate.timers, "startup", "shutdown", "reset"}
    for reaction in federate.reactions.values():
        mine = owner[reaction.reactor]
        for place in (*reaction.triggers, *reaction.sources, *reaction.effects):
            if place not in clock:
                users.setdefault(place, set()).add(mine)
        for other in reaction.after:
            users.setdefault(f"after {other}", {owner[federate.reactions[other].reactor]}).add(mine)
    changed = True
    while changed:
        changed = False
        for inner in federate.connections:
            ends = (users.setdefault(inner.source, set()), users.setdefault(inner.target, set()))
            changed = changed or ends[0] != ends[1]
            users[inner.source] = users[inner.target] = ends[0] | ends[1]
    shared = next((sorted(names) for names in users.values() if len(names) > 1), None)
    if shared is None:
        return None
    return ENCLAVES_TALK.of(one=shared[0], other=shared[1])


def placed(found: Iterable[Environment], federation: Federation) -> dict[str, int | Because | None]:
    """For each environment its core, None for cores of its own, or why that is not known."""
    result: dict[str, int | Because | None] = {}
    by_host: dict[str, list[Environment]] = {}
    for environment in found:
        by_host.setdefault(environment.host, []).append(environment)
    for name, members in by_host.items():
        cores = federation.hosts[name].cores
        threads = sum(environment.part.workers for environment in members)
        pinned = [environment.core for environment in members if environment.core is not None]
        for environment in members:
            place: int | Because | None = environment.core
            if place is None and cores == 1:
                place = 0
            elif place is None and (cores is None or threads > cores or pinned):
                place = NO_CORE.of(
                    host=name, cores=cores or "an unknown number of", threads=threads,
                    name=environment.name,
                )  # fmt: skip
            if isinstance(place, int) and environment.part.workers > 1:
                place = WORKERS_ON_CORE.of(name=environment.name)
            result[environment.name] = place
    return result
