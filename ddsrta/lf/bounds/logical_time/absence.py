"""Inputs that are waited for without end, at a tag that has begun: `absent_after: forever`."""

from __future__ import annotations

from collections.abc import Collection

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.logical_time.activation import Activation
from ddsrta.lf.bounds.logical_time.certain import sparse_at
from ddsrta.lf.bounds.unbounded import ABSENT_FOREVER
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.shapes import FOREVER


def endless(
    federation: Federation, found: Activation, alone: Collection[str] = ()
) -> dict[str, Because]:
    """The federates that may stop without end at a tag, and why.

    One does not if each of its tags certainly has a message over each of these connections, nor if
    it is one of those `alone`, whose tags all are those of messages.

    >>> from ddsrta.lf.bounds.logical_time.activation import activation
    >>> from ddsrta.lf.program.examples import two_federates
    >>> endless(two_federates(), activation(two_federates()))
    {}
    """
    reasons: dict[str, Because] = {}
    for connection in federation.connections:
        name = connection.target
        if connection.physical or name in reasons or name in alone:
            continue
        if federation.absent_after(connection) != FOREVER:
            continue
        place = sparse_at(found, federation, connection)
        if place == "":
            why = f"its tags, and what comes over {connection.name} at them, cannot be followed"
            reasons[name] = ABSENT_FOREVER.of(name=name, why=why)
        elif place is not None:
            why = f"at tags of '{place}' nothing need come over {connection.name}"
            reasons[name] = ABSENT_FOREVER.of(name=name, why=why)
    return reasons
