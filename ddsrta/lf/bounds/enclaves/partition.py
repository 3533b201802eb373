"""Partitions of a federate into enclaves, and what may be parted: atoms, and how they depend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from ddsrta.base.components import components
from ddsrta.lf.bounds.enclaves.split import enclave_name, split
from ddsrta.lf.program.federates import Enclave, Federate
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.tags import SAME


class Cut(NamedTuple):
    """The reactors of each enclave, and its workers; the first is what is in no enclave."""

    groups: tuple[tuple[str, ...], ...]
    workers: tuple[int, ...]

    def enclaves(self) -> Iterator[tuple[str, tuple[str, ...], int]]:
        """Each enclave with a name.

        >>> list(Cut(((), ("a", "b")), (1, 2)).enclaves())
        [('e1', ('a', 'b'), 2)]
        """
        for number, (group, workers) in enumerate(zip(self.groups, self.workers, strict=True)):
            if number:
                yield f"e{number}", group, workers


def cut_of(federate: Federate) -> Cut:
    """The partition that the file has."""
    owned = {reactor for enclave in federate.enclaves.values() for reactor in enclave.reactors}
    rest = tuple(reactor for reactor in reactors(federate) if reactor not in owned)
    enclaves = federate.enclaves.values()
    return Cut(
        (rest, *(enclave.reactors for enclave in enclaves)),
        (federate.workers, *(enclave.workers for enclave in enclaves)),
    )


def reactors(federate: Federate) -> list[str]:
    """The contained reactors, in the order of the file."""
    names = dict.fromkeys(reaction.reactor for reaction in federate.reactions.values())
    return [name for name in names if name]


def applied(federation: Federation, cuts: Mapping[str, Cut]) -> Federation:
    """The federation with other partitions. Levels that were given are those of another program."""
    federates = dict(federation.federates)
    for name, cut in cuts.items():
        federate = federates[name]
        federates[name] = replace(
            federate,
            workers=cut.workers[0],
            reactions={key: replace(r, level=None) for key, r in federate.reactions.items()},
            enclaves={key: Enclave(key, group, workers) for key, group, workers in cut.enclaves()},
        )
    return replace(federation, federates=federates)


@dataclass(frozen=True)
class Atoms:
    """What cannot be parted: reactors that share an action, or wait for each other at a tag.

    The atom 0 is what stays outside enclaves: the federate's own reactions, and what goes with
    them; perhaps it is empty. `follows` are dependences, `depth` the longest way of them.
    """

    members: tuple[tuple[str, ...], ...]
    cost: tuple[int, ...]
    pinned: bool
    follows: tuple[tuple[int, ...], ...]
    depth: tuple[int, ...]


def atoms(federation: Federation, name: str) -> Atoms:
    """The atoms of a federate.

    >>> from ddsrta.lf.program.examples import enclaves
    >>> found = atoms(enclaves(), "radio")
    >>> found.members, found.cost, found.follows
    (((), ('decoder',)), (200000, 4000000), ((1,), ()))
    """
    federate = federation.federates[name]
    names = ["", *reactors(federate)]
    number = {reactor: index for index, reactor in enumerate(names)}
    together, edges = _relations(federation, federate, number)
    both: list[list[int]] = [[] for _ in names]
    for one, other in together:
        both[one].append(other)
        both[other].append(one)
    for one, other in edges:
        both[one].append(other)
    groups = sorted(sorted(members) for members in components(both))
    group = {index: at for at, members in enumerate(groups) for index in members}
    follows: list[dict[int, None]] = [{} for _ in groups]
    for one, other in edges:
        if group[one] != group[other]:
            follows[group[one]][group[other]] = None
    cost = [0] * len(groups)
    for reaction in federate.reactions.values():
        cost[group[number[reaction.reactor]]] += reaction.wcet or 0
    depth = [0] * len(groups)
    for members in components([list(row) for row in follows]):
        for at in members:
            for other in follows[at]:
                depth[other] = max(depth[other], depth[at] + 1)
    return Atoms(
        tuple(tuple(names[index] for index in members if index) for members in groups),
        tuple(cost),
        len(groups[0]) > 1 or any(not r.reactor for r in federate.reactions.values()),
        tuple(tuple(row) for row in follows),
        tuple(depth),
    )


def _relations(
    federation: Federation, federate: Federate, number: Mapping[str, int]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Which reactors belong together, and which come after which at a tag."""
    together: list[tuple[int, int]] = []
    users: dict[str, int] = {}
    for reaction in federate.reactions.values():
        mine = number[reaction.reactor]
        for used in (*reaction.triggers, *reaction.sources, *reaction.effects):
            if used in federate.actions:
                together.append((users.setdefault(used, mine), mine))
        together += [(number[federate.reactions[other].reactor], mine) for other in reaction.after]
    enclaves = {reactor: Enclave(reactor, (reactor,)) for reactor in number if reactor}
    # Actions are left out: they are what split does not allow to be shared.
    alone = replace(
        federate,
        actions={},
        enclaves=enclaves,
        reactions={
            key: replace(
                r,
                triggers=tuple(t for t in r.triggers if t not in federate.actions),
                sources=tuple(s for s in r.sources if s not in federate.actions),
                effects=tuple(e for e in r.effects if e not in federate.actions),
                after=(),
            )
            for key, r in federate.reactions.items()
        },
    )
    parts = split(replace(federation, federates={federate.name: alone}, connections=(), chains={}))
    known = {enclave_name(federate.name, reactor): at for reactor, at in number.items()}
    edges = [
        (known[c.source], known[c.target]) for c in parts.federation.connections if c.shift == SAME
    ]
    return together, edges
