"""Drawn federations with what `draw` leaves rare: who has no events of its own, who waits forever.

A generator of random numbers of its own: the federations of `draw` stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from ddsrta.lf.program.federates import Action, Federate, Reaction
from ddsrta.lf.program.federation import SHORT_WAIT, Connection, Federation
from ddsrta.lf.program.shapes import FOREVER
from ddsrta.lf.program.tags import SAME
from tests.lf.run.simulation.draw import draw

UNITS = (1, 1000, 5000, 5000, 10_000, 20_000)


def draw_class(seed: int) -> tuple[Federation, int]:
    """A drawn federation with some of the classes, and the unit of its times."""
    random = Random(f"classes {seed}")
    unit = random.choice(UNITS)
    found = draw(seed, "decentralized", unit)
    for change, chance in (
        (_one_input, 0.5),
        (_physical, 0.3),
        (_waits, 0.6),
        (_absences, 0.5),
        (_clocks, 0.7),
        (_deadlines, 0.5),
        (_eased, 0.6),
    ):
        if random.random() < chance:
            found = change(random, found, unit)
    return found, unit


def classes_of(federation: Federation) -> Iterator[str]:
    """The classes that a federation has, each once."""
    found = set(_of_federates(federation))
    for connection in federation.connections:
        absent = federation.absent_after(connection)
        if not connection.physical and absent == FOREVER:
            found.add("absent_after forever")
        elif not connection.physical and absent:
            found.add("absent_after above 0")
        if connection.physical and connection.target in federation.sent_by:
            found.add("physical connection upstream")
        if not connection.physical and connection.absent_after == 0:
            found.add("absent_after 0")
    alone = len(set(federation.clocks.values())) < len(federation.federates)
    for host in federation.hosts.values():
        if host.clock_error:
            shared = "with" if host.shared_clock else "without"
            found.add(f"clock_error {shared} shared_clock")
    if alone:
        found.add("federates with one clock")
    yield from found


def _of_federates(federation: Federation) -> Iterator[str]:
    receives = {c.target for c in federation.connections if not c.physical}
    for name, federate in federation.federates.items():
        incoming = [c for c in federation.connections if c.target == name]
        if len(incoming) == 1 and not federate.timers and not federate.actions:
            yield "one input and no events"
        if name in receives and federate.maxwait == FOREVER:
            yield "maxwait forever"
        if name in receives and isinstance(federate.maxwait, int) and federate.maxwait < SHORT_WAIT:
            yield "maxwait below 50 us"
        if isinstance(federate.maxwait, int) and federate.maxwait >= SHORT_WAIT:
            yield "maxwait of 50 us or more"
        if name in federation.sent_by and any(
            a.kind == "physical" for a in federate.actions.values()
        ):
            yield "physical action upstream"
        if any(reaction.deadline == 0 for reaction in federate.reactions.values()):
            yield "deadline 0"


def _with(federation: Federation, *federates: Federate) -> Federation:
    changed = {federate.name: federate for federate in federates}
    return replace(federation, federates={**federation.federates, **changed})


def _one_input(random: Random, federation: Federation, unit: int) -> Federation:
    """Some federate keeps one input, and all its tags are those of messages."""
    name = random.choice([connection.target for connection in federation.connections])
    kept = random.choice([c for c in federation.connections if c.target == name])
    connections = tuple(c for c in federation.connections if c is kept or c.target != name)
    federate = federation.federates[name]
    places = {kept.input, *federate.outputs}
    reactions = {
        n: _only(reaction, places, kept.input) for n, reaction in federate.reactions.items()
    }
    changed = replace(
        federate,
        timers={},
        actions={},
        inputs={kept.input: federate.inputs[kept.input]},
        reactions=reactions,
        connections=tuple(replace(inner, shift=SAME) for inner in federate.connections),
    )
    return _with(replace(federation, connections=connections), changed)


def _only(reaction: Reaction, places: set[str], place: str) -> Reaction:
    return replace(
        reaction,
        triggers=tuple(t for t in reaction.triggers if t in places) or (place,),
        sources=tuple(s for s in reaction.sources if s in places),
        effects=tuple(e for e in reaction.effects if e in places),
    )


def _physical(random: Random, federation: Federation, unit: int) -> Federation:
    """A sender has a physical action; or a connection to one is physical."""
    senders = sorted({connection.source for connection in federation.connections})
    inner = [i for i, c in enumerate(federation.connections) if c.target in senders]
    if inner and random.random() < 0.5:
        connections = list(federation.connections)
        index = random.choice(inner)
        connections[index] = replace(
            connections[index], physical=True, absent_after=None, min_spacing=60 * unit
        )
        return replace(federation, connections=tuple(connections))
    federate = federation.federates[random.choice(senders)]
    press = Action("press", "physical", random.choice([0, 4, 60]) * unit, 90 * unit)
    name, first = next(iter(federate.reactions.items()))
    triggers = tuple(dict.fromkeys((*first.triggers, "press")))
    reactions = {**federate.reactions, name: replace(first, triggers=triggers)}
    actions = {**federate.actions, "press": press}
    return _with(federation, replace(federate, actions=actions, reactions=reactions))


def _waits(random: Random, federation: Federation, unit: int) -> Federation:
    """Given waits of those that receive: none, short, long, without end."""
    names = sorted({connection.target for connection in federation.connections})
    changed = []
    for name in random.sample(names, random.randint(1, len(names))):
        given = [FOREVER, FOREVER, 0, 5 * unit, 49_999, 50_000, 40 * unit, 200 * unit]
        changed.append(replace(federation.federates[name], maxwait=random.choice(given)))
    return _with(federation, *changed)


def _absences(random: Random, federation: Federation, unit: int) -> Federation:
    def drawn(connection: Connection) -> Connection:
        if connection.physical or random.random() < 0.4:
            return connection
        absent = random.choice([FOREVER, FOREVER, 0, 3 * unit, 20 * unit, 49_999])
        return replace(connection, absent_after=absent)

    return replace(federation, connections=tuple(drawn(c) for c in federation.connections))


def _clocks(random: Random, federation: Federation, unit: int) -> Federation:
    hosts = {
        name: replace(
            host,
            clock_error=random.choice([0, 1, 4, 9]) * unit,
            shared_clock=random.random() < 0.5,
        )
        for name, host in federation.hosts.items()
    }
    return replace(federation, hosts=hosts)


def _deadlines(random: Random, federation: Federation, unit: int) -> Federation:
    """Mostly long ones, for which the federation can be right; now and then 0."""
    zero = random.random() < 0.15
    changed = []
    for federate in federation.federates.values():
        deadlines = [None, 50 * unit, 100 * unit, 400 * unit, *([0] if zero else [])]
        reactions = {
            name: replace(reaction, deadline=random.choice(deadlines))
            for name, reaction in federate.reactions.items()
        }
        changed.append(replace(federate, reactions=reactions))
    return _with(federation, *changed)


def _eased(random: Random, federation: Federation, unit: int) -> Federation:
    """Little work and long deadlines, few waits given, no chains, tags as they were sent."""
    changed = []
    for federate in federation.federates.values():
        reactions = {
            name: replace(
                reaction,
                wcet=min(reaction.wcet or 0, unit),
                bcet=0,
                deadline=None if reaction.deadline is None else 1000 * unit,
            )
            for name, reaction in federate.reactions.items()
        }
        kept = federate.maxwait == FOREVER or random.random() < 0.2
        maxwait = federate.maxwait if kept else None
        changed.append(replace(federate, reactions=reactions, maxwait=maxwait))
    connections = tuple(
        replace(c, shift=SAME) if c.source < c.target else c for c in federation.connections
    )
    return _with(replace(federation, connections=connections, chains={}), *changed)
