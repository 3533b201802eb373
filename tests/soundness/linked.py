"""Small systems whose messages share the port of a switch, or a bus, with frames of their own."""

from __future__ import annotations

from random import Random

import ddsrta
from ddsrta.models.system import System

TEXT = """ddsrta: 1
machines: {{m: {{cores: [c0, c1]}}, n: {{cores: [c0]}}}}
links:
  port:
    kind: ethernet
    rate: 8 Gbit/s
    mtu: 100B
    overhead: 0B
    best_effort: {effort}B
    frames: {{high: {{size: 46B, period: {high}ns, pcp: 7}}, low: {{size: 60B, period: {low}ns, pcp: 1}}}}
network: [{{from: m, to: n, link: port, delay: 9ns, best: 2ns}}]
topics: {{x: {{size: {x}B, pcp: {px}}}, y: {{size: {y}B, pcp: {py}}}}}
flow_controllers: {{F: {{core: m/c0, priority: 7}}}}
listeners: {{L: {{core: n/c0, priority: 9}}}}
threads:
  p: {{core: m/c0, priority: 2, wcet: 10ns, bcet: 3ns, period: {p}ns,
       publishes: [{{topic: x, {mode}, delay: 10ns}}]}}
  q: {{core: m/c{core}, priority: 1, wcet: 15ns, bcet: 9ns, arrival: {{period: {q}ns, jitter: 40ns}},
       publishes: [{{topic: y, mode: sync, delay: 10ns}}]}}
  r: {{core: n/c0, priority: 1, wcet: 7ns, bcet: 1ns, subscribes: {{topics: [x], listener: L, delay: 3ns}}}}
  s: {{core: n/c0, priority: 1, wcet: 5ns, subscribes: {{topics: [y], listener: L, delay: 4ns}}}}
"""


def linked_system(seed: int) -> System:
    """One of them.

    >>> len(linked_system(0).threads)
    4
    """
    random = Random(f"linked {seed}")
    return ddsrta.loads(
        TEXT.format(
            effort=random.choice((0, 46, 80)),
            x=random.choice((46, 200, 300, 450)),
            y=random.choice((46, 60, 120)),
            px=random.randint(2, 4),
            py=random.randint(2, 4),
            mode=random.choice(("mode: sync", "flow_controller: F")),
            core=random.randint(0, 1),
            **{name: random.choice((400, 600, 900, 1700)) for name in ("p", "q", "high", "low")},
        ),
        f"linked {seed}",
    )
