"""All that is waited for in one window, for whatever lock (lemma waits-together)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

import ddsrta
from ddsrta.bounds.locks.holds import Locking
from ddsrta.bounds.locks.known import Known, Met
from ddsrta.bounds.solve import solve

TEXT = """ddsrta: 1
middleware: {fastdds: "2.9", write: 1ms}
machines: {m: {cores: [a, b, c, d]}}
delays: {publisher: {1kB: 2ms}, flow_controller: {1kB: 2ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
flow_controllers: {F: {core: m/b, priority: 5}}
listeners: {L: {core: m/d, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 3ms, period: 100ms, publishes: [{topic: x, flow_controller: F, count: 2}]}
  hog: {core: m/a, priority: 9, wcet: 10ms, period: 100ms}
  cut: {core: m/b, priority: 9, wcet: 1ms, period: 100ms}
  over: {core: m/c, priority: 9, wcet: 4ms, period: 100ms}
  r: {core: m/c, priority: 5, wcet: 1ms, period: 100ms, publishes: [{topic: y, mode: sync}]}
  q: {core: m/c, priority: 1, wcet: 1ms, period: 100ms, publishes: [{topic: y, mode: sync}]}
  s: {core: m/d, priority: 1, wcet: 1ms, subscribes: {topics: [x, y], listener: L}}
"""


def together(window: int, sending: bool = True, known: Iterable[str] = ()) -> int:
    """What waits for the send mutex, and for what F sends, wait for in all."""
    solution = solve(ddsrta.loads(TEXT))
    locking, number = Locking(solution), solution.number
    send = {lock for lock in locking.uses if lock[0] == "send"}
    samples = frozenset([number(("sample", "p", "x"))] if sending else [])
    met = Met(frozenset(number(("job", n)) for n in known))
    return locking.together(send, samples, window, met)


def test_a_round_goes_on_from_what_lasted_so_long_in_the_one_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A second of work lasts twelve jobs of the hog longer, which come meanwhile."""
    looked = list[int]()
    preempting = Locking._preempting
    monkeypatch.setattr(
        Locking, "_preempting", lambda self, *given: looked.append(0) or preempting(self, *given)
    )
    solution = solve(ddsrta.loads(TEXT))
    number, known = solution.number(("job", "p")), Known(solution.compiled)
    looked.clear()
    first = Locking(solution, known).elapsed(number, 1_000_000_000)
    steps = len(looked)
    assert Locking(solution, known).elapsed(number, 1_000_000_000) == first
    assert len(looked) == steps + 1 < 2 * steps
    assert Locking(solution).elapsed(number, 1_000_000_000) == first == 1_120_000_000


@pytest.mark.parametrize(("window", "samples"), [(1_000_000, 2), (70_000_000, 4)])
def test_each_supply_counts_what_preempts_its_least_urgent_user_once(window, samples) -> None:
    """In 70 ms, and a response of 28 ms before, samples of two jobs may be pending."""
    work = samples * 2_000_005 + 2 * 2_000_000 + 2  # samples and looks, sends of r and q, writes
    assert together(window) == work + 10_000_000 + 1_000_000 + (4_000_000 + 3_000_000)


def test_what_counts_in_the_window_itself_neither_works_nor_preempts_then() -> None:
    assert together(1_000_000, known=["r"]) == together(1_000_000) - 2_000_000 - 3_000_000


def test_who_waits_for_no_writer_does_not_wait_for_queues() -> None:
    # p does not send by itself, so nothing on its core counts; F has the mutex to send
    assert together(1_000_000, sending=False) == 8_000_000 + 1_000_000 + 7_000_000


def test_also_where_a_flow_controller_sleeps_for_its_limit() -> None:
    """F may send one message each 30 ms; p waits only while it sends, 2 ms for each of the two."""
    text = """ddsrta: 1
middleware: {fastdds: "2.9", write: 1ms}
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1kB: 2ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/b, priority: 5, limit: {bytes: 2kB, period: 30ms}}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 3ms, period: 200ms, publishes: [{topic: x, flow_controller: F, count: 2}]}
  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x], listener: L}}
"""
    system = ddsrta.loads(text)
    result = ddsrta.analyze(system)
    assert result.check.status == "confirmed"
    looks = 2 * 5 + 2 * 3  # into its queue: five for each message, three in each of two periods
    assert result.threads["p"].wcrt == 3_000_000 + 2 * 2_000_000 + looks
    apart = ddsrta.analyze(system, refinements=ddsrta.Refinements(lock_windows=False))
    assert apart.threads["p"].wcrt > result.threads["p"].wcrt
