"""A federation as plain data, all of it said and all times in nanoseconds: for certificates."""

from __future__ import annotations

from typing import Any

from ddsrta.base.records import stored
from ddsrta.lf.program.federation import Federation


def to_document(federation: Federation) -> dict[str, Any]:
    """The document; nothing in it depends on what the file leaves out.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> to_document(two_federates())["network"]
    [{'from': 'front', 'to': 'rear', 'worst': 1000000, 'best': 100000}]
    """
    return {
        "federation": 1,
        "name": federation.name,
        "coordination": federation.coordination,
        "target": federation.target,
        "hosts": stored(federation.hosts),
        "clock_errors": [
            {"between": list(pair), "error": error}
            for pair, error in federation.clock_errors.items()
        ],
        "network": [
            {"from": one, "to": other, **stored(span)}
            for (one, other), span in federation.network.items()
        ],
        "rti": stored(federation.rti),
        "federates": stored(federation.federates),
        "connections": stored(federation.connections),
        "chains": stored(federation.chains),
    }
