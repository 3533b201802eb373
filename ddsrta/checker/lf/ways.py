"""What the ways of a chain add to a tag at most."""

from __future__ import annotations

from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.things import Chain, Federation

_Node = tuple[str, str, bool]  # federate, name, whether it is a reaction
_Ways = dict[_Node, list[tuple[_Node, int | None]]]  # None: any time


def longest_delay(federation: Federation, chain: Chain) -> int:
    """By how much the tag of the last reaction's event is later than that of the first."""
    ahead = _ways(federation)
    start: _Node = (*chain.source, True)
    end: _Node = (*chain.target, True)
    back: _Ways = {}
    for node, ways in ahead.items():
        for target, delay in ways:
            back.setdefault(target, []).append((node, delay))
    on = _reached(start, ahead) & _reached(end, back)
    if start not in on or end not in on:
        raise NoBoundError("no event of the first reaction reaches the last")
    missing = {node: sum(one in on for one, _ in back.get(node, ())) for node in on}
    ready = [node for node, count in missing.items() if not count]
    delays = dict.fromkeys(on, 0)
    done = 0
    while ready:
        node = ready.pop()
        done += 1
        for target, delay in ahead.get(node, ()):
            if target not in on:
                continue
            if delay is None:
                raise NoBoundError("something on the way adds any time to tags")
            delays[target] = max(delays[target], delays[node] + delay)
            missing[target] -= 1
            if not missing[target]:
                ready.append(target)
    if done < len(on):
        raise NoBoundError("events can go round any number of times")
    return delays[end]


def _reached(start: _Node, ways: _Ways) -> set[_Node]:
    found, stack = {start}, [start]
    while stack:
        for target, _ in ways.get(stack.pop(), ()):
            if target not in found:
                found.add(target)
                stack.append(target)
    return found


def _ways(federation: Federation) -> _Ways:
    found: _Ways = {}

    def add(source: _Node, target: _Node, delay: int | None) -> None:
        found.setdefault(source, []).append((target, delay))

    for name, federate in federation.federates.items():
        for key, reaction in federate.reactions.items():
            node = (name, key, True)
            for trigger in set(reaction.triggers):
                add((name, trigger, False), node, 0)
            for effect in set(reaction.effects):
                action = federate.actions.get(effect)
                delay = 0 if action is None else None if action.free else action.delay
                add(node, (name, effect, False), delay)
        for inner in federate.inner:
            add((name, inner.source, False), (name, inner.target, False), inner.after or 0)
    for c in federation.connections:
        delay = None if c.physical else c.after or 0
        add((c.source, c.output, False), (c.target, c.input, False), delay)
    return found
