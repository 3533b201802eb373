"""Inputs that are waited for without end, at a tag that has begun: `absent_after: forever`."""

from __future__ import annotations

from collections.abc import Collection

from ddsrta.lf.bounds.logical_time.activation import Activation
from ddsrta.lf.bounds.logical_time.certain import sparse_at
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.shapes import FOREVER


def endless(
    federation: Federation, found: Activation, alone: Collection[str] = ()
) -> dict[str, str]:
    """The federates that may stop without end at a tag, and why.

    One does not if each of its tags certainly has a message over each of these connections, nor if
    it is one of those `alone`, whose tags all are those of messages.

    >>> from ddsrta.lf.bounds.logical_time.activation import activation
    >>> from ddsrta.lf.program.examples import two_federates
    >>> endless(two_federates(), activation(two_federates()))
    {}
    """
    reasons: dict[str, str] = {}
    for connection in federation.connections:
        name = connection.target
        if connection.physical or name in reasons or name in alone:
            continue
        if federation.absent_after(connection) != FOREVER:
            continue
        place = sparse_at(found, federation, connection)
        if place == "":
            reasons[name] = f"{name} waits forever for {connection.name}"
        elif place is not None:
            reasons[name] = (
                f"{name} has absent_after: forever, and at tags of '{place}' nothing need come "
                f"over {connection.name}"
            )
    return reasons
