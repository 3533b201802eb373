"""The ways that an event takes from one reaction to another, and how much they add to its tag."""

from __future__ import annotations

from dataclasses import dataclass

from ddsrta.base.components import components, reached
from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.unbounded import ANY_TIME, ANY_TIMES, NEW_TAG, NO_WAY
from ddsrta.lf.program.federation import Chain, Federation

_Node = tuple[str, str, str]  # "reaction" or "place", federate, name


@dataclass(frozen=True, slots=True)
class Step:
    """From one node to the next, with what is added to the tag; over a connection, its index."""

    target: _Node
    delay: int
    connection: int | None = None
    obstacle: Because | None = None


@dataclass(frozen=True, slots=True)
class Routes:
    """All ways of a chain: the connections on any of them, in order those on the one that adds
    most to the tag, and how much that is; None if there is no most, `because` says why."""

    connections: frozenset[int]
    longest: tuple[int, ...]
    delay: int | None
    because: Because | None = None


def routes(federation: Federation, chain: Chain) -> Routes:
    """The ways of a chain.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> system = two_federates()
    >>> routes(system, system.chains["control"])
    Routes(connections=frozenset({0}), longest=(0,), delay=0, because=None)
    """
    steps = _steps(federation)
    start: _Node = ("reaction", *chain.source)
    end: _Node = ("reaction", *chain.target)
    back: dict[_Node, list[_Node]] = {}
    for node, row in steps.items():
        for step in row:
            back.setdefault(step.target, []).append(node)
    there = reached([start], lambda node: [step.target for step in steps.get(node, ())])
    on = [node for node in reached([end], lambda node: back.get(node, ())) if node in there]
    if start not in on or end not in on:
        return Routes(frozenset(), (), None, NO_WAY.of())
    number = {node: index for index, node in enumerate(on)}
    inside = [[step for step in steps.get(node, ()) if step.target in number] for node in on]
    used = frozenset(
        step.connection for row in inside for step in row if step.connection is not None
    )
    for row in inside:
        for step in row:
            if step.obstacle:
                return Routes(used, (), None, step.obstacle)
    order = components([[number[step.target] for step in row] for row in inside])
    if loop := next((members for members in order if len(members) > 1), None):
        names = sorted({".".join(on[index][1:]) for index in loop if on[index][0] == "reaction"})
        because = ANY_TIMES.of(names=", ".join(names))
        return Routes(used, (), None, because)
    return _longest(on, inside, [members[0] for members in order], number, (start, end), used)


def _longest(
    on: list[_Node],
    inside: list[list[Step]],
    order: list[int],
    number: dict[_Node, int],
    ends: tuple[_Node, _Node],
    used: frozenset[int],
) -> Routes:
    start, end = number[ends[0]], number[ends[1]]
    delay = {start: 0}
    came: dict[int, tuple[int, Step]] = {}
    for index in order:
        if index not in delay:
            continue
        for step in inside[index]:
            target = number[step.target]
            if target not in delay or delay[index] + step.delay > delay[target]:
                delay[target] = delay[index] + step.delay
                came[target] = (index, step)
    path: list[int] = []
    at = end
    while at != start:
        at, step = came[at]
        if step.connection is not None:
            path.append(step.connection)
    return Routes(used, tuple(path[::-1]), delay[end])


def _steps(federation: Federation) -> dict[_Node, list[Step]]:
    steps: dict[_Node, list[Step]] = {}

    def add(source: _Node, step: Step) -> None:
        steps.setdefault(source, []).append(step)

    for name, federate in federation.federates.items():
        for reaction in federate.reactions.values():
            node: _Node = ("reaction", name, reaction.name)
            for trigger in dict.fromkeys(reaction.triggers):
                add(("place", name, trigger), Step(node, 0))
            for effect in dict.fromkeys(reaction.effects):
                action = federate.actions.get(effect)
                delay = action.min_delay if action else 0
                obstacle = None
                if action and action.is_free:
                    obstacle = ANY_TIME.of(action=f"{name}.{effect}")
                add(node, Step(("place", name, effect), delay, None, obstacle))
        for inner in federate.connections:
            place: _Node = ("place", name, inner.target)
            add(("place", name, inner.source), Step(place, inner.shift.time))
    for index, connection in enumerate(federation.connections):
        obstacle = NEW_TAG.of(connection=connection.name) if connection.physical else None
        place = ("place", connection.target, connection.input)
        step = Step(place, connection.shift.time, index, obstacle)
        add(("place", connection.source, connection.output), step)
    return steps
