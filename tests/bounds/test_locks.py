"""Waits for locks of Fast DDS that are not handed over: who comes anew may be first, again and again."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.locks.uses import uses_of
from ddsrta.checker.check import check
from ddsrta.checker.lock_users import uses
from ddsrta.checker.opened import opened, staged

HEAD = """ddsrta: 1
middleware: {fastdds: "2.9", write: 20us}
machines: {ecu: {cores: [c0, c1, c2, c3, c4, c5]}}
delays:
  publisher: {1kB: 10us, 60kB: 600us}
  listener: {1kB: 10us, 60kB: 20us}
listeners:
  L: {core: ecu/c2, priority: 90}
threads:
  hog: {core: ecu/c0, priority: 90, wcet: 401us, bcet: 1us, arrival: {sporadic: 1ms}}
  woken:  {core: ecu/c0, priority: 10, wcet: 10us, bcet: 1us, arrival: {sporadic: 1s}, publishes: [{topic: w, mode: sync}]}
  victim: {core: ecu/c1, priority: 5, wcet: 10us, bcet: 1us, arrival: {sporadic: 1s}, publishes: [{topic: z, mode: sync}]}
"""


def starved(bargers: int) -> str:
    """A thread whose wait for the send mutex has a gap behind each hold of so many others."""
    topics = [f"b{i}" for i in range(bargers)]
    lines = [
        f"  {b}: {{core: ecu/c{3 + i % 3}, priority: {50 + i}, wcet: 10us, bcet: 1us, "
        f"arrival: {{sporadic: 1s}}, publishes: [{{topic: {b}, mode: sync}}]}}"
        for i, b in enumerate(topics)
    ]
    sizes = ["  w: {size: 1kB}", "  z: {size: 1kB}", *(f"  {b}: {{size: 60kB}}" for b in topics)]
    reader = (
        "  reader: {core: ecu/c2, priority: 1, wcet: 10us, bcet: 1us, "
        f"subscribes: {{topics: [w, z, {', '.join(topics)}], listener: L}}}}"
    )
    return "\n".join([HEAD + "\n".join(lines), reader, "topics:", *sizes, ""])


def wait(bargers: int) -> int:
    """The victim's response without its own work."""
    response = ddsrta.analyze(ddsrta.loads(starved(bargers))).threads["victim"].wcrt
    assert response is not None
    return response - 20_000


@pytest.mark.parametrize("bargers", [2, 5, 20])
def test_each_hold_of_others_opens_a_gap(bargers: int) -> None:
    """The hog comes each millisecond, and keeps the one that was woken for up to 401 us; after each
    hold of 600 us the next one comes anew as soon as that gap ends. A run of that kind takes the
    work of all, and all that the hog takes of the time."""
    work = 600_000 * bargers + 10_000
    gaps = sum(401_000 for _ in range(0, work, 1_000_000))  # no less in a window of that length
    assert wait(bargers) >= work + gaps


def test_a_gap_can_be_as_long_as_what_preempts_who_was_woken() -> None:
    assert wait(2) == 2_433_000 - 20_000


def test_a_lock_of_threads_that_nothing_preempts_has_no_gaps() -> None:
    alone = (
        starved(2)
        .replace("wcet: 401us", "wcet: 1us")
        .replace("priority: 90, wcet", "priority: 1, wcet")
    )
    response = ddsrta.analyze(ddsrta.loads(alone)).threads["victim"].wcrt
    assert response == 10_000 + 2 * 600_000 + 2 * 10_000


def test_the_checker_refutes_one_gap_for_all() -> None:
    claims = certificate(ddsrta.loads(starved(2)))
    assert check(claims).ok
    for stage in claims["stages"]:
        if stage["stage"] == ["job", "victim"]:
            stage["waits"][1] = 1_611_000
            stage["response"] = stage["latency"] = stage["window"] = 1_631_000
    failure = check(claims).failure
    assert failure is not None and "sleeping-window" in failure


def test_a_datagram_leaves_to_all_its_readers_in_one_hold() -> None:
    reader = "  {}: {{core: ecu/c2, priority: {}, wcet: 10us, subscribes: {{topics: [w, z, b0], listener: L}}}}\n"
    text = starved(1).replace("  reader:", "".join(map(reader.format, "uv", (2, 3))) + "  reader:")
    system = ddsrta.loads(text)
    found = uses_of(system, compile_system(system).stages)
    assert {use.holds for use in found if use.lock[0] == "send"} == {1}
    given = opened(certificate(system))
    known = uses(given.system, staged(given).stages)
    assert {use.holds for use in known if use.lock[0] == "send"} == {1}
    assert [(use.work, use.holds) for use in found] == [(use.work, use.holds) for use in known]


@pytest.mark.parametrize(
    ("version", "put", "sent"),
    [("2.6", 1, 5), ("2.9", 1, 5), ("2.10", 1, 5), ("2.14", 2, 6), ("3.2", 2, 6), ("3.6", 2, 6)],
)
def test_the_queue_of_a_flow_controller_has_two_mutexes_since_2_12(
    version: str, put: int, sent: int
) -> None:
    text = (
        starved(1)
        .replace("2.9", version)
        .replace("  publisher:", "  flow_controller: {1kB: 9us}\n  publisher:")
    )
    text = text.replace(
        "listeners:\n", "flow_controllers: {F: {core: ecu/c2, priority: 50}}\nlisteners:\n"
    )
    system = ddsrta.loads(
        text.replace("{topic: z, mode: sync}", "{topic: z, flow_controller: F, count: 3}")
    )
    given = opened(certificate(system))
    for uses_found in (
        uses_of(system, compile_system(system).stages),
        uses(given.system, staged(given).stages),
    ):
        found = sorted((use.holds, use.work) for use in uses_found if use.lock[0] == "queue")
        assert found == sorted([(3 * put, 3 * put), (sent, sent)])
