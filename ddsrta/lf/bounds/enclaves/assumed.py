"""What bounds of enclaves rest on, and no file can show."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.lf.bounds.assumptions import Assumption, assumptions
from ddsrta.lf.bounds.enclaves.split import Split, crowded_hosts


def enclave_assumptions(cut: Split) -> Iterator[Assumption]:
    """Those of the federation, of how enclaves wait, and of who gets cores.

    >>> from ddsrta.lf.bounds.enclaves.split import split
    >>> from ddsrta.lf.program.examples import enclaves
    >>> [assumption.rule for assumption in enclave_assumptions(split(enclaves()))]
    ['enclave-waits', 'own-cores']
    """
    yield from assumptions(cut.original)
    pairs = [
        (c.source, c.target)
        for c in cut.federation.connections
        if cut.members[c.source][0] == cut.members[c.target][0]
    ]
    if pairs:
        message = (
            "assumed: an enclave waits before each tag until those upstream are done with it, and "
            "asks them one after the other; who is asked has an empty tag, if none of its own"
        )
        yield Assumption("enclave-waits", message)
    crowded = crowded_hosts(cut.federation)
    hosts = {part.host: None for part in cut.federation.federates.values()}
    if any(host not in crowded for host in hosts):
        yield Assumption("own-cores", "assumed: each worker has a core to itself")
    if any(host in crowded for host in hosts):
        message = "assumed: no core idles while a worker is ready, whoever gets it"
        yield Assumption("work-conserving", message)
