"""Inputs that are waited for without end, at a tag that has begun: `absent_after: forever`."""

from __future__ import annotations

from ddsrta.lf.activation import Activation
from ddsrta.lf.federation import FOREVER, Federation


def endless(federation: Federation, found: Activation) -> dict[str, str]:
    """The federates that may stop without end at a tag, and why.

    One does not if each of its tags certainly has a message over each of these connections.

    >>> from ddsrta.lf.activation import activation
    >>> from ddsrta.lf.examples import two_federates
    >>> endless(two_federates(), activation(two_federates()))
    {}
    """
    reasons: dict[str, str] = {}
    for connection in federation.connections:
        name = connection.target
        if connection.physical or name in reasons:
            continue
        if federation.absent_after(connection) != FOREVER:
            continue
        if name in found.dense:
            reasons[name] = f"{name} waits forever for {connection.name}"
            continue
        sure = found.places.get((name, connection.input), {})
        for moment, place in found.tags(federation.federates[name]).items():
            if not sure.get(moment, False):
                reasons[name] = (
                    f"{name} has absent_after: forever, and at tags of '{place}' nothing need come "
                    f"over {connection.name}"
                )
                break
    return reasons
