"""Federates cut into their enclaves: each is a federate, and connections join them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ddsrta.checker.lf.enclaves.ports import Ports
from ddsrta.checker.lf.things import Connection, Federate, Federation
from ddsrta.checker.reading import shown


class Cut(NamedTuple):
    """The enclaves as `whole`; `members` are the federate and the enclave of each ("": that of no
    enclave), `joints` the connections between enclaves of a federate, and `receiving` those of
    federates that get messages of others."""

    whole: Federation
    members: Mapping[str, tuple[str, str]]
    joints: tuple[Connection, ...]
    receiving: frozenset[str]

    def into(self, name: str) -> list[Connection]:
        """The joints that lead to one."""
        return [joint for joint in self.joints if joint.target == name]

    def crowded(self) -> dict[str, int]:
        """The cores of hosts with fewer of them than workers."""
        workers: dict[str, int] = {}
        for part in self.whole.federates.values():
            workers[part.host] = workers.get(part.host, 0) + part.workers
        cores = {host: self.whole.hosts[host].cores for host in workers}
        return {h: n for h, n in cores.items() if n is not None and workers[h] > n}

    def pinned(self) -> dict[str, str]:
        """Hosts on which pinned workers share a core, or are kept from others, and why."""
        pins: dict[tuple[str, int], int] = {}
        for part in self.whole.federates.values():
            if part.core is not None:
                key = (part.host, part.core)
                pins[key] = pins.get(key, 0) + part.workers
        crowded = self.crowded()
        return {
            host: f"pinned workers of {shown(host)} are not modelled"
            for (host, _), count in pins.items()
            if count > 1 or host in crowded
        }


def cut(federation: Federation) -> Cut:
    """Cut all of them."""
    parts: dict[str, Federate] = {}
    members: dict[str, tuple[str, str]] = {}
    joints: list[Connection] = []
    cuts: dict[str, Ports] = {}
    for name, federate in federation.federates.items():
        entered = [c.input for c in federation.incoming[name]]
        left = [c.output for c in federation.outgoing[name]]
        ports = cuts[name] = Ports(name, federate, entered, left)
        joints += [_joint(name, *ends) for ends in ports.crossings]
        for enclave in ports.enclaves:
            parts[called(name, enclave)] = _part(federate, ports, enclave)
            members[called(name, enclave)] = name, enclave
    between = [
        c._replace(
            source=called(c.source, cuts[c.source].home[c.output]),
            target=called(c.target, cuts[c.target].home[c.input]),
        )
        for c in federation.connections
    ]
    chains = {}
    for name, chain in federation.chains.items():
        ends = [(called(f, cuts[f].group(r)), r) for f, r in (chain.source, chain.target)]
        chains[name] = chain._replace(source=ends[0], target=ends[1])
    every = (*joints, *between)
    whole = federation._replace(
        federates=parts, connections=every, chains=chains,
        incoming=_by(parts, every, lambda c: c.target),
        outgoing=_by(parts, every, lambda c: c.source),
    )  # fmt: skip
    receiving = frozenset(n for n, (f, _) in members.items() if federation.into(f))
    return Cut(whole, members, tuple(joints), receiving)


def called(federate: str, enclave: str) -> str:
    """The name of an enclave."""
    return f"{federate}.{enclave}" if enclave else federate


def _by(
    names: Iterable[str], connections: Iterable[Connection], end: object
) -> dict[str, tuple[Connection, ...]]:
    found: dict[str, list[Connection]] = {name: [] for name in names}
    for connection in connections:
        found[end(connection)].append(connection)  # type: ignore[operator]
    return {name: tuple(items) for name, items in found.items()}


def _joint(
    name: str, source: str, output: str, target: str, port: str, after: int | None
) -> Connection:
    ends = called(name, source), output, called(name, target), port
    return Connection(*ends, after, physical=False, latency=None, send=0, absent=None, spacing=None)


def _part(federate: Federate, ports: Ports, enclave: str) -> Federate:
    inside = {n: r for n, r in federate.reactions.items() if ports.group(n) == enclave}
    reactions = {
        name: raw._replace(after=tuple(other for other in raw.after if other in inside))
        for name, raw in inside.items()
    }
    used = {port for port, home in ports.home.items() if home == enclave}
    for raw in reactions.values():
        used |= {p for p in (*raw.triggers, *raw.sources, *raw.effects) if p in ports.home}
    inner = ports.inside.get(enclave, [])
    used |= {port for one in inner for port in (one.source, one.target)}
    given = federate.enclaves[enclave] if enclave else None
    own = ports.clocks[enclave]
    core = federate.core if given is None or given.core is None else given.core
    return federate._replace(
        workers=federate.workers if given is None else given.workers,
        core=core,
        timers={key: timer for key, timer in federate.timers.items() if key in own},
        actions={key: action for key, action in federate.actions.items() if key in own},
        inputs=dict.fromkeys(sorted(used)),
        outputs=frozenset(),
        reactions=reactions,
        inner=tuple(inner),
        enclaves={},
    )
