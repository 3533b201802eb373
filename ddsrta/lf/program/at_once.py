"""Which reactions a worker runs at once, ahead of their level."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.levels import followers
from ddsrta.lf.program.writers import writers


def at_once(federate: Federate, level: Mapping[str, int]) -> dict[str, list[str]]:
    """Who may run at once after a reaction.

    Only a reaction that it triggers, and that nobody else can still enable, is run so: all others
    that come before that are on lower levels.

    >>> from ddsrta.lf.program.federates import Reaction
    >>> two = {"a": Reaction("a", effects=("p",)), "b": Reaction("b", "r", triggers=("p",))}
    >>> from ddsrta.lf.program.federates import Port
    >>> one = Federate("f", "h", outputs={"p": Port("p")}, reactions=two)
    >>> at_once(one, {"a": 0, "b": 1})
    {'a': ['b']}
    """
    written = writers(federate)
    earlier: dict[str, list[str]] = {}
    for name, names in followers(federate).items():
        for follower in names:
            earlier.setdefault(follower, []).append(name)
    found: dict[str, list[str]] = {}
    for name, names in earlier.items():
        highest = max(level[other] for other in names)
        last = [other for other in names if level[other] == highest]
        triggers = federate.reactions[name].triggers
        enabling = {other for trigger in triggers for other in written.get(trigger, ())}
        if len(last) == 1 and last[0] in enabling:
            found.setdefault(last[0], []).append(name)
    return found
