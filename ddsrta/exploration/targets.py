"""What an attack is about: the figures of chains and messages, by the names that people use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.models.system import System
from ddsrta_simulator import Measure, Program

ARROW = " → "


class Target(NamedTuple):
    """A figure under a name; no bound: it is unbounded, or not one that the analysis has."""

    name: str
    kind: str
    measure: int
    bound: int | None


def targets(
    system: System, program: Program, result: Result, wanted: Sequence[str]
) -> list[Target]:
    """The figures that these names stand for; without names, those of all chains and messages.

    A chain has a name, or one for each of its paths, 'CHAIN/2'. A message is that of a publisher,
    a topic and a subscriber, 'sensor → speed → control'; the arrow may be '->', too. The name of a
    topic stands for all its messages.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation import program_of
    >>> system = two_threads()
    >>> [t.name for t in targets(system, program_of(system), analyze(system), [])]
    ['control loop', 'sensor → speed → control']
    """
    number = {measure: i for i, measure in enumerate(program.measures)}
    known: dict[str, list[Target]] = {}
    found: list[Target] = []
    for path in named_paths(system)[0]:
        chain = result.chains[path.name]
        target = _of_chain(path.name, chain, number)
        found.append(target)
        for name in {path.name, path.chain.name}:
            known.setdefault(name, []).append(target)
    for message in result.messages:
        names = (message.publisher, message.topic, message.subscriber)
        target = Target(ARROW.join(names), "ddl", number[Measure("ddl", names)], message.ddl)
        found.append(target)
        known.setdefault(target.name, []).append(target)
        if message.topic not in system.chains:
            known.setdefault(message.topic, []).append(target)
    if not wanted:
        return found
    chosen = [target for name in wanted for target in _known(known, name)]
    return list(dict.fromkeys(chosen))


def _of_chain(name: str, chain: ChainResult, number: dict[Measure, int]) -> Target:
    """The figure that the chain constrains; through registers there is no latency, but an age."""
    kind = chain.constraint
    if Measure(kind, chain.path) not in number:
        kind = "data_age"
    return Target(name, kind, number[Measure(kind, chain.path)], getattr(chain, kind))


def _known(known: dict[str, list[Target]], name: str) -> list[Target]:
    plain = ARROW.join(part.strip() for part in name.replace("->", "→").split("→"))
    if plain not in known:
        advice = did_you_mean(plain, dict.fromkeys(known))
        raise InputError([Diagnostic(None, f"there is no chain or message '{name[:80]}'", advice)])
    return known[plain]
