"""Which reactions of a federate run before which at a tag: the levels of reactions.

A reaction comes after those that write what it reads at the same tag, and after those that stand
before it in its reactor. Its level is the length of the longest such way to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import pairwise

from ddsrta.base.components import reached
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.tags import SAME

CIRCLE = "these reactions wait for each other at a tag"


class LevelError(Exception):
    """Reactions that wait for each other at a tag, or a level that is too low; names one."""

    def __init__(self, reaction: str, message: str) -> None:
        self.reaction = reaction
        super().__init__(message)


def followers(federate: Federate) -> dict[str, list[str]]:
    """For each reaction, those that come after it at a tag, immediately.

    >>> from ddsrta.lf.program.federates import Reaction
    >>> two = {"a": Reaction("a", "r", ("startup",)), "b": Reaction("b", "r", ("startup",))}
    >>> followers(Federate("f", "h", reactions=two))
    {'a': ['b'], 'b': []}
    """
    found: dict[str, dict[str, None]] = {name: {} for name in federate.reactions}
    readers = _readers(federate)
    joined: dict[str, list[str]] = {}
    for inner in federate.connections:
        if inner.shift == SAME:
            joined.setdefault(inner.source, []).append(inner.target)
    reactors: dict[str, list[str]] = {}
    for name, reaction in federate.reactions.items():
        reactors.setdefault(reaction.reactor, []).append(name)
        for effect in reaction.effects:
            for port in _same_tag_ports(joined, effect):
                found[name].update(dict.fromkeys(readers.get(port, ())))
        for earlier in reaction.after:
            found[earlier][name] = None
    for members in reactors.values():
        for first, second in pairwise(members):
            found[first][second] = None
    return {name: list(after) for name, after in found.items()}


def levels(federate: Federate, group: Mapping[str, str] | None = None) -> dict[str, int]:
    """The level of each reaction, as given or the least one, in its `group`; raises LevelError.

    >>> from ddsrta.lf.program.federates import Reaction
    >>> two = {"a": Reaction("a", "r", ("startup",)), "b": Reaction("b", "r", ("startup",))}
    >>> levels(Federate("f", "h", reactions=two))
    {'a': 0, 'b': 1}
    """
    after = followers(federate)
    if group is not None:
        after = {n: [o for o in row if group[o] == group[n]] for n, row in after.items()}
    return _longest(federate, after)


def _longest(federate: Federate, after: Mapping[str, list[str]]) -> dict[str, int]:
    waiting = dict.fromkeys(after, 0)
    for names in after.values():
        for name in names:
            waiting[name] += 1
    least = dict.fromkeys(after, 0)
    result: dict[str, int] = {}
    ready = deque(name for name, count in waiting.items() if not count)
    while ready:
        name = ready.popleft()
        given = federate.reactions[name].level
        if given is not None and given < least[name]:
            message = f"level {given} is too low: others run before it, its level is {least[name]}"
            raise LevelError(name, message)
        result[name] = least[name] if given is None else given
        for follower in after[name]:
            least[follower] = max(least[follower], result[name] + 1)
            waiting[follower] -= 1
            if not waiting[follower]:
                ready.append(follower)
    if len(result) < len(after):
        circle = _circle(after, result)
        message = f"{CIRCLE}: " + " → ".join(circle)
        raise LevelError(circle[0], message)
    return result


def _circle(after: Mapping[str, list[str]], done: Mapping[str, int]) -> list[str]:
    """A circle among what is not done: going backwards from any of it must come round."""
    before: dict[str, str] = {}
    for name in after:
        if name not in done:
            before.update({follower: name for follower in after[name] if follower not in done})
    seen: dict[str, None] = {}
    name = next(iter(before))
    while name not in seen:
        seen[name] = None
        name = before[name]
    names = list(seen)
    circle = names[names.index(name) :][::-1]
    return [*circle, circle[0]]


def _readers(federate: Federate) -> dict[str, list[str]]:
    readers: dict[str, list[str]] = {}
    ports = federate.inputs.keys() | federate.outputs.keys()
    for name, reaction in federate.reactions.items():
        for port in dict.fromkeys((*reaction.triggers, *reaction.sources)):
            if port in ports:
                readers.setdefault(port, []).append(name)
    return readers


def _same_tag_ports(joined: Mapping[str, list[str]], port: str) -> list[str]:
    """The port and all that inner connections without delay lead to."""
    return list(reached([port], lambda one: joined.get(one, ())))
