"""Enclaves that programs for C let wait for the wrong ones (lemma enclave-lags)."""

from __future__ import annotations

from collections.abc import Iterable

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.unbounded import WRONG_UPSTREAM
from ddsrta.lf.program.federation import Connection


def mistaken(joints: Iterable[Connection]) -> dict[str, Because]:
    """Who gets messages of several enclaves, `joints` the connections between enclaves.

    The compiler writes who is upstream as numbers of four bytes, the runtime reads two: the first
    is right, and after it comes a 0, the whole program, which is done with everything.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> mistaken(two_federates().connections)
    {}
    """
    sources: dict[str, dict[str, None]] = {}
    for joint in joints:
        sources.setdefault(joint.target, {})[joint.source] = None
    return {
        name: WRONG_UPSTREAM.of(name=name, names=" and ".join(of))
        for name, of in sources.items()
        if len(of) > 1
    }
