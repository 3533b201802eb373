"""Small systems for examples and for trying things out."""

from __future__ import annotations

from ddsrta.models.reader import loads
from ddsrta.models.system import System

TWO_THREADS = """\
ddsrta: 1
name: two threads
machines:
  ecu: {cores: [c0, c1]}
delays:
  flow_controller: {1kB: 62us}
  listener: {1kB: 224us}
  publisher: {1kB: 98us}
topics:
  speed: {size: 1kB, priority: 0}
flow_controllers:
  F: {core: ecu/c0, priority: 80, policy: HIGH_PRIORITY}
listeners:
  L: {core: ecu/c1, priority: 90}
threads:
  sensor:
    core: ecu/c0
    priority: 85
    wcet: 1ms
    period: 10ms
    publishes: [{topic: speed, mode: async, flow_controller: F}]
  control:
    core: ecu/c1
    priority: 70
    wcet: 2ms
    subscribes: {topics: [speed], listener: L}
chains:
  control loop: {path: [sensor, speed, control], deadline: 8ms}
"""


def two_threads() -> System:
    """A sensor that publishes and a controller that reads.

    >>> sorted(two_threads().threads)
    ['control', 'sensor']
    """
    return loads(TWO_THREADS, "two_threads.yaml")
