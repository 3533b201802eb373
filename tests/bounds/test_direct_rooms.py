"""What a job hands to another of its process waits in a buffer as deep as the topic's history."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.models.system import System

DIRECT = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {publisher: {1kB: 1us}, listener: {1kB: 1us}}
topics: {x: {size: 1kB, history: 3}, y: {size: 1kB, history: 3}}
listeners: {L: {core: m/b, priority: 9}}
processes: {P: {listener: L, intra_process: true}}
executors: {E: {core: m/a, priority: 5, process: P}, G: {core: m/b, priority: 5, process: P}}
callbacks:
  p: {executor: E, wcet: 1us, timer: 1ms, publishes: [{topic: x, mode: sync, count: 3}]}
  s: {executor: G, wcet: 50us, subscribes: {topics: [x]}}
chains:
  c: {path: [p, x, s], deadline: 1ms}
  r: {path: [p, x, s], deadline: 3ms, constraint: reaction_time}
"""


def direct(*changes: tuple[str, str]) -> System:
    text = DIRECT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return ddsrta.loads(text)


def besides(result: ddsrta.Result) -> list[ddsrta.Assumption]:
    """What is assumed beside that E and G do not wait for each other."""
    others = [one for one in result.assumptions if one.rule != "reader-locks"]
    assert len(result.assumptions) == len(others) + 1
    return others


def confirmed(system: System) -> ddsrta.Result:
    result = ddsrta.analyze(system)
    assert result.check is not None and result.check.status == "confirmed"
    return result


def test_three_of_a_job_wait_and_a_run_shows_it() -> None:
    result = confirmed(direct())
    queue = result.queues["s < x, directly"]
    assert (queue.backlog, queue.capacity, besides(result)) == (3, 3, [])
    seen = ddsrta.simulate(direct(), horizon="20ms", seeds=3).queues["s < x, directly"]
    assert (seen.backlog.max, seen.backlog.bound) == (3, 3)


def test_less_room_may_lose_some() -> None:
    small = direct(("history: 3}, y", "history: 2}, y"))
    result = confirmed(small)
    (line,) = besides(result)
    assert (line.rule, "of topic 'x'" in line.message) == ("no-overflow", True)
    assert result.chains["c"] == confirmed(direct()).chains["c"]
    assert result.chains["r"].reaction_time is None and result.verdict == "unbounded"
    assert "queue-overflow" in {found.rule for found in result.warnings}
    claims = certificate(small)
    whole = {**certificate(direct()), **{key: claims[key] for key in ("system", "digest")}}
    assert "rest on 'no-overflow', which is not said" in str(check(whole).failure)
    whole["assumptions"] = claims["assumptions"]
    assert "reaction_time: claimed to be" in str(check(whole).failure)
    claims["queues"]["s < x, directly"]["backlog"] = 2
    assert "up to 3 may wait" in str(check(claims).failure)


def test_room_that_nobody_gave_is_assumed() -> None:
    (line,) = besides(
        confirmed(direct(("history: 3}, y", "history: 3}, y"), ("kB, history: 3}, y", "kB}, y")))
    )
    assert "3 in a history of topic 'x'" in line.message


BOTH = ("count: 3}]", "count: 3}, {topic: y, mode: sync, count: 3}]")


@pytest.mark.parametrize("room", [3, 2])
def test_a_join_behind_a_small_one_is_shifted(room: int) -> None:
    joins = ("topics: [x]}", "topics: [x, y], activation: and}")
    result = confirmed(direct(BOTH, joins, ("history: 3}, y", f"history: {room}}}, y")))
    assert (result.chains["c"].latency is None) == (room == 2)
    assert [line.rule for line in besides(result)] == (["no-overflow"] if room == 2 else [])


def test_a_synchronizer_behind_a_small_one_has_no_gap() -> None:
    pair = ("count: 3}]", "count: 1}, {topic: y, mode: sync}]")
    joins = ("topics: [x]}", "topics: [x, y], activation: and, synchronize: exact_time, queue: 9}")
    slow = ("timer: 1ms", "timer: 20us")
    roomy = (
        ("history: 3}, y", "history: 99}, y"),
        ("y: {size: 1kB, history: 3", "y: {size: 1kB, history: 99"),
    )
    load = ("wcet: 50us", "wcet: 10us")
    blocked = ("  s:", "  t: {executor: G, wcet: 60us, timer: 1ms}\n  s:")
    whole = confirmed(direct(pair, joins, slow, load, blocked, *roomy))
    assert whole.synchronizers["s"].gap is not None
    small = confirmed(
        direct(pair, joins, slow, load, blocked, roomy[1], ("history: 3}, y", "history: 1}, y"))
    )
    assert small.synchronizers["s"].gap is None
