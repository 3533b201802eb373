"""Reactions of an enclave that the runtime for C may run twice at a tag (lemma enclave-lags)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ddsrta.base.components import reached
from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.logical_time.activation import Activation
from ddsrta.lf.bounds.logical_time.moments import can_meet
from ddsrta.lf.bounds.unbounded import RUNS_AGAIN
from ddsrta.lf.program.at_once import at_once
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.levels import levels
from ddsrta.lf.program.tags import SAME


def run_again(
    federation: Federation, found: Activation, joints: Iterable[Connection]
) -> dict[str, Because]:
    """The enclaves that have one, `joints` the connections between enclaves.

    No level is between what receives for an enclave and who reads it: a reaction on the first level
    that something else triggers at that tag may run before its message is there, and then again. So
    may one that a worker runs at once after such a reaction.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> run_again(two_federates(), Activation(), two_federates().connections)
    {}
    """
    result: dict[str, Because] = {}
    for joint in joints:
        part = federation.federates[joint.target]
        for reaction, trigger in _twice(part, joint.input, found):
            name = f"{part.name}.{reaction}"
            result.setdefault(part.name, RUNS_AGAIN.of(reaction=name, trigger=trigger))
    return result


def _twice(part: Federate, entry: str, found: Activation) -> Iterator[tuple[str, str]]:
    joined: dict[str, list[str]] = {}
    for inner in part.connections:
        if inner.shift == SAME:
            joined.setdefault(inner.source, []).append(inner.target)
    ports = {*reached([entry], lambda one: joined.get(one, ()))}
    first = _first(part)
    for name, reaction in part.reactions.items():
        here = ports.intersection(reaction.triggers)
        if name not in first or not here or not (reaction.effects or reaction.wcet != 0):
            continue
        for trigger in reaction.triggers:
            places = found.places.get((part.name, trigger), ())
            arrivals = found.places.get((part.name, min(here)), ())
            if trigger not in here and any(can_meet(a, b) for a in places for b in arrivals):
                yield name, trigger


def _first(part: Federate) -> Collection[str]:
    """The reactions that may run while the first level is not done."""
    level = levels(part)
    after = at_once(part, level)
    return reached([n for n in level if not level[n]], lambda one: after.get(one, ()))
