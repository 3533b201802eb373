"""What has no bound is not looked for again in each round in which waits grow."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds import solve as solving
from ddsrta_kernel import Solver

# Two threads that feed each other's cores have no bound; beside them two wait for a lock.
TEXT = """ddsrta: 1
middleware: {fastdds: "2.9"}
machines: {m: {cores: [a, b, c, d, e]}}
delays: {publisher: {1kB: 1us}, listener: {1kB: 1us}}
topics: {x: {size: 1kB}}
listeners: {L: {core: m/e, priority: 5}}
threads:
  a1: {core: m/a, priority: 1, wcet: 4ms, bcet: 1ns, period: 10ms}
  b2: {core: m/b, priority: 9, wcet: 5ms, bcet: 1ns, follows: {threads: [a1]}}
  b1: {core: m/b, priority: 1, wcet: 4ms, bcet: 1ns, period: 10001us}
  a2: {core: m/a, priority: 9, wcet: 5ms, bcet: 1ns, follows: {threads: [b1]}}
  u: {core: m/c, priority: 5, wcet: 1ms, period: 10ms, publishes: [{topic: x, mode: sync}]}
  v: {core: m/d, priority: 5, wcet: 1ms, period: 10ms, publishes: [{topic: x, mode: sync}]}
  s: {core: m/e, priority: 1, wcet: 1us, subscribes: {topics: [x], listener: L}}
"""


def test_windows_without_end_are_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    efforts: list[int] = []

    class Counting(Solver):
        def solve(self) -> int:
            found = super().solve()
            efforts.append(self.effort)
            return found

    monkeypatch.setattr(solving, "Solver", Counting)
    solution = solving.solve(ddsrta.loads(TEXT))
    assert solution.response(("job", "a1")) is None and solution.response(("job", "u")) is not None
    few, walked, *later = efforts  # with few steps for each window, and with all
    assert later and walked > 1000 * max(later) and walked > 40 * few
