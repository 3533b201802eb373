"""Workers that are pinned where they are in each other's way."""

from __future__ import annotations

from ddsrta.lf.bounds.enclaves.split import crowded_hosts
from ddsrta.lf.program.federation import Federation


def pinned_hosts(federation: Federation) -> dict[str, str]:
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
    found: dict[str, str] = {}
    for (host, core), names in pins.items():
        if len(names) > 1:
            text = f"workers of {', '.join(dict.fromkeys(names))} share core {core} of {host}"
            found.setdefault(host, f"{text}, on which they are pinned: not modelled")
        elif host in crowded:
            text = f"{names[0]} is pinned on a core of {host}, which has more workers than cores"
            found.setdefault(host, f"{text}: not modelled")
    return found
