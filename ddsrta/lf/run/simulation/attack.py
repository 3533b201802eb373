"""Runs made to reach an offset: everything at its worst along the path that makes it."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.lf.bounds.offsets.least import Offsets
from ddsrta.lf.bounds.offsets.links import Link
from ddsrta.lf.run.simulation.choices import Choices, extreme_clocks

_MOST = 32


def attacks(offsets: Offsets, federate: str) -> Iterator[Choices]:
    """The last sender's clock is as far behind the federate's as can be, all others of the path are
    behind as well. Once everyone writes, once only the path: who gets nothing waits longest.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.links import network
    >>> from ddsrta.lf.bounds.offsets.least import offsets
    >>> found = offsets(network(two_federates()))
    >>> [choices.given_clocks for choices in attacks(found, "sink")][0]
    {'rear': 0, 'front': -150000}
    """
    path = offsets.offsets[federate].path
    if path:
        yield from attack_path(offsets, path)


def attack_path(offsets: Offsets, path: tuple[Link, ...]) -> Iterator[Choices]:
    """The same for any path."""
    federation = offsets.network.federation
    senders = [link.connection.source for link in path]
    behind = [federation.clocks[name] for name in reversed(senders)]
    early = federation.clocks[path[-1].connection.target]
    clocks = extreme_clocks(federation, early, [clock for clock in behind if clock != early])
    others = frozenset(federation.federates) - {*senders, path[-1].connection.target}
    before = others | frozenset(senders[:-1])
    for number, silent in enumerate(dict.fromkeys([frozenset[str](), others, before])):
        yield Choices(number, "worst", clocks, silent)


def all_attacks(offsets: Offsets) -> Iterator[Choices]:
    """On the largest offsets."""
    found = [
        (offset.value, name) for name, offset in offsets.offsets.items() if offset.value is not None
    ]
    for _, name in sorted(found, reverse=True)[:_MOST]:
        yield from attacks(offsets, name)
