"""Federates that send to each other at one tag."""

from __future__ import annotations

from ddsrta.base.components import connected
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.tags import SAME


def at_once(federation: Federation) -> list[list[str]]:
    """All federates, in groups that reach each other without `after`, senders before receivers."""
    logical = (c for c in federation.connections if not c.physical and c.shift == SAME)
    return connected(list(federation.federates), ((c.source, c.target) for c in logical))


def zero_delay_cycles(federation: Federation) -> tuple[tuple[str, ...], ...]:
    """Federates that reach each other without `after`, each group in the order of the file.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> zero_delay_cycles(two_federates())
    ()
    """
    place = {name: index for index, name in enumerate(federation.federates)}
    groups = [sorted(group, key=place.__getitem__) for group in at_once(federation)]
    return tuple(sorted((tuple(g) for g in groups if len(g) > 1), key=lambda g: place[g[0]]))
