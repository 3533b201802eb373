"""Random systems of bursts, joins and visits in turn, where units could be taken to come at a pace
at which they do not."""

from __future__ import annotations

from random import Random

import ddsrta
from ddsrta.models.system import System

POLICIES = ("FIFO", "ROUND_ROBIN", "HIGH_PRIORITY")
KINDS = ("single_threaded", "events", "static")


def bursts_system(seed: int) -> System:
    """Sources with jitter that join on a few cores, in threads, controllers and executors."""
    random = Random(f"bursts {seed}")
    cores = [f"m/c{i}" for i in range(random.choice((2, 3, 4)))]
    lines = ["ddsrta: 1", f"machines: {{m: {{cores: [{', '.join(c[2:] for c in cores)}]}}}}"]
    lines += ["delays: {flow_controller: {1kB: 3us}, listener: {1kB: 2us}, publisher: {1kB: 2us}}"]
    lines += ["flow_controllers:"]
    for i, core in enumerate(cores):
        lines += [f"  F{i}: {{core: {core}, priority: 50, policy: {random.choice(POLICIES)}}}"]
    lines += ["listeners:"]
    lines += [f"  L{i}: {{core: {core}, priority: 60}}" for i, core in enumerate(cores)]
    lines += ["executors:"]
    for i, core in enumerate(cores):
        lines += [f"  E{i}: {{core: {core}, priority: 5, kind: {random.choice(KINDS)}}}"]
    topics, threads, callbacks, chains, base = [], [], [], [], 100
    known: list[tuple[str, str]] = []
    for number in range(random.randint(4, 10)):
        i = random.randrange(len(cores))
        wcet = random.choice((1, 2, 5, 12, 25))
        name, called = f"t{number}", random.random() < 0.6
        has = [f"wcet: {wcet}us", f"bcet: {random.choice((1, wcet))}us"]
        inputs = random.sample(known, min(len(known), random.choice((0, 1, 1, 2, 2, 3))))
        if inputs:
            topic = ", ".join(one for _, one in inputs)
            join = ", activation: and" if random.random() < 0.85 and len(inputs) > 1 else ""
            has += [f"subscribes: {{topics: [{topic}], listener: L{i}{join}}}"]
            if called and len(inputs) > 1 and not join:
                called = False
        else:
            period = base * random.choice((1, 1, 1, 2, 3))
            jitter = random.choice((0, 0, period // 2, period, 3 * period))
            if called and not jitter:
                has += [f"timer: {period}us"]
            else:
                least = random.choice((0, 0, 1, period // 4))
                given = f"period: {period}us, jitter: {jitter}us"
                has += [f"arrival: {{{given}, min_distance: {least}us}}"]
                called = False
        count = random.choice((1, 1, 1, 1, 2))
        mode = random.choice(("sync", f"async, flow_controller: F{i}"))
        has += [f"publishes: [{{topic: x{number}, mode: {mode}, count: {count}}}]"]
        topics += [f"  x{number}: {{size: 1kB, priority: {random.randint(0, 3)}}}"]
        if called:
            callbacks += [f"  {name}: {{executor: E{i}, {', '.join(has)}}}"]
        else:
            priority = random.choice((3, 4, 6, 70))
            threads += [f"  {name}: {{core: {cores[i]}, priority: {priority}, {', '.join(has)}}}"]
        for source, _ in inputs[:2]:
            chains += [f"  from {source} to {name}: {{from: {source}, to: {name}}}"]
        known.append((name, f"x{number}"))
    lines += ["topics:", *topics]
    for key, found in (("threads", threads), ("callbacks", callbacks), ("chains", chains)):
        lines += [f"{key}:", *found] if found else []
    return ddsrta.loads("\n".join(lines))
