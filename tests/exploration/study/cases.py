"""A system in which two chains pull at one order of priorities, and studies of it."""

from __future__ import annotations

from typing import Any

import ddsrta
from ddsrta.exploration.study.study import Study
from ddsrta.models.system import System

TEXT = """\
ddsrta: 1
name: three
machines: {m: {cores: [c, d]}}
delays: {flow_controller: {1kB: 60us}, listener: {1kB: 100us}, publisher: {1kB: 300us}}
topics: {far: {size: 1kB}, near: {size: 1kB}}
flow_controllers: {F: {core: m/d, priority: 40}}
listeners: {L: {core: m/d, priority: 50}}
threads:
  logger: {core: m/c, priority: 30, wcet: 5ms, period: 50ms}   # by the vendor
  sensor:
    core: m/c
    priority: 20
    wcet: 1ms
    period: 10ms
    publishes: [{topic: near, mode: async, flow_controller: F}, {topic: far, flow_controller: F}]
  filter: {core: m/c, priority: 10, wcet: 3ms, period: 20ms}
  sink: {core: m/d, priority: 5, wcet: 1ms, subscribes: {topics: [near], listener: L}}
chains:
  filter: {path: [filter], deadline: 12ms}
  loop: {path: [sensor, near, sink], deadline: 12ms}
"""
ORDER = {"order": [f"threads/{name}/priority" for name in ("logger", "sensor", "filter")]}
BOTH = [{"minimize": "latency", "of": "filter"}, {"minimize": "latency", "of": "loop"}]


def system() -> System:
    return ddsrta.loads(TEXT, "three.yaml")


def explored(**keys: Any) -> Study:
    """A study of all orders, unless it is told otherwise."""
    return ddsrta.explore(
        base=system(), **{"parameters": {"order": ORDER}, "objectives": BOTH, **keys}
    )
