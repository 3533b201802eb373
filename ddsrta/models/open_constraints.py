"""What a deadline is for where the file does not say it: the latency, or the data age where
something samples on the way, so that no event runs through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ddsrta.base.components import reached
from ddsrta.models.graph import all_inputs, walk
from ddsrta.models.system import Chain, System


def settled(system: System) -> Mapping[str, Chain]:
    """The chains of a system, each with its constraint.

    >>> from ddsrta.examples import two_threads
    >>> [chain.constraint for chain in settled(two_threads()).values()]
    ['latency']
    """
    return {name: _settled(system, chain) for name, chain in system.chains.items()}


def _settled(system: System, chain: Chain) -> Chain:
    if chain.samples is None or chain.deadline is None:
        return chain
    samples = _sampling(system, chain)
    return replace(chain, constraint="data_age", samples=samples) if samples else chain


def _sampling(system: System, chain: Chain) -> str:
    """The first thread on the way that is released by time; of all ways between two ends, any."""
    threads = system.threads
    if chain.path:
        found = [hop.target for hop in walk(system, chain.path)[0]]
    elif chain.ends and all(end in threads for end in chain.ends):
        source, target = chain.ends
        ahead = reached([source], lambda name: _after(system, name))
        behind = reached([target], lambda n: [hop.source for hop in all_inputs(system, threads[n])])
        found = [name for name in ahead if name in behind and name != source]
    else:
        return ""
    return next((name for name in found if threads[name].arrival is not None), "")


def _after(system: System, name: str) -> list[str]:
    """Whom a thread's messages and jobs reach."""
    sent = system.threads[name].publishes
    readers = [reader.name for each in sent for reader in system.readers(each.topic)]
    return readers + [follower.name for follower in system.followers(name)]
