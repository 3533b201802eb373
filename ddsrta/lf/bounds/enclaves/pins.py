"""Workers that are pinned where they are in each other's way."""

from __future__ import annotations

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.enclaves.split import crowded_hosts
from ddsrta.lf.bounds.unbounded import PINS_CROWDED, PINS_SHARED
from ddsrta.lf.program.federation import Federation


def pinned_hosts(federation: Federation) -> dict[str, Because]:
    """Hosts where workers share a core on which they are pinned, or where that keeps them from idle
    cores; how that is said.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> pinned_hosts(two_federates())
    {}
    """
    pins: dict[tuple[str, int], list[str]] = {}
    for name, part in federation.federates.items():
        if part.core is not None:
            pins.setdefault((part.host, part.core), []).extend([name] * part.workers)
    crowded = crowded_hosts(federation)
    found: dict[str, Because] = {}
    for (host, core), names in pins.items():
        if len(names) > 1:
            shared = ", ".join(dict.fromkeys(names))
            found.setdefault(host, PINS_SHARED.of(names=shared, core=core, host=host))
        elif host in crowded:
            found.setdefault(host, PINS_CROWDED.of(name=names[0], host=host))
    return found
