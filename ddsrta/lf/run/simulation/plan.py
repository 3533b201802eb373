"""What a federate does with an event, made ready for a run: levels, triggers, who sends what.

The compiler's own reactions change the levels of a federate that receives, so that in each run any
order that the model leaves open is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ddsrta.base.components import reached
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.levels import followers, levels
from ddsrta.lf.program.tags import SAME, Shift
from ddsrta.lf.program.writers import writers
from ddsrta.lf.run.simulation.choices import Choices

NO_LEVEL = 1 << 30


@dataclass
class Plan:
    """One federate, or an enclave of it, which has a `name`.

    Connections are known by their index; `physical`: it has physical ones, too.

    `blocks`: from which level on an input of unknown status keeps reactions from running. `alone`:
    for each reaction, those that a worker may run at once after it, whatever their level.
    """

    federate: Federate
    inputs: list[int] = field(default_factory=list)
    physical: bool = False
    sent: dict[str, list[int]] = field(default_factory=dict)
    triggered: dict[str, list[str]] = field(default_factory=dict)
    inner: dict[str, list[tuple[str, Shift]]] = field(default_factory=dict)
    level: dict[str, int] = field(default_factory=dict)
    send_level: dict[int, int] = field(default_factory=dict)
    blocks: dict[int, int] = field(default_factory=dict)
    alone: dict[str, list[str]] = field(default_factory=dict)
    workers: int = 1
    name: str = ""


def plans(federation: Federation, choices: Choices, circles: Mapping[int, bool]) -> dict[str, Plan]:
    """The plan of each federate. `circles`: the connections of zero-delay cycles (with an RTI)."""
    found = {name: Plan(federate) for name, federate in federation.federates.items()}
    receives = {connection.target for connection in federation.connections}
    for index, connection in enumerate(federation.connections):
        found[connection.source].sent.setdefault(connection.output, []).append(index)
        if not connection.physical:
            found[connection.target].inputs.append(index)
        else:
            found[connection.target].physical = True
    for name, plan in found.items():
        _events(plan)
        _levels(plan, federation.connections, choices, name in receives, circles)
    return found


def _events(plan: Plan) -> None:
    for name, reaction in plan.federate.reactions.items():
        for trigger in dict.fromkeys(reaction.triggers):
            plan.triggered.setdefault(trigger, []).append(name)
    for inner in plan.federate.connections:
        plan.inner.setdefault(inner.source, []).append((inner.target, inner.shift))


def _levels(
    plan: Plan,
    connections: tuple[Connection, ...],
    choices: Choices,
    receives: bool,
    circles: Mapping[int, bool],
) -> None:
    federate = plan.federate
    after = followers(federate)
    given = all(reaction.level is not None for reaction in federate.reactions.values())
    exact = (given or not receives) and not federate.enclaves
    plan.level = levels(federate)
    if not exact and choices.chance.random() < 0.7:
        plan.level = _any_order(after, choices)
    cyclic = any(index in circles for index in plan.inputs)
    if cyclic:
        _lift(plan, after, circles, connections)
    top = max(plan.level.values(), default=-1)
    sent = [(index, connections[index]) for row in plan.sent.values() for index in row]
    prompt = {connection.output for _, connection in sent if connection.shift == SAME}
    early = exact and not receives and len(prompt) <= 1
    by = writers(federate)
    for index, connection in sent:
        written = max((plan.level[name] for name in by.get(connection.output, ())), default=0)
        if early or index in circles:
            plan.send_level[index] = written + 1
        elif choices.worst:
            plan.send_level[index] = top + 1
        else:
            plan.send_level[index] = choices.chance.randint(written + 1, max(top, written) + 1)
    for index in plan.inputs:
        readers = _readers(plan, connections[index].input)
        plan.blocks[index] = min((plan.level[name] for name in readers), default=NO_LEVEL)
    plan.workers = federate.workers
    if federate.enclaves:
        plan.workers = 1
    elif federate.scheduler == "ADAPTIVE":
        plan.workers = 1 if choices.worst else choices.chance.randint(1, federate.workers)
    if exact and not plan.inputs:
        _alone(plan, after)


def _any_order(after: Mapping[str, list[str]], choices: Choices) -> dict[str, int]:
    """A level of its own for each reaction."""
    waiting = dict.fromkeys(after, 0)
    for names in after.values():
        for name in names:
            waiting[name] += 1
    ready = [name for name, count in waiting.items() if not count]
    found: dict[str, int] = {}
    while ready:
        name = ready.pop(choices.chance.randrange(len(ready)))
        found[name] = len(found)
        for follower in after[name]:
            waiting[follower] -= 1
            if not waiting[follower]:
                ready.append(follower)
    return found


def _lift(
    plan: Plan,
    after: Mapping[str, list[str]],
    circles: Mapping[int, bool],
    connections: tuple[Connection, ...],
) -> None:
    """What a federate of a zero-delay cycle does without its inputs, it does first, sending
    included: else no one in the cycle could begin."""
    ports = [connections[index].input for index in plan.inputs if index in circles]
    readers = [reader for port in ports for reader in _readers(plan, port)]
    top = max(plan.level.values(), default=0)
    for name in reached(readers, after.__getitem__):
        plan.level[name] += top + 2


def _readers(plan: Plan, port: str) -> list[str]:
    """The reactions that read a port at its own tag."""
    inner = plan.inner
    ports = {*reached([port], lambda one: [to for to, by in inner.get(one, ()) if by == SAME])}
    return [
        name
        for name, reaction in plan.federate.reactions.items()
        if ports.intersection((*reaction.triggers, *reaction.sources))
    ]


def _alone(plan: Plan, after: Mapping[str, list[str]]) -> None:
    """Only what no other reaction can still come before may be run at once."""
    before: dict[str, list[str]] = {}
    for name, names in after.items():
        for follower in names:
            before.setdefault(follower, []).append(name)
    for name, names in after.items():
        plan.alone[name] = [
            follower
            for follower in names
            if all(plan.level[n] < plan.level[name] for n in before[follower] if n != name)
        ]
