"""A federation as plain data, all of it said and all times in nanoseconds: for certificates."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ddsrta.lf.program.federation import Connection, Federate, Federation, InnerConnection


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
        "hosts": _named(federation.hosts),
        "clock_errors": [
            {"between": list(pair), "error": error}
            for pair, error in federation.clock_errors.items()
        ],
        "network": [
            {"from": one, "to": other, **asdict(span)}
            for (one, other), span in federation.network.items()
        ],
        "rti": asdict(federation.rti),
        "federates": {name: _federate(one) for name, one in federation.federates.items()},
        "connections": [_connection(connection) for connection in federation.connections],
        "chains": {
            name: {"from": list(chain.source), "to": list(chain.target), "latency": chain.latency}
            for name, chain in federation.chains.items()
        },
    }


def _federate(federate: Federate) -> dict[str, Any]:
    found = _plain(federate)
    for kind in ("timers", "actions", "inputs", "outputs", "reactions", "enclaves"):
        found[kind] = _named(getattr(federate, kind))
    found["connections"] = [_connection(inner) for inner in federate.connections]
    return found


def _connection(connection: Connection | InnerConnection) -> dict[str, Any]:
    found = asdict(connection) | {"shift": connection.shift.after}
    return {"after" if key == "shift" else key: value for key, value in found.items()}


def _named(things: Any) -> dict[str, dict[str, Any]]:
    return {name: _plain(thing) for name, thing in things.items()}


def _plain(thing: Any) -> dict[str, Any]:
    """Without the name, which is the key of it; lists for what cannot be changed."""
    found = asdict(thing)
    del found["name"]
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}
