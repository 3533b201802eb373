"""A synchronizer of what full queues may lose: nothing says when it gets the next message."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.models.system import System
from ddsrta_simulator.program import APPROXIMATE, EXACT, LATEST, NEAREST
from tests.simulation.state_machines import Machine, machine_of

POLICIES = {"exact_time": EXACT, "approximate_time": APPROXIMATE, "latest": LATEST, "mtd": NEAREST}
PAIR = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {publisher: {1kB: 1us}, listener: {1kB: 10us}}
topics: {x: {size: 1kB, history: 9}, y: {size: 1kB, history: 9}}
listeners: {L: {core: m/b, priority: 8, queue: ROOM}}
threads:
  p: {core: m/a, priority: 9, wcet: 1us, period: 100us, publishes: [{topic: x, mode: sync}, {topic: y, mode: sync}]}
READER
chains: {c: {path: [p, x, s], deadline: 2ms}}
"""
THREAD = """\
  s: {core: m/c, priority: 5, wcet: 1us,
      subscribes: {topics: [x, y], listener: L, activation: and, synchronize: POLICY}}
"""
CALLBACK = """\
processes: {P: {listener: L}}
executors: {E: {core: m/c, priority: 5, process: P}}
callbacks:
  s: {executor: E, wcet: 1us, subscribes: {topics: [x, y], activation: and, synchronize: POLICY}}
"""


def pair(policy: str, room: int, reader: str = THREAD) -> System:
    kept = policy if policy == "latest" else f"{policy}, queue: 9"
    text = PAIR.replace("READER\n", reader).replace("POLICY", kept)
    return ddsrta.loads(text.replace("ROOM", str(room)))


class Message(NamedTuple):
    stamp: int


def seen(policy: str, rare: int) -> tuple[int, int]:
    """The largest disparity, and the longest time between two sets, where all x arrive and of y,
    which comes 1 us later and may find the socket full, one of so many."""
    machine: Machine[Message] = machine_of(POLICIES[policy], 2, 0)
    times: list[int] = []
    disparity = 0
    for stamp in range(0, 60_000_000, 100_000):
        found = machine.add(0, Message(stamp))
        if stamp // 100_000 % rare == 0:
            found += machine.add(1, Message(stamp))
        times += [stamp] * len(found)
        disparity = max([disparity, *(abs(x.stamp - y.stamp) for x, y in found)])
    return disparity, max(b - a for a, b in pairwise(times))


@pytest.mark.parametrize(("policy", "figure"), [
    ("exact_time", "gap"), ("approximate_time", "gap"), ("mtd", "gap"), ("latest", "disparity"),
])  # fmt: skip
def test_what_is_lost_makes_sets_later_or_worse_without_end(policy: str, figure: str) -> None:
    whole = getattr(ddsrta.analyze(pair(policy, 9)).synchronizers["s"], figure)
    at = ("disparity", "gap").index(figure)
    assert whole is not None and seen(policy, 1)[at] <= whole
    assert whole < seen(policy, 10)[at] < seen(policy, 100)[at]
    small = ddsrta.analyze(pair(policy, 1)).synchronizers["s"]
    assert getattr(small, figure) is None
    assert str(small.unbounded_because).startswith("a full queue may lose messages of 'x'")


@pytest.mark.parametrize("reader", [THREAD, CALLBACK])
@pytest.mark.parametrize("policy", POLICIES)
def test_the_checker_derives_the_same_on_its_own(policy: str, reader: str) -> None:
    result = ddsrta.analyze(pair(policy, 1, reader))
    assert result.check is not None and result.check.status == "confirmed"
    assert (result.synchronizers["s"].gap, result.chains["c"].reaction_time) == (None, None)
    assert (result.chains["c"].latency is None) == (policy != "exact_time")
    claims = certificate(pair(policy, 1, reader))
    assert (claims["mispaired"], check(claims).ok) == (["s"], True)
    whole = certificate(pair(policy, 9, reader))
    for key in ("system", "digest", "assumptions"):
        whole[key] = claims[key]
    assert "is not said" in str(check(whole).failure)
    assert not check({**whole, "mispaired": ["s"]}).ok


def test_sets_of_one_stamp_stay_that_and_others_have_no_least_difference() -> None:
    for policy in POLICIES:
        found = ddsrta.analyze(pair(policy, 1)).synchronizers["s"]
        assert found.disparity == (0 if policy == "exact_time" else None)
