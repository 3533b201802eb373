"""Who writes a port at the tag at which it is written."""

from __future__ import annotations

from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.tags import SAME


def writers(federate: Federate) -> dict[str, tuple[str, ...]]:
    """The reactions that write each port, directly or over inner connections without delay.

    >>> from ddsrta.lf.program.federates import Reaction
    >>> writers(Federate("f", "h", reactions={"r": Reaction("r", effects=("out",))}))
    {'out': ('r',)}
    """
    found: dict[str, dict[str, None]] = {}
    for name, reaction in federate.reactions.items():
        for effect in reaction.effects:
            if effect not in federate.actions:
                found.setdefault(effect, {})[name] = None
    joined: dict[str, list[str]] = {}
    for inner in federate.connections:
        if inner.shift == SAME:
            joined.setdefault(inner.source, []).append(inner.target)
    queue = list(found)
    while queue:
        port = queue.pop()
        for target in joined.get(port, ()):
            known = found.setdefault(target, {})
            if found[port].keys() - known.keys():
                known.update(found[port])
                queue.append(target)
    return {port: tuple(names) for port, names in found.items()}
