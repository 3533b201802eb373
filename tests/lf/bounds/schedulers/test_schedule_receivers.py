"""Latest starts of federates that wait for messages: only where tags are those that are modelled."""

from __future__ import annotations

import pytest

from ddsrta.lf.bounds.schedulers.judge import ScheduleReport, SchedulerName, schedule
from ddsrta.lf.bounds.schedulers.own import Latest
from ddsrta.lf.program.examples import CENTRALIZED, TWO_FEDERATES
from ddsrta.lf.program.reader import loads

PHYSICAL = """\
federation: 1
coordination: decentralized
hosts: {h: {cores: 4, clock_error: 0 ms}}
network: [{from: h, to: h, delay: 1ms}]
federates:
  s:
    host: h
    timers: {t: {period: 100ms}}
    outputs: [o]
    reactions: {r: {triggers: [t], effects: [o], wcet: 1ms}}
  f:
    host: h
    timers: {t: {period: 100ms}}
    inputs: [p]
    outputs: [m]
    reactions:
      a: {reactor: x, triggers: [p], wcet: 1ms, deadline: 50ms}
      first: {reactor: y, triggers: [t], effects: [m], wcet: 2ms}
      second: {reactor: z, triggers: [t], after: [first], wcet: 3ms}
connections: [{from: s.o, to: f.p, physical: true, min_spacing: 100ms}]
"""


def found(source: str, scheduler: SchedulerName = "np") -> tuple[ScheduleReport, Latest]:
    report = schedule(loads(source, "f.yaml"), [scheduler])
    (latest,) = report.columns[0].latest.values()
    return report, latest


@pytest.mark.parametrize("scheduler", ["np", "gedf-np"])
def test_the_wait_for_inputs_counts(scheduler: SchedulerName) -> None:
    """1 ms of network, 150 us of clocks, 500 us until it is sent."""
    report, latest = found(TWO_FEDERATES, scheduler)
    assert (latest.lag, latest.exact, report.verdict) == (1_650_000, False, "met")


def test_what_follows_a_tardy_message_has_no_bound() -> None:
    source = TWO_FEDERATES.replace("inputs: [in]", "inputs: [in]\n    maxwait: 1ms")
    report, latest = found(source)
    assert latest.lag is None
    assert "messages over source.out → sink.in can be tardy" in (latest.because or "")
    assert report.verdict == "unbounded"


def test_messages_of_one_tag_are_tardy_with_an_rti_too() -> None:
    again = """\
    reactions:
      again: {reactor: b, triggers: [back], effects: [out], wcet: 1us}
"""
    source = CENTRALIZED.replace("outputs: [out]", "outputs: [out]\n    actions: {back: {}}")
    source = source.replace("    reactions:\n", again, 1).replace(
        "effects: [out], wcet: 500us", "effects: [out, back], wcet: 500us"
    )
    assert found(source)[1].lag is not None
    report, latest = found(source.replace("to: sink.in}", "to: sink.in, after: 1ms}"))
    assert "can be tardy" in (latest.because or "")
    assert report.verdict == "unbounded"


def test_a_sender_without_cores_leaves_its_receivers_without_a_bound() -> None:
    source = TWO_FEDERATES.replace("front: {cores: 2", "front: {cores: 1").replace(
        "    host: front\n", "    host: front\n    workers: 2\n"
    )
    latest = found(source)[1]
    assert "host front has fewer cores (1) than workers (2)" in (latest.because or "")


def test_grants_that_are_only_assumed_meet_nothing() -> None:
    """A federate with physical actions and inputs may tell too late a next tag."""
    assert found(CENTRALIZED)[0].verdict == "met"
    source = CENTRALIZED.replace(
        "    outputs: [out]\n",
        "    outputs: [out]\n    actions: {p: {kind: physical, min_spacing: 50ms},"
        " q: {kind: physical, min_spacing: 50ms}}\n",
    ).replace("triggers: [tick]", "triggers: [tick, p, q]")
    report, latest = found(source)
    assert (latest.because or "").startswith("its grants are assumed: ")
    assert report.verdict == "unbounded"


def test_the_first_tag_may_come_right_before_another_one() -> None:
    """A federate that waits puts its first tag off until its first event."""
    source = TWO_FEDERATES.replace(
        "timers: {own: {period: 5ms}}",
        "timers: {own: {period: 5ms, offset: 2ms}}\n    overhead: 100us",
    )
    assert found(source)[1].lag == 1_650_000 + 2 * 100_000


def test_levels_behind_physical_connections_are_not_known() -> None:
    """5 ms of an earlier tag; all others may run before, since what receives lifts levels."""
    assert found(PHYSICAL)[1].lag == 10_000_000
    levels = PHYSICAL.replace("[p], wcet: 1ms", "[p], level: 1, wcet: 1ms")
    levels = levels.replace("[m], wcet: 2ms", "[m], level: 0, wcet: 2ms")
    assert (
        found(levels.replace("[first], wcet: 3ms", "[first], level: 2, wcet: 3ms"))[1].lag
        == 7_000_000
    )


@pytest.mark.parametrize("scheduler", ["np", "deadline-monotonic"])
def test_nothing_is_exact_where_levels_are_not_known(scheduler: SchedulerName) -> None:
    """What reads a port that triggers nothing has a level that nobody knows."""
    source = PHYSICAL.replace("triggers: [p]", "triggers: [t], sources: [p]")
    source = source.replace("  f:\n", "  f:\n    core: 0\n")
    latest = found(source.replace("  s:\n", "  s:\n    core: 1\n"), scheduler)[1]
    assert (latest.lag, latest.exact) == (5_000_000, False)


def test_physical_inputs_are_waited_for_at_each_tag() -> None:
    """Nothing is known of them in advance, so that a given maxwait puts each tag off."""
    source = PHYSICAL.replace("  f:\n", "  f:\n    maxwait: 20ms\n")
    assert found(source)[1].lag == 30_000_000
    assert "waits for messages" in (found(source, "fifo")[1].because or "")
    assert found(source.replace("20ms", "forever"))[1].lag is None
    assert found(source.replace("20ms", "0 ms"))[1].lag == 10_000_000
