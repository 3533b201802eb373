"""Federates cut into their enclaves: each becomes a federate of its own, coupled by connections.

A port that is written in one enclave and read in another becomes a connection between the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.lf.program.federates import Federate, InnerConnection, Port
from ddsrta.lf.program.federation import Chain, Connection, Federation
from ddsrta.lf.program.tags import SAME, Shift


@dataclass(frozen=True)
class Split:
    """The enclaves as a federation.

    `members`: the federate and the enclave ("": all that is in none) behind each name. `lost`:
    pairs of reactions of two enclaves that `after` should order, which no enclave can. `receiving`:
    those of federates that get messages of others.
    """

    original: Federation
    federation: Federation
    members: Mapping[str, tuple[str, str]]
    lost: tuple[tuple[str, str, str], ...]
    receiving: frozenset[str]


def enclave_name(federate: str, enclave: str) -> str:
    """What an enclave is called; the part of a federate that is in none has the federate's name.

    >>> enclave_name("radio", "slow"), enclave_name("radio", "")
    ('radio.slow', 'radio')
    """
    return f"{federate}.{enclave}" if enclave else federate


def split(federation: Federation) -> Split:
    """Cut all federates; raises InputError where an action is in two enclaves.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> list(split(two_federates()).members)
    ['source', 'sink']
    """
    cuts = {name: _Cut(federation, federate) for name, federate in federation.federates.items()}
    if errors := [error for cut in cuts.values() for error in cut.errors()]:
        raise InputError(errors)
    parts: dict[str, Federate] = {}
    # Enclaves of a federate have its clock, and the federates get nothing of each other.
    hosts = {name: replace(host, shared_clock=True) for name, host in federation.hosts.items()}
    members: dict[str, tuple[str, str]] = {}
    inside: list[Connection] = []
    for name, cut in cuts.items():
        inside += cut.connections
        for enclave in cut.enclaves:
            part = cut.part(enclave)
            parts[part.name] = part
            members[part.name] = (name, enclave)
    between = [
        replace(connection,
                source=cuts[connection.source].enclave_of(connection.output),
                target=cuts[connection.target].enclave_of(connection.input))
        for connection in federation.connections
    ]  # fmt: skip
    chains = {}
    for name, chain in federation.chains.items():
        ends = [
            (enclave_name(federate, cuts[federate].group(reaction)), reaction)
            for federate, reaction in (chain.source, chain.target)
        ]
        chains[name] = Chain(name, ends[0], ends[1], chain.latency)
    receivers = {c.target for c in federation.connections if not c.physical}
    return Split(
        federation,
        replace(
            federation, hosts=hosts, federates=parts, connections=(*inside, *between), chains=chains
        ),
        members,
        tuple(lost for cut in cuts.values() for lost in cut.lost()),
        frozenset(part for part, (name, _) in members.items() if name in receivers),
    )


def crowded_hosts(federation: Federation) -> dict[str, int]:
    """The cores of hosts that have more workers than cores.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> crowded_hosts(two_federates())
    {}
    """
    workers = Counter[str]()
    for federate in federation.federates.values():
        workers[federate.host] += federate.workers
    cores = {name: federation.hosts[name].cores for name in workers}
    return {name: n for name, n in cores.items() if n is not None and workers[name] > n}


class _Cut:
    """One federate: in which enclave its reactions and ports are, and what leads out of them."""

    def __init__(self, federation: Federation, federate: Federate) -> None:
        self.federation, self.federate = federation, federate
        self.owner = {
            reactor: enclave.name
            for enclave in federate.enclaves.values()
            for reactor in enclave.reactors
        }
        # A port has one connection that feeds it; ports with neither reader nor writer pass on.
        self.feeds = {inner.target: inner for inner in federate.connections}
        self.sent = {c.output for c in federation.connections if c.source == federate.name}
        self.real: dict[str, None] = {}
        self.home = self._homes()
        self.steps: dict[str, list[str]] = {}
        received = [c.input for c in federation.connections if c.target == federate.name]
        self.touched = {self.home[port]: None for port in (*received, *sorted(self.sent))}
        self.inner: dict[str, list[InnerConnection]] = {}
        self.connections: list[Connection] = []
        self._connect()
        used = {self.group(name): None for name in federate.reactions}
        if any(enclaves == [""] for enclaves in self._users.values()):
            used.setdefault("", None)
        used.update(self.touched)
        self.enclaves = [name for name in ("", *federate.enclaves) if name in used]

    def group(self, reaction: str) -> str:
        """The enclave of a reaction."""
        return self.owner.get(self.federate.reactions[reaction].reactor, "")

    def enclave_of(self, port: str) -> str:
        """The enclave that a port is in."""
        return enclave_name(self.federate.name, self.home[port])

    @cached_property
    def _users(self) -> dict[str, list[str]]:
        """The enclaves that use each timer and action; what nobody uses is left outside."""
        names = (*self.federate.timers, *self.federate.actions)
        found: dict[str, dict[str, None]] = {name: {} for name in names}
        for reaction in self.federate.reactions.values():
            for name in (*reaction.triggers, *reaction.sources, *reaction.effects):
                if name in found:
                    found[name][self.group(reaction.name)] = None
        return {name: list(users) or [""] for name, users in found.items()}

    def _homes(self) -> dict[str, str]:
        """Where each port is: with its writer, else with its reader, else with what feeds it."""
        federate = self.federate
        home: dict[str, str] = {}
        readers: dict[str, str] = {}
        for name, reaction in federate.reactions.items():
            for effect in reaction.effects:
                home.setdefault(effect, self.group(name))
            for port in (*reaction.triggers, *reaction.sources):
                readers.setdefault(port, self.group(name))
        home = {**readers, **home}
        ports = (*federate.inputs, *federate.outputs)
        self.real = {port: None for port in ports if port in home or port not in self.feeds}
        for port in ports:
            if port not in home:
                source, _ = self._back(port)
                home[port] = home.get(source, "")
        return {port: home[port] for port in ports}

    def _back(self, port: str) -> tuple[str, list[Shift]]:
        """Where a port is fed from, over ports that only pass on, and the shifts on the way."""
        shifts: list[Shift] = []
        seen: set[str] = set()
        while (feed := self.feeds.get(port)) is not None and port not in seen:
            seen.add(port)
            port = feed.source
            if feed.shift != SAME:
                shifts.insert(0, feed.shift)
            if port in self.real:
                break
        return port, shifts

    def _connect(self) -> None:
        found: dict[tuple[str, str, str, str, Shift], None] = {}
        for name, reaction in self.federate.reactions.items():
            group = self.group(name)
            for port in reaction.effects:
                if port in self.home and self.home[port] != group:
                    found[group, port, self.home[port], port, SAME] = None
            for port in (*reaction.triggers, *reaction.sources):
                if port in self.home and self.home[port] != group:
                    found[self.home[port], port, group, port, SAME] = None
        passed_on = {feed.source for feed in self.feeds.values()}
        for target in self.feeds:
            source, shifts = self._back(target)
            # What nobody reads makes a tag, too, where it comes later.
            unread = bool(shifts) and target not in passed_on
            if target not in self.real and target not in self.sent and not unread:
                continue  # it only passes on
            group, at = self.home[source], source
            for number, shift in enumerate(shifts[:-1]):
                step = f"{source} → {target} {number}"
                self._join(group, InnerConnection(at, step, shift))
                self.steps.setdefault(group, []).append(step)
                at = step
            last = shifts[-1] if shifts else SAME
            if group == self.home[target]:
                self._join(group, InnerConnection(at, target, last))
            else:
                found[group, at, self.home[target], target, last] = None
        for source, output, target, port, shift in found:
            self.touched.update({source: None, target: None})
            ends = [enclave_name(self.federate.name, enclave) for enclave in (source, target)]
            self.connections.append(Connection(ends[0], output, ends[1], port, shift))

    def _join(self, group: str, inner: InnerConnection) -> None:
        self.inner.setdefault(group, []).append(inner)
        self.touched[group] = None

    @cached_property
    def _inside(self) -> dict[str, list[str]]:
        """The reactions of each enclave."""
        found: dict[str, list[str]] = {name: [] for name in self.enclaves}
        for name in self.federate.reactions:
            found[self.group(name)].append(name)
        return found

    @cached_property
    def _ports(self) -> dict[str, dict[str, Port]]:
        """The ports that are in each enclave."""
        found: dict[str, dict[str, Port]] = {name: {} for name in self.enclaves}
        for name, port in {**self.federate.inputs, **self.federate.outputs}.items():
            found.setdefault(self.home[name], {})[name] = port
        return found

    @cached_property
    def _used(self) -> dict[str, dict[str, None]]:
        """The timers and actions of each enclave."""
        found: dict[str, dict[str, None]] = {name: {} for name in self.enclaves}
        for name, enclaves in self._users.items():
            for enclave in enclaves:
                found[enclave][name] = None
        return found

    def part(self, enclave: str) -> Federate:
        """An enclave as a federate; names of ports stay as they are."""
        federate = self.federate
        name = enclave_name(federate.name, enclave)
        reactions = {}
        for key in self._inside[enclave]:
            reaction = federate.reactions[key]
            after = tuple(other for other in reaction.after if self.group(other) == enclave)
            reactions[key] = replace(reaction, after=after)
        ports, used = dict(self._ports[enclave]), self._used[enclave]
        for reaction in reactions.values():
            for port in (*reaction.triggers, *reaction.sources, *reaction.effects):
                if port in self.home:
                    ports.setdefault(port, Port(port))
        ports.update({step: Port(step) for step in self.steps.get(enclave, ())})
        given = federate.enclaves[enclave] if enclave else federate
        return replace(
            federate,
            name=name,
            workers=given.workers,
            core=federate.core if given.core is None else given.core,
            timers={key: federate.timers[key] for key in used if key in federate.timers},
            actions={key: federate.actions[key] for key in used if key in federate.actions},
            inputs=ports,
            outputs={},
            reactions=reactions,
            connections=tuple(self.inner.get(enclave, ())),
            enclaves={},
        )

    def errors(self) -> Iterator[Diagnostic]:
        """Actions belong to one reactor, and a port has one connection that feeds it."""
        for name, enclaves in self._users.items():
            if name in self.federate.actions and len(enclaves) > 1:
                names = " and ".join(enclave or self.federate.name for enclave in enclaves)
                message = f"action '{name}' is in several enclaves: {names}"
                where = self.federation.where("federates", self.federate.name, "actions", name)
                yield Diagnostic(where, message, "put the reactors that use it into one")
        fed: set[str] = set()
        for index, inner in enumerate(self.federate.connections):
            if inner.target in fed:
                path = ("federates", self.federate.name, "connections", index, "to")
                message = f"'{inner.target}' is already the end of a connection"
                advice = (
                    "enclaves need one: where several modes feed it, write a file for each mode"
                )
                yield Diagnostic(self.federation.where(*path), message, advice)
            fed.add(inner.target)

    def lost(self) -> Iterator[tuple[str, str, str]]:
        """What `after` says of reactions in two enclaves."""
        for name, reaction in self.federate.reactions.items():
            for other in reaction.after:
                if self.group(other) != self.group(name):
                    yield self.federate.name, other, name
