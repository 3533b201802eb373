"""A flow controller with a limit takes its queue's lock each period (lemma idle-looks)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.locks.holds import Locking
from ddsrta.bounds.solve import solve
from tests.checker.tampered import accepted, changed

MS = 1_000_000
TEXT = """ddsrta: 1
middleware: {fastdds: "2.9", write: 10us}
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1kB: 10us}, listener: {1kB: 10us}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/b, priority: 1LIMIT}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ms, arrival: {sporadic: 10s}, publishes: [{topic: x, flow_controller: F}]}
  up: {core: m/a, priority: 9, wcet: 2001us, arrival: {sporadic: 10ms}}
  hog: {core: m/CORE, priority: 9, wcet: 8ms, arrival: {sporadic: 10ms}}
  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x], listener: L}}
"""
IDLE, REACHED = ", limit: {bytes: 64kB, period: 2ms}", ", limit: {bytes: 1300B, period: 2ms}"


def system(limit: str, core: str = "b", version: str = "2.9") -> ddsrta.System:
    return ddsrta.loads(TEXT.replace("LIMIT", limit).replace("CORE", core).replace("2.9", version))


@pytest.mark.parametrize("limit", [IDLE, REACHED])
def test_who_preempts_it_may_come_at_each_look(limit: str) -> None:
    """hog may keep F, which has the lock, from going on again and again: p does not end."""
    assert ddsrta.analyze(system("")).threads["p"].wcrt is not None
    result = ddsrta.analyze(system(limit))
    assert result.threads["p"].wcrt is None
    assert result.check.status == "confirmed"


@pytest.mark.parametrize("limit", [IDLE, REACHED])
def test_where_nothing_preempts_it_looks_are_short(limit: str) -> None:
    without = ddsrta.analyze(system("", "c")).threads["p"].wcrt
    found = ddsrta.analyze(system(limit, "c")).threads["p"].wcrt
    assert without is not None
    assert found is not None
    assert without < found < without + 100


@pytest.mark.parametrize(("version", "each"), [("2.9", 3), ("3.6", 4)])
def test_it_looks_so_often_in_each_period_and_in_those_before_and_after(
    version: str, each: int
) -> None:
    locking = Locking(solve(system(IDLE, "c", version)))
    queue = ("queue", "F")
    found = [locking.looks(queue, t) for t in (1, 2 * MS - 1, 2 * MS, 10 * MS)]
    assert found == [2 * each, 2 * each, 3 * each, 7 * each]
    assert Locking(solve(system("", "c"))).looks(queue, 10 * MS) == 0


@pytest.mark.parametrize("version", ["2.9", "3.6"])
def test_a_certificate_without_looks_is_refused(version: str) -> None:
    claims = certificate(system(IDLE, "c", version))
    assert accepted(claims)
    number = [stage["stage"] for stage in claims["stages"]].index(["job", "p"])
    first = claims["stages"][number]["waits"][1]
    assert not accepted(changed(claims, (("stages", number, "waits", 1), first - 1)))


@pytest.mark.parametrize("limit", ["", IDLE, REACHED])
def test_what_a_look_takes_of_others_is_assumed_to_be_nothing(limit: str) -> None:
    """A thread below F has 3 ns less in each period than its bound says, and in Fast DDS more."""
    found = ddsrta.analyze(system(limit)).assumptions
    said = [each for each in found if "takes no time of what it preempts" in each.message]
    assert [each.rule for each in said] == (["locks"] if limit else [])
