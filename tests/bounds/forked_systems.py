"""Systems whose callbacks hand work to two executors, with more of it than one core could do."""

from __future__ import annotations

from random import Random

HEAD = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 20us}, listener: {1kB: 50us}}
topics: {t: {size: 1kB}}
flow_controllers: {F: {core: m/a, priority: 9}}
listeners: {L: {core: m/LISTENER, priority: 8}}
executors:
  A: {core: m/a, priority: 1}
  B: {core: m/b, priority: 2}
  C: {core: m/b, priority: 1}
callbacks:
"""


def forked(seed: int, fullness: float = 1.02) -> str:
    """A tree of callbacks, all of whose work takes a bit more than a period."""
    random = Random(seed)
    costs, ways = {"s": 200}, {"s": "s"}
    lines = []
    for number in range(random.randint(4, 9)):
        name, source = f"k{number}", random.choice(list(costs)[-4:])
        costs[name] = random.choice((1000, 1000, random.randint(1, 3000)))
        executor = random.choice("AABBBC")
        by = f"follows: {{threads: [{source}]}}"
        if number == 2 and random.random() < 0.5:  # by a message, what s publishes
            by, source = "subscribes: {topics: [t], listener: L}", "s"
        ways[name] = f"{ways[source]}, {'t, ' * by.startswith('subscribes')}{name}"
        lines.append(f"  {name}: {{executor: {executor}, wcet: {costs[name]}us, {by}}}\n")
    period = int((sum(costs.values()) + 70) / fullness)
    first = f"  s: {{executor: A, timer: {period}us, wcet: 200us, publishes: [{{topic: t, flow_controller: F}}]}}\n"
    chains = (
        "chains: {" + ", ".join(f"{end}: {{path: [{way}]}}" for end, way in ways.items()) + "}\n"
    )
    return HEAD.replace("LISTENER", random.choice("ab")) + first + "".join(lines) + chains
