"""What is known to be wrong with the published analysis is said."""

from __future__ import annotations

import pytest

from ddsrta.bounds.analyze import analyze
from ddsrta.models.reader import loads
from ddsrta.papers.dds import unsound_rows
from ddsrta.papers.dds.model import model
from tests.papers.dds_systems import JOIN, controller, sender, system


def rules(of) -> list[str]:
    return [finding.rule for finding in unsound_rows(of)]


def test_unsound_rows_name_what_concerns_the_system():
    senders = sender("A", "A", "10us") + sender("B", "B", "100us")
    assert rules(system(controller("FIFO", "A, B") + senders)) == []
    assert rules(system(controller("HIGH_PRIORITY", "A, B") + senders)) == []
    assert rules(system(controller("ROUND_ROBIN", "A") + sender("A", "A", "1us"))) == []
    round_robin = unsound_rows(system(controller("ROUND_ROBIN", "A, B") + senders))
    assert [f.rule for f in round_robin] == ["published-lemma-10", "published-lemma-10-pending"]
    assert all(f.severity == "error" for f in round_robin)
    assert "'B'" in round_robin[0].message and "'A'" in round_robin[0].message
    assert round_robin[0].position is not None and round_robin[0].position.line == 6


def test_unsound_rows_of_curves_and_chains():
    both = JOIN.replace("Q: {core: n/a", "Q: {core: m/d")
    assert rules(system(both % "or")) == []
    assert rules(system(both % "and")) == ["published-and-wait"]
    assert rules(system(both.replace("{topic: A}", "{topic: A, count: 2}") % "or")) == [
        "published-eq-25"
    ]


INSTANT = """
threads:
  P: {core: m/a, priority: 2, wcet: 5us, %s, period: 10us}
  F: {core: m/b, priority: 2, wcet: 3us, follows: {threads: [P]}}
  low: {core: m/b, priority: 1, wcet: 2001ns, period: 1ms}
"""


def test_unsound_rows_of_what_takes_no_time():
    assert rules(system(INSTANT % "bcet: 1ns")) == []
    assert rules(system(INSTANT % "bcet: 0us")) == ["published-instant"]
    sending = controller("FIFO", "A") + sender("A", "A", "{worst: 5us, best: %s}")
    assert rules(system(sending % "1ns")) == []
    assert rules(system(sending % "0us")) == ["published-instant"]


def test_what_takes_no_time_completes_a_nanosecond_too_late_for_the_curves():
    # P completes at 5 and, released at 10, at once: F's jobs are 5 us apart, the curve says 5.001
    published, default = (
        analyze(system(INSTANT % "bcet: 0us"), profile=p) for p in ("published", "busy-window")
    )
    assert published.threads["low"].wcrt == 5001
    assert default.threads["low"].wcrt == 8001


def test_unsound_rows_of_priorities_and_reservations():
    text = """
threads:
  a: {core: m/a, priority: 2, wcet: 5us, period: 1ms}
  b: {core: m/a, priority: %s, wcet: 5us, period: 1ms}
  c: {core: m/b, priority: 2, wcet: 5us, period: 1ms}
"""
    assert rules(system(text % "1")) == []
    assert rules(system(text % "2")) == ["published-equal-priorities"]
    reserved = (text % "1").replace("priority: 1,", "reservation: {budget: 1us, period: 2us},")
    assert rules(system(reserved)) == ["published-reservations"]


SOCKET = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2, c3]}}
topics: {a: {size: 1kB, priority: 0}, b: {size: 1kB, priority: 1}}
listeners: {L: {core: m/c2, priority: 50, queue: %s}}
threads:
  A: {core: m/c0, priority: 42, wcet: 1us, period: 1ms, publishes: [{topic: a, mode: sync, delay: 1us}]}
  B: {core: m/c3, priority: 41, wcet: 1us, period: 1ms, publishes: [{topic: b, mode: sync, delay: 1us}]}
  R: {core: m/c1, priority: 40, wcet: 1us, subscribes: {topics: [a, b], listener: L, delay: 100us}}
"""


@pytest.mark.parametrize(("queue", "warned"), [(1, True), (2, False), (500, False)])
def test_a_full_queue_does_not_bound_what_is_before_a_message(queue: int, warned: bool) -> None:
    """Two samples at once: one is served, so that a queue of one holds the other."""
    result = analyze(loads(SOCKET % queue), profile="published")
    assert ("published-queues" in {finding.rule for finding in result.warnings}) == warned


def test_things_of_one_name_are_not_one_thing():
    text = controller("FIFO", "A").replace("m/c", "m/b")
    flat = model(system(text + sender("A", "A", "10us")))
    assert [len(units) for units in flat.units_of.values()] == [1, 1, 1, 1]
