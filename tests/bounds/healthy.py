"""A system about which there is nothing to say, and changes of it."""

from __future__ import annotations

from ddsrta.bounds.result import Finding
from ddsrta.models.reader import loads

# Two publishers, two topics of different priority, one core each side: nothing to say about it.
HEALTHY = """\
ddsrta: 1
machines:
  m: {cores: [a, b, spare]}
  n: {cores: [c]}
network: [{from: m, to: n, delay: 5us}]
delays: {flow_controller: {1kB: 1us}, listener: {1kB: 1us}, publisher: {1kB: 1us}}
topics:
  fast: {size: 1kB, priority: -1, history: 5}
  slow: {size: 1kB, priority: 3, history: 5}
flow_controllers:
  F: {core: m/a, priority: 10, policy: HIGH_PRIORITY, queue: 8}
listeners:
  L: {core: n/c, priority: 90, queue: 8}
threads:
  P:
    core: m/a
    priority: 50
    wcet: 1us
    period: 1ms
    publishes:
      - {topic: fast, flow_controller: F}
  Q:
    core: m/a
    priority: 40
    wcet: 1us
    period: 1ms
    publishes:
      - {topic: slow, flow_controller: F}
  S:
    core: n/c
    priority: 30
    wcet: 1us
    subscribes: {topics: [fast, slow], listener: L}
"""


def changed(*replacements: tuple[str, str], text: str = HEALTHY):
    for old, new in replacements:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return loads(text, "system.yaml")


def line_of(system_text: str, fragment: str) -> int:
    return next(i for i, line in enumerate(system_text.splitlines(), 1) if fragment in line)


def only(found: list[Finding]) -> Finding:
    assert len(found) == 1, found
    return found[0]


PARTITIONED = """
ddsrta: 1
machines: {m: {cores: {a: {partitions: {x: {budget: %s, period: 10ms}, y: {budget: 5ms, period: 10ms}}}}}}
threads:
  A: {core: m/a, partition: x, priority: 200, wcet: 1us, period: 1ms}
  B: {core: m/a, partition: y, priority: 200, wcet: 1us, period: 1ms}
"""
