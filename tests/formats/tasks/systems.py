"""Systems that are tasks already, and some whose middleware and executors become tasks."""

from __future__ import annotations

PLAIN = """\
ddsrta: 1
name: plain
machines:
  a: {cores: [c0, c1]}
  b: {cores: [c0]}
threads:
  fast: {core: a/c0, priority: 9, wcet: 1ms, bcet: 1ms, period: 5ms, arrival: {jitter: 1ms}}
  slow: {core: a/c0, priority: 5, wcet: 2ms, bcet: 2ms, arrival: {burst: {count: 2, distance: 1ms, period: 20ms}}}
  left: {core: a/c1, priority: 7, wcet: 500us, bcet: 100us, follows: {threads: [fast]}}
  right: {core: a/c1, priority: 3, wcet: 700us, bcet: 100us, follows: {threads: [slow]}}
  both: {core: b/c0, priority: 1, wcet: 300us, bcet: 1ns, follows: {threads: [left, right]}}
chains:
  quick: {path: [fast, left, both], deadline: 8ms}
  calm: {path: [slow, right, both]}
"""

DISTRIBUTED = """\
ddsrta: 1
name: distributed
machines:
  ecu: {cores: [c0]}
  arm: {cores: [c0]}
network:
  - {from: ecu, to: arm, delay: 300us, best: 100us}
delays:
  flow_controller: {1kB: {worst: 60us, best: 20us}}
  listener: {1kB: 40us}
  publisher: {1kB: 90us}
topics:
  speed: {size: 1kB, priority: 1}
  angle: {size: 1kB, priority: 0}
flow_controllers:
  F: {core: ecu/c0, priority: 20, policy: HIGH_PRIORITY}
listeners:
  L: {core: arm/c0, priority: 30}
  M: {core: ecu/c0, priority: 31}
executors:
  spin: {core: arm/c0, priority: 10, kind: single_threaded}
threads:
  sensor:
    core: ecu/c0
    priority: 50
    wcet: 400us
    period: 10ms
    publishes: [{topic: speed, flow_controller: F, count: 2}, {topic: angle, flow_controller: F}]
  local: {core: ecu/c0, priority: 5, wcet: 1ms, subscribes: {topics: [speed], listener: M}}
  log: {core: ecu/c0, priority: 1, wcet: 1ms, period: 100ms, follows: {threads: [local]}}
  drive: {core: arm/c0, priority: 12, wcet: 1ms, subscribes: {topics: [speed, angle], listener: L}}
callbacks:
  show: {executor: spin, wcet: 3ms, subscribes: {topics: [angle], listener: L}}
  tick: {executor: spin, wcet: 200us, timer: 20ms}
chains:
  go: {path: [sensor, angle, drive], deadline: 20ms}
  logged: {path: [sensor, speed, local, log], constraint: data_age, deadline: 1s}
"""
