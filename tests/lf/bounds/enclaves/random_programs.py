"""Random programs with enclaves: reactors with timers, inputs, actions, on few cores or many."""

from __future__ import annotations

import random

from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads


def program(seed: int) -> str:
    """One federate with up to seven reactors, some of them in enclaves."""
    chance = random.Random(seed)
    count = chance.randint(2, 7)
    target = chance.choice(["Cpp", "Cpp", "Cpp", "C"])
    overhead = chance.choice([0, 0, chance.randint(1, 60)])
    heavy = chance.choice([80, 300, 900])
    sure = chance.random()
    inputs, outputs, timers, actions, reactions, links = [], [], [], [], [], []
    period = chance.choice([2, 4, 5])
    for index in range(count):
        sources = sorted(chance.sample(range(index), chance.randint(0, min(2, index))))
        triggers = []
        for source in sources:
            inputs.append(f"r{index}.i{source}")
            triggers.append(f"r{index}.i{source}")
            after = chance.choice(["", "", "", ", after: 0 ms", ", after: 1ms", ", after: 7ms"])
            links.append(f"      - {{from: r{source}.out, to: r{index}.i{source}{after}}}")
        kind = chance.random()
        if not sources or kind < 0.2:
            every = period * chance.choice([1, 1, 1, 2, 4])
            timers.append(f"t{index}: {{offset: {chance.choice([0, 0, 1])}ms, period: {every}ms}}")
            triggers.append(f"t{index}")
        elif kind < 0.3:
            spacing = chance.randint(3, 9)
            actions.append(f"a{index}: {{kind: physical, min_spacing: {spacing}ms, "
                           f"min_delay: {chance.choice([0, 0, 2])}ms}}")  # fmt: skip
            triggers.append(f"a{index}")
        elif kind < 0.4:
            triggers.append("startup")
        outputs.append(f"r{index}.out")
        for number in range(chance.choice([1, 1, 2, 3])):
            own = triggers if number == 0 else chance.sample(triggers, 1)
            effects = [f"r{index}.out"] * (number == 0)
            cost = chance.randint(1, heavy)
            always = str(chance.random() < sure).lower()
            reactions.append(
                f"      x{index}_{number}: {{reactor: r{index}, triggers: [{', '.join(own)}], "
                f"effects: [{', '.join(effects)}], wcet: {cost}us, "
                f"bcet: {chance.randint(0, cost)}us, always: {always}}}"
            )
    groups: dict[int, list[str]] = {}
    for index in range(count):
        groups.setdefault(chance.randint(0, min(count, 4)), []).append(f"r{index}")
    workers = [chance.choice([1, 1, 2, 3]) for _ in range(6)]
    enclaves = [
        f"e{group}: {{reactors: [{', '.join(names)}], workers: {workers[group]}}}"
        for group, names in groups.items()
        if group
    ]
    cores = chance.choice(["", "cores: 16", "cores: 1", "cores: 2", "cores: 3"])
    return "\n".join([
        "federation: 1", f"name: random {seed}", "coordination: decentralized", f"target: {target}",
        f"hosts: {{h: {{{cores}}}}}", "federates:", "  f:", "    host: h",
        f"    workers: {workers[0]}", f"    overhead: {overhead}us",
        f"    timers: {{{', '.join(timers)}}}", f"    actions: {{{', '.join(actions)}}}",
        f"    inputs: [{', '.join(inputs)}]", f"    outputs: [{', '.join(outputs)}]",
        "    reactions:", *reactions,
        *(["    connections:", *links] if links else []),
        f"    enclaves: {{{', '.join(enclaves)}}}",
    ]) + "\n"  # fmt: skip


def system(seed: int) -> Federation:
    """The same, read."""
    return loads(program(seed), f"random_{seed}.yaml")
