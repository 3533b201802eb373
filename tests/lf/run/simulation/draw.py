"""Random federations: small numbers, so that tags meet, work piles up and times are equal often."""

from __future__ import annotations

from random import Random

from ddsrta.lf.program.federates import (
    Action,
    Federate,
    InnerConnection,
    Port,
    Reaction,
    Span,
    Timer,
)
from ddsrta.lf.program.federation import (
    SHORT_WAIT,
    Chain,
    Connection,
    Coordination,
    Federation,
    Host,
    Rti,
)
from ddsrta.lf.program.shapes import FOREVER
from ddsrta.lf.program.tags import Shift


def draw(seed: int, coordination: Coordination = "decentralized", unit: int = 1) -> Federation:
    """Two to five federates on up to three hosts; everything that the model has may occur."""
    random = Random(seed)
    count = random.randint(2, 5)
    hosts = {
        f"h{i}": Host(f"h{i}", 4, random.choice([0, 0, 2, 5]) * unit)
        for i in range(random.randint(1, 3))
    }
    pairs = {
        tuple(sorted(random.sample(range(count), 2))) for _ in range(random.randint(1, 2 * count))
    }
    if random.random() < 0.3:
        a, b = random.choice(sorted(pairs))
        pairs.add((b, a))
    places = {i: random.choice(list(hosts)) for i in range(count)}
    federates = {
        f"f{i}": _federate(
            random, f"f{i}", places[i], [a for a, b in sorted(pairs) if b == i], coordination, unit
        )
        for i in range(count)
    }
    connections = []
    for a, b in sorted(pairs):
        output = random.choice(list(federates[f"f{a}"].outputs))
        connections.append(
            _connection(random, f"f{a}", output, f"f{b}", f"i{a}", a < b, coordination, unit)
        )
    found = Federation(
        f"drawn {seed}",
        coordination,
        hosts,
        federates,
        tuple(connections),
        network={(x, y): _span(random, 10, unit) for x in hosts for y in hosts},
        rti=Rti(
            "h0",
            _span(random, 6, unit) if random.random() < 0.8 else None,
            random.choice([0, 1, 3]) * unit,
            random.random() < 0.6,
            random.choice([7, 20, 50]) * unit,
        ),
        chains=_chains(random, federates, sorted(pairs)),
        short_wait=SHORT_WAIT if unit > 1 else seed % 8,
    )
    return found


def _span(random: Random, most: int, unit: int) -> Span:
    worst = random.randint(0, most)
    return Span(worst * unit, random.randint(0, worst) * unit)


def _federate(
    random: Random, name: str, host: str, senders: list[int], coordination: Coordination, unit: int
) -> Federate:
    periods = random.choice([[40, 60], [40], [30, 50], [100]])
    ticks = not senders or random.random() < 0.6
    timers = {}
    for i in range(random.choice([1, 1, 2]) if ticks else 0):
        timers[f"t{i}"] = Timer(
            f"t{i}", random.choice([0, 0, 0, 5, 7]) * unit, random.choice(periods) * unit
        )
    actions = {}
    if random.random() < 0.2:
        spacing = random.choice([40, 90]) * unit
        delay = random.choice([0, 0, 4, 15]) * unit
        actions["press"] = Action("press", "physical", delay, spacing)
    if random.random() < 0.2:
        actions["later"] = Action("later", "logical", random.choice([0, 3, 11]) * unit)
    outputs = {"out": Port("out")}
    if random.random() < 0.3:
        outputs["more"] = Port("more")
    inputs = {
        f"i{a}": Port(
            f"i{a}",
            random.choice([None, None, None, 4, 9]) if coordination == "decentralized" else None,
        )
        for a in senders
    }
    inputs = {
        n: Port(n, None if p.absent_after is None else p.absent_after * unit)
        for n, p in inputs.items()
    }
    reactions = {}
    sources = [*timers, *inputs, *(["press"] if "press" in actions else [])]
    inner = ["mid"] if random.random() < 0.4 else []
    for i in range(random.randint(1, 4)):
        triggers = random.sample(sources, random.randint(1, len(sources)))
        if i > 0 and "later" in actions:
            triggers.append("later")
        if i > 1 and inner:
            triggers.append("mid2")
        effects = [e for e in [*outputs, *(inner if i < 2 else [])] if random.random() < 0.6]
        if i == 0 and "later" in actions:
            effects.append("later")
        reads = [p for p in inputs if p not in triggers and random.random() < 0.2]
        wcet = random.choice([0, 1, 2, 3, 5, 8])
        reactions[f"r{i}"] = Reaction(
            f"r{i}",
            random.choice(["", "", f"x{i}"]),
            tuple(dict.fromkeys(triggers)),
            tuple(reads),
            tuple(effects),
            wcet * unit,
            random.randint(0, wcet) * unit,
            deadline=random.choice([None, None, 30 * unit]),
            always=random.random() < 0.4,
        )
    if inner:
        outputs |= {"mid": Port("mid"), "mid2": Port("mid2")}
    maxwait = None
    if coordination == "decentralized" and random.random() < 0.15:
        maxwait = random.choice([0, 10 * unit, 25 * unit, 60 * unit, FOREVER])
    return Federate(
        name,
        host,
        random.choice([1, 1, 2, 3]),
        random.choice(["NP", "NP", "GEDF_NP", "ADAPTIVE"]),
        maxwait,
        random.choice([0, 0, 0, 2]) * unit,
        None,
        timers,
        actions,
        inputs,
        outputs,
        reactions,
        (InnerConnection("mid", "mid2", Shift.of(random.choice([None, None, 0, 6 * unit]))),)
        if inner
        else (),
    )


def _connection(
    random: Random,
    source: str,
    output: str,
    target: str,
    port: str,
    forward: bool,
    coordination: Coordination,
    unit: int,
) -> Connection:
    physical = random.random() < 0.06
    after = random.choice([None, None, None, 0, 5, 12, 30]) if forward else random.choice([30, 80])
    return Connection(
        source,
        output,
        target,
        port,
        Shift.of(after * unit if after else after),
        physical,
        _span(random, 10, unit) if random.random() < 0.6 else None,
        random.choice([0, 0, 0, 1, 3]) * unit,
        None if physical or coordination == "centralized" or random.random() < 0.8 else 6 * unit,
        40 * unit if physical else None,
    )


def _chains(
    random: Random, federates: dict[str, Federate], pairs: list[tuple[int, int]]
) -> dict[str, Chain]:
    found = {}
    for i, (a, b) in enumerate(pairs):
        first = random.choice(list(federates[f"f{a}"].reactions))
        last = random.choice(list(federates[f"f{b}"].reactions))
        found[f"c{i}"] = Chain(f"c{i}", (f"f{a}", first), (f"f{b}", last))
    return found
