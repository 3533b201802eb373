"""A system of the size and shape of the Autoware reference system, for the simulator.

As it was studied with DDS: 19 callbacks (five sensors every 100 ms, nine transforms, four fusions
that wait for both of their inputs, one reactor), 14 listeners, one flow controller, messages of
3 kB, all on one machine of four cores. Sensors and transforms share a core, fusions and the reactor
another, the listeners a third, the flow controller has the fourth.

Assumed: each callback is a thread of its own on the core of its executor, the smaller its number
the more urgent; execution times are 1 ms for sensors, 3 ms for transforms and fusions, 5 ms for the
reactor, and half of that at best.
"""

from __future__ import annotations

from ddsrta.models.reader import loads
from ddsrta.models.system import System

SENSORS = range(5)
TRANSFORMS = {5: [0], 6: [1], 7: [9], 8: [7], 10: [8], 11: [9], 14: [2], 16: [15], 17: [15]}
FUSIONS = {9: [5, 6], 12: [11, 14], 13: [3, 12], 15: [4, 13]}
REACTOR = {18: [10, 12, 13, 15, 16, 17]}

HEAD = """\
ddsrta: 1
name: reference system
machines:
  pc: {cores: [c0, c1, c2, c3]}
delays:
  flow_controller: {3kB: 64us}
  listener: {3kB: 261us}
  publisher: {3kB: 172us}
flow_controllers:
  F: {core: pc/c3, priority: 90, policy: HIGH_PRIORITY}
"""


def to_yaml() -> str:
    """The system as a file.

    >>> to_yaml().count("listener: L")
    14
    """
    inputs = {**TRANSFORMS, **FUSIONS, **REACTOR}
    callbacks = [*SENSORS, *sorted(inputs)]
    lines = ["topics:"]
    lines += [f"  t{i}: {{size: 3kB, priority: {i - 8}}}" for i in callbacks if i not in REACTOR]
    lines.append("listeners:")
    lines += [f"  L{i}: {{core: pc/c2, priority: {90 - i}}}" for i in sorted(inputs)]
    lines.append("threads:")
    for i in callbacks:
        core = "c0" if i in SENSORS or i in TRANSFORMS else "c1"
        cost = 1.0 if i in SENSORS else 5.0 if i in REACTOR else 3.0
        lines.append(f"  n{i}:")
        lines.append(f"    {{core: pc/{core}, priority: {80 - i}, wcet: {cost}ms,")
        lines.append(f"    bcet: {cost / 2}ms,")
        if i in SENSORS:
            lines.append("    period: 100ms,")
        else:
            topics = ", ".join(f"t{source}" for source in inputs[i])
            how = "and" if i in FUSIONS else "or"
            lines.append(
                f"    subscribes: {{topics: [{topics}], listener: L{i}, activation: {how}}},"
            )
        if i not in REACTOR:
            lines.append(f"    publishes: [{{topic: t{i}, mode: async, flow_controller: F}}],")
        lines.append("    }")
    lines.append("chains:")
    lines += [f"  from n{i}: {{from: n{i}, to: n18}}" for i in SENSORS]
    return HEAD + "\n".join(lines) + "\n"


def ars() -> System:
    """The system.

    >>> len(ars().threads), len(ars().listeners)
    (19, 14)
    """
    return loads(to_yaml(), "ars.yaml")


if __name__ == "__main__":
    print(to_yaml(), end="")
